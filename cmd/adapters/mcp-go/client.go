package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

const name = "mcp-go"

// tells holds what a caller of CallTool can tell apart. A code that mcp-go has
// no error value for comes as a plain error with the server's text, and so does
// a result that it cannot read. Of statuses it names two.
var tells = []string{
	"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "RPC_ERROR|INVALID_TOOL_RESULT",
	"HTTP_ERROR", "NO_FINAL_RESPONSE", "ERROR",
}

// codes are those that mcp-go has an error value for.
var codes = []struct {
	err  error
	code int64
}{
	{mcp.ErrParseError, mcp.PARSE_ERROR},
	{mcp.ErrInvalidRequest, mcp.INVALID_REQUEST},
	{mcp.ErrMethodNotFound, mcp.METHOD_NOT_FOUND},
	{mcp.ErrInvalidParams, mcp.INVALID_PARAMS},
	{mcp.ErrInternalError, mcp.INTERNAL_ERROR},
	{mcp.ErrRequestInterrupted, mcp.REQUEST_INTERRUPTED},
	{mcp.ErrResourceNotFound, mcp.RESOURCE_NOT_FOUND},
	{mcp.HeaderMismatchError{}, mcp.HEADER_MISMATCH},
	{mcp.MissingRequiredClientCapabilityError{}, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY},
	{mcp.UnsupportedProtocolVersionError{}, mcp.UNSUPPORTED_PROTOCOL_VERSION},
	{mcp.URLElicitationRequiredError{}, mcp.URL_ELICITATION_REQUIRED},
}

// judge says what the results of CallTool tell any caller.
func judge(result *mcp.CallToolResult, err error) verdict {
	switch {
	case err == nil && result.IsError:
		return verdict{Saw: "TOOL_ERROR"}
	case err == nil:
		return verdict{Saw: "SUCCESS"}
	}
	text := err.Error()
	var failed *transport.Error // what befell the exchange, not what the server said
	switch {
	case errors.Is(err, mcpgo.ErrMaxInputRoundTripsExceeded): // of one round, see connect
		return verdict{Saw: "INPUT_REQUIRED", Text: text}
	case errors.Is(err, context.DeadlineExceeded):
		return verdict{Saw: "NO_FINAL_RESPONSE", Text: text}
	case errors.Is(err, transport.ErrAuthorizationRequired):
		return verdict{Saw: "HTTP_ERROR", Status: http.StatusUnauthorized, Text: text}
	case errors.Is(err, transport.ErrSessionTerminated):
		return verdict{Saw: "HTTP_ERROR", Status: http.StatusNotFound, Text: text}
	case errors.As(err, &failed):
		return verdict{Saw: "ERROR", Text: text}
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return verdict{Saw: "RPC_ERROR", Code: &c.code, Text: text}
		}
	}
	return verdict{Saw: "RPC_ERROR|INVALID_TOOL_RESULT", Text: text}
}

// client holds the connection, which is made at the first call and made anew
// after each call that failed, so that nothing of that call is left for the
// next one.
type client struct {
	protocol string
	timeout  time.Duration // of a call
	warm     bool          // it has made one, the slowest, which gets more
	url      string
	inner    *mcpgo.Client   // nil when there is no connection
	pool     *http.Transport // of this connection alone
}

func newClient(protocol string) *client { return &client{protocol: protocol} }

func (c *client) call(a ask) verdict {
	if err := c.connect(a.URL); err != nil {
		return verdict{Saw: "ERROR", Text: fmt.Sprintf("connect: %v", err)}
	}
	limit := c.timeout
	if !c.warm {
		limit = max(limit, 9*time.Second)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	result, err := c.inner.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: a.Tool, Arguments: a.Arguments}})
	cancel()
	v := judge(result, err)
	c.warm = c.warm || err == nil
	if err != nil {
		alive := c.alive()
		v.Alive = &alive
		c.close()
	}
	return v
}

// alive tells whether the connection still serves: it lists the tools.
func (c *client) alive() bool {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout/2)
	defer cancel()
	_, err := c.inner.ListTools(ctx, mcp.ListToolsRequest{})
	return err == nil
}

func (c *client) connect(url string) error {
	if c.inner != nil && c.url == url {
		return nil
	}
	c.close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	pool := http.DefaultTransport.(*http.Transport).Clone()
	stream, err := transport.NewStreamableHTTP(url,
		transport.WithHTTPBasicClient(&http.Client{Transport: pool}),
		transport.WithHTTPLogger(slog.New(slog.NewTextHandler(os.Stderr, nil))))
	if err != nil {
		return err
	}
	// After one round a request for input comes back to the caller, as an error.
	inner := mcpgo.NewClient(stream, mcpgo.WithProtocolVersion(c.protocol), mcpgo.WithMaxInputRoundTrips(1))
	if err := inner.Start(ctx); err != nil {
		return err
	}
	start := mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: name, Version: "1"}}}
	if _, err := inner.Initialize(ctx, start); err != nil {
		return errors.Join(err, inner.Close())
	}
	if got := inner.ProtocolVersion(); got != c.protocol {
		return errors.Join(fmt.Errorf("got protocol version %s, want %s", got, c.protocol), inner.Close())
	}
	c.url, c.inner, c.pool = url, inner, pool
	return nil
}

func (c *client) close() {
	if c.inner == nil {
		return
	}
	c.inner.Close()
	c.pool.CloseIdleConnections()
	c.inner = nil
}

// moduleVersion is that of mcp-go which this program was built with.
func moduleVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == "github.com/mark3labs/mcp-go" {
			return m.Version
		}
	}
	return ""
}
