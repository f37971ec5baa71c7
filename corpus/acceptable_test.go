package corpus_test

import (
	"slices"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// Each row of the table of what a correct third party may say instead has a
// case that says so, and near misses of the rows have none.
func TestAlsoAcceptableRowByRow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		row  string
		id   string
		want []string
	}{
		{"1, with a JSON-RPC error in the body", "status/400-unsupported-version", []string{"JSONRPC_ERROR"}},
		{"1, without", "status/500-internal", nil},
		{"1, with an error that is none", "status/503-detail-broken", nil},
		{"2, no Content-Type", "media-type/missing", []string{"UNEXPECTED_CONTENT_TYPE"}},
		{"2, foreign type", "media-type/foreign-text-plain", []string{"TOOL_SUCCESS"}},
		{"2, foreign type, other body", "media-type/foreign-error", []string{"JSONRPC_ERROR"}},
		{"2, conflict", "media-type/conflict", nil},
		{"2, br", "codings/br", []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE", "NO_FINAL_RESPONSE"}},
		{"2, zstd", "codings/zstd", []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE", "NO_FINAL_RESPONSE"}},
		{"2, gzip", "codings/gzip", nil},
		{"3", "no-body/202-empty", []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE"}},
		{"4, JSON body", "cut/reset-in-text", []string{"MALFORMED_JSON"}},
		{"4, stream", "streams/cut-before-response", nil},
		{"5, BOM", "text/bom", []string{"MALFORMED_JSON"}},
		{"5, bad UTF-8", "text/bad-utf8-latin-1", []string{"MALFORMED_JSON"}},
		{"5, lone surrogate", "text/lone-high", []string{"MALFORMED_JSON"}},
		{"5, nesting of 100", "text/depth-100", nil},
		{"5, nesting over 100", "text/depth-101", []string{"MALFORMED_JSON"}},
		{"5, duplicate names of the envelope", "envelope/duplicate-id-last-good", []string{"MALFORMED_JSON", "INVALID_ENVELOPE"}},
		{"5, duplicate names of the error", "errors/duplicate-code", []string{"MALFORMED_JSON", "INVALID_ENVELOPE"}},
		{"5, duplicate names of the result", "result/duplicate-is-error-last-true", []string{"MALFORMED_JSON", "INVALID_TOOL_RESULT"}},
		{"7, beyond a double", "ids/two-to-53-plus-one", []string{"TOOL_SUCCESS"}},
		{"8, beyond 64 bits", "errors/code-two-to-63", []string{"INVALID_ENVELOPE"}},
		{"8, too near to an integer for a double", "errors/code-1e-400", []string{"JSONRPC_ERROR"}},
		{"8, error with no id", "ids/error-no-id", []string{"JSONRPC_ERROR"}},
		{"8, error with a null id", "ids/error-null-id", []string{"JSONRPC_ERROR"}},
		{"8, error with another id", "ids/error-other-id", nil},
		{"8, in a stream", "streams/null-id-error-only", []string{"JSONRPC_ERROR", "NO_FINAL_RESPONSE"}},
		{"8, in a stream, then the response", "streams/null-id-error-then-response", nil},
		{"6, method beside a response", "envelope/method-beside", []string{"INVALID_ENVELOPE"}},
		{"9, no content but structuredContent", "result/content-missing-structured", []string{"TOOL_SUCCESS"}},
		{"9, the same of a failure", "result/content-missing-structured-error", []string{"TOOL_ERROR"}},
		{"9, odd content items", "result/item-unknown-type", []string{"INVALID_TOOL_RESULT"}},
		{"9, null optionals", "result/null-item-meta", []string{"INVALID_TOOL_RESULT"}},
		{"9, input_required with neither member", "result/input-neither", []string{"INVALID_TOOL_RESULT"}},
		{"9, input_required with a state", "result/input-state-only", nil},
		{"S1, unterminated last event", "streams/no-blank-line", []string{"TOOL_SUCCESS"}},
		{"S1, the same holding an error", "streams/no-blank-line-error", []string{"JSONRPC_ERROR"}},
		{"S1, a stream that was cut", "streams/no-blank-line-cut", nil},
		{"S3, another type holding an error", "streams/type-error", []string{"JSONRPC_ERROR"}},
		{"S3, the same, then the response", "streams/type-error-then-response", nil},
		{"S3, another type holding a result", "streams/type-other-success", nil},
		{"S3, empty data before the response", "streams/empty-data", []string{"MALFORMED_JSON"}},
		{"S4, a request before the response", "streams/request-before", []string{"INVALID_ENVELOPE"}},
		{"S4, a notification", "streams/notification-before", nil},
		{"S5, a second response", "streams/second-response", []string{"INVALID_ENVELOPE"}},
		{"S6, at the end of a whole stream", "streams/other-id-only", []string{"NO_FINAL_RESPONSE"}},
		{"S6, before the response", "streams/other-id-then-response", nil},
		{"2xx other than 200 with a body", "status/201-with-result", []string{"HTTP_ERROR", "NO_FINAL_RESPONSE"}},
		{"200 with a body", "status/200-delayed", nil},
	}
	for _, test := range tests {
		c, ok := corpus.ByID(test.id)
		got, want := slices.Sorted(slices.Values(c.AlsoAcceptable)), slices.Sorted(slices.Values(test.want))
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %s (there: %t): got %v, want %v", test.row, test.id, ok, got, want)
		}
	}
}
