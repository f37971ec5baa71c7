package model

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// judgeResult is rule 9.
func (c *judging) judgeResult(d *document, result int) {
	invalid := func(reason classifier.Reason) { c.settle(classifier.InvalidToolResult, reason) }
	if !d.isA(result, object) && result != root {
		invalid(classifier.ReasonResultNotObject)
		return
	}
	if d.repeats(result, "resultType", "content", "isError", "structuredContent", "inputRequests", "requestState", "_meta") {
		c.find(classifier.FindingDuplicateMember)
	}

	resultType := d.get(result, "resultType")
	c.v.ResultType = d.raw(resultType)
	isComplete := resultType == none || d.isText(resultType, "complete")
	if resultType == none {
		c.find(classifier.FindingResultTypeMissing)
	}
	switch c.Quirk {
	case ResultTypeRequired:
		isComplete = resultType != none && isComplete
	case ResultTypeUnknownIsComplete:
		isComplete = true
	case ResultTypeNullIsAbsent:
		isComplete = isComplete || d.isA(resultType, null)
	}
	switch {
	case c.has(RequestsMeanInput) && d.isA(d.get(result, "inputRequests"), object):
		c.judgeInputRequired(d, result)
		return
	case c.has(ContentMeansComplete) && d.isA(d.get(result, "content"), array):
	case d.isText(resultType, "input_required"):
		c.judgeInputRequired(d, result)
		return
	case !isComplete:
		invalid(classifier.ReasonResultType)
		return
	}

	content := d.get(result, "content")
	if content == none && c.has(OldToolResultTaken) {
		content = d.get(result, "toolResult")
		if d.isA(content, object) {
			content = d.get(content, "content")
		}
	}
	structured := d.get(result, "structuredContent")
	switch {
	case c.has(ContentUnchecked) && content != none:
	case content == none && (c.has(ContentMissingIsEmpty) || c.has(ContentOrStructured) && structured != none):
	case content == none:
		invalid(classifier.ReasonContentMissing)
		return
	case !d.isA(content, array), c.has(EmptyContentRefused) && d.nodes[content].child == none:
		invalid(classifier.ReasonContentNotArray)
		return
	}
	if c.has(StructuredMustBeObject) && structured != none && !d.isA(structured, object) ||
		c.has(ContentItemsChecked) && d.isA(content, array) && d.hasOddItem(content) {
		invalid(classifier.ReasonContentNotArray)
		return
	}

	if meta := d.get(result, "_meta"); c.has(MetaChecked) && meta != none && !d.isA(meta, object) && !d.isA(meta, null) {
		invalid(classifier.ReasonContentNotArray)
		return
	}

	isError := d.get(result, "isError")
	failed := d.isA(isError, boolTrue) || c.has(IsErrorPresentIsTrue) && isError != none
	switch {
	case isError == none || failed || d.isA(isError, boolFalse):
	case c.has(IsErrorIgnored):
	case c.has(IsErrorNullIsAbsent) && d.isA(isError, null):
	case c.has(IsErrorTruthy):
		failed = d.isTruthy(isError)
	default:
		invalid(classifier.ReasonIsErrorNotBoolean)
		return
	}

	if d.isA(content, array) {
		switch text, ok := d.firstText(content); {
		case !ok:
		case c.has(TextSaysError) && strings.HasPrefix(text, "Error"):
			failed = true
		case c.has(TextParsedForError):
			failed = failed || hasError([]byte(text))
		case c.has(EmptyTextRefused) && text == "":
			invalid(classifier.ReasonContentNotArray)
			return
		}
	}

	if d.isA(content, array) && d.hasOddItem(content) {
		c.find(classifier.FindingContentItem)
	}
	if d.isA(d.get(result, "_meta"), null) || d.isA(content, array) && d.hasNullOptional(content) {
		c.find(classifier.FindingNullOptional)
	}
	if failed && !c.has(IsErrorIgnored) {
		c.settle(classifier.ToolError, classifier.ReasonToolError)
	} else {
		c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
	}
}

