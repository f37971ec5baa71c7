package bench

import (
	"bytes"
	stdjson "encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/bytedance/sonic"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/replyproof/replyproof/classifier"
)

var sizes = []struct {
	name string
	n    int
}{{"150B", 150}, {"2KB", 2 << 10}, {"64KB", 64 << 10}, {"1MB", 1 << 20}, {"32MB", 32 << 20}}

// judges take a JSON body and tell whether they were content with it.
var judges = []struct {
	name string
	ok   func([]byte) bool
}{
	{"replyproof", classify},
	{"encoding-json.Valid", stdjson.Valid},
	{"sonic.Valid", sonic.Valid},
	{"jsontext.IsValid", func(b []byte) bool { return jsontext.Value(b).IsValid() }},
	{"go-sdk", decodeGoSDK},
	{"mcp-go", decodeMCPGo},
}

var (
	call       = classifier.Call{ID: classifier.IntID(1)}
	jsonHeader = http.Header{"Content-Type": {"application/json"}}
)

func classify(body []byte) bool {
	v := classifier.Classify(call, classifier.Answer{Status: 200, Header: jsonHeader, Body: body})
	return v.Outcome == classifier.ToolSuccess
}

// decodeGoSDK is what the official SDK does with a body: the envelope, then the result.
func decodeGoSDK(body []byte) bool {
	message, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return false
	}
	response, ok := message.(*jsonrpc.Response)
	if !ok || response.Error != nil {
		return false
	}
	var result gosdk.CallToolResult
	return result.UnmarshalJSON(response.Result) == nil && !result.IsError
}

// decodeMCPGo is what mcp-go does with a body: the envelope, then the result.
func decodeMCPGo(body []byte) bool {
	var response transport.JSONRPCResponse
	if err := stdjson.NewDecoder(bytes.NewReader(body)).Decode(&response); err != nil || response.Error != nil {
		return false
	}
	result, err := mcpgo.ParseCallToolResult(&response.Result)
	return err == nil && !result.IsError
}

// reportCPU tells the processor time of an iteration, which other processes
// disturb less than the time on the clock.
func reportCPU(b *testing.B, from time.Duration) {
	b.ReportMetric(float64(cpuTime()-from)/float64(b.N), "cpu-ns/op")
}

// BenchmarkJSON judges one whole tool result.
func BenchmarkJSON(b *testing.B) {
	for _, size := range sizes {
		body := Answer(size.n)
		for _, judge := range judges {
			b.Run("size="+size.name+"/judge="+judge.name, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				spent := cpuTime()
				for b.Loop() {
					if !judge.ok(body) {
						b.Fatal("a valid tool result was refused")
					}
				}
				reportCPU(b, spent)
			})
		}
	}
}

// TestJudgesAgreeOnAnswers makes sure that every peer reads the bodies to their end.
func TestJudgesAgreeOnAnswers(t *testing.T) {
	for _, size := range sizes[:4] {
		body := Answer(size.n)
		if got := len(body); got < size.n*9/10 || got > size.n*12/10 {
			t.Errorf("%s: body has %d bytes, want about %d", size.name, got, size.n)
		}
		for _, judge := range judges {
			if !judge.ok(body) {
				t.Errorf("%s: %s refused a valid tool result", size.name, judge.name)
			}
			if judge.ok(body[:len(body)-1]) {
				t.Errorf("%s: %s took a truncated tool result", size.name, judge.name)
			}
		}
	}
}
