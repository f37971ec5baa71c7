package classifier

import (
	"strings"
	"testing"
)

// TestText is rule 5.
func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body     string
		reason   Reason // not-object where the text is fine
		offset   int64
		findings string
	}{
		{"", ReasonJSONEmpty, 0, ""}, {" \t\r\n", ReasonJSONEmpty, 4, ""}, {bom, ReasonJSONEmpty, 3, "bom"}, {bom + " ", ReasonJSONEmpty, 4, "bom"},
		{"tru", ReasonJSONSyntax, 3, ""}, {"-", ReasonJSONSyntax, 1, ""}, {"1.x", ReasonJSONSyntax, 2, ""}, {"[1,]", ReasonJSONSyntax, 3, ""}, {"<html>", ReasonJSONSyntax, 0, ""}, {" \n<html>", ReasonJSONSyntax, 2, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text"`, ReasonJSONSyntax, 59, ""}, {`{"result":{"content":[}}`, ReasonJSONSyntax, 22, ""}, {`{"error":{"code":01}}`, ReasonJSONSyntax, 18, ""},
		{"01", ReasonJSONTrailing, 1, ""}, {"nulll", ReasonJSONTrailing, 4, ""}, {`{"a":1}}`, ReasonJSONTrailing, 7, ""}, {"{} {}", ReasonJSONTrailing, 3, ""}, {"{}\x00", ReasonJSONTrailing, 2, ""}, {"1\n,", ReasonJSONTrailing, 2, ""},
		{bom + bom + "1", ReasonJSONSyntax, 3, "bom"}, {" " + bom + "1", ReasonJSONSyntax, 1, ""}, {bom + "1x", ReasonJSONTrailing, 4, "bom"}, {"1" + bom, ReasonJSONTrailing, 1, ""}, {"\xEF\xBB", ReasonJSONSyntax, 0, ""}, {"\xEF\xBB{}", ReasonJSONSyntax, 0, ""},
		{"\xFF", ReasonJSONSyntax, 0, ""}, {"{}\xFF", ReasonJSONTrailing, 2, ""}, {"[\"\xFF\"", ReasonJSONSyntax, 4, ""}, {"[\"\\ud800\"]]", ReasonJSONTrailing, 10, ""},
		{strings.Repeat("[", 101), ReasonJSONSyntax, 101, ""},
		{"null", ReasonNotObject, -1, ""}, {" 1.5e-3\n", ReasonNotObject, -1, ""}, {bom + "[]", ReasonNotObject, -1, "bom"}, {"[\"\xFF\\udc00\"]", ReasonNotObject, -1, "bad-utf8 lone-surrogate"},
		{strings.Repeat("[", 101) + strings.Repeat("]", 101), ReasonNotObject, -1, "deep-nesting"}, {bom + strings.Repeat("[", 101) + "\"\xC0\",\"\\uDFFF\"" + strings.Repeat("]", 101), ReasonNotObject, -1, "bom bad-utf8 lone-surrogate deep-nesting"},
	} {
		v := classifyJSON(c.body)
		outcome := MalformedJSON
		if c.reason == ReasonNotObject {
			outcome = InvalidEnvelope
		}
		if v.Outcome != outcome || v.Reason != c.reason || v.SyntaxOffset != c.offset || kinds(&v) != c.findings {
			t.Errorf("%.60q: got %v, %v at %d, findings %q; want %v, %v at %d, %q", c.body, v.Outcome, v.Reason, v.SyntaxOffset, kinds(&v), outcome, c.reason, c.offset, c.findings)
		}
	}
	v := classifyJSON(bom + "[\"a\xE2\x82\"]")
	if len(v.Findings) != 2 || v.Findings[0].Offset != 0 || v.Findings[1].Offset != 6 {
		t.Errorf("got findings %v, want offsets 0 and 6", v.Findings)
	}
}