// judgeInputRequired fills in what an INPUT_REQUIRED asks for.
func (c *judging) judgeInputRequired(d *document, result int) {
	requests, state := d.get(result, "inputRequests"), d.get(result, "requestState")
	c.v.RequestState = d.raw(state)
	if requests == none && state == none {
		c.find(classifier.FindingInputRequiredEmpty)
	}
	if state != none && !d.isA(state, str) {
		c.find(classifier.FindingRequestStateType)
	}
	if d.isA(requests, object) {
		c.v.InputRequests, c.v.HasInputRequests = c.inputRequests(d, requests)
	}
	if requests != none && !c.v.HasInputRequests {
		c.find(classifier.FindingInputRequestsType)
		c.v.InputRequests = nil
	}
	switch {
	case c.has(InputRequiredIsSuccess):
		c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
	case c.has(StateAloneRefused) && requests == none, c.has(EmptyRequestsRefused) && d.isA(requests, object) && d.nodes[requests].child == none,
		c.has(NamelessRequestRefused) && slices.ContainsFunc(c.v.InputRequests, func(r classifier.InputRequest) bool { return r.Key == "" || r.Method == "" }),
		c.has(StateRequired) && state == none, c.has(EmptyStateRefused) && string(d.raw(state)) == `""`:
		c.settle(classifier.InvalidToolResult, classifier.ReasonResultType)
	default:
		c.settle(classifier.InputRequired, classifier.ReasonInputRequired)
	}
}

// inputRequests lists the members in the order in which their names first
// appear, each with its last value; fine is false if one is no object with a
// string method.
func (c *judging) inputRequests(d *document, requests int) (list []classifier.InputRequest, fine bool) {
	fine = true
	places := map[string]int{}
	methods := []int{}
	for n := d.nodes[requests].child; n != none; n = d.nodes[n].next {
		key := goString(d.nameUnits(n))
		place, seen := places[key]
		if seen {
			c.find(classifier.FindingDuplicateMember)
		} else {
			place = len(list)
			places[key] = place
			list = append(list, classifier.InputRequest{Key: key})
			methods = append(methods, none)
		}
		methods[place] = none
		if d.isA(n, object) {
			methods[place] = d.get(n, "method")
		}
	}
	for place, method := range methods {
		if !d.isA(method, str) {
			return nil, false
		}
		list[place].Method = goString(d.units(method))
	}
	return list, fine
}

// firstText is the text of the first item, for quirks.
func (d *document) firstText(content int) (text string, ok bool) {
	item := d.nodes[content].child
	if item == none || !d.isA(item, object) {
		return "", false
	}
	member := d.get(item, "text")
	if !d.isA(member, str) {
		return "", false
	}
	return goString(d.units(member)), true
}

// hasError tells whether a text is JSON with a member error.
func hasError(text []byte) bool {
	f, deepest := check(text, 0)
	if f.reason != 0 {
		return false
	}
	d := grow(text, 0, deepest)
	return d.kind(root) == object && d.get(root, "error") != none
}

// hasOddItem tells whether an item of content is no object, or of no known
// type, or lacks what its type requires.
func (d *document) hasOddItem(content int) bool {
	for item := d.nodes[content].child; item != none; item = d.nodes[item].next {
		if !d.isA(item, object) || !d.isFineItem(item) {
			return true
		}
	}
	return false
}

func (d *document) isFineItem(item int) bool {
	is := func(name string, k kind) bool { return d.isA(d.get(item, name), k) }
	kind := d.get(item, "type")
	switch {
	case d.isText(kind, "text"):
		return is("text", str)
	case d.isText(kind, "image"), d.isText(kind, "audio"):
		return is("data", str) && is("mimeType", str)
	case d.isText(kind, "resource_link"):
		return is("name", str) && is("uri", str)
	case d.isText(kind, "resource"):
		return is("resource", object)
	}
	return false
}

// hasNullOptional tells whether an item of content has null for an optional member.
func (d *document) hasNullOptional(content int) bool {
	for item := d.nodes[content].child; item != none; item = d.nodes[item].next {
		if !d.isA(item, object) {
			continue
		}
		names := []string{"_meta", "annotations"}
		if d.isText(d.get(item, "type"), "resource_link") {
			names = append(names, "title", "description", "mimeType", "size", "icons")
		}
		for _, name := range names {
			if d.isA(d.get(item, name), null) {
				return true
			}
		}
	}
	return false
}
