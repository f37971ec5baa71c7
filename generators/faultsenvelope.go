package generators

import (
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// value is a raw JSON value with a name for it.
type value struct{ name, raw string }

// A value of each JSON type. A fault leaves out the type that would be right.
var (
	aNull    = value{"null", "null"}
	aString  = value{"string", `"x"`}
	anEmpty  = value{"empty-string", `""`}
	aNumber  = value{"number", "1"}
	aZero    = value{"zero", "0"}
	aTrue    = value{"true", "true"}
	aFalse   = value{"false", "false"}
	anArray  = value{"array", "[]"}
	anObject = value{"object", "{}"}
)

// set makes variants that give a member a value and a fact.
func set(of func(*Plan) *Member, fact Fact, all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			m := of(p)
			m.Present, m.Fact, m.Value = true, fact, v.raw
		}}
	}
	return variants
}

// absent takes a member away.
func absent(of func(*Plan) *Member) []Variant {
	return only(func(p *Plan) { *of(p) = Member{} })
}

// misspelt makes variants that give a member other names, under which it does not count.
func misspelt(of func(*Plan) *Member, raw func(*Plan) string, names ...value) []Variant {
	variants := make([]Variant, len(names))
	for i, n := range names {
		variants[i] = Variant{Name: n.name, Edit: func(p *Plan) {
			*of(p) = Member{Stray: `"` + n.raw + `":` + raw(p)}
		}}
	}
	return variants
}

// spelled makes variants that write a member's name otherwise, which changes nothing.
func spelled(of func(*Plan) *Member, names ...value) []Variant {
	variants := make([]Variant, len(names))
	for i, n := range names {
		variants[i] = Variant{Name: n.name, Edit: func(p *Plan) { of(p).Name = n.raw }}
	}
	return variants
}

// earlier makes variants that put another value under the same name before the one that counts.
func earlier(of func(*Plan) *Member, name string, all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			m := of(p)
			m.Earlier, m.EarlierName = v.raw, name
		}}
	}
	return variants
}

// later makes variants that put a wrong value under the same name after the
// right one, so that the wrong one counts.
func later(of func(*Plan) *Member, right func(*Plan) string, fact Fact, all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			m := of(p)
			m.Earlier = right(p)
			m.Present, m.Fact, m.Value = true, fact, v.raw
		}}
	}
	return variants
}

// laterEscaped is the variant of later whose wrong value stands under a name
// that is written with escapes.
func laterEscaped(of func(*Plan) *Member, right func(*Plan) string, fact Fact, name, raw string) Variant {
	return Variant{Name: "escaped", Edit: func(p *Plan) {
		m := of(p)
		m.Earlier, m.Name = right(p), name
		m.Present, m.Fact, m.Value = true, fact, raw
	}}
}

// bare is a variant that replaces the message by an object that has neither
// result nor error.
func bare(name, text string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Text.Whole, p.Text.Replaced = text, true
		p.Result, p.Error, p.Method = Member{}, Member{}, Member{}
		p.ID = Member{}
		p.JSONRPC.Present = strings.Contains(text, `"jsonrpc"`)
	}}
}

func constant(raw string) func(*Plan) string { return func(*Plan) string { return raw } }

func jsonrpcOf(p *Plan) *Member { return &p.JSONRPC }
func methodOf(p *Plan) *Member  { return &p.Method }
func resultOf(p *Plan) *Member  { return &p.Result }
func errorOf(p *Plan) *Member   { return &p.Error }

const (
	plainResult = `{"resultType":"complete","content":[{"type":"text","text":"other"}]}`
	plainError  = `{"code":-32603,"message":"other"}`
	invalid     = "INVALID_ENVELOPE"
)

