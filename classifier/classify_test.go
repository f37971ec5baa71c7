package classifier

import (
	"net/http"
	"strings"
	"testing"
)

const (
	okBody    = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"x"}]}}`
	errorBody = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}`
)

// kinds joins the findings of a verdict by spaces.
func kinds(v *Verdict) string {
	names := make([]string, len(v.Findings))
	for i, f := range v.Findings {
		names[i] = f.Kind.String()
	}
	return strings.Join(names, " ")
}

// headerOf makes a header of lines such as "Content-Type: text/html".
func headerOf(lines ...string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h[name] = append(h[name], value)
	}
	return h
}

func classifyJSON(body string) Verdict {
	return Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: headerOf("Content-Type: application/json"), Body: []byte(body)})
}

// TestBeforeTheBody is rules 1 to 4.
func TestBeforeTheBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		status   int
		header   []string // nil: application/json
		body     string
		ended    Ended
		outcome  Outcome
		reason   Reason
		end      BodyEnd
		findings string
	}{
		{"success", 200, nil, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"the whole range is fine", 299, nil, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"202 with a body", 202, nil, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},

		{"a parameter alone", 200, []string{"Content-Type: ;charset=utf-8"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeEmpty, BodySettledEarly, ""},
		{"an empty item of a list", 200, []string{"Content-Type: , application/json"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeList, BodySettledEarly, ""},
		{"one foreign type in capitals too", 200, []string{"Content-Type: text/zip", "Content-Type: TEXT/ZIP"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"characters beside the capitals", 200, []string{"Content-Type: text/@", "Content-Type: text/`"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},
		{"and behind them", 200, []string{"Content-Type: text/[", "Content-Type: text/{"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},

		{"199", 199, nil, okBody, EndedEOF, HTTPError, ReasonHTTPStatus, BodyComplete, ""},
		{"300", 300, nil, okBody, EndedEOF, HTTPError, ReasonHTTPStatus, BodyComplete, ""},
		{"0", 0, nil, okBody, EndedEOF, HTTPError, ReasonHTTPStatus, BodyComplete, ""},
		{"negative", -200, nil, okBody, EndedEOF, HTTPError, ReasonHTTPStatus, BodyComplete, ""},
		{"absurd", 20000, nil, okBody, EndedEOF, HTTPError, ReasonHTTPStatus, BodyComplete, ""},
		{"status before media type and end", 500, []string{"Content-Type: text/html"}, "<html>", EndedReset, HTTPError, ReasonHTTPStatus, BodyCut, ""},
		{"status before an empty body", 304, []string{}, "", EndedDeadline, HTTPError, ReasonHTTPStatus, BodyDeadline, ""},

		{"no Content-Type", 200, []string{}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, "content-type-missing"},
		{"no Content-Type, not JSON", 200, []string{}, "<html>", EndedEOF, MalformedJSON, ReasonJSONSyntax, BodyComplete, "content-type-missing"},
		{"no Content-Type, cut", 200, []string{}, okBody, EndedReset, NoFinalResponse, ReasonBodyCut, BodyCut, "content-type-missing"},
		{"case, parameters and white space", 200, []string{"Content-Type: \t Application/JSON \t; charset=latin1"}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"lines of one essence", 200, []string{"Content-Type: application/json", "Content-Type: APPLICATION/JSON;x=y"}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"broken parameter", 200, []string{"Content-Type: application/json; charset"}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, "content-type-parameter"},
		{"broken parameter in the second line", 200, []string{"Content-Type: application/json", "Content-Type: application/json;="}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, "content-type-parameter"},
		{"another spelling of the name", 200, []string{"content-type: text/html"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"the canonical name wins", 200, []string{"content-type: text/html", "Content-Type: application/json"}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"several other spellings", 200, []string{"CONTENT-TYPE: application/json", "content-type: text/html"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},
		{"a name with a long s is another", 200, []string{"Content-Type: application/json", "Content-Type\u017F: x"}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},

		{"conflict", 200, []string{"Content-Type: application/json", "Content-Type: text/event-stream"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},
		{"conflict with an empty line", 200, []string{"Content-Type: application/json", "Content-Type: "}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},
		{"conflict before list", 200, []string{"Content-Type: a, b", "Content-Type: c"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeConflict, BodySettledEarly, ""},
		{"empty", 200, []string{"Content-Type: "}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeEmpty, BodySettledEarly, ""},
		{"parameters only", 200, []string{"Content-Type:  ; charset=utf-8"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeEmpty, BodySettledEarly, ""},
		{"list", 200, []string{"Content-Type: application/json, application/json"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeList, BodySettledEarly, ""},
		{"comma in a parameter", 200, []string{`Content-Type: application/json; a="b,c"`}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"foreign", 200, []string{"Content-Type: text/html; ="}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"a suffix is foreign", 200, []string{"Content-Type: application/problem+json"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"a long s is no s", 200, []string{"Content-Type: application/j\u017Fon"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"foreign and cut", 200, []string{"Content-Type: text/html"}, "", EndedReset, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"foreign and empty", 200, []string{"Content-Type: text/html"}, "", EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},

		{"unknown coding", 200, []string{"Content-Type: application/json;=", "Content-Encoding: x-secret"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, "content-type-parameter"},
		{"unknown coding in a list", 200, []string{"Content-Type: application/json", "Content-Encoding: identity, x-secret"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, ""},
		{"unknown coding, nothing sent", 200, []string{"Content-Type: application/json", "Content-Encoding: x-secret"}, "", EndedEOF, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, ""},
		{"unknown coding before the cut", 200, []string{"Content-Type: application/json", "Content-Encoding: x-secret"}, "", EndedReset, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, ""},
		{"media type before coding", 200, []string{"Content-Type: text/html", "Content-Encoding: x-secret"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentTypeForeign, BodySettledEarly, ""},
		{"identity", 200, []string{"Content-Type: application/json", "Content-Encoding: Identity", "Content-Encoding: "}, okBody, EndedEOF, ToolSuccess, ReasonToolSuccess, BodyComplete, ""},
		{"data that is no gzip", 200, []string{"Content-Type: application/json", "Content-Encoding: gzip"}, okBody, EndedEOF, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, ""},
		{"damage before the cut", 200, []string{"Content-Type: application/json", "Content-Encoding: gzip"}, okBody, EndedReset, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, ""},
		{"gzip that ends early", 200, []string{"Content-Type: application/json", "Content-Encoding: gzip"}, "\x1F\x8B\x08", EndedEOF, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"gzip that ends early, deadline", 200, []string{"Content-Type: application/json", "Content-Encoding: gzip"}, "\x1F\x8B\x08", EndedDeadline, NoFinalResponse, ReasonDeadline, BodyDeadline, ""},
		{"no gzip at all", 200, []string{"Content-Type: application/json", "Content-Encoding: gzip"}, "", EndedEOF, MalformedJSON, ReasonJSONEmpty, BodyComplete, ""},

		{"202, empty", 202, nil, "", EndedEOF, NoFinalResponse, ReasonNoBody, BodyComplete, ""},
		{"204, empty, foreign", 204, []string{"Content-Type: text/html"}, "", EndedEOF, NoFinalResponse, ReasonNoBody, BodyComplete, ""},
		{"205, empty, no type", 205, []string{}, "", EndedEOF, NoFinalResponse, ReasonNoBody, BodyComplete, ""},
		{"202, empty, unknown coding", 202, []string{"Content-Encoding: x-secret"}, "", EndedEOF, NoFinalResponse, ReasonNoBody, BodyComplete, ""},
		{"202, empty, stream", 202, []string{"Content-Type: text/event-stream;="}, "", EndedEOF, NoFinalResponse, ReasonNoBody, BodyComplete, ""},
		{"202, empty, cut", 202, nil, "", EndedReset, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"202, one space", 202, nil, " ", EndedEOF, MalformedJSON, ReasonJSONEmpty, BodyComplete, ""},
		{"200, empty", 200, nil, "", EndedEOF, MalformedJSON, ReasonJSONEmpty, BodyComplete, ""},
		{"203, empty", 203, nil, "", EndedEOF, MalformedJSON, ReasonJSONEmpty, BodyComplete, ""},

		{"cut", 200, nil, okBody, EndedReset, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"cut, as if a connection failed", 200, nil, okBody, EndedConnect, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"cut, as if TLS failed", 200, nil, okBody, EndedTLS, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"cut in an unknown way", 200, nil, okBody, Ended(200), NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"deadline", 200, nil, okBody, EndedDeadline, NoFinalResponse, ReasonDeadline, BodyDeadline, ""},
		{"cancelled", 200, nil, okBody, EndedCancelled, NoFinalResponse, ReasonCancelled, BodyCancelled, ""},
		{"size limit", 200, nil, okBody, EndedSizeLimit, NoFinalResponse, ReasonSizeLimit, BodySizeLimit, ""},
		{"cut, BOM not looked at", 200, nil, bom + okBody, EndedReset, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
	} {
		lines := c.header
		if lines == nil {
			lines = []string{"Content-Type: application/json"}
		}
		v := Classify(Call{ID: IntID(1)}, Answer{Status: c.status, Header: headerOf(lines...), Body: []byte(c.body), Ended: c.ended})
		if v.Outcome != c.outcome || v.Reason != c.reason || v.Ended != c.end || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, %v, findings %q; want %v, %v, %v, %q", c.name, v.Outcome, v.Reason, v.Ended, kinds(&v), c.outcome, c.reason, c.end, c.findings)
		}
		if v.Layer != v.Outcome.Layer() || !v.Answered || v.Status != c.status {
			t.Errorf("%s: got layer %v, answered %t, status %d", c.name, v.Layer, v.Answered, v.Status)
		}
	}
}

func TestMediaTypeParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parameters string // after the first semicolon
		ok         bool
	}{
		{"", true}, {" ", true}, {";", true}, {" ; ;; ", true}, {"a=b", true}, {" a=b ", true}, {"a=b;c=d", true}, {"a=b ; c=d;", true}, {`a="b"`, true}, {`a="b c;d,e"`, true}, {`a=""`, true}, {`a="\"\\"`, true}, {"a=\"\xE9\"", true}, {"a=\"\\\xE9\"", true}, {"a=\"\t\"", true}, {"!#$%&'*+-.^_`|~=1", true},
		{"a", false}, {"a=", false}, {"=b", false}, {"a =b", false}, {"a= b", false}, {"a=b c=d", false}, {"a=b c", false}, {`a="b`, false}, {`a="b\`, false}, {`a="b"c`, false}, {`a=b"c"`, false}, {"a=\xE9", false}, {"\xE9=a", false}, {"a=\"\x00\"", false}, {"a=\"\x7F\"", false}, {"a=\"\\\x01\"", false}, {"a=b,c=d", false}, {"a:b", false}, {"a=b;c", false}, {"a=(b)", false}, {"a=b\x0B", false},
	} {
		v := Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: http.Header{"Content-Type": {"application/json;" + c.parameters}}, Body: []byte(okBody)})
		if v.Has(FindingContentTypeParameter) == c.ok {
			t.Errorf("%q: got findings %q, want ok %t", c.parameters, kinds(&v), c.ok)
		}
		if v.Outcome != ToolSuccess {
			t.Errorf("%q: got %v, want TOOL_SUCCESS", c.parameters, v.Outcome)
		}
	}
}

// TestFindingOnce has members twice at several places: the first counts.
func TestFindingOnce(t *testing.T) {
	t.Parallel()
	v := classifyJSON(`{"jsonrpc":"2.0","id":1,"id":1,"result":{"resultType":"complete","resultType":"complete","content":[]}}`)
	if len(v.Findings) != 1 || v.Findings[0] != (Finding{Kind: FindingDuplicateMember, Offset: 24, Pointer: "/id"}) {
		t.Errorf("got %+v, want the second id alone", v.Findings)
	}
	if v := ClassifyNotification(Answer{Status: 299}); v.Outcome != UnexpectedReply {
		t.Errorf("notification, 299: got %v, want UNEXPECTED_REPLY", v.Outcome)
	}
}

// TestCutBodies has bodies with nothing behind them in memory.
func TestCutBodies(t *testing.T) {
	t.Parallel()
	for _, body := range []string{okBody, errorBody} {
		for n := 1; n < len(body); n++ {
			b := []byte(body)[:n:n]
			v := Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: headerOf("Content-Type: application/json"), Body: b})
			if v.Reason != ReasonJSONSyntax || v.SyntaxOffset != int64(n) {
				t.Errorf("%s: got %v at %d, want json-syntax at %d", b, v.Reason, v.SyntaxOffset, n)
			}
		}
	}
}

// TestHTTPErrorDetails is the second half of rule 1.
func TestHTTPErrorDetails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		header   []string
		body     string
		ended    Ended
		code, id string
		message  string
		findings string
	}{
		{"error", nil, errorBody, EndedEOF, "-32602", "1", `"no such tool"`, ""},
		{"whatever the media type", []string{"Content-Type: text/html"}, errorBody, EndedEOF, "-32602", "1", `"no such tool"`, ""},
		{"any id", nil, `{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":""}}`, EndedEOF, "1", "{}", `""`, ""},
		{"no id", nil, `{"jsonrpc":"2.0","error":{"code":1e2,"message":""}}`, EndedEOF, "1e2", "", `""`, ""},
		{"BOM", nil, bom + errorBody, EndedEOF, "-32602", "1", `"no such tool"`, ""},
		{"bad UTF-8 is no finding here", nil, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\xFF\"},\"id\":1,\"id\":2}", EndedEOF, "1", "2", "\"\xFF\"", ""},
		{"result beside it", nil, `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}`, EndedEOF, "", "", "", ""},
		{"wrong version", nil, `{"jsonrpc":"1.0","id":1,"error":{"code":1,"message":""}}`, EndedEOF, "", "", "", ""},
		{"no message", nil, `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, EndedEOF, "", "", "", ""},
		{"a result", nil, okBody, EndedEOF, "", "", "", ""},
		{"not JSON", nil, "Bad Gateway", EndedEOF, "", "", "", ""},
		{"trailing bytes", nil, errorBody + "x", EndedEOF, "", "", "", ""},
		{"an array", nil, "[" + errorBody + "]", EndedEOF, "", "", "", ""},
		{"cut", nil, errorBody, EndedReset, "", "", "", ""},
		{"unknown coding", []string{"Content-Encoding: x-secret"}, errorBody, EndedEOF, "", "", "", ""},
		{"damaged coding", []string{"Content-Encoding: gzip"}, errorBody, EndedEOF, "", "", "", ""},
		{"odd Retry-After", []string{"Retry-After: soon"}, errorBody, EndedEOF, "-32602", "1", `"no such tool"`, "retry-after"},
	} {
		v := Classify(Call{ID: IntID(7)}, Answer{Status: 400, Header: headerOf(c.header...), Body: []byte(c.body), Ended: c.ended})
		if v.Outcome != HTTPError || v.Reason != ReasonHTTPStatus || v.SyntaxOffset != -1 {
			t.Errorf("%s: got %v, %v, offset %d", c.name, v.Outcome, v.Reason, v.SyntaxOffset)
		}
		if string(v.Error.Code) != c.code || string(v.ID) != c.id || string(v.Error.Message) != c.message || kinds(&v) != c.findings {
			t.Errorf("%s: got code %q, id %q, message %q, findings %q; want %q, %q, %q, %q", c.name, v.Error.Code, v.ID, v.Error.Message, kinds(&v), c.code, c.id, c.message, c.findings)
		}
		if v.Error.Present() != (c.code != "") {
			t.Errorf("%s: got an error %t", c.name, v.Error.Present())
		}
	}
	v := Classify(Call{}, Answer{Status: 503, Header: headerOf("Retry-After: 7", "Date: Mon, 02 Jan 2006 15:04:05 GMT", "Date: later", "WWW-Authenticate: Bearer", "Content-Type: text/plain", "Content-Type: text/html")})
	if v.RetryAfter != "7" || v.Date != "Mon, 02 Jan 2006 15:04:05 GMT" || !v.Challenged || v.ContentType != "text/plain" {
		t.Errorf("got Retry-After %q, date %q, challenged %t, type %q", v.RetryAfter, v.Date, v.Challenged, v.ContentType)
	}
	for _, other := range []string{"", "X-Other", "Server"} {
		for _, c := range []struct {
			name, line string
			want       func(v *Verdict) bool
		}{
			{"retry-after", "7", func(v *Verdict) bool { return v.RetryAfter == "7" }},
			{"RETRY-AFTER", "7", func(v *Verdict) bool { return v.RetryAfter == "7" }},
			{"date", "now", func(v *Verdict) bool { return v.Date == "now" }},
			{"WWW-Authenticate", "Bearer", func(v *Verdict) bool { return v.Challenged }},
			{"content-type", "text/x", func(v *Verdict) bool { return v.ContentType == "text/x" }},
			{"content-encoding", "frob", func(v *Verdict) bool { return !v.Error.Present() }},
			{"www_authenticate", "Bearer", func(v *Verdict) bool { return !v.Challenged && v.Error.Present() }},
			{"retry after", "7", func(v *Verdict) bool { return v.RetryAfter == "" }},
		} {
			v := Classify(Call{}, Answer{Status: 503, Header: http.Header{other: {"x"}, c.name: {c.line}}, Body: []byte(errorBody)})
			if !c.want(&v) {
				t.Errorf("%s: %s beside %q was not read as it should be: %+v", c.name, c.line, other, v)
			}
		}
	}
	v = Classify(Call{}, Answer{Status: 200, Header: headerOf("Retry-After: soon", "Www-Authenticate: Bearer")})
	if v.RetryAfter != "" || v.Challenged || v.Has(FindingRetryAfter) {
		t.Errorf("200: got Retry-After %q, challenged %t, findings %q; want none", v.RetryAfter, v.Challenged, kinds(&v))
	}
}

// TestNoAnswer is rule T.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ended  Ended
		reason Reason
		end    BodyEnd
	}{
		{EndedConnect, ReasonConnect, BodyConnect}, {EndedReset, ReasonReset, BodyReset}, {EndedTLS, ReasonTLS, BodyTLS}, {EndedDeadline, ReasonDeadline, BodyDeadline},
		{EndedCancelled, ReasonCancelled, BodyCancelled}, {EndedEOF, ReasonConnect, BodyConnect}, {EndedSizeLimit, ReasonConnect, BodyConnect}, {Ended(99), ReasonConnect, BodyConnect},
	} {
		v := ClassifyNoAnswer(c.ended)
		if v.Outcome != NoFinalResponse || v.Layer != Transport || v.Reason != c.reason || v.Ended != c.end || v.Answered || v.Status != 0 || v.SyntaxOffset != -1 {
			t.Errorf("%v: got %+v, want %v, %v", c.ended, v, c.reason, c.end)
		}
	}
}

// TestNotification is rule N.
func TestNotification(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		status   int
		header   []string
		body     string
		ended    Ended
		outcome  Outcome
		reason   Reason
		findings string
	}{
		{"accepted", 202, nil, "", EndedEOF, Accepted, ReasonAccepted, ""},
		{"accepted, whatever the headers", 202, []string{"Content-Type: text/html", "Content-Encoding: x-secret", "Retry-After: soon"}, "", EndedEOF, Accepted, ReasonAccepted, ""},
		{"accepted, gzip of nothing", 202, []string{"Content-Encoding: gzip"}, "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", EndedEOF, Accepted, ReasonAccepted, ""},
		{"one byte", 202, nil, "\n", EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"unknown coding of something", 202, []string{"Content-Encoding: x-secret"}, "x", EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"damaged", 202, []string{"Content-Encoding: gzip"}, "xyz", EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"200", 200, nil, "", EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"204", 204, nil, "", EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"a result", 200, []string{"Content-Type: application/json;="}, okBody, EndedEOF, UnexpectedReply, ReasonUnexpectedReply, ""},
		{"cut", 202, nil, "", EndedReset, NoFinalResponse, ReasonBodyCut, ""},
		{"ends early", 202, []string{"Content-Encoding: gzip"}, "\x1F\x8B", EndedEOF, NoFinalResponse, ReasonBodyCut, ""},
		{"deadline", 200, nil, okBody, EndedDeadline, NoFinalResponse, ReasonDeadline, ""},
		{"400", 400, []string{"Retry-After: soon"}, errorBody, EndedEOF, HTTPError, ReasonHTTPStatus, "retry-after"},
		{"500, cut", 500, nil, "", EndedReset, HTTPError, ReasonHTTPStatus, ""},
	} {
		v := ClassifyNotification(Answer{Status: c.status, Header: headerOf(c.header...), Body: []byte(c.body), Ended: c.ended})
		if v.Outcome != c.outcome || v.Reason != c.reason || kinds(&v) != c.findings || v.Layer != Transport {
			t.Errorf("%s: got %v, %v, findings %q; want %v, %v, %q", c.name, v.Outcome, v.Reason, kinds(&v), c.outcome, c.reason, c.findings)
		}
	}
	if v := ClassifyNotification(Answer{Status: 400, Body: []byte(errorBody)}); string(v.Error.Code) != "-32602" {
		t.Errorf("got code %q, want -32602", v.Error.Code)
	}
}
