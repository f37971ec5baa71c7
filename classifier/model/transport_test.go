package model_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/classifier/model"
)

// Rules 1 to 4, from status, headers, body and end.
func TestTransport(t *testing.T) {
	const contentType, encoding = "Content-Type", "Content-Encoding"
	json := func(more ...string) http.Header {
		return header(append([]string{contentType, "application/json"}, more...)...)
	}
	stream := header(contentType, "text/event-stream", encoding, "gzip")
	typed := func(values ...string) http.Header { return http.Header{contentType: values} }
	zip := func(body string) string { return string(coded("gzip", []byte(body))) }
	spoiled := func(coded string, fromEnd int) string {
		b := []byte(coded)
		b[len(b)-fromEnd] ^= 1
		return string(b)
	}
	const eof, reset = classifier.EndedEOF, classifier.EndedReset
	tests := []struct {
		name   string
		status int
		header http.Header
		body   string
		ended  classifier.Ended
		want   string
		end    string
	}{
		{"199", 199, json(), success, eof, "HTTP_ERROR http-status", "complete"},
		{"201", 201, json(), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"299", 299, json(), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"300", 300, json(), success, eof, "HTTP_ERROR http-status", "complete"},
		{"0", 0, json(), success, eof, "HTTP_ERROR http-status", "complete"},
		{"-200", -200, json(), success, eof, "HTTP_ERROR http-status", "complete"},
		{"503 cut", 503, json(), success, classifier.EndedDeadline, "HTTP_ERROR http-status", "deadline"},
		{"503 in gzip that ends early", 503, json(encoding, "gzip"), zip(success)[:20], eof, "HTTP_ERROR http-status", "body-cut"},
		{"404 of no media type", 404, nil, "", eof, "HTTP_ERROR http-status", "complete"},

		{"no Content-Type", 200, nil, success, eof, "TOOL_SUCCESS tool-success content-type-missing", "complete"},
		{"no lines of Content-Type", 200, typed(), success, eof, "TOOL_SUCCESS tool-success content-type-missing", "complete"},
		{"name in another spelling", 200, header("content-type", "text/plain"), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-foreign", "settled-early"},
		{"canonical name goes first", 200, header("content-type", "text/plain", contentType, "application/json"), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"case and white space", 200, typed("\t Application/JSON ;charset=x"), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"two lines, one essence", 200, typed("application/json", "APPLICATION/json;a=b"), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"two lines, two essences", 200, typed("application/json", "text/event-stream"), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-conflict", "settled-early"},
		{"two lines, one empty", 200, typed("application/json", ""), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-conflict", "settled-early"},
		{"empty", 200, typed(" "), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-empty", "settled-early"},
		{"parameter alone", 200, typed(";charset=utf-8"), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-empty", "settled-early"},
		{"list", 200, typed("application/json, application/json"), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-list", "settled-early"},
		{"comma in a parameter", 200, typed(`application/json; a="b,c"`), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"foreign", 200, typed("text/html; ="), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-foreign", "settled-early"},
		{"suffix", 200, typed("application/problem+json"), success, eof, "UNEXPECTED_CONTENT_TYPE content-type-foreign", "settled-early"},
		{"foreign and cut", 200, typed("text/html"), success, reset, "UNEXPECTED_CONTENT_TYPE content-type-foreign", "settled-early"},
		{"broken parameter", 200, typed("application/json; charset"), success, eof, "TOOL_SUCCESS tool-success content-type-parameter", "complete"},
		{"broken parameter and cut", 200, typed("application/json; charset"), success, reset, "NO_FINAL_RESPONSE body-cut content-type-parameter", "body-cut"},
		{"broken parameter and unknown coding", 200, header(contentType, "application/json;=", encoding, "x"), success, eof, "UNEXPECTED_CONTENT_TYPE content-encoding content-type-parameter", "settled-early"},
		{"broken parameter of an empty 202", 202, typed("application/json; charset"), "", eof, "NO_FINAL_RESPONSE no-body", "complete"},

		{"gzip", 200, json(encoding, "gzip"), zip(success), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"x-gzip in capitals", 200, json(encoding, " X-GZIP\t"), zip(success), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"gzip in two members", 200, json(encoding, "gzip"), zip(success[:9]) + zip(success[9:]), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"gzip, second member early", 200, json(encoding, "gzip"), zip(success) + "\x1f\x8b", eof, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"gzip, other bytes after it", 200, json(encoding, "gzip"), zip(success) + "\x1f\x8c", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, checksum", 200, json(encoding, "gzip"), spoiled(zip(success), 8), eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, length", 200, json(encoding, "gzip"), spoiled(zip(success), 1), eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, no checksum", 200, json(encoding, "gzip"), zip(success)[:len(zip(success))-8], eof, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"gzip, one byte", 200, json(encoding, "gzip"), "\x1f", eof, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"gzip, not at all", 200, json(encoding, "gzip"), success, eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, not at all, one byte", 200, json(encoding, "gzip"), "{", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, reserved flag", 200, json(encoding, "gzip"), "\x1f\x8b\x08\x20", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, damage within a cut body", 200, json(encoding, "gzip"), spoiled(zip(success), 8), reset, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"gzip, whole within a cut body", 200, json(encoding, "gzip"), zip(success), classifier.EndedDeadline, "NO_FINAL_RESPONSE deadline", "deadline"},
		{"gzip, nothing", 200, json(encoding, "gzip"), "", eof, "MALFORMED_JSON json-empty", "complete"},
		{"deflate as zlib", 200, json(encoding, "deflate"), string(coded("deflate", []byte(success))), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"deflate raw", 200, json(encoding, "deflate"), string(coded("raw", []byte(success))), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"deflate, checksum", 200, json(encoding, "deflate"), spoiled(string(coded("deflate", []byte(success))), 1), eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"deflate raw, a byte after it", 200, json(encoding, "deflate"), string(coded("raw", []byte(success))) + "x", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"deflate raw, early", 200, json(encoding, "deflate"), string(coded("raw", []byte(success)))[:9], eof, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"two codings", 200, json(encoding, "deflate, identity", encoding, ",gzip"), string(coded("gzip", coded("deflate", []byte(success)))), eof, "TOOL_SUCCESS tool-success", "complete"},
		{"two codings in the wrong order", 200, json(encoding, "gzip, deflate"), string(coded("gzip", coded("deflate", []byte(success)))), eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"unknown coding", 200, json(encoding, "gzip, compress"), "", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"unknown coding of a stream", 200, header(contentType, "text/event-stream", encoding, "x"), "data: " + success + "\n\n", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"media type goes before coding", 200, header(contentType, "text/html", encoding, "x"), "", eof, "UNEXPECTED_CONTENT_TYPE content-type-foreign", "settled-early"},
		{"damage after a stream's response", 200, stream, spoiled(zip("data: "+success+"\n\n"), 8), eof, "TOOL_SUCCESS tool-success", "settled-early"},
		{"damage after a stream's stray", 200, stream, spoiled(zip("\uFEFFdata: x\n\n"), 8), eof, "UNEXPECTED_CONTENT_TYPE content-encoding bom stray-message", "settled-early"},
		{"early end after a stream's response", 200, stream, zip("data: " + success + "\n\n" + strings.Repeat(":\n", 99))[:100], eof, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"early end of a stream", 200, stream, zip("data: x\n\n")[:len(zip("data: x\n\n"))-1], eof, "NO_FINAL_RESPONSE body-cut stray-message", "body-cut"},

		{"202 empty", 202, nil, "", eof, "NO_FINAL_RESPONSE no-body", "complete"},
		{"204 empty of a foreign type", 204, typed("text/html"), "", eof, "NO_FINAL_RESPONSE no-body", "complete"},
		{"205 empty of a stream", 205, typed("text/event-stream"), "", eof, "NO_FINAL_RESPONSE no-body", "complete"},
		{"203 empty", 203, json(), "", eof, "MALFORMED_JSON json-empty", "complete"},
		{"202 white space", 202, json(), " ", eof, "MALFORMED_JSON json-empty", "complete"},
		{"202 with a success", 202, json(), success, eof, "TOOL_SUCCESS tool-success", "complete"},
		{"202 empty after decoding", 202, json(encoding, "gzip"), zip(""), eof, "NO_FINAL_RESPONSE no-body", "complete"},
		{"202 empty under an unknown coding", 202, json(encoding, "x"), "", eof, "NO_FINAL_RESPONSE no-body", "complete"},
		{"202 not empty under an unknown coding", 202, json(encoding, "x"), "x", eof, "UNEXPECTED_CONTENT_TYPE content-encoding", "settled-early"},
		{"202 empty and cut", 202, json(), "", reset, "NO_FINAL_RESPONSE body-cut", "body-cut"},

		{"whole JSON, cut", 200, json(), success, reset, "NO_FINAL_RESPONSE body-cut", "body-cut"},
		{"cancelled", 200, json(), "{", classifier.EndedCancelled, "NO_FINAL_RESPONSE cancelled", "cancelled"},
		{"size limit", 200, json(), "{", classifier.EndedSizeLimit, "NO_FINAL_RESPONSE size-limit", "size-limit"},
		{"an end that comes with no answer only", 200, json(), "{", classifier.EndedTLS, "NO_FINAL_RESPONSE body-cut", "body-cut"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := classifier.Answer{Status: tt.status, Header: tt.header, Body: []byte(tt.body), Ended: tt.ended}
			v := model.Judge{}.Classify(one, a)
			if got := names(v); got != tt.want || v.Ended.String() != tt.end {
				t.Errorf("got %s, ended %v, want %s, %s", got, v.Ended, tt.want, tt.end)
			}
			if !v.Answered || v.Status != tt.status || v.Layer != v.Outcome.Layer() {
				t.Errorf("got answered %v, status %d, layer %v", v.Answered, v.Status, v.Layer)
			}
		})
	}
}

// Which parameters of a Content-Type are broken: RFC 9110, section 5.6.6.
func TestContentTypeParameters(t *testing.T) {
	tests := []struct {
		parameters string
		fine       bool
	}{
		{``, true}, {` `, true}, {`;; ;`, true}, {`a=b`, true}, {"\ta=b \t; c=d", true}, {`a="b"`, true}, {`a="";`, true},
		{`a="b;c\"d"; e=f`, true}, {"a=\"\xFF\"", true}, {"a=\"\\\xFF\t\"", true}, {`!#$%&'*+-.^_|~1=1`, true}, {"`=`", true},
		{`a`, false}, {`a=`, false}, {`=b`, false}, {`a =b`, false}, {`a= b`, false}, {`a=b c=d`, false}, {`a=b"c"`, false},
		{`a="b`, false}, {`a="b\`, false}, {`a="b"c`, false}, {"a=\"\x7F\"", false}, {"a=\"\n\"", false}, {"a=\xFF", false}, {"a=b,c", false}, {"a/b=c", false}, {"\n", false},
	}
	for _, tt := range tests {
		a := jsonAnswer(success)
		a.Header.Set("Content-Type", "application/json;"+tt.parameters)
		v := model.Judge{}.Classify(one, a)
		if got := !v.Has(classifier.FindingContentTypeParameter); got != tt.fine {
			t.Errorf("%q: got fine %v, want %v", tt.parameters, got, tt.fine)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	tests := []struct {
		values []string
		want   string
		odd    bool
	}{
		{nil, "", false},
		{[]string{"120"}, "120", false},
		{[]string{" 120\t", "120"}, "120", false},
		{[]string{"99999999999999999999999"}, "99999999999999999999999", false},
		{[]string{"Fri, 07 Nov 2014 23:59:59 GMT"}, "Fri, 07 Nov 2014 23:59:59 GMT", false},
		{[]string{"Friday, 07-Nov-14 23:59:59 GMT"}, "Friday, 07-Nov-14 23:59:59 GMT", false},
		{[]string{""}, "", true}, {[]string{" "}, "", true}, {[]string{"-1"}, "", true}, {[]string{"+1"}, "", true}, {[]string{"1.5"}, "", true},
		{[]string{"1", "2"}, "", true}, {[]string{"soon"}, "", true}, {[]string{"١"}, "", true},
	}
	for _, tt := range tests {
		a := classifier.Answer{Status: 429, Header: http.Header{"Retry-After": tt.values}}
		v := model.Judge{}.Classify(one, a)
		if v.RetryAfter != tt.want || v.Has(classifier.FindingRetryAfter) != tt.odd {
			t.Errorf("%q: got %q, finding %v, want %q, %v", tt.values, v.RetryAfter, v.Has(classifier.FindingRetryAfter), tt.want, tt.odd)
		}
		a.Status = 202
		if v := (model.Judge{}).Classify(one, a); v.RetryAfter != "" || len(v.Findings) > 0 {
			t.Errorf("%q on a 202: got %q, %v", tt.values, v.RetryAfter, v.Findings)
		}
	}
}

// Rule N.
func TestNotifications(t *testing.T) {
	tests := []struct {
		name   string
		status int
		coding string
		body   string
		ended  classifier.Ended
		want   string
	}{
		{"empty 202", 202, "", "", classifier.EndedEOF, "ACCEPTED accepted"},
		{"empty 202 in gzip", 202, "gzip", string(coded("gzip", nil)), classifier.EndedEOF, "ACCEPTED accepted"},
		{"empty 202 under an unknown coding", 202, "x", "", classifier.EndedEOF, "ACCEPTED accepted"},
		{"202 under an unknown coding", 202, "x", "x", classifier.EndedEOF, "UNEXPECTED_REPLY unexpected-reply"},
		{"202 with a body", 202, "", " ", classifier.EndedEOF, "UNEXPECTED_REPLY unexpected-reply"},
		{"202 with damage", 202, "gzip", "{}", classifier.EndedEOF, "UNEXPECTED_REPLY unexpected-reply"},
		{"empty 204", 204, "", "", classifier.EndedEOF, "UNEXPECTED_REPLY unexpected-reply"},
		{"200", 200, "", success, classifier.EndedEOF, "UNEXPECTED_REPLY unexpected-reply"},
		{"empty 202, cut", 202, "", "", classifier.EndedReset, "NO_FINAL_RESPONSE body-cut"},
		{"202 whose coding ends early", 202, "gzip", "\x1f", classifier.EndedEOF, "NO_FINAL_RESPONSE body-cut"},
		{"202 with damage, deadline", 202, "gzip", "{}", classifier.EndedDeadline, "NO_FINAL_RESPONSE deadline"},
		{"400", 400, "", "", classifier.EndedEOF, "HTTP_ERROR http-status"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := classifier.Answer{Status: tt.status, Header: header("Content-Encoding", tt.coding), Body: []byte(tt.body), Ended: tt.ended}
			if got := names(model.Judge{}.Notification(a)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Rule T.
func TestNoAnswer(t *testing.T) {
	tests := map[classifier.Ended]string{
		classifier.EndedEOF: "connect", classifier.EndedReset: "reset", classifier.EndedDeadline: "deadline", classifier.EndedCancelled: "cancelled",
		classifier.EndedSizeLimit: "connect", classifier.EndedConnect: "connect", classifier.EndedTLS: "tls", 99: "connect",
	}
	for ended, want := range tests {
		v := model.Judge{}.NoAnswer(ended)
		if v.Outcome != classifier.NoFinalResponse || v.Reason.String() != want || v.Ended.String() != want || v.Answered || v.SyntaxOffset != -1 {
			t.Errorf("%v: got %v %v, ended %v, want NO_FINAL_RESPONSE %s", ended, v.Outcome, v.Reason, v.Ended, want)
		}
	}
}

func nested(n int, b []byte) []byte {
	for range n {
		b = coded("gzip", b)
	}
	return b
}

// The limit on decoded bytes, at every coding of a chain and for all of them.
func TestDecodedLimit(t *testing.T) {
	zeros := bytes.Repeat([]byte("0"), 1000)
	tests := []struct {
		name  string
		names []string
		body  []byte
		limit int
		want  string
	}{
		{"at the limit", []string{"gzip"}, coded("gzip", []byte("\""+strings.Repeat("x", 98)+"\"")), 100, "INVALID_ENVELOPE not-object"},
		{"past it", []string{"gzip"}, coded("gzip", zeros), 999, "NO_FINAL_RESPONSE size-limit"},
		{"past it within a chain", []string{"gzip", "gzip"}, coded("gzip", bytes.Repeat(coded("gzip", nil), 60)), 1000, "NO_FINAL_RESPONSE size-limit"},
		{"no coding", nil, zeros, 9, "MALFORMED_JSON json-trailing"},
		{"past 16 times it in all", slices.Repeat([]string{"gzip"}, 40), nested(40, bytes.Repeat([]byte("0123456789abcdef"), 9)), 1200, "NO_FINAL_RESPONSE size-limit"},
		{"not past 16 times it in all", slices.Repeat([]string{"gzip"}, 40), nested(40, []byte(`{"jsonrpc":"2.0"}`)), 1 << 20, "INVALID_ENVELOPE id-missing"},
	}
	for _, tt := range tests {
		a := jsonAnswer(string(tt.body))
		a.Header["Content-Encoding"] = tt.names
		if got := names(model.Judge{Limit: tt.limit}.Classify(one, a)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Codings by argument: unknown without, and their errors as for the built-in ones.
func TestDecoders(t *testing.T) {
	a := jsonAnswer("\x0b\x02\x80{}x\x03") // brotli: a stored block of five bytes
	a.Header.Set("Content-Encoding", "BR")
	if got := names(model.Judge{}.Classify(one, a)); got != "UNEXPECTED_CONTENT_TYPE content-encoding" {
		t.Errorf("without a decoder: got %s", got)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, "INVALID_ENVELOPE jsonrpc-version"},
		{model.ErrEarlyEnd, "NO_FINAL_RESPONSE body-cut"},
		{codings.ErrEarlyEnd, "UNEXPECTED_CONTENT_TYPE content-encoding"},
	} {
		j := model.Judge{Decoders: model.Decoders{"br": func([]byte) ([]byte, error) { return []byte("{}"), tt.err }}}
		if got := names(j.Classify(one, a)); got != tt.want {
			t.Errorf("decoder with error %v: got %s, want %s", tt.err, got, tt.want)
		}
	}
}
