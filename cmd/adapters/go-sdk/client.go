package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const name = "go-sdk"

// tells holds what a caller of CallTool can tell apart. Its errors carry no HTTP
// status and no class for bodies that cannot be read: those are all ERROR.
var tells = []string{"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "NO_FINAL_RESPONSE", "ERROR"}

// judge says what the results of CallTool tell any caller.
func judge(result *mcp.CallToolResult, err error) verdict {
	var rpc *jsonrpc.Error
	switch {
	case err == nil && result.NeedsInput():
		return verdict{Saw: "INPUT_REQUIRED"}
	case err == nil && result.IsError:
		return verdict{Saw: "TOOL_ERROR"}
	case err == nil:
		return verdict{Saw: "SUCCESS"}
	case errors.Is(err, context.DeadlineExceeded):
		return verdict{Saw: "NO_FINAL_RESPONSE", Text: err.Error()}
	case errors.As(err, &rpc) && !local(rpc):
		return verdict{Saw: "RPC_ERROR", Code: &rpc.Code, Text: err.Error()}
	}
	return verdict{Saw: "ERROR", Text: err.Error()}
}

// local tells the SDK's own errors from a server's. HTTP failures that it holds
// to be passing come as a JSON-RPC error too, with this code and this text.
func local(e *jsonrpc.Error) bool {
	return e.Code == -32005 && e.Message == "rejected by transport"
}

// client holds the connection, which is made at the first call and made anew
// after each call that failed: many answers end the session, and what the
// client still does for a failed call, such as to resume its stream, must not
// reach into the next one.
type client struct {
	protocol string
	timeout  time.Duration // of a call
	warm     bool          // it has made one, the slowest, which gets more
	url      string
	session  *mcp.ClientSession
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
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: a.Tool, Arguments: a.Arguments})
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

// alive tells whether the session still serves: it lists the tools.
func (c *client) alive() bool {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout/2)
	defer cancel()
	_, err := c.session.ListTools(ctx, nil)
	return err == nil
}

func (c *client) connect(url string) error {
	if c.session != nil && c.url == url {
		return nil
	}
	c.close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c.pool = http.DefaultTransport.(*http.Transport).Clone()
	// Requests for input come back to the caller instead of being fulfilled.
	options := &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}}
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: c.pool}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, options).
		Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: c.protocol})
	if err != nil {
		return err
	}
	if got := session.InitializeResult().ProtocolVersion; got != c.protocol {
		return errors.Join(fmt.Errorf("got protocol version %s, want %s", got, c.protocol), session.Close())
	}
	c.url, c.session = url, session
	return nil
}

func (c *client) close() {
	if c.session == nil {
		return
	}
	c.session.Close() // of a session that is dead already this says so, again
	c.pool.CloseIdleConnections()
	c.session = nil
}

// moduleVersion is that of the SDK which this program was built with.
func moduleVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == "github.com/modelcontextprotocol/go-sdk" {
			return m.Version
		}
	}
	return ""
}
