package generators

import (
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

const (
	syntax   = classifier.ReasonJSONSyntax
	trailing = classifier.ReasonJSONTrailing
	empty    = classifier.ReasonJSONEmpty
)

const mark = "\xef\xbb\xbf"

// around is a variant that puts text before and after the message.
func around(name, before, after string, first, last classifier.Reason) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Text.Before, p.Text.After, p.Text.First, p.Text.Last = before, after, first, last
	}}
}

// inner is a variant that adds a member to the message.
func inner(name, member string, fact classifier.Reason) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Inner, p.Text.InnerFact = member, fact }}
}

// whole is a variant that replaces the message.
func whole(name, text string, fact classifier.Reason) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Text.Whole, p.Text.Replaced, p.Text.First, p.Text.NotObject = text, true, fact, true
	}}
}

// dropped is a variant that takes bytes off the end of the message.
func dropped(name string, n int) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Drop, p.Text.Last = n, syntax }}
}

// textFaults are the faults of the JSON text.
func textFaults() []Fault {
	const malformed = "MALFORMED_JSON"
	fault := func(name, doc, effect string, neutral bool, parts Part, variants ...Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "5", Doc: doc, Effect: effect, Neutral: neutral,
			Parts: parts, Needs: NeedMessage, Variants: variants}
	}
	json := func(v Variant) Variant { v.Needs = NeedJSON; return v }
	return []Fault{
		fault("json-truncated", "the text ends early, though the body arrives whole", malformed, false, PartText|PartLines|PartFinal,
			dropped("1", 1), dropped("2", 2), dropped("3", 3), dropped("10", 10), dropped("20", 20), dropped("40", 40)),
		fault("json-trailing-comma", "a comma after the last member, or after an element", malformed, false, PartInner,
			inner("element", `"x":[1,]`, syntax), inner("member", `"x":{"a":1,}`, syntax), inner("alone", `"x":[,]`, syntax), inner("doubled", `"x":[1,,2]`, syntax)),
		fault("json-quotes", "single quotes, or none", malformed, false, PartInner,
			inner("single-name", `'x':1`, syntax), inner("single-value", `"x":'y'`, syntax), inner("bare-name", `x:1`, syntax), inner("bare-value", `"x":y`, syntax),
			inner("curly", "\u201cx\u201d:1", syntax), inner("number-name", `1:1`, syntax)),
		fault("json-comment", "a comment", malformed, false, PartInner,
			inner("block", `/* x */"x":1`, syntax), inner("hash", `"x":1 # x`, syntax), inner("slashes", `"x":1 // x`, syntax)),
		fault("json-comment-outside", "a comment around the text", malformed, false, PartText,
			around("before", "/* x */", "", syntax, 0), around("before-line", "// x\n", "", syntax, 0), around("after", "", " // x", 0, trailing), around("after-block", "", "/* x */", 0, trailing)),
		fault("json-number-bad", "a number that JSON does not have", malformed, false, PartInner,
			inner("leading-zero", `"x":01`, syntax), inner("minus-zero", `"x":-01`, syntax), inner("plus", `"x":+1`, syntax), inner("point-first", `"x":.5`, syntax),
			inner("point-last", `"x":1.`, syntax), inner("exponent-open", `"x":1e`, syntax), inner("exponent-sign", `"x":1e+`, syntax), inner("hex", `"x":0x1F`, syntax),
			inner("minus-alone", `"x":-`, syntax), inner("two-points", `"x":1.2.3`, syntax), inner("underscore", `"x":1_000`, syntax), inner("full-width", "\"x\":\uff11", syntax)),
		fault("json-literal-bad", "a literal that JSON does not have", malformed, false, PartInner,
			inner("nan", `"x":NaN`, syntax), inner("infinity", `"x":Infinity`, syntax), inner("minus-infinity", `"x":-Infinity`, syntax), inner("undefined", `"x":undefined`, syntax),
			inner("none", `"x":None`, syntax), inner("true", `"x":True`, syntax), inner("short", `"x":tru`, syntax), inner("long", `"x":nulll`, syntax), inner("capitals", `"x":NULL`, syntax)),
		fault("json-control", "a control character inside a string", malformed, false, PartInner,
			inner("01", "\"x\":\"\x01\"", syntax), inner("00", "\"x\":\"\x00\"", syntax), inner("tab", "\"x\":\"\t\"", syntax), inner("1f", "\"x\":\"\x1f\"", syntax),
			inner("lf", "\"x\":\"\n\"", syntax), json(inner("cr", "\"x\":\"\r\"", syntax)), inner("name", "\"\x02\":1", syntax)),
		fault("json-escape-bad", "an escape that JSON does not have", malformed, false, PartInner,
			inner("letter", `"x":"\q"`, syntax), inner("hex", `"x":"\x41"`, syntax), inner("zero", `"x":"\0"`, syntax), inner("quote", `"x":"\'"`, syntax),
			inner("short", `"x":"\u12"`, syntax), inner("digits", `"x":"\u00g0"`, syntax), inner("capital", `"x":"\U0041"`, syntax), inner("name", `"\a":1`, syntax)),
		fault("json-bracket", "a bracket without its partner, or with another's", malformed, false, PartInner,
			inner("closed", `"x":[1}`, syntax), inner("extra", `"x":[1]]`, syntax), inner("crossed", `"x":[{"a":1]}`, syntax), inner("colon", `"x" 1`, syntax), inner("two-colons", `"x"::1`, syntax)),
		fault("json-trailing", "something after the text", malformed, false, PartText,
			around("garbage", "", "x", 0, trailing), around("bracket", "", "}", 0, trailing), around("comma", "", ",", 0, trailing), around("nul", "", "\x00", 0, trailing),
			around("mark", "", mark, 0, trailing), around("html", "", "<!-- served by proxy -->", 0, trailing), around("bad-utf8", "", "\xff", 0, trailing)),
		fault("json-second", "two JSON texts, one after the other", malformed, false, PartText,
			around("object-after", "", "{}", 0, trailing), around("line-after", "", "\n{\"jsonrpc\":\"2.0\"}", 0, trailing), around("object-before", "{}", "", trailing, 0), around("number-before", "1 ", "", trailing, 0)),
		fault("json-prefix", "something before the text", malformed, false, PartText,
			around("guard", ")]}',\n", "", syntax, 0), around("callback", "callback(", ")", syntax, 0), around("nul", "\x00", "", syntax, 0), around("form-feed", "\f", "", syntax, 0),
			around("nbsp", "\u00a0", "", syntax, 0), around("separator", "\x1e", "", syntax, 0), around("length", "1a\r\n", "", trailing, 0).needs(NeedJSON)),
		fault("json-empty", "a body of no bytes, or a stream whose final event is empty", malformed+"; a stream: NO_FINAL_RESPONSE", false, partsText|partsStream,
			Variant{Edit: func(p *Plan) {
				p.Text.Whole, p.Text.Replaced, p.Text.First = "", true, empty
				p.Stream.Blank = true
			}}),
		fault("json-space-only", "white space and nothing else", malformed, false, partsText|PartLines|PartFinal,
			whole("space", " ", empty), whole("many", " \t \t  ", empty), whole("lf", "\n", empty), json(whole("crlf", "\r\n", empty)), json(whole("mark", mark, empty)).bom()),
		fault("json-foreign-text", "no JSON at all", malformed, false, partsText|PartLines|PartFinal,
			whole("html", "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", syntax), whole("words", "upstream connect error", syntax), whole("ok", "ok", syntax),
			whole("open", "{", syntax), whole("open-string", `"abc`, syntax), whole("many-open", strings.Repeat("[", 1000), syntax), whole("xml", `<?xml version="1.0"?><r/>`, syntax),
			whole("form", "jsonrpc=2.0&id=1", syntax), whole("object-name", "[object Object]", syntax), whole("zeros", "\x00\x00\x00\x00", syntax), whole("minus", "-", syntax),
			whole("01", "01", trailing), whole("utf-16", "\xff\xfe{\x00}\x00", syntax), whole("nulll", "nulll", trailing)),
		fault("json-mark", "a byte order mark before the text", "a JSON body: none, finding bom; a stream's event: MALFORMED_JSON", false, PartText,
			Variant{Edit: func(p *Plan) { p.Text.Before, p.Text.BOM = mark, true }}),
		fault("json-mark-twice", "two byte order marks before the text: one is dropped", malformed, false, PartText,
			Variant{Edit: func(p *Plan) { p.Text.Before, p.Text.BOM, p.Text.First = mark+mark, true, syntax }}),
		fault("json-mark-late", "a byte order mark behind white space, or another kind of mark", malformed, false, PartText,
			around("space", " "+mark, "", syntax, 0), around("utf-16", "\xff\xfe", "", syntax, 0), around("utf-16-big", "\xfe\xff", "", syntax, 0), around("cut", "\xef\xbb", "", syntax, 0)),
		fault("json-inner-utf8", "bytes that are not UTF-8, outside of any string", malformed, false, PartInner,
			inner("byte", "\"x\":\xff1", syntax), inner("name", "\xc3\x28\"x\":1", syntax), inner("space", "\xc2\xa0\"x\":1", syntax)),
		fault("json-string-utf8", "bytes that are not UTF-8, inside a string", "none; finding bad-utf8", true, PartSay,
			utf8("ff", "\xff"), utf8("cut", "a\xe2\x82"), utf8("surrogate", "\xed\xa0\x80"), utf8("overlong", "\xc0\xaf"), utf8("latin1", "caf\xe9"),
			utf8("beyond", "\xf4\x90\x80\x80"), utf8("lone-tail", "\x80"), utf8("half", "\xf0\x9f\x98 x")),
		fault("json-name-utf8", "bytes that are not UTF-8, inside a name", "none; finding bad-utf8", true, PartInner,
			Variant{Edit: func(p *Plan) { p.Text.Inner, p.Text.BadUTF8 = "\"x\xff\":1", true }}),
		fault("json-lone-surrogate", "an escape of half a surrogate pair", "none; finding lone-surrogate", true, PartInner,
			surrogate("high", `"x":"\ud800"`), surrogate("low", `"x":"\udc00"`), surrogate("swapped", `"x":"\ude00\ud83d"`), surrogate("apart", `"x":"\ud83d \ude00"`),
			surrogate("two-high", `"x":"\ud83d\ud83d\ude00"`), surrogate("name", `"\uDFFF":1`), surrogate("end", `"x":"a\uDBFF"`), surrogate("escape", `"x":"\ud83d\n"`)),
		fault("json-deep", "arrays or objects within each other, the message included", "none; past 100 finding deep-nesting", true, PartInner,
			deep("101", 100), deep("100", 99), deep("500", 499), deep("1000", 999), deepObjects("objects", 150), deepMixed("mixed", 60)),
		fault("json-unusual", "text that is unusual and right", "none", true, PartInner,
			inner("huge-number", `"x":1e400`, 0), inner("tiny-number", `"x":-1E-400`, 0), inner("digits", `"x":`+strings.Repeat("9", 400), 0), inner("minus-zero", `"x":-0`, 0),
			inner("exponents", `"x":[0e0,0E+1,1.50e-07,-0.0]`, 0), inner("escapes", `"x":"\"\\\/\b\f\n\r\t\u0000\u007F"`, 0), inner("pair", `"x":"\ud83d\ude00"`, 0),
			inner("del", "\"x\":\"\x7f\u0080\u2028\u2029\ufeff\ufffe\"", 0), inner("empty-name", `"":{"":[]}`, 0), inner("empty-ones", `"x":[{},[],"",0,null,true,false]`, 0),
			inner("proto", `"__proto__":{"result":1},"constructor":null`, 0), inner("like-names", `"Id":1,"results":2,"err":3,"JSONRPC":"1.0","i d":4,"error ":5`, 0),
			inner("planes", "\"x\":\"\U00010000\U0010ffff\ue000\"", 0), inner("bracket-strings", `"x":"}]{[\",:\\"`, 0)),
	}
}

func utf8(name, bytes string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Say, p.Text.BadUTF8 = bytes, true }}
}

func surrogate(name, member string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Inner, p.Text.LoneSurrogate = member, true }}
}

func deep(name string, n int) Variant {
	text := `"x":` + strings.Repeat("[", n) + strings.Repeat("]", n)
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Inner = text; p.Text.Nest += n }}
}

func deepObjects(name string, n int) Variant {
	text := `"x":` + strings.Repeat(`{"x":`, n) + "1" + strings.Repeat("}", n)
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Inner = text; p.Text.Nest += n }}
}

func deepMixed(name string, n int) Variant {
	text := `"x":` + strings.Repeat(`[{"x":`, n) + "1" + strings.Repeat("}]", n)
	return Variant{Name: name, Edit: func(p *Plan) { p.Text.Inner = text; p.Text.Nest += 2 * n }}
}

// needs is the variant with further conditions.
func (v Variant) needs(n Need) Variant {
	v.Needs |= n
	return v
}

// bom is the variant with the note that its text begins with a byte order mark.
func (v Variant) bom() Variant {
	edit := v.Edit
	v.Edit = func(p *Plan) {
		edit(p)
		p.Text.BOM = true
	}
	return v
}
