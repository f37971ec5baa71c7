package generators

import "github.com/replyproof/replyproof/classifier"

// items makes variants whose content is an array of the given text, with or
// without odd items, or optional members that are null.
func items(odd, null bool, all ...value) []Variant {
	variants := make([]Variant, len(all))
	for i, v := range all {
		variants[i] = Variant{Name: v.name, Edit: func(p *Plan) {
			p.Content = Member{Present: true, Value: v.raw}
			p.OddItem, p.NullOptional = odd, null
		}}
	}
	return variants
}

// contentFaults are the faults of content.
func contentFaults() []Fault {
	const parts = PartContent | PartSay
	fault := func(name, doc, effect string, parts Part, needs Need, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "9", Doc: doc, Effect: effect, Parts: parts, Needs: needs | NeedMessage, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral, f.Layer = true, classifier.Application; return f }
	return []Fault{
		fault("content-absent", "no content", notResult, parts, NeedTool, absent(contentOf)),
		fault("content-absent-structured", "no content, but structuredContent", notResult+"; a third party may let it pass", parts|PartStructured, NeedTool, []Variant{
			structuredOnly("object", `{"a":1}`), structuredOnly("null", "null"), structuredOnly("array", "[]"), structuredOnly("string", `"x"`)}),
		fault("content-type-wrong", "content is no array", notResult, parts, NeedTool, set(contentOf, FactBad,
			aNull, aString, anEmpty, aNumber, aZero, aTrue, aFalse, anObject, value{"item", `{"type":"text","text":"x"}`}, value{"like-array", `{"0":{"type":"text"},"length":1}`}, value{"quoted", `"[]"`})),
		neutral(fault("content", "content that is right", "none", parts, NeedTool, items(false, false,
			anArray, value{"two", twoItems}, value{"empty-text", `[{"type":"text","text":""}]`}, value{"image", `[{"type":"image","data":"aGk=","mimeType":"image/png"}]`},
			value{"audio", `[{"type":"audio","data":"","mimeType":"audio/wav"}]`}, value{"link", `[{"type":"resource_link","name":"n","uri":"file:///x"}]`},
			value{"link-full", `[{"type":"resource_link","name":"n","uri":"file:///x","title":"t","description":"d","mimeType":"text/plain","size":3,"icons":[],"annotations":{},"_meta":{}}]`},
			value{"resource", `[{"type":"resource","resource":{"uri":"file:///x","text":"x"}}]`}, value{"annotated", `[{"type":"text","text":"x","annotations":{"audience":["user"],"priority":0.5},"_meta":{"a":null}}]`},
			value{"extra", `[{"type":"text","text":"x","isError":true,"error":null,"title":null}]`}, value{"says-error", `[{"type":"text","text":"Error: it failed"}]`},
			value{"says-json", `[{"type":"text","text":"{\"error\":{\"code\":-32602,\"message\":\"x\"}}"}]`}, value{"escaped", `[{"\u0074ype":"\u0074ext","te\u0078t":"x"}]`},
			value{"says-data", `[{"type":"text","text":"a data: b, event: c"}]`}, value{"says-lines", "[{\"type\":\"text\",\"text\":\"a\u0085b\u2028c\u2029d\"}]"}))),
		neutral(fault("content-item", "an item of content that is odd", "none; finding content-item", parts, NeedTool, items(true, false,
			value{"null", "[null]"}, value{"string", `["x"]`}, value{"number", "[1]"}, value{"array", `[[{"type":"text","text":"x"}]]`}, value{"empty-object", "[{}]"},
			value{"no-type", `[{"text":"x"}]`}, value{"type-null", `[{"type":null,"text":"x"}]`}, value{"type-number", `[{"type":1,"text":"x"}]`}, value{"type-unknown", `[{"type":"video","data":"","mimeType":"x"}]`},
			value{"type-case", `[{"type":"Text","text":"x"}]`}, value{"type-empty", `[{"type":"","text":"x"}]`}, value{"text-absent", `[{"type":"text"}]`}, value{"text-null", `[{"type":"text","text":null}]`},
			value{"text-object", `[{"type":"text","text":{}}]`}, value{"image-no-mime", `[{"type":"image","data":"aGk="}]`}, value{"image-no-data", `[{"type":"image","mimeType":"image/png"}]`},
			value{"audio-mime-null", `[{"type":"audio","data":"","mimeType":null}]`}, value{"link-no-name", `[{"type":"resource_link","uri":"file:///x"}]`},
			value{"link-no-uri", `[{"type":"resource_link","name":"n"}]`}, value{"resource-absent", `[{"type":"resource"}]`}, value{"resource-string", `[{"type":"resource","resource":"x"}]`},
			value{"resource-null", `[{"type":"resource","resource":null}]`}, value{"second", `[{"type":"text","text":"x"},false]`}, value{"tool-use", `[{"type":"tool_use","id":"1","name":"n","input":{}}]`}))),
		neutral(fault("content-null-optional", "an optional member of an item is null", "none; finding null-optional", parts, NeedTool, append(items(false, true,
			value{"annotations", `[{"type":"text","text":"x","annotations":null}]`}, value{"meta", `[{"type":"text","text":"x","_meta":null}]`},
			value{"title", `[{"type":"resource_link","name":"n","uri":"u:x","title":null}]`}, value{"description", `[{"type":"resource_link","name":"n","uri":"u:x","description":null}]`},
			value{"mime", `[{"type":"resource_link","name":"n","uri":"u:x","mimeType":null}]`}, value{"size", `[{"type":"resource_link","name":"n","uri":"u:x","size":null}]`},
			value{"icons", `[{"type":"resource_link","name":"n","uri":"u:x","icons":null}]`}, value{"second", `[{"type":"text","text":"x"},{"type":"image","data":"","mimeType":"x","annotations":null}]`},
			value{"resource", `[{"type":"resource","resource":{"uri":"u:x"},"annotations":null}]`}),
			items(true, true, value{"odd-too", `[{"type":"video","_meta":null}]`})...))),
		neutral(fault("content-large", "content of some kilobytes", "none", parts, NeedTool, items(false, false, largeContent("4k", 4000), largeContent("20k", 20000), largeContent("66k", 66000)))),
		neutral(fault("content-escaped", "the name content written with escapes", "none", PartContent, NeedTool, spelled(contentOf, value{"first", `\u0063ontent`}, value{"last", `conten\u0074`}))),
		fault("content-misspelt", "content under another name", notResult, parts, NeedTool, misspelt(contentOf, constant(twoItems), value{"title", "Content"}, value{"upper", "CONTENT"}, value{"plural", "contents"}, value{"space", "content "})),
		neutral(fault("content-doubled", "content twice, an array last", "none; finding duplicate-member of /result/content", PartContent, NeedTool, append(
			earlier(contentOf, "", aNull, aString, value{"other", twoItems}), earlier(contentOf, `co\u006etent`, value{"escaped", "1"})...))),
		fault("content-doubled-wrong", "content twice, one last that is no array", notResult+"; finding duplicate-member of /result/content", parts, NeedTool, append(later(contentOf, constant(twoItems), FactBad, aNull, aString, anObject),
			laterEscaped(contentOf, constant(twoItems), FactBad, `\u0063ontent`, "null"))),
		neutral(fault("input-beside-complete", "inputRequests or requestState beside a complete result", "none", PartInputRequests|PartRequestState, NeedTool, []Variant{
			{Name: "both", Edit: func(p *Plan) {
				p.InputRequests = Member{Present: true, Value: `{"a":{"method":"roots/list"}}`}
				p.RequestState = Member{Present: true, Value: `"s"`}
			}},
			{Name: "null", Edit: func(p *Plan) {
				p.InputRequests = Member{Present: true, Value: "null"}
				p.RequestState = Member{Present: true, Value: "null"}
			}}})),
	}
}

