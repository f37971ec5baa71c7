package generators

import "github.com/replyproof/replyproof/classifier"

func codeOf(p *Plan) *Member    { return &p.Code }
func messageOf(p *Plan) *Member { return &p.Message }
func dataOf(p *Plan) *Member    { return &p.Data }

// errorFaults are the faults of the error object.
func errorFaults() []Fault {
	fault := func(name, doc, effect string, parts Part, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "8", Doc: doc, Effect: effect, Parts: parts, Needs: NeedError | NeedMessage, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral = true; return f }
	return []Fault{
		fault("error-type", "error is no object", invalid, PartError|partsInError, set(errorOf, FactBad,
			aNull, aString, anEmpty, aNumber, aZero, aTrue, aFalse, anArray, value{"array-of-one", `[{"code":-32602,"message":"x"}]`})),
		fault("code-absent", "the error has no code", invalid, PartCode, absent(codeOf)),
		fault("code-type", "the code is no number", invalid, PartCode, set(codeOf, FactBad,
			value{"string", `"-32602"`}, aNull, aTrue, anArray, anObject, value{"array-of-one", "[-32602]"})),
		fault("code-fraction", "the code is a number and no integer", invalid, PartCode, set(codeOf, FactBad,
			value{"half", "-32602.5"}, value{"small", "1e-1"}, value{"exponent", "-326025e-1"}, value{"zero-point", "0.5"})),
		fault("code-fraction-beyond-double", "a fraction that a double takes for an integer", invalid+"; a third party may take it for an integer", PartCode, append(
			roundedCode(FactBad, value{"below", "-32602.00000000000000000001"}, value{"above", "9007199254740992.5"}, value{"underflow", "1e-999999"}, value{"tiny", "-1e-400"}),
			roundedCode(FactBad, value{"long", "1.00000000000000000000000000000000000001"})...)),
		neutral(fault("code", "another code", "none", PartCode, set(codeOf, FactGood,
			value{"parse", "-32700"}, value{"invalid-request", "-32600"}, value{"method", "-32601"}, value{"internal", "-32603"}, value{"url-elicitation", "-32042"},
			value{"header-mismatch", "-32020"}, value{"capability", "-32021"}, value{"version", "-32022"}, value{"resource", "-32002"}, value{"server", "-32000"},
			value{"last", "-32099"}, aZero, value{"one", "1"}, value{"positive", "404"}, value{"int32", "-2147483649"}, value{"minus-zero", "-0"}, value{"reserved-end", "-32768"}))),
		neutral(fault("code-spelling", "the code as another number of the same value", "none", PartCode, set(codeOf, FactGood,
			value{"point", "-32602.0"}, value{"tenths", "-326020e-1"}, value{"exponent", "-3.2602e4"}, value{"capital", "-32602E+0"}, value{"scientific", "-0.32602e5"}, value{"zero", "0e99999999999999999999"}))),
		neutral(fault("code-beyond-64-bits", "an integer that 64 bits cannot hold", "none; a third party may refuse it", PartCode, append(append(
			roundedNever(value{"odd", "9007199254740993"}, value{"int64", "9223372036854775807"}, value{"int64-min", "-9223372036854775808"}),
			roundedNever(value{"next", "9223372036854775808"}, value{"digits", "-123456789012345678901234567890"}, value{"exponent", "1e300"})...),
			roundedCode(FactGood, value{"beyond-double", "1e400"}, value{"far", "-1E+99999999999999999999"})...))),
		neutral(fault("code-doubled", "the code twice, an integer last", "none; finding duplicate-member of /error/code", PartCode, append(
			earlier(codeOf, "", value{"other", "1"}, aNull, aString), earlier(codeOf, `c\u006fde`, value{"escaped", "2.5"})...))),
		fault("code-doubled-wrong", "the code twice, one last that is none", invalid+"; finding duplicate-member of /error/code", PartCode, append(later(codeOf, constant("-32602"), FactBad, aNull, aString, value{"fraction", "1.5"}),
			laterEscaped(codeOf, constant("-32602"), FactBad, `\u0063ode`, "null"))),
		neutral(fault("code-escaped", "the name code written with escapes", "none", PartCode, spelled(codeOf, value{"first", `\u0063ode`}, value{"all", `\u0063\u006F\u0064\u0065`}))),
		fault("code-misspelt", "the code under another name", invalid, PartCode, misspelt(codeOf, constant("-32602"), value{"title", "Code"}, value{"upper", "CODE"}, value{"error", "errorCode"})),
		fault("message-absent", "the error has no message", invalid, PartMessage|PartSay, absent(messageOf)),
		fault("message-type", "the message is no string", invalid, PartMessage|PartSay, set(messageOf, FactBad, aNull, aNumber, aTrue, anArray, anObject, value{"array-of-one", `["x"]`})),
		fault("message-misspelt", "the message under another name", invalid, PartMessage|PartSay, misspelt(messageOf, constant(`"x"`), value{"title", "Message"}, value{"short", "msg"})),
		neutral(fault("message", "another message", "none", PartMessage|PartSay, set(messageOf, FactGood, anEmpty, value{"escapes", `"\u0000\n\"\\"`}, value{"object", `"{\"result\":{}}"`}, value{"unicode", `"é😀\u2028"`}))),
		neutral(fault("message-doubled", "the message twice, a string last", "none; finding duplicate-member of /error/message", PartMessage, earlier(messageOf, "", aNull, aNumber, value{"other", `"other"`}))),
		fault("message-doubled-wrong", "the message twice, one last that is no string", invalid+"; finding duplicate-member of /error/message", PartMessage|PartSay, append(later(messageOf, constant(`"x"`), FactBad, aNull, aNumber),
			laterEscaped(messageOf, constant(`"x"`), FactBad, `m\u0065ssage`, "null"))),
		neutral(fault("message-escaped", "the name message written with escapes", "none", PartMessage, spelled(messageOf, value{"first", `\u006dessage`}, value{"last", `messag\u0065`}))),
		neutral(fault("data", "data of any type", "none", PartData, set(dataOf, FactGood,
			anObject, aNull, aString, aNumber, anArray, aFalse, value{"result", `{"result":{"content":[]},"isError":true}`}, value{"nested-error", `{"error":{"code":1,"message":"x"}}`}))),
		neutral(fault("data-doubled", "data twice", "none; finding duplicate-member of /error/data", PartData, []Variant{{Edit: func(p *Plan) {
			p.Data = Member{Present: true, Value: `{"a":2}`, Earlier: `{"a":1}`}
		}}})),
	}
}

// roundedCode makes variants whose verdict changes when the code is read as a double.
func roundedCode(fact Fact, all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			p.Code = Member{Present: true, Fact: fact, Value: v.raw, Rounded: true}
		}}
	}
	return variants
}

// roundedNever makes variants whose code a double or 64 bits cannot hold and
// that is an integer all the same.
func roundedNever(all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			p.Code = Member{Present: true, Value: v.raw, Beyond: true}
		}}
	}
	return variants
}
