package model_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

var one = classifier.Call{ID: classifier.IntID(1)}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h[pairs[i]] = append(h[pairs[i]], pairs[i+1])
	}
	return h
}

func jsonAnswer(body string) classifier.Answer {
	return classifier.Answer{Status: 200, Header: header("Content-Type", "application/json"), Body: []byte(body)}
}

func streamAnswer(body string) classifier.Answer {
	return classifier.Answer{Status: 200, Header: header("Content-Type", "text/event-stream"), Body: []byte(body)}
}

// names is the verdict as a line: outcome, reason, findings.
func names(v classifier.Verdict) string {
	words := []string{v.Outcome.String(), v.Reason.String()}
	for _, f := range v.Findings {
		words = append(words, f.Kind.String())
	}
	return strings.Join(words, " ")
}

const (
	success  = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}],"isError":false}}`
	failure  = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"failed"}],"isError":true}}`
	rpcError = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad params"}}`
)

// The eleven cases of the article.
func TestArticle(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		want   string
	}{
		{"baseline", 200, success, "TOOL_SUCCESS tool-success"},
		{"first of two POSTs", 503, `{"note":"synthetic outage"}`, "HTTP_ERROR http-status"},
		{"second of two POSTs", 200, success, "TOOL_SUCCESS tool-success"},
		{"jsonrpc error", 200, rpcError, "JSONRPC_ERROR rpc-error"},
		{"tool error", 200, failure, "TOOL_ERROR tool-error"},
		{"500 with a success", 500, success, "HTTP_ERROR http-status"},
		{"malformed JSON", 200, `{unclosed`, "MALFORMED_JSON json-syntax"},
		{"result and error", 200, `{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":{"code":-32602,"message":"m"}}`, "INVALID_ENVELOPE result-and-error"},
		{"wrong id", 200, `{"jsonrpc":"2.0","id":99,"result":{"resultType":"complete","content":[],"isError":false}}`, "INVALID_ENVELOPE id-mismatch"},
		{"input required", 200, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"approval":{"method":"elicitation/create","params":{"mode":"form"}}}}}`, "INPUT_REQUIRED input-required"},
		{"no resultType", 200, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"legacy ok"}],"isError":false}}`, "TOOL_SUCCESS tool-success result-type-missing"},
		{"content no array", 200, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":"not-an-array","isError":false}}`, "INVALID_TOOL_RESULT content-not-array"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := jsonAnswer(tt.body)
			a.Status = tt.status
			if got := names(model.Judge{}.Classify(one, a)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func BenchmarkClassify(b *testing.B) {
	a := jsonAnswer(success)
	for b.Loop() {
		model.Judge{}.Classify(one, a)
	}
}