// envelopeFaults are the faults of the message but for its id.
func envelopeFaults() []Fault {
	fault := func(name, doc, effect string, parts Part, needs Need, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "6", Doc: doc, Effect: effect, Parts: parts, Needs: needs | NeedMessage, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral = true; return f }
	return []Fault{
		fault("not-object", "a JSON text that is no object", invalid, partsText|PartLines|PartFinal, 0, []Variant{
			whole("null", "null", 0), whole("array", "[]", 0), whole("string", `"ok"`, 0), whole("number", "0", 0), whole("true", "true", 0), whole("false", "false", 0),
			whole("minus-zero", "-0.0e-0", 0), whole("quoted-object", `"{\"jsonrpc\":\"2.0\"}"`, 0), whole("array-of-scalars", `[1,"a",null]`, 0), whole("empty-string", `""`, 0)}),
		fault("batch", "the message in an array, as batches have it", invalid, PartText|PartInner, 0, []Variant{
			{Name: "one", Edit: func(p *Plan) { batch(p, "[", "]") }},
			{Name: "two", Edit: func(p *Plan) { batch(p, "[", `,{"jsonrpc":"2.0","method":"notifications/progress"}]`) }},
			{Name: "second", Edit: func(p *Plan) { batch(p, `[{"jsonrpc":"2.0","id":"other","result":{}},`, "]") }},
			{Name: "nested", Edit: func(p *Plan) { batch(p, "[[", "]]") }}}),
		fault("jsonrpc-absent", "no jsonrpc", invalid, PartJSONRPC, 0, absent(jsonrpcOf)),
		fault("jsonrpc-wrong", "jsonrpc is not the string 2.0", invalid, PartJSONRPC, 0, set(jsonrpcOf, FactBad,
			value{"1.0", `"1.0"`}, value{"2", `"2"`}, value{"number", "2.0"}, aNull, value{"2.00", `"2.00"`}, value{"space", `" 2.0"`}, value{"space-after", `"2.0 "`}, anEmpty,
			aTrue, aFalse, value{"array", `["2.0"]`}, value{"object", `{"version":"2.0"}`}, value{"full-width", "\"\uff12.0\""}, value{"2.1", `"2.1"`}, value{"nul", `"2.0\u0000"`})),
		fault("jsonrpc-misspelt", "jsonrpc under another name", invalid, PartJSONRPC, 0, misspelt(jsonrpcOf, constant(`"2.0"`),
			value{"mixed", "jsonRpc"}, value{"upper", "JSONRPC"}, value{"title", "Jsonrpc"}, value{"dash", "json-rpc"}, value{"space", "jsonrpc "})),
		neutral(fault("jsonrpc-escaped", "jsonrpc or its value written with escapes", "none", PartJSONRPC, 0, append(
			spelled(jsonrpcOf, value{"name", `\u006asonrpc`}, value{"name-all", `\u006A\u0073\u006F\u006E\u0072\u0070\u0063`}),
			set(jsonrpcOf, FactGood, value{"value", `"2\u002e0"`}, value{"value-all", `"\u0032\u002E\u0030"`})...))),
		neutral(fault("jsonrpc-doubled", "jsonrpc twice, the right one last", "none; finding duplicate-member of /jsonrpc", PartJSONRPC, 0, append(
			earlier(jsonrpcOf, "", value{"1.0", `"1.0"`}, aNull, value{"same", `"2.0"`}),
			earlier(jsonrpcOf, `json\u0072pc`, value{"escaped", `"1.0"`})...))),
		fault("jsonrpc-doubled-wrong", "jsonrpc twice, a wrong one last", invalid+"; finding duplicate-member of /jsonrpc", PartJSONRPC, 0, append(later(jsonrpcOf, constant(`"2.0"`), FactBad,
			value{"1.0", `"1.0"`}, aNull, value{"number", "2.0"}), laterEscaped(jsonrpcOf, constant(`"2.0"`), FactBad, `json\u0072pc`, `"1.0"`))),
		neutral(fault("method-beside", "a method beside result or error", "none; a third party may refuse it", PartMethod, 0, set(methodOf, FactGood,
			value{"call", `"tools/call"`}, aNull, aNumber, value{"notification", `"notifications/progress"`}))),
		neutral(fault("params-beside", "params beside result or error", "none", PartMethod, 0, []Variant{
			{Name: "object", Edit: func(p *Plan) { p.Method.Stray = `"params":{"id":9,"error":null}` }},
			{Name: "null", Edit: func(p *Plan) { p.Method.Stray = `"params":null` }}})),
		fault("result-and-error", "result and error in one message", invalid, PartResult|PartError|partsInResult|partsInError, 0, []Variant{
			{Name: "other", Edit: func(p *Plan) { other(p, plainResult, plainError) }},
			{Name: "null", Edit: func(p *Plan) { other(p, "null", "null") }},
			{Name: "false", Edit: func(p *Plan) { other(p, "false", "false") }},
			{Name: "empty", Edit: func(p *Plan) { other(p, "{}", "{}") }},
			{Name: "empty-string", Edit: func(p *Plan) { other(p, `""`, `""`) }}}),
		fault("neither", "neither result nor error", invalid, PartResult|PartError|PartMethod|partsInResult|partsInError, 0, []Variant{
			{Edit: func(p *Plan) { p.Result, p.Error = Member{}, Member{} }}}),
		fault("request-instead", "the server's request with the call's id in place of a response", invalid+"; a stream skips it", PartResult|PartError|PartMethod|partsInResult|partsInError, 0,
			set(func(p *Plan) *Member { p.Result, p.Error = Member{}, Member{}; return &p.Method }, FactGood,
				value{"sampling", `"sampling/createMessage"`}, value{"echo", `"tools/call"`}, aNull)),
		fault("result-misspelt", "result under another name", invalid, PartResult|partsInResult, NeedResult, misspelt(resultOf, constant(plainResult),
			value{"title", "Result"}, value{"upper", "RESULT"}, value{"long-s", "re\u017fult"}, value{"plural", "results"}, value{"space", "result "}, value{"params", "params"})),
		neutral(fault("result-escaped", "the name result written with escapes", "none", PartResult, NeedResult, spelled(resultOf,
			value{"first", `\u0072esult`}, value{"all", `\u0072\u0065\u0073\u0075\u006c\u0074`}, value{"last", `resul\u0074`}))),
		neutral(fault("result-doubled", "result twice, the right one last", "none; finding duplicate-member of /result", PartResult, NeedResult, append(
			earlier(resultOf, "", value{"wrong", `{"content":1}`}, aNull, value{"other", plainResult}),
			earlier(resultOf, `resu\u006ct`, value{"escaped", "[]"})...))),
		fault("result-doubled-wrong", "result twice, one last that is no object", "INVALID_TOOL_RESULT; finding duplicate-member of /result", PartResult|partsInResult, NeedResult, append(later(resultOf, constant(plainResult), FactBad,
			aNull, aString, anArray), laterEscaped(resultOf, constant(plainResult), FactBad, `\u0072esult`, "null"))),
		fault("error-misspelt", "error under another name", invalid, PartError|partsInError, NeedError, misspelt(errorOf, constant(plainError),
			value{"title", "Error"}, value{"upper", "ERROR"}, value{"plural", "errors"}, value{"space", " error"})),
		neutral(fault("error-escaped", "the name error written with escapes", "none", PartError, NeedError, spelled(errorOf,
			value{"first", `\u0065rror`}, value{"all", `\u0065\u0072\u0072\u006F\u0072`}))),
		neutral(fault("error-doubled", "error twice, the right one last", "none; finding duplicate-member of /error", PartError, NeedError, earlier(errorOf, "",
			value{"wrong", `"no"`}, aNull, value{"other", plainError}))),
		fault("error-doubled-wrong", "error twice, one last that is no object", invalid+"; finding duplicate-member of /error", PartError|partsInError, NeedError, append(later(errorOf, constant(plainError), FactBad,
			aNull, aString, anArray), laterEscaped(errorOf, constant(plainError), FactBad, `err\u006fr`, "null"))),
		fault("result-bare", "the tool result with no message around it", invalid, partsText|PartLines|PartFinal, NeedResult, []Variant{
			bare("complete", plainResult), bare("old", `{"content":[{"type":"text","text":"x"}],"isError":false}`), bare("input", `{"resultType":"input_required","requestState":"s"}`)}),
		fault("error-bare", "the error object with no message around it", invalid, partsText|PartLines|PartFinal, NeedError, []Variant{
			bare("object", plainError), bare("flat", `{"jsonrpc":"2.0","code":-32603,"message":"other"}`), bare("oauth", `{"error_description":"other"}`)}),
	}
}

func batch(p *Plan, before, after string) {
	p.Text.Before, p.Text.After, p.Text.NotObject = before, after, true
	p.Text.Nest += strings.Count(before, "[")
}

// other adds the one of result and error that the base lacks.
func other(p *Plan, result, error string) {
	if p.Result.Present {
		p.Error = Member{Present: true, Value: error}
	} else {
		p.Result = Member{Present: true, Value: result}
	}
}
