package model_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// Rules S1 to S6, for a call with id 1.
func TestStreams(t *testing.T) {
	const message = "data: " + success + "\n\n"
	const note = `data: {"jsonrpc":"2.0","method":"notifications/progress"}` + "\n\n"
	const other = `data: {"jsonrpc":"2.0","id":2,"result":{"content":[]}}` + "\n\n"
	tests := []struct {
		name, body, want string
		events           int
		ended            string
	}{
		{"one message", message, "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"CRLF", strings.ReplaceAll(message, "\n", "\r\n"), "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"CR", strings.ReplaceAll(message, "\n", "\r"), "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"LF CR", "data: " + success + "\n\r", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"CR LF LF", "data: " + success + "\r\n\n", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"byte order mark", "\uFEFF" + message, "TOOL_SUCCESS tool-success bom", 1, "settled-early"},
		{"two byte order marks", "\uFEFF\uFEFF" + message, "NO_FINAL_RESPONSE no-response-in-stream bom", 0, "complete"},
		{"byte order mark in data", "data: \uFEFF" + success + "\n\n", "MALFORMED_JSON json-syntax", 1, "complete"},
		{"no space", "data:" + success + "\n\n", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"two spaces", "data:  " + success + "\n\n", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"data over lines", "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\ndata:\"result\":{\"content\":[]}}\n\n", "TOOL_SUCCESS tool-success result-type-missing", 1, "settled-early"},
		{"line end within a string", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[\"a\ndata: b\"]}}\n\n", "MALFORMED_JSON json-syntax", 1, "complete"},
		{"field in capitals", "Data: " + success + "\n\n", "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"space before the colon", "data : " + success + "\n\n", "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"comments and other fields", ": hello\nid: 7\nretry: 10\nodd\nevent: message\n" + message, "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"empty event type", "event:\n" + message, "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"last event type counts", "event: error\nevent: message\n" + message, "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"another event type", "event: error\n" + message, "NO_FINAL_RESPONSE no-response-in-stream event-type-ignored", 1, "complete"},
		{"event type in capitals", "event: Message\n" + message, "NO_FINAL_RESPONSE no-response-in-stream event-type-ignored", 1, "complete"},
		{"event type of an event with no data", "event: error\n\n" + message, "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"empty data first", "id: 1\ndata:\n\n" + message, "TOOL_SUCCESS tool-success", 2, "settled-early"},
		{"data with no colon first", "data\n\n" + message, "TOOL_SUCCESS tool-success", 2, "settled-early"},
		{"two empty data lines", "data\ndata\n\n", "MALFORMED_JSON json-empty", 1, "complete"},
		{"empty", "", "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"JSON and no stream", success, "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"no blank line", "data: " + success + "\n", "NO_FINAL_RESPONSE no-response-in-stream unterminated-event", 0, "complete"},
		{"no line end", "data: " + success, "NO_FINAL_RESPONSE no-response-in-stream unterminated-event", 0, "complete"},
		{"half a field name", "dat", "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"field name at the end", "data", "NO_FINAL_RESPONSE no-response-in-stream unterminated-event", 0, "complete"},
		{"pending block with no data", "event: message\nid: 1\n", "NO_FINAL_RESPONSE no-response-in-stream", 0, "complete"},
		{"notification first", note + message, "TOOL_SUCCESS tool-success", 2, "settled-early"},
		{"notification alone", note, "NO_FINAL_RESPONSE no-response-in-stream", 1, "complete"},
		{"notification with a wrong version", `data: {"method":1}` + "\n\n" + message, "TOOL_SUCCESS tool-success", 2, "settled-early"},
		{"request first", `data: {"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n\n" + message, "TOOL_SUCCESS tool-success server-request", 2, "settled-early"},
		{"request with id null", `data: {"jsonrpc":"2.0","id":null,"method":"ping"}` + "\n\n", "NO_FINAL_RESPONSE no-response-in-stream server-request", 1, "complete"},
		{"error is final", "data: " + rpcError + "\n\n" + message, "JSONRPC_ERROR rpc-error", 1, "settled-early"},
		{"first of two", message + "data: " + rpcError + "\n\n", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"wrong version decides", `data: {"id":1,"result":{"content":[]}}` + "\n\n" + message, "INVALID_ENVELOPE jsonrpc-version", 1, "settled-early"},
		{"result and error decide", `data: {"jsonrpc":"2.0","id":1.0,"result":{},"error":{}}` + "\n\n", "INVALID_ENVELOPE result-and-error", 1, "settled-early"},
		{"method beside a result", `data: {"method":"x",` + success[1:] + "\n\n", "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"another id first", other + message, "TOOL_SUCCESS tool-success stray-message", 2, "settled-early"},
		{"another id alone", other, "INVALID_ENVELOPE id-mismatch", 1, "complete"},
		{"another id and a notification", other + note, "INVALID_ENVELOPE id-mismatch", 2, "complete"},
		{"two strays", "data: x\n\n" + other, "MALFORMED_JSON json-syntax stray-message", 2, "complete"},
		{"stray of another version", `data: {"id":2,"result":{}}` + "\n\n", "INVALID_ENVELOPE jsonrpc-version", 1, "complete"},
		{"stray without an id", `data: {"jsonrpc":"2.0","result":{}}` + "\n\n", "INVALID_ENVELOPE id-missing", 1, "complete"},
		{"stray that is nothing", `data: {"jsonrpc":"2.0","id":1}` + "\n\n", "INVALID_ENVELOPE neither-result-nor-error", 1, "complete"},
		{"stray batch", "data: [" + success + "]\n\n", "INVALID_ENVELOPE not-object", 1, "complete"},
		{"stray and an unterminated event", other + "data: 1", "INVALID_ENVELOPE id-mismatch unterminated-event", 1, "complete"},
		{"findings are the deciding event's", "data: {\"x\":\"\xFF\",\"id\":1,\"id\":2,\"result\":1}\n\n" + message, "TOOL_SUCCESS tool-success stray-message", 2, "settled-early"},
		{"findings of a stray", "data: {\"x\":\"\xFF\",\"id\":1,\"id\":2,\"result\":1}\n\n", "INVALID_ENVELOPE jsonrpc-version bad-utf8 duplicate-member", 1, "complete"},
		{"Unicode line ends are none", strings.Replace(message, "ok", "a\u2028b\u0085c", 1), "TOOL_SUCCESS tool-success", 1, "settled-early"},
		{"long line", strings.Replace(message, "ok", strings.Repeat("x", 100000), 1), "TOOL_SUCCESS tool-success", 1, "settled-early"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := model.Judge{}.Classify(one, streamAnswer(tt.body))
			if got := names(v); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if v.EventCount != tt.events || v.Ended.String() != tt.ended {
				t.Errorf("got %d events, ended %v, want %d, %s", v.EventCount, v.Ended, tt.events, tt.ended)
			}
		})
	}
}

// Rule 4 against S5 and S6: a stream that was cut.
func TestCutStreams(t *testing.T) {
	tests := []struct {
		name, body string
		ended      classifier.Ended
		want       string
	}{
		{"after the response", "data: " + success + "\n\n", classifier.EndedReset, "TOOL_SUCCESS tool-success"},
		{"before the blank line", "data: " + success + "\n", classifier.EndedReset, "NO_FINAL_RESPONSE body-cut"},
		{"after a CR that ends the blank line", "data: " + success + "\r\n\r", classifier.EndedReset, "TOOL_SUCCESS tool-success"},
		{"at the start", "", classifier.EndedDeadline, "NO_FINAL_RESPONSE deadline"},
		{"after a stray", "data: x\n\n", classifier.EndedCancelled, "NO_FINAL_RESPONSE cancelled stray-message"},
		{"by the size limit", ": x\n", classifier.EndedSizeLimit, "NO_FINAL_RESPONSE size-limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := streamAnswer(tt.body)
			a.Ended = tt.ended
			if got := names(model.Judge{}.Classify(one, a)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
