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

// Rules 5 to 9 on JSON bodies of a call with id 1.
func TestRulesOfOneMessage(t *testing.T) {
	result := func(members string) string { return `{"jsonrpc":"2.0","id":1,"result":{` + members + `}}` }
	rpc := func(err string) string { return `{"jsonrpc":"2.0","id":1,"error":` + err + `}` }
	item := func(item string) string { return result(`"resultType":"complete","content":[` + item + `]`) }
	const complete = `"resultType":"complete",`
	tests := []struct {
		name, body, want string
	}{
		// 5: findings of text
		{"white space around", " \t\r\n" + success + "\n ", "TOOL_SUCCESS tool-success"},
		{"byte order mark", "\uFEFF" + success, "TOOL_SUCCESS tool-success bom"},
		{"byte order mark and bad JSON", "\uFEFF{", "MALFORMED_JSON json-syntax bom"},
		{"bad UTF-8 in a string", strings.Replace(success, "ok", "\xE2\x82", 1), "TOOL_SUCCESS tool-success bad-utf8"},
		{"bad UTF-8 in a name", `{"` + "\xFF" + `":1,` + success[1:], "TOOL_SUCCESS tool-success bad-utf8"},
		{"high surrogate alone", strings.Replace(success, "ok", `\uD83Dx`, 1), "TOOL_SUCCESS tool-success lone-surrogate"},
		{"low surrogate alone", strings.Replace(success, "ok", `\uDE00`, 1), "TOOL_SUCCESS tool-success lone-surrogate"},
		{"high before a pair", strings.Replace(success, "ok", `\uD83D\uD83D\uDE00`, 1), "TOOL_SUCCESS tool-success lone-surrogate"},
		{"pair", strings.Replace(success, "ok", `\uD83D\uDE00`, 1), "TOOL_SUCCESS tool-success"},
		{"lone surrogate far down", strings.Replace(success, `"ok"`, `"ok","x":[[[[["\uDE00"]]]]]`, 1), "TOOL_SUCCESS tool-success lone-surrogate"},
		{"100 levels", result(complete + `"content":[],"x":` + strings.Repeat("[", 98) + strings.Repeat("]", 98)), "TOOL_SUCCESS tool-success"},
		{"101 levels", result(complete + `"content":[],"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99)), "TOOL_SUCCESS tool-success deep-nesting"},
		{"all oddities of text", "\uFEFF" + strings.Replace(success, "ok", `\uDE00`+"\xFF", 1), "TOOL_SUCCESS tool-success bom bad-utf8 lone-surrogate"},

		// 6
		{"number", `1`, "INVALID_ENVELOPE not-object"},
		{"null", `null`, "INVALID_ENVELOPE not-object"},
		{"batch", `[` + success + `]`, "INVALID_ENVELOPE not-object"},
		{"nothing in it", `{}`, "INVALID_ENVELOPE jsonrpc-version"},
		{"version a number", `{"jsonrpc":2.0,"id":1,"result":{"content":[]}}`, "INVALID_ENVELOPE jsonrpc-version"},
		{"version 1.0", `{"jsonrpc":"1.0","id":1,"result":{"content":[]}}`, "INVALID_ENVELOPE jsonrpc-version"},
		{"version escaped", `{"jsonrpc":"2\u002e0","id":1,"result":{"content":[]}}`, "TOOL_SUCCESS tool-success result-type-missing"},
		{"names escaped", `{"jsonr\u0070c":"2.0","i\u0064":1,"r\u0065sult":{"conten\u0074":[]}}`, "TOOL_SUCCESS tool-success result-type-missing"},
		{"names in another case", `{"JSONRPC":"2.0","id":1,"result":{"content":[]}}`, "INVALID_ENVELOPE jsonrpc-version"},
		{"result in another case beside an error", `{"jsonrpc":"2.0","id":1,"Result":{"content":[]},"error":{"code":1,"message":""}}`, "JSONRPC_ERROR rpc-error"},
		{"long s in result", `{"jsonrpc":"2.0","id":1,"re` + "\u017F" + `ult":{"content":[]}}`, "INVALID_ENVELOPE neither-result-nor-error"},
		{"no id", `{"jsonrpc":"2.0","result":{"content":[]}}`, "INVALID_ENVELOPE id-missing"},
		{"id null", `{"jsonrpc":"2.0","id":null,"result":{"content":[]}}`, "INVALID_ENVELOPE id-mismatch"},
		{"id a string", `{"jsonrpc":"2.0","id":"1","result":{"content":[]}}`, "INVALID_ENVELOPE id-mismatch"},
		{"id in an array", `{"jsonrpc":"2.0","id":[1],"result":{"content":[]}}`, "INVALID_ENVELOPE id-mismatch"},
		{"error null beside a result", `{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":null}`, "INVALID_ENVELOPE result-and-error"},
		{"result null beside an error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}`, "INVALID_ENVELOPE result-and-error"},
		{"neither", `{"jsonrpc":"2.0","id":1}`, "INVALID_ENVELOPE neither-result-nor-error"},
		{"a request of the server's", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "INVALID_ENVELOPE neither-result-nor-error"},
		{"method beside a result", `{"method":"x",` + success[1:], "TOOL_SUCCESS tool-success"},
		{"last id counts", `{"id":2,` + success[1:], "TOOL_SUCCESS tool-success duplicate-member"},
		{"last id counts, and is wrong", success[:len(success)-1] + `,"id":2}`, "INVALID_ENVELOPE id-mismatch duplicate-member"},
		{"method twice", `{"method":1,"method":2,` + success[1:], "TOOL_SUCCESS tool-success duplicate-member"},
		{"unknown member twice", `{"x":1,"x":2,` + success[1:], "TOOL_SUCCESS tool-success"},
		{"duplicate by escape", `{"i\u0064":2,` + success[1:], "TOOL_SUCCESS tool-success duplicate-member"},
		{"duplicates and a wrong version", `{"jsonrpc":"2.0","jsonrpc":1}`, "INVALID_ENVELOPE jsonrpc-version duplicate-member"},

		// 8
		{"error null", rpc(`null`), "INVALID_ENVELOPE error-not-object"},
		{"error a string", rpc(`"no"`), "INVALID_ENVELOPE error-not-object"},
		{"error an array", rpc(`[]`), "INVALID_ENVELOPE error-not-object"},
		{"no code", rpc(`{"message":"m"}`), "INVALID_ENVELOPE error-code"},
		{"code a string", rpc(`{"code":"-32602","message":"m"}`), "INVALID_ENVELOPE error-code"},
		{"code a fraction", rpc(`{"code":1.5,"message":"m"}`), "INVALID_ENVELOPE error-code"},
		{"code with a point", rpc(`{"code":-32602.0,"message":"m"}`), "JSONRPC_ERROR rpc-error"},
		{"code with an exponent", rpc(`{"code":-326.02e+2,"message":"m"}`), "JSONRPC_ERROR rpc-error"},
		{"code too small an exponent", rpc(`{"code":-326.02e1,"message":"m"}`), "INVALID_ENVELOPE error-code"},
		{"code beyond a double", rpc(`{"code":1e400,"message":"m"}`), "JSONRPC_ERROR rpc-error"},
		{"code next to zero", rpc(`{"code":1e-400,"message":"m"}`), "INVALID_ENVELOPE error-code"},
		{"no message", rpc(`{"code":1}`), "INVALID_ENVELOPE error-message"},
		{"message null", rpc(`{"code":1,"message":null}`), "INVALID_ENVELOPE error-message"},
		{"code twice", rpc(`{"code":1.5,"code":1,"message":"m"}`), "JSONRPC_ERROR rpc-error duplicate-member"},
		{"data twice and no code", rpc(`{"data":1,"data":1}`), "INVALID_ENVELOPE error-code duplicate-member"},

		// 9
		{"result null", `{"jsonrpc":"2.0","id":1,"result":null}`, "INVALID_TOOL_RESULT result-not-object"},
		{"result an array", `{"jsonrpc":"2.0","id":1,"result":[]}`, "INVALID_TOOL_RESULT result-not-object"},
		{"resultType null", result(`"resultType":null,"content":[]`), "INVALID_TOOL_RESULT result-type"},
		{"resultType task", result(`"resultType":"task","content":[]`), "INVALID_TOOL_RESULT result-type"},
		{"resultType in capitals", result(`"resultType":"Complete","content":[]`), "INVALID_TOOL_RESULT result-type"},
		{"resultType escaped", result(`"resultType":"c\u006fmplete","content":[]`), "TOOL_SUCCESS tool-success"},
		{"resultType goes before content", result(`"resultType":1,"isError":1`), "INVALID_TOOL_RESULT result-type"},
		{"no content", result(complete + `"isError":true`), "INVALID_TOOL_RESULT content-missing"},
		{"no content and no resultType", result(``), "INVALID_TOOL_RESULT content-missing result-type-missing"},
		{"structured alone", result(complete + `"structuredContent":{}`), "INVALID_TOOL_RESULT content-missing"},
		{"content null", result(complete + `"content":null`), "INVALID_TOOL_RESULT content-not-array"},
		{"content an object", result(complete + `"content":{}`), "INVALID_TOOL_RESULT content-not-array"},
		{"content goes before isError", result(complete + `"content":{},"isError":1`), "INVALID_TOOL_RESULT content-not-array"},
		{"isError a string", result(complete + `"content":[],"isError":"true"`), "INVALID_TOOL_RESULT is-error-not-boolean"},
		{"isError null", result(complete + `"content":[],"isError":null`), "INVALID_TOOL_RESULT is-error-not-boolean"},
		{"isError absent", result(complete + `"content":[]`), "TOOL_SUCCESS tool-success"},
		{"isError twice", result(complete + `"content":[],"isError":true,"isError":false`), "TOOL_SUCCESS tool-success duplicate-member"},
		{"structured null", result(complete + `"content":[],"structuredContent":null`), "TOOL_SUCCESS tool-success"},
		{"structured array", result(complete + `"content":[],"structuredContent":[1]`), "TOOL_SUCCESS tool-success"},
		{"_meta null", result(complete + `"content":[],"_meta":null`), "TOOL_SUCCESS tool-success null-optional"},
		{"_meta null of a tool error", result(complete + `"content":[1],"_meta":null,"isError":true`), "TOOL_ERROR tool-error content-item null-optional"},

		// content items
		{"item a number", item(`1`), "TOOL_SUCCESS tool-success content-item"},
		{"item without a type", item(`{"text":"x"}`), "TOOL_SUCCESS tool-success content-item"},
		{"item of an unknown type", item(`{"type":"error","text":"x"}`), "TOOL_SUCCESS tool-success content-item"},
		{"second item", item(`{"type":"text","text":""},{"type":"text"}`), "TOOL_SUCCESS tool-success content-item"},
		{"text no string", item(`{"type":"text","text":1}`), "TOOL_SUCCESS tool-success content-item"},
		{"image", item(`{"type":"image","data":"","mimeType":"image/png"}`), "TOOL_SUCCESS tool-success"},
		{"image without mimeType", item(`{"type":"image","data":""}`), "TOOL_SUCCESS tool-success content-item"},
		{"audio", item(`{"type":"audio","data":"","mimeType":"audio/ogg"}`), "TOOL_SUCCESS tool-success"},
		{"link", item(`{"type":"resource_link","name":"","uri":"a:"}`), "TOOL_SUCCESS tool-success"},
		{"link without uri", item(`{"type":"resource_link","name":""}`), "TOOL_SUCCESS tool-success content-item"},
		{"resource", item(`{"type":"resource","resource":{}}`), "TOOL_SUCCESS tool-success"},
		{"resource null", item(`{"type":"resource","resource":null}`), "TOOL_SUCCESS tool-success content-item"},
		{"last type counts", item(`{"type":1,"type":"text","text":""}`), "TOOL_SUCCESS tool-success"},
		{"item with _meta null", item(`{"type":"text","text":"","_meta":null}`), "TOOL_SUCCESS tool-success null-optional"},
		{"item with annotations null", item(`{"type":"odd","annotations":null}`), "TOOL_SUCCESS tool-success content-item null-optional"},
		{"link with title null", item(`{"type":"resource_link","name":"","uri":"a:","title":null}`), "TOOL_SUCCESS tool-success null-optional"},
		{"text with title null", item(`{"type":"text","text":"","title":null}`), "TOOL_SUCCESS tool-success"},

		// input required
		{"input required alone", result(`"resultType":"input_required"`), "INPUT_REQUIRED input-required input-required-empty"},
		{"state alone", result(`"resultType":"input_required","requestState":"s"`), "INPUT_REQUIRED input-required"},
		{"state a number", result(`"resultType":"input_required","requestState":1`), "INPUT_REQUIRED input-required request-state-type"},
		{"no requests in it", result(`"resultType":"input_required","inputRequests":{}`), "INPUT_REQUIRED input-required"},
		{"requests null", result(`"resultType":"input_required","inputRequests":null`), "INPUT_REQUIRED input-required input-requests-type"},
		{"a request without a method", result(`"resultType":"input_required","inputRequests":{"a":{}}`), "INPUT_REQUIRED input-required input-requests-type"},
		{"a request twice, the last one fine", result(`"resultType":"input_required","inputRequests":{"a":1,"a":{"method":"m"}}`), "INPUT_REQUIRED input-required duplicate-member"},
		{"a request twice, the last one bad", result(`"resultType":"input_required","inputRequests":{"a":{"method":"m"},"a":1}`), "INPUT_REQUIRED input-required duplicate-member input-requests-type"},
		{"input required goes before the rest", result(`"resultType":"input_required","requestState":"s","content":1,"isError":1,"_meta":null`), "INPUT_REQUIRED input-required"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := names(model.Judge{}.Classify(one, jsonAnswer(tt.body))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Rule 5: where a text stops being JSON.
func TestSyntaxOffset(t *testing.T) {
	tests := []struct {
		body   string
		reason string
		offset int64
	}{
		{``, "json-empty", 0},
		{" \t\r\n", "json-empty", 4},
		{"\uFEFF", "json-empty", 3},
		{"\uFEFF ", "json-empty", 4},
		{"\uFEFF\uFEFF1", "json-syntax", 3},
		{"\xEF\xBB", "json-syntax", 0},
		{"\u00A01", "json-syntax", 0},
		{`01`, "json-trailing", 1},
		{`-01`, "json-trailing", 2},
		{`-`, "json-syntax", 1},
		{`-x`, "json-syntax", 1},
		{`+1`, "json-syntax", 0},
		{`.5`, "json-syntax", 0},
		{`1.`, "json-syntax", 2},
		{`1.x`, "json-syntax", 2},
		{`1.5x`, "json-trailing", 3},
		{`1e`, "json-syntax", 2},
		{`1e+`, "json-syntax", 3},
		{`1e5.`, "json-trailing", 3},
		{`1 2`, "json-trailing", 2},
		{`nulll`, "json-trailing", 4},
		{`tru`, "json-syntax", 3},
		{`trux`, "json-syntax", 3},
		{`True`, "json-syntax", 0},
		{`NaN`, "json-syntax", 0},
		{`{"a":1}}`, "json-trailing", 7},
		{`{"a":1} x`, "json-trailing", 8},
		{`{"a":1` + "\x00", "json-syntax", 6},
		{`{a:1}`, "json-syntax", 1},
		{`{"a"`, "json-syntax", 4},
		{`{"a" 1}`, "json-syntax", 5},
		{`{"a":}`, "json-syntax", 5},
		{`{"a":1,}`, "json-syntax", 7},
		{`{,}`, "json-syntax", 1},
		{`{"a":1]`, "json-syntax", 6},
		{`[1,]`, "json-syntax", 3},
		{`[1}`, "json-syntax", 2},
		{`[1 2]`, "json-syntax", 3},
		{`[01]`, "json-syntax", 2},
		{`]`, "json-syntax", 0},
		{`"a`, "json-syntax", 2},
		{"\"a\nb\"", "json-syntax", 2},
		{"\"\x1F\"", "json-syntax", 1},
		{`"\q"`, "json-syntax", 2},
		{`"\u12G4"`, "json-syntax", 5},
		{`"\u12`, "json-syntax", 5},
		{"\"\xE2\x82", "json-syntax", 3},
		{"[1\xFF]", "json-syntax", 2},
		{"1\xFF", "json-trailing", 1},
		{"\uFEFF[1,]", "json-syntax", 6},
		{`// no` + "\n1", "json-syntax", 0},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			t.Parallel()
			v := model.Judge{}.Classify(one, jsonAnswer(tt.body))
			if v.Outcome != classifier.MalformedJSON || v.Reason.String() != tt.reason || v.SyntaxOffset != tt.offset {
				t.Errorf("got %v %v at %d, want MALFORMED_JSON %s at %d", v.Outcome, v.Reason, v.SyntaxOffset, tt.reason, tt.offset)
			}
		})
	}
	for _, body := range []string{"1", "-0", "0.0", "1e5", "1E-05", "true", "\"\x7F\"", `"\/\b\f\n\r\t\"\\\u00ff\uD800"`, "\"\xED\xA0\x80\"", "[]", "{}", " [ { \"\" : [ ] } , 0 ] "} {
		if v := (model.Judge{}).Classify(one, jsonAnswer(body)); v.Reason == classifier.ReasonJSONSyntax || v.SyntaxOffset != -1 {
			t.Errorf("%q: got %v at %d, want JSON", body, v.Reason, v.SyntaxOffset)
		}
	}
}

// Rule 7.
func TestIDs(t *testing.T) {
	tests := []struct {
		name     string
		id       classifier.ID
		response string
		same     bool
	}{
		{"one", classifier.IntID(1), `1`, true},
		{"one with a point", classifier.IntID(1), `1.0`, true},
		{"one with an exponent", classifier.IntID(1), `10e-1`, true},
		{"one with zeros", classifier.IntID(1), `0.00100E+3`, true},
		{"minus one", classifier.IntID(1), `-1`, false},
		{"text one", classifier.IntID(1), `"1"`, false},
		{"true", classifier.IntID(1), `true`, false},
		{"nearly one", classifier.IntID(1), `1.00000000000000000000001`, false},
		{"zero", classifier.IntID(0), `-0`, true},
		{"zero with an exponent", classifier.IntID(0), `-0.000e99999999999999999999`, true},
		{"hundred", classifier.IntID(100), `1e2`, true},
		{"2^53+1", classifier.IntID(9007199254740993), `9007199254740993`, true},
		{"2^53+1 as a double", classifier.IntID(9007199254740993), `9007199254740992`, false},
		{"smallest integer", classifier.IntID(-9223372036854775808), `-9223372036854775808`, true},
		{"past the largest integer", classifier.IntID(9223372036854775807), `9223372036854775808`, false},
		{"huge exponent", classifier.IntID(1), `1e18446744073709551616`, false},
		{"tiny exponent", classifier.IntID(0), `1e-18446744073709551616`, false},
		{"text", classifier.StringID("a"), `"a"`, true},
		{"text escaped", classifier.StringID("a/b"), `"\u0061\/b"`, true},
		{"text in another case", classifier.StringID("a"), `"A"`, false},
		{"text longer", classifier.StringID("a"), `"a "`, false},
		{"empty text", classifier.StringID(""), `""`, true},
		{"text and number", classifier.StringID("1"), `1`, false},
		{"not normalised", classifier.StringID("\u00E9"), `"e` + "\u0301" + `"`, false},
		{"emoji by a pair of escapes", classifier.StringID("\U0001F600"), `"\uD83D\uDE00"`, true},
		{"half a pair", classifier.StringID("\xED\xA0\xBD"), `"\uD83D"`, true},
		{"half a pair is not U+FFFD", classifier.StringID("\uFFFD"), `"\uD83D"`, false},
		{"two halves are the emoji", classifier.StringID("\xED\xA0\xBD\xED\xB8\x80"), `"` + "\U0001F600" + `"`, true},
		{"bad UTF-8 is U+FFFD", classifier.StringID("\uFFFD"), `"` + "\xE2\x82" + `"`, true},
		{"surrogate bytes are three U+FFFD", classifier.StringID("\uFFFD\uFFFD\uFFFD"), `"` + "\xED\xA0\x80" + `"`, true},
		{"bad UTF-8 in the request's id", classifier.StringID("\xFF"), `"` + "\uFFFD" + `"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := model.Judge{}.Classify(classifier.Call{ID: tt.id}, jsonAnswer(`{"jsonrpc":"2.0","id":`+tt.response+`,"result":{"content":[]}}`))
			if got := v.Outcome == classifier.ToolSuccess; got != tt.same {
				t.Errorf("got %v %v, want same %v", v.Outcome, v.Reason, tt.same)
			}
			if string(v.ID) != tt.response {
				t.Errorf("got id %s, want %s", v.ID, tt.response)
			}
		})
	}
}
