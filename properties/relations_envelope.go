package properties

import (
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
)

// envelopeRelations rest on the members of the JSON-RPC response.
var envelopeRelations = []Property{
	{
		Name:  "result-and-error",
		Rule:  "6",
		Doc:   "A response with result and error is INVALID_ENVELOPE, whatever the two hold.",
		Kills: []string{"result-beats-error", "error-beats-result", "null-error-is-absent", "null-result-is-absent"},
		Check: resultAndError,
	},
	{
		Name:  "error-added",
		Rule:  "6",
		Doc:   "A success to which an error is added is no success.",
		Kills: []string{"result-beats-error", "null-error-is-absent"},
		Check: errorAdded,
	},
	{
		Name:  "id-mismatch",
		Rule:  "7",
		Doc:   "A response with another id than the request's never settles the call.",
		Kills: []string{"id-ignored", "id-loose"},
		Check: idMismatch,
	},
	{
		Name:  "result-type-absent",
		Rule:  "9",
		Doc:   `An absent resultType equals "complete".`,
		Kills: []string{"result-type-required"},
		Check: resultTypeAbsent,
	},
	{
		Name:  "is-error-absent",
		Rule:  "9",
		Doc:   "An absent isError equals false.",
		Kills: []string{"is-error-expected-beside-structured"},
		Check: isErrorAbsent,
	},
	{
		Name:  "unknown-members",
		Rule:  "6",
		Doc:   "Members that no rule names change nothing, however much they resemble one.",
		Kills: []string{"names-in-any-case"},
		Check: unknownMembers,
	},
}

var (
	errorValues  = []string{`{"code":-32603,"message":"internal"}`, `null`, `{}`, `false`, `""`, `[]`, `0`}
	resultValues = []string{`{"resultType":"complete","content":[]}`, `null`, `{}`, `{"content":[],"isError":true}`, `false`, `""`, `0`}
)

func resultAndError(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	at := t.N(len(n.names) + 1)
	result, failure := n.get("result") != nil, n.get("error") != nil
	switch {
	case result && !failure:
		n = n.with(at, "error", errorValues[t.N(len(errorValues))])
	case failure && !result:
		n = n.with(at, "result", resultValues[t.N(len(resultValues))])
	case !result:
		return t.Skip()
	}
	v := t.Judge(t.Call(), t.delivery(n).answer(n.text()))
	return t.OneOf(v, "result and error are both present", classifier.InvalidEnvelope)
}

func errorAdded(t *Trial) *Breach {
	n, ok := t.object()
	if !ok || n.get("result") == nil || n.get("error") != nil {
		return t.Skip()
	}
	how := t.delivery(n)
	first := t.Judge(t.Call(), how.answer(n.text()))
	if first.Outcome != classifier.ToolSuccess {
		return t.Skip()
	}
	n = n.with(t.N(len(n.names)+1), "error", errorValues[t.N(len(errorValues))])
	return t.NotOneOf(t.Judge(t.Call(), how.answer(n.text())), "an error was added", classifier.ToolSuccess)
}

func idMismatch(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	id := n.get("id")
	if !t.Strict && n.get("error") != nil && (id == nil || id.kind == 'n') {
		return t.Skip() // a third party may take such an error for this call's
	}
	others := []classifier.ID{classifier.IntID(987654321), classifier.StringID("no such id"), classifier.StringID("")}
	if number, ok := t.Case.RequestID.Int(); ok {
		near := number + 1
		if number > 0 {
			near = number - 1
		}
		others = append(others, classifier.StringID(strconv.FormatInt(number, 10)), classifier.IntID(-number-3), classifier.IntID(near))
	} else {
		text, _ := t.Case.RequestID.Text()
		others = append(others, classifier.StringID(text+" "), classifier.IntID(1), classifier.IntID(0))
	}
	other := others[t.N(len(others))]
	if id != nil && couldEqual(id, other) {
		return t.Skip()
	}
	v := t.Judge(classifier.Call{ID: other}, t.delivery(n).answer(n.text()))
	return t.NotOneOf(v, fmt.Sprintf("the request's id is %v and the response has another", other),
		classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.JSONRPCError)
}

// couldEqual tells whether a response's id might be id, in doubt yes.
func couldEqual(n *tree, id classifier.ID) bool {
	if text, ok := id.Text(); ok {
		return n.is(text)
	}
	if n.kind != '-' && (n.kind < '0' || n.kind > '9') {
		return false
	}
	value, err := strconv.ParseFloat(string(n.raw), 64)
	number, _ := id.Int()
	return err != nil || value == float64(number)
}

func resultTypeAbsent(t *Trial) *Breach {
	return t.absentIs("resultType", `"complete"`, `an absent resultType is "complete"`)
}

func isErrorAbsent(t *Trial) *Breach {
	return t.absentIs("isError", "false", "an absent isError is false")
}

// absentIs holds that a result without the member means what it means with the
// value, which is JSON text spelled plainly; the answer may spell a string otherwise.
func (t *Trial) absentIs(member, value, why string) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	result := n.get("result")
	if result == nil || result.kind != '{' {
		return t.Skip()
	}
	how := t.delivery(n)
	var with, without *tree
	switch said := result.get(member); {
	case said == nil:
		without, with = result, result.with(t.N(len(result.names)+1), member, value)
	case string(said.raw) == value, value[0] == '"' && said.is(value[1:len(value)-1]):
		with, without = result, result.without(member)
	default:
		return t.Skip()
	}
	first := t.Judge(t.Call(), how.answer(n.replace("result", with).text()))
	second := t.Judge(t.Call(), how.answer(n.replace("result", without).text()))
	return t.Same(first, second, why)
}

// strangers are names that no rule reads, by the object in which they stand.
var strangers = map[string][]string{
	"":       {"x", "Result", "ERROR", "Id", "ID", "JSONRPC", "JsonRpc", "re\u017fult", "result ", "", "resultType", "isError", "content", "params", "_meta"},
	"result": {"x", "Content", "CONTENT", "IsError", "iserror", "ResultType", "resulttype", "id", "jsonrpc", "error", "is_error", "result_type", ""},
	"error":  {"x", "Code", "CODE", "Message", "id", "result", "jsonrpc", "error", ""},
}

var strangeValues = []string{`null`, `true`, `"2.0"`, `"complete"`, `[]`, `{}`, `{"code":1,"message":"m"}`, `{"content":[],"isError":true}`, `1`, `"input_required"`}

func unknownMembers(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	how := t.delivery(n)
	where := []string{"", "result", "error"}[t.N(3)]
	into := n
	if where != "" {
		into = n.get(where)
	}
	if into == nil || into.kind != '{' {
		return t.Skip()
	}
	name := strangers[where][t.N(len(strangers[where]))]
	if into.get(name) != nil {
		return t.Skip()
	}
	first := t.Judge(t.Call(), how.answer(n.text()))
	more := into.with(t.N(len(into.names)+1), name, strangeValues[t.N(len(strangeValues))])
	if where != "" {
		more = n.replace(where, more)
	}
	return t.Same(first, t.Judge(t.Call(), how.answer(more.text())), fmt.Sprintf("no rule reads the member %q there", name))
}