func structuredOnly(name, raw string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Content = Member{}
		p.Structured = Member{Present: true, Value: raw}
	}}
}

func largeContent(name string, n int) value {
	text := make([]byte, n)
	for i := range text {
		text[i] = "tool output, line by line. "[i%27]
	}
	return value{name, `[{"type":"text","text":"` + string(text) + `"}]`}
}

// inputFaults are the faults of a result that asks for input.
func inputFaults() []Fault {
	fault := func(name, doc, effect string, parts Part, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Interaction, Rule: "9", Doc: doc, Effect: effect, Neutral: true, Parts: parts, Needs: NeedInput | NeedMessage, Variants: variants}
	}
	const parts = PartInputRequests | PartSay
	return []Fault{
		fault("input-empty", "input is required, but neither inputRequests nor requestState is there", "none; finding input-required-empty", parts|PartRequestState, only(func(p *Plan) {
			p.InputRequests, p.RequestState = Member{}, Member{}
		})),
		fault("requests-absent", "requestState alone, or beside what is not quite inputRequests", "none", parts, append(withName("absent", absent(inputRequestsOf)),
			misspelt(inputRequestsOf, constant(`{"a":{"method":"roots/list"}}`), value{"lower", "inputrequests"}, value{"title", "InputRequests"}, value{"snake", "input_requests"})...)),
		fault("requests", "other inputRequests, each with a method, or their name written with escapes", "none", parts, append(set(inputRequestsOf, FactGood,
			anObject, value{"sampling", `{"s":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}`}, value{"two", `{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com/"}},"b":{"method":"roots/list"}}`},
			value{"unknown-method", `{"a":{"method":"vendor/ask"}}`}, value{"empty-key", `{"":{"method":"roots/list"}}`}, value{"escaped", `{"\u0061":{"\u006dethod":"roots/list"}}`}, value{"empty-method", `{"a":{"method":""}}`}),
			spelled(inputRequestsOf, value{"name-first", `\u0069nputRequests`}, value{"name-middle", `input\u0052equests`})...)),
		fault("requests-wrong", "inputRequests that are no object of objects with a method", "none; finding input-requests-type", parts, set(inputRequestsOf, FactBad,
			aNull, anArray, aString, aNumber, aTrue, value{"list", `[{"method":"elicitation/create"}]`}, value{"scalar", `{"a":1}`}, value{"null-one", `{"a":null}`},
			value{"no-method", `{"a":{"params":{}}}`}, value{"method-number", `{"a":{"method":1}}`}, value{"method-case", `{"a":{"Method":"x"}}`}, value{"second", `{"a":{"method":"x"},"b":"x"}`})),
		fault("requests-key-doubled", "a key of inputRequests stands twice", "none; finding duplicate-member in /result/inputRequests", parts, set(inputRequestsOf, FactDoubled,
			value{"plain", `{"a":{"method":"x"},"a":{"method":"roots/list"}}`}, value{"escaped", `{"a":{"method":"x"},"\u0061":{"method":"roots/list"}}`}, value{"wrong-first", `{"a":1,"a":{"method":"roots/list"}}`})),
		fault("requests-doubled", "inputRequests twice, the right ones last", "none; finding duplicate-member of /result/inputRequests", PartInputRequests, earlier(inputRequestsOf, "", aNull, value{"other", `{"z":{"method":"x"}}`})),
		fault("state-absent", "inputRequests alone, or beside what is not quite requestState", "none", PartRequestState, append(withName("absent", absent(requestStateOf)),
			misspelt(requestStateOf, constant(`"s"`), value{"lower", "requeststate"}, value{"title", "RequestState"}, value{"snake", "request_state"})...)),
		fault("state", "another requestState, or its name written with escapes", "none", PartRequestState, append(set(requestStateOf, FactGood,
			anEmpty, value{"long", `"eyJhbGciOiJIUzI1NiJ9.eyJzdGVwIjoxfQ.c2lnbmF0dXJl"`}, value{"unicode", `"é😀\u0000\n"`}, value{"json", `"{\"step\":1}"`}, value{"escapes", `"\u0041\/"`}),
			spelled(requestStateOf, value{"name-first", `\u0072equestState`}, value{"name-middle", `request\u0053tate`})...)),
		fault("state-wrong", "requestState is no string", "none; finding request-state-type", PartRequestState, set(requestStateOf, FactBad, aNull, aNumber, aTrue, anArray, anObject)),
		fault("state-doubled", "requestState twice", "none; finding duplicate-member of /result/requestState", PartRequestState, earlier(requestStateOf, "", aNull, value{"other", `"old"`})),
		fault("complete-members-beside", "content and isError beside the questions", "none", PartContent|PartIsError|PartStructured, []Variant{
			{Name: "right", Edit: func(p *Plan) {
				p.Content = Member{Present: true, Value: "[]"}
				p.IsError = Member{Present: true, Fact: FactTrue}
			}},
			{Name: "wrong", Edit: func(p *Plan) {
				p.Content = Member{Present: true, Fact: FactBad, Value: "null"}
				p.IsError = Member{Present: true, Fact: FactBad, Value: `"x"`}
			}}}),
	}
}

// withName gives the one variant of a list a name.
func withName(name string, only []Variant) []Variant {
	only[0].Name = name
	return only
}
