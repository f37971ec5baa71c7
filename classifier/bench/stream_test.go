package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	mcpgoclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	r3labs "github.com/r3labs/sse/v2"
	"github.com/tmaxmax/go-sse"

	"github.com/replyproof/replyproof/classifier"
)

// streams are the shapes that cost readers the most.
var streams = []struct {
	name string
	make func() []byte
}{
	{"10000-small-events", func() []byte { return Stream(10_000, Answer(150), 1) }},
	{"one-8MB-event", func() []byte { return Stream(0, Answer(8<<20), 1) }},
	{"256KB-in-many-lines", func() []byte { return Stream(0, Answer(256<<10), 4_000) }},
}

// readers read a stream to its final response. The parsers only cut it into
// events; the two SDKs are whole clients, reached through a round tripper in memory.
var readers = []struct {
	name string
	open func(testing.TB, []byte) func() error
}{
	{"replyproof", openReplyproof},
	{"tmaxmax-go-sse", openTmaxmax},
	{"r3labs-sse", openR3labs},
	{"go-sdk-client", openGoSDK},
	{"mcp-go-client", openMCPGo},
}

var streamHeader = http.Header{"Content-Type": {"text/event-stream"}}

func openReplyproof(_ testing.TB, stream []byte) func() error {
	return func() error {
		v := classifier.Classify(call, classifier.Answer{Status: 200, Header: streamHeader, Body: stream})
		if v.Outcome != classifier.ToolSuccess {
			return fmt.Errorf("got %v (%v), want TOOL_SUCCESS", v.Outcome, v.Reason)
		}
		return nil
	}
}

func openTmaxmax(_ testing.TB, stream []byte) func() error {
	config := &sse.ReadConfig{MaxEventSize: 64 << 20}
	return func() error {
		last := 0
		for event, err := range sse.Read(bytes.NewReader(stream), config) {
			if err != nil {
				return err
			}
			last = len(event.Data)
		}
		return wantData(last)
	}
}

func openR3labs(_ testing.TB, stream []byte) func() error {
	return func() error {
		reader, last := r3labs.NewEventStreamReader(bytes.NewReader(stream), 64<<20), 0
		for {
			event, err := reader.ReadEvent()
			if errors.Is(err, io.EOF) {
				return wantData(last)
			}
			if err != nil {
				return err
			}
			last = len(event)
		}
	}
}

func wantData(n int) error {
	if n < 100 {
		return fmt.Errorf("the last event has %d bytes, want the response", n)
	}
	return nil
}

// canned answers the handshake plainly and every tools/call with a stream.
type canned struct{ stream []byte }

func (c *canned) RoundTrip(request *http.Request) (*http.Response, error) {
	answer := func(status int, kind string, body []byte) (*http.Response, error) {
		return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: request}, nil
	}
	if request.Method != http.MethodPost {
		return answer(http.StatusMethodNotAllowed, "text/plain", nil)
	}
	var message struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.NewDecoder(request.Body).Decode(&message); err != nil {
		return nil, err
	}
	_ = request.Body.Close()
	switch {
	case message.ID == nil:
		return answer(http.StatusAccepted, "", nil)
	case message.Method == "initialize":
		return answer(http.StatusOK, "application/json", fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"canned","version":"1"}}}`, message.ID))
	case message.Method == "tools/call":
		// The body was made for the id 1; only the id differs.
		stream := bytes.Replace(c.stream, []byte(`"2.0","id":1,`), fmt.Appendf(nil, `"2.0","id":%s,`, message.ID), 1)
		return answer(http.StatusOK, "text/event-stream", stream)
	default:
		return answer(http.StatusOK, "application/json", fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`, message.ID))
	}
}

func openGoSDK(tb testing.TB, stream []byte) func() error {
	client := gosdk.NewClient(&gosdk.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &gosdk.StreamableClientTransport{
		Endpoint: "http://127.0.0.1:1/mcp", HTTPClient: &http.Client{Transport: &canned{stream}}, DisableStandaloneSSE: true, MaxRetries: -1,
	}, nil)
	if err != nil {
		tb.Fatalf("connect the official SDK's client: %v", err)
	}
	tb.Cleanup(func() { _ = session.Close() })
	return func() error {
		result, err := session.CallTool(context.Background(), &gosdk.CallToolParams{Name: "synthetic"})
		if err == nil && result.IsError {
			err = errors.New("got a tool error")
		}
		return err
	}
}

func openMCPGo(tb testing.TB, stream []byte) func() error {
	tr, err := transport.NewStreamableHTTP("http://127.0.0.1:1/mcp", transport.WithHTTPBasicClient(&http.Client{Transport: &canned{stream}}))
	if err != nil {
		tb.Fatalf("make mcp-go's transport: %v", err)
	}
	client := mcpgoclient.NewClient(tr)
	ctx := context.Background()
	if err := client.Start(ctx); err != nil {
		tb.Fatalf("start mcp-go's client: %v", err)
	}
	if _, err := client.Initialize(ctx, mcpgo.InitializeRequest{Params: mcpgo.InitializeParams{
		ProtocolVersion: "2025-11-25", ClientInfo: mcpgo.Implementation{Name: "bench", Version: "1"}}}); err != nil {
		tb.Fatalf("initialise mcp-go's client: %v", err)
	}
	tb.Cleanup(func() { _ = client.Close() })
	return func() error {
		result, err := client.CallTool(ctx, mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{Name: "synthetic"}})
		if err == nil && result.IsError {
			err = errors.New("got a tool error")
		}
		return err
	}
}

// BenchmarkStream reads one stream up to its final response.
func BenchmarkStream(b *testing.B) {
	for _, stream := range streams {
		bytes := stream.make()
		for _, reader := range readers {
			b.Run("stream="+stream.name+"/judge="+reader.name, func(b *testing.B) {
				read := reader.open(b, bytes)
				b.SetBytes(int64(len(bytes)))
				b.ReportAllocs()
				spent := cpuTime()
				for b.Loop() {
					if err := read(); err != nil {
						b.Fatal(err)
					}
				}
				reportCPU(b, spent)
			})
		}
	}
}

// TestReadersReachTheResponse makes sure that every peer can do the work it is timed for.
func TestReadersReachTheResponse(t *testing.T) {
	stream := Stream(3, Answer(2<<10), 5)
	if got := strings.Count(string(stream), "\ndata: "); got < 5 {
		t.Fatalf("the stream has %d data lines, want several", got)
	}
	for _, reader := range readers {
		if err := reader.open(t, stream)(); err != nil {
			t.Errorf("%s: %v", reader.name, err)
		}
	}
}