// TestEnvelope is rules 6 and 8.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	const result = `"result":{"resultType":"complete","content":[]}`
	const fault = `"error":{"code":-32000,"message":"m","data":[1]}`
	for _, c := range []struct {
		name, body string
		outcome    Outcome
		reason     Reason
		code, id   string
		findings   string
	}{
		{"result", `{"jsonrpc":"2.0","id":1,` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", ""},
		{"error", `{"jsonrpc":"2.0","id":1,` + fault + `}`, JSONRPCError, ReasonRPCError, "-32000", "1", ""},
		{"white space and another order", " {\n" + result + " ,\t\"id\" : 1 , \"jsonrpc\" :\r\n\"2.0\" } ", ToolSuccess, ReasonToolSuccess, "", "1", ""},
		{"escaped names", `{"\u006asonrpc":"2.0","\u0069d":1,"r\u0065sult":{"content":[]}}`, ToolSuccess, ReasonToolSuccess, "", "1", "result-type-missing"},
		{"escaped version", `{"jsonrpc":"2\u002e0","id":1,` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", ""},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"method":"x","__proto__":{"id":2},"Result":1,"re` + "\u017F" + `ult":2,"":3,"id\u0000":4,` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", ""},

		{"array", `[{"jsonrpc":"2.0","id":1,` + result + `}]`, InvalidEnvelope, ReasonNotObject, "", "", ""},
		{"empty object", `{}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "", ""},
		{"no version", `{"id":1,` + result + `}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "1", ""},
		{"number for version", `{"jsonrpc":2.0,"id":1,` + result + `}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "1", ""},
		{"another version", `{"jsonrpc":"2","id":1,` + result + `}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "1", ""},
		{"version before id", `{"jsonrpc":"1.0","id":9,` + result + `,` + fault + `}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "9", ""},
		{"case of a name", `{"JSONRPC":"2.0","id":1,` + result + `}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "1", ""},
		{"no id", `{"jsonrpc":"2.0",` + result + `}`, InvalidEnvelope, ReasonIDMissing, "", "", ""},
		{"no id, error", `{"jsonrpc":"2.0",` + fault + `}`, InvalidEnvelope, ReasonIDMissing, "-32000", "", ""},
		{"no id, error without message", `{"jsonrpc":"2.0","error":{"code":1}}`, InvalidEnvelope, ReasonIDMissing, "", "", ""},
		{"no id, both", `{"jsonrpc":"2.0",` + result + `,` + fault + `}`, InvalidEnvelope, ReasonIDMissing, "", "", ""},
		{"null id, error", `{"jsonrpc":"2.0","id":null,` + fault + `}`, InvalidEnvelope, ReasonIDMismatch, "-32000", "null", ""},
		{"null id, result", `{"jsonrpc":"2.0","id":null,` + result + `}`, InvalidEnvelope, ReasonIDMismatch, "", "null", ""},
		{"another id, error", `{"jsonrpc":"2.0","id":2,` + fault + `}`, InvalidEnvelope, ReasonIDMismatch, "", "2", ""},
		{"id an object", `{"jsonrpc":"2.0","id":{"a":[1]},` + result + `}`, InvalidEnvelope, ReasonIDMismatch, "", `{"a":[1]}`, ""},
		{"id before both", `{"jsonrpc":"2.0","id":2,` + result + `,` + fault + `}`, InvalidEnvelope, ReasonIDMismatch, "", "2", ""},
		{"both", `{"jsonrpc":"2.0","id":1,` + result + `,` + fault + `}`, InvalidEnvelope, ReasonResultAndError, "", "1", ""},
		{"null error beside a result", `{"jsonrpc":"2.0","id":1,` + result + `,"error":null}`, InvalidEnvelope, ReasonResultAndError, "", "1", ""},
		{"null result beside an error", `{"jsonrpc":"2.0","id":1,"result":null,` + fault + `}`, InvalidEnvelope, ReasonResultAndError, "", "1", ""},
		{"neither", `{"jsonrpc":"2.0","id":1}`, InvalidEnvelope, ReasonNeitherResultNorError, "", "1", ""},
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, InvalidEnvelope, ReasonNeitherResultNorError, "", "1", ""},
		{"result inside another member", `{"jsonrpc":"2.0","id":1,"params":{` + result + `}}`, InvalidEnvelope, ReasonNeitherResultNorError, "", "1", ""},

		{"the last version counts", `{"jsonrpc":"1.0","id":1,` + result + `,"jsonrpc":"2.0"}`, ToolSuccess, ReasonToolSuccess, "", "1", "duplicate-member"},
		{"the last id counts", `{"jsonrpc":"2.0","id":1,` + result + `,"id":2}`, InvalidEnvelope, ReasonIDMismatch, "", "2", "duplicate-member"},
		{"an escaped duplicate", `{"jsonrpc":"2.0","id":2,` + result + `,"\u0069d":1}`, ToolSuccess, ReasonToolSuccess, "", "1", "duplicate-member"},
		{"the last result counts", `{"jsonrpc":"2.0","id":1,` + result + `,"result":7}`, InvalidToolResult, ReasonResultNotObject, "", "1", "duplicate-member"},
		{"nothing of an earlier result counts", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"x","content":7,"isError":7,"content":8,"_meta":null},` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", "duplicate-member"},
		{"nothing of an earlier error counts", `{"jsonrpc":"2.0","id":1,` + fault + `,"error":{}}`, InvalidEnvelope, ReasonErrorCode, "", "1", "duplicate-member"},
		{"method twice", `{"jsonrpc":"2.0","id":1,"method":1,"method":2,` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", "duplicate-member"},
		{"others twice", `{"jsonrpc":"2.0","id":1,"x":1,"x":2,` + result + `}`, ToolSuccess, ReasonToolSuccess, "", "1", ""},
		{"a duplicate in a failed envelope", `{"id":1,"id":2}`, InvalidEnvelope, ReasonJSONRPCVersion, "", "2", "duplicate-member"},
		{"a duplicate in an error that is not reached", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"code":2,"message":"m"}}`, InvalidEnvelope, ReasonIDMismatch, "", "2", ""},

		{"error null", `{"jsonrpc":"2.0","id":1,"error":null}`, InvalidEnvelope, ReasonErrorNotObject, "", "1", ""},
		{"error a string", `{"jsonrpc":"2.0","id":1,"error":"m"}`, InvalidEnvelope, ReasonErrorNotObject, "", "1", ""},
		{"no code", `{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}`, InvalidEnvelope, ReasonErrorCode, "", "1", ""},
		{"code a string", `{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}`, InvalidEnvelope, ReasonErrorCode, "", "1", ""},
		{"code a fraction", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`, InvalidEnvelope, ReasonErrorCode, "", "1", ""},
		{"code a small fraction", `{"jsonrpc":"2.0","id":1,"error":{"code":1e-400,"message":"m"}}`, InvalidEnvelope, ReasonErrorCode, "", "1", ""},
		{"code before message", `{"jsonrpc":"2.0","id":1,"error":{"code":null}}`, InvalidEnvelope, ReasonErrorCode, "", "1", ""},
		{"no message", `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, InvalidEnvelope, ReasonErrorMessage, "", "1", ""},
		{"message null", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}`, InvalidEnvelope, ReasonErrorMessage, "", "1", ""},
		{"code with a point", `{"jsonrpc":"2.0","id":1,"error":{"code":-326.02e2,"message":""}}`, JSONRPCError, ReasonRPCError, "-326.02e2", "1", ""},
		{"code beyond 64 bits", `{"jsonrpc":"2.0","id":1,"error":{"code":1e400,"message":""}}`, JSONRPCError, ReasonRPCError, "1e400", "1", ""},
		{"code twice", `{"jsonrpc":"2.0","id":1,"error":{"code":"1","code":2,"message":""}}`, JSONRPCError, ReasonRPCError, "2", "1", "duplicate-member"},
		{"data twice, then no code", `{"jsonrpc":"2.0","id":1,"error":{"data":1,"data":2}}`, InvalidEnvelope, ReasonErrorCode, "", "1", "duplicate-member"},
	} {
		v := classifyJSON(c.body)
		if v.Outcome != c.outcome || v.Reason != c.reason || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, findings %q; want %v, %v, %q", c.name, v.Outcome, v.Reason, kinds(&v), c.outcome, c.reason, c.findings)
		}
		if string(v.Error.Code) != c.code || string(v.ID) != c.id {
			t.Errorf("%s: got code %q, id %q; want %q, %q", c.name, v.Error.Code, v.ID, c.code, c.id)
		}
	}
}

func TestErrorValues(t *testing.T) {
	t.Parallel()
	v := classifyJSON(`{"jsonrpc":"2.0","id":1,"error":{"code": -3.2042e4 ,"message" : "a\n" ,"data": {"x":[1, 2]} }}`)
	if v.Error.Number != -32042 || !v.Error.Fits || string(v.Error.Code) != "-3.2042e4" || string(v.Error.Message) != `"a\n"` || string(v.Error.Data) != `{"x":[1, 2]}` {
		t.Errorf("got %+v", v.Error)
	}
	v = classifyJSON(`{"jsonrpc":"2.0","id":1,"error":{"code":9223372036854775808,"message":""}}`)
	if v.Error.Fits || v.Error.Number != 0 || v.Error.Data != nil || !v.Error.Present() {
		t.Errorf("got %+v", v.Error)
	}
}

// TestIDs is rule 7.
func TestIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id   ID
		raw  string
		want bool
	}{
		{IntID(1), "1", true}, {IntID(1), "1.0", true}, {IntID(1), "10e-1", true}, {IntID(1), "0.1E+01", true}, {IntID(1), "2", false}, {IntID(1), "-1", false}, {IntID(1), "1.5", false}, {IntID(1), `"1"`, false}, {IntID(1), "true", false}, {IntID(1), "[1]", false},
		{IntID(0), "0", true}, {IntID(0), "-0", true}, {IntID(0), "0.0e99", true}, {IntID(0), "null", false}, {IntID(0), "false", false}, {IntID(0), `""`, false}, {IntID(0), "1e-400", false}, {ID{}, "0", true},
		{IntID(-5), "-5", true}, {IntID(-5), "-50e-1", true}, {IntID(100), "1E+02", true},
		{IntID(9007199254740993), "9007199254740993", true}, {IntID(9007199254740993), "9007199254740992", false}, {IntID(9007199254740992), "9007199254740993", false}, {IntID(9007199254740991), "9007199254740991.0", true},
		{IntID(9223372036854775807), "9223372036854775807", true}, {IntID(9223372036854775807), "9223372036854775808", false}, {IntID(-9223372036854775808), "-9223372036854775808", true}, {IntID(-9223372036854775808), "9223372036854775808", false},
		{IntID(1), "1" + strings.Repeat("0", 400) + "e-400", true}, {IntID(1), "1e" + strings.Repeat("0", 100), true}, {IntID(1), "1e" + strings.Repeat("9", 100), false}, {IntID(1), "1e400", false},
		{StringID("a"), `"a"`, true}, {StringID("a"), `"\u0061"`, true}, {StringID("a"), `"A"`, false}, {StringID("1"), "1", false}, {StringID("1"), `"1"`, true}, {StringID(""), `""`, true}, {StringID(""), "null", false}, {StringID(""), "0", false},
		{StringID("é"), `"\u00E9"`, true}, {StringID("é"), `"e` + "\u0301" + `"`, false}, {StringID("🎉"), `"\uD83C\uDF89"`, true}, {StringID("\xED\xA0\xBC"), `"\uD83C"`, true}, {StringID("\uFFFD"), "\"\xFF\"", true}, {StringID("\uFFFD"), `"\uD83C"`, false},
	} {
		v := Classify(Call{ID: c.id}, Answer{Status: 200, Header: headerOf("Content-Type: application/json"), Body: []byte(`{"jsonrpc":"2.0","id":` + c.raw + `,"result":{"resultType":"complete","content":[]}}`)})
		if got := v.Outcome == ToolSuccess; got != c.want || !got && v.Reason != ReasonIDMismatch {
			t.Errorf("%v and %.60s: got %v, %v; want equal %t", c.id, c.raw, v.Outcome, v.Reason, c.want)
		}
	}
}

// TestOddPlaces is about places that are the very first, and such as are none.
func TestOddPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bad, half, deep int
		want            string
	}{
		{0, 0, 0, "bad-utf8 lone-surrogate deep-nesting"}, {-1, -1, -1, ""},
		{0, -1, -1, "bad-utf8"}, {-1, 0, -1, "lone-surrogate"}, {-1, -1, 0, "deep-nesting"},
	} {
		var v Verdict
		v.judge(IntID(1), &envelope{odd: true, badUTF8: c.bad, halfPair: c.half, depth: c.deep})
		if got := kinds(&v); got != c.want {
			t.Errorf("bad UTF-8 at %d, half a pair at %d, deep at %d: got %q, want %q", c.bad, c.half, c.deep, got, c.want)
		}
	}
}
