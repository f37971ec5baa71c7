package generators

import "github.com/replyproof/replyproof/classifier"

func resultTypeOf(p *Plan) *Member    { return &p.ResultType }
func contentOf(p *Plan) *Member       { return &p.Content }
func isErrorOf(p *Plan) *Member       { return &p.IsError }
func structuredOf(p *Plan) *Member    { return &p.Structured }
func inputRequestsOf(p *Plan) *Member { return &p.InputRequests }
func requestStateOf(p *Plan) *Member  { return &p.RequestState }
func resultMetaOf(p *Plan) *Member    { return &p.ResultMeta }

const (
	notResult = "INVALID_TOOL_RESULT"
	twoItems  = `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`
)

// resultFaults are the faults of the result but for its content and questions.
func resultFaults() []Fault {
	fault := func(name, doc, effect string, parts Part, needs Need, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "9", Doc: doc, Effect: effect, Parts: parts, Needs: needs | NeedMessage, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral, f.Layer = true, classifier.Application; return f }
	return []Fault{
		fault("result-type", "result is no object", notResult, PartResult|partsInResult, NeedResult, set(resultOf, FactBad,
			aNull, aString, anEmpty, aNumber, aZero, aTrue, aFalse, anArray, value{"content-array", twoItems}, value{"quoted", `"{\"content\":[]}"`})),
		fault("result-empty", "result is an empty object", notResult+"; finding result-type-missing", partsInResult, NeedResult, only(func(p *Plan) {
			p.ResultType, p.Content, p.IsError, p.Structured = Member{}, Member{}, Member{}, Member{}
			p.InputRequests, p.RequestState, p.ResultMeta = Member{}, Member{}, Member{}
		})),
		neutral(fault("resulttype-absent", "no resultType, as older servers have it", "none; finding result-type-missing", PartResultType, NeedTool, absent(resultTypeOf))),
		fault("resulttype-wrong", "a resultType that is neither complete nor input_required", notResult, PartResultType, NeedResult, set(resultTypeOf, FactBad,
			aNull, anEmpty, value{"other", `"partial"`}, value{"title", `"Complete"`}, value{"upper", `"COMPLETE"`}, value{"space", `"complete "`}, value{"dash", `"input-required"`},
			value{"camel", `"inputRequired"`}, aNumber, aTrue, aFalse, value{"array", `["complete"]`}, value{"object", `{"type":"complete"}`}, value{"nul", `"complete\u0000"`}, value{"task", `"task"`})),
		neutral(fault("resulttype-escaped", "resultType or its value written with escapes", "none", PartResultType, NeedResult, []Variant{
			{Name: "name", Edit: func(p *Plan) { p.ResultType.Name = `result\u0054ype` }},
			{Name: "value", Edit: func(p *Plan) {
				p.ResultType.Value = `"\u0063omplete"`
				if p.ResultType.Fact == FactInput {
					p.ResultType.Value = `"input_requ\u0069red"`
				}
			}}})),
		neutral(fault("resulttype-doubled", "resultType twice, the right one last", "none; finding duplicate-member of /result/resultType", PartResultType, NeedResult, earlier(resultTypeOf, "",
			value{"input", `"input_required"`}, value{"complete", `"complete"`}, aNull, value{"other", `"x"`}))),
		fault("resulttype-doubled-wrong", "resultType twice, a wrong one last", notResult+"; finding duplicate-member of /result/resultType", PartResultType, NeedResult, append(later(resultTypeOf, constant(`"complete"`), FactBad,
			aNull, value{"other", `"x"`}, aNumber), laterEscaped(resultTypeOf, constant(`"complete"`), FactBad, `result\u0054ype`, "null"))),
		neutral(fault("resulttype-misspelt", "resultType under another name, so that it is absent", "none; finding result-type-missing", PartResultType, NeedTool, misspelt(resultTypeOf, constant(`"input_required"`),
			value{"lower", "resulttype"}, value{"title", "ResultType"}, value{"snake", "result_type"}, value{"short", "type"}))),
		fault("input-required-beside-content", "resultType input_required beside the content of a tool result", "INPUT_REQUIRED", PartResultType|PartRequestState, NeedTool, []Variant{
			{Name: "with-state", Edit: func(p *Plan) {
				p.ResultType = Member{Present: true, Fact: FactInput}
				p.RequestState = Member{Present: true, Value: `"s"`}
			}},
			{Name: "escaped", Edit: func(p *Plan) {
				p.ResultType = Member{Present: true, Fact: FactInput, Value: `"input\u005frequired"`}
				p.RequestState = Member{Present: true, Value: `"s"`}
			}}}),
		fault("iserror-wrong", "isError is no boolean", notResult, PartIsError, NeedTool, set(isErrorOf, FactBad,
			aNull, value{"string", `"true"`}, value{"string-false", `"false"`}, anEmpty, aNumber, aZero, anArray, anObject, value{"array-of-one", "[true]"})),
		neutral(fault("iserror-false", "isError is false", "none", PartIsError, NeedTool, []Variant{{Edit: func(p *Plan) {
			if !p.IsError.Present {
				p.IsError.Present = true
			}
		}}})),
		fault("iserror-true", "isError is true, whatever the content says", "TOOL_ERROR", PartIsError, NeedTool, set(isErrorOf, FactTrue, value{"", "true"})),
		neutral(fault("iserror-escaped", "the name isError written with escapes", "none", PartIsError, NeedTool, []Variant{
			{Name: "first", Edit: func(p *Plan) { p.IsError.Present, p.IsError.Name = true, `\u0069sError` }},
			{Name: "middle", Edit: func(p *Plan) { p.IsError.Present, p.IsError.Name = true, `is\u0045rror` }}})),
		fault("iserror-misspelt", "isError true under another name", "TOOL_SUCCESS, since nothing else says that the tool failed", PartIsError, NeedTool, misspelt(isErrorOf, constant("true"),
			value{"lower", "iserror"}, value{"title", "IsError"}, value{"snake", "is_error"}, value{"short", "error"}, value{"space", "isError "})),
		neutral(fault("iserror-doubled", "isError twice, the right one last", "none; finding duplicate-member of /result/isError", PartIsError, NeedTool, []Variant{
			{Name: "opposite", Edit: func(p *Plan) {
				p.IsError.Present = true
				p.IsError.Earlier = "true"
				if p.IsError.Fact == FactTrue {
					p.IsError.Earlier = "false"
				}
			}},
			{Name: "null", Edit: func(p *Plan) { p.IsError.Present, p.IsError.Earlier = true, "null" }},
			{Name: "escaped", Edit: func(p *Plan) {
				p.IsError.Present, p.IsError.Earlier, p.IsError.EarlierName = true, `"x"`, `isErr\u006fr`
			}}})),
		fault("iserror-doubled-wrong", "isError twice, one last that is no boolean", notResult+"; finding duplicate-member of /result/isError", PartIsError, NeedTool, append(later(isErrorOf, constant("false"), FactBad, aNull, aNumber),
			laterEscaped(isErrorOf, constant("false"), FactBad, `is\u0045rror`, "null"))),
		fault("iserror-doubled-true", "isError twice, true last", "TOOL_ERROR; finding duplicate-member of /result/isError", PartIsError, NeedTool, append(later(isErrorOf, constant("false"), FactTrue, value{"plain", "true"}),
			laterEscaped(isErrorOf, constant("false"), FactTrue, `is\u0045rror`, "true"))),
		neutral(fault("structured", "structuredContent of any type beside content", "none", PartStructured, NeedTool, set(structuredOf, FactGood,
			anObject, aNull, aString, anEmpty, aNumber, aZero, aTrue, aFalse, anArray, value{"result", `{"isError":true,"content":null,"error":{"code":1}}`}))),
		neutral(fault("structured-doubled", "structuredContent twice", "none; finding duplicate-member of /result/structuredContent", PartStructured, NeedTool, only(func(p *Plan) {
			p.Structured = Member{Present: true, Value: `{"a":2}`, Earlier: `{"a":1}`}
		}))),
		fault("tool-result-old", "toolResult, as the first revision had it, in the place of content", notResult, PartContent|PartStructured|PartSay, NeedTool, []Variant{
			old("object", `{"content":[]}`), old("array", "[]"), old("string", `"x"`)}),
		neutral(fault("result-meta", "_meta of the result", "none", PartMeta, NeedResult, set(resultMetaOf, FactGood, anObject, value{"keys", `{"vendor/trace":{"isError":true}}`}, value{"wrong-type", `"x"`}))),
		neutral(fault("result-meta-null", "_meta of the result is null", "none; finding null-optional", PartMeta, NeedTool, set(resultMetaOf, FactNull, value{"", "null"}))),
		neutral(fault("result-meta-doubled", "_meta of the result twice", "none; finding duplicate-member of /result/_meta", PartMeta, NeedResult, only(func(p *Plan) {
			p.ResultMeta = Member{Present: true, Value: "{}", Earlier: "null"}
		}))),
	}
}

// old is a variant whose content stands under the name of the first revision.
func old(name, raw string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Content = Member{Stray: `"toolResult":` + raw} }}
}
