package generators

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// before and after are variants that put events around the final one.
func before(name string, events ...Event) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Stream.Before = events }}
}

func after(name string, events ...Event) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Stream.After = events }}
}

// stray is an event that does not decide while the stream goes on.
func stray(reason classifier.Reason, lines ...string) Event {
	outcome := classifier.InvalidEnvelope
	if reason == syntax || reason == trailing || reason == empty {
		outcome = classifier.MalformedJSON
	}
	return Event{Kind: EventStray, Lines: lines, Outcome: outcome, Reason: reason}
}

// noID is a stray error with no id, or a null one, whose code stays readable.
func noID(reason classifier.Reason, line string) Event {
	e := stray(reason, line)
	e.Code, e.Also = "-32600", []classifier.Outcome{classifier.JSONRPCError}
	return e
}

func skipped(kind EventKind, lines ...string) Event { return Event{Kind: kind, Lines: lines} }

// eventFaults are the faults of the events around the final one, and of its type.
func eventFaults() []Fault {
	fault := func(name, rule, doc, effect string, parts Part, variants ...Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: rule, Doc: doc, Effect: effect, Parts: parts, Needs: NeedMessage | NeedStream, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral = true; return f }
	const (
		ok      = `data: {"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[]}}`
		another = `data: {"jsonrpc":"2.0","id":"somebody-else","result":{"resultType":"complete","content":[]}}`
	)
	decides := func(o classifier.Outcome, r classifier.Reason, code, line string) Event {
		return Event{Kind: EventDeciding, Lines: []string{line}, Outcome: o, Reason: r, Code: code}
	}
	success := decides(classifier.ToolSuccess, classifier.ReasonToolSuccess, "", ok)
	failure := decides(classifier.JSONRPCError, classifier.ReasonRPCError, "-32603", failedLine)
	request := skipped(EventRequest, `data: {"jsonrpc":"2.0","id":"s-1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
	ownRequest := skipped(EventRequest, `data: {"jsonrpc":"2.0","id":{{id}},"method":"roots/list"}`)
	note := skipped(EventNotification, `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}`)
	return []Fault{
		neutral(fault("sse-notifications", "S4", "notifications before the response", "none", PartBefore,
			before("one", note), before("many", note, note, note, note, note, note, note, note), before("odd", skipped(EventNotification, `data: {"method":null}`), skipped(EventNotification, `data: {"method":1,"jsonrpc":"1.0","params":"x"}`)),
			before("escaped", skipped(EventNotification, `data: {"jsonrpc":"2.0","m\u0065thod":"notifications/message","params":{"level":"info","data":1}}`)))),
		neutral(fault("sse-request", "S4", "a request of the server's before the response", "none; finding server-request", PartBefore,
			before("one", request), before("own-id", ownRequest), before("null-id", skipped(EventRequest, `data: {"jsonrpc":"2.0","id":null,"method":"ping"}`)),
			before("two", request, ownRequest), before("with-notification", note, request), before("odd", skipped(EventRequest, `data: {"id":[],"method":{}}`)))),
		neutral(fault("sse-other-response", "S6", "a response to another call before the response", "none; finding stray-message", PartBefore,
			before("success", stray(classifier.ReasonIDMismatch, another)), before("error", stray(classifier.ReasonIDMismatch, `data: {"jsonrpc":"2.0","id":"somebody-else","error":{"code":1,"message":"x"}}`)),
			before("no-id", noID(classifier.ReasonIDMissing, `data: {"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}`)), before("null-id", noID(classifier.ReasonIDMismatch, `data: {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`)),
			before("two", stray(classifier.ReasonIDMismatch, another), stray(classifier.ReasonIDMissing, `data: {"jsonrpc":"2.0","result":{}}`)))),
		neutral(fault("sse-broken-event", "S6", "an event before the response that is no message at all", "none; finding stray-message", PartBefore,
			before("words", stray(syntax, "data: working")), before("truncated", stray(syntax, `data: {"jsonrpc":"2.0",`)), before("trailing", stray(trailing, "data: {}{}")), before("space", stray(empty, "data:  ")),
			before("scalar", stray(classifier.ReasonNotObject, "data: 1")), before("null", stray(classifier.ReasonNotObject, "data: null")), before("neither", stray(classifier.ReasonJSONRPCVersion, "data: {}")),
			before("no-members", stray(classifier.ReasonIDMissing, `data: {"jsonrpc":"2.0"}`)), before("mark", stray(syntax, "data: "+mark+"{}")), before("done", stray(syntax, "data: [DONE]")))),
		neutral(fault("sse-batch-before", "S6", "an array of messages before the response", "none; finding stray-message", PartBefore,
			before("response", stray(classifier.ReasonNotObject, `data: [{"jsonrpc":"2.0","id":{{id}},"result":{"content":[]}}]`)), before("empty", stray(classifier.ReasonNotObject, "data: []")))),
		neutral(fault("sse-other-type", "S3", "an event of another type before the response", "none; finding event-type-ignored", PartBefore,
			before("ping", skipped(EventIgnored, "event: ping", "data: {}")), before("result", skipped(EventIgnored, "event: progress", ok)), before("error", Event{Kind: EventIgnored, Lines: []string{"event: error", failedLine}, HoldsError: true}),
			before("endpoint", skipped(EventIgnored, "event: endpoint", "data: /messages?id=1")), before("case", skipped(EventIgnored, "event: Message", "data: x")), before("space", skipped(EventIgnored, "event:  message", "data: x")),
			before("empty-data", skipped(EventIgnored, "event: ping", "data")))),
		neutral(fault("sse-event-forgotten", "S2", "an event line with no data before the response: its type is forgotten", "none", PartBefore,
			before("event", skipped(EventNone, "event: ping")), before("id", skipped(EventNone, "event: error", "id: 5")), before("changed", skipped(EventNone, "event: ping", "event: error", "retry: 1")))),
		neutral(fault("sse-event-changed", "S3", "two event lines: the last counts", "none", PartBefore,
			before("back", stray(classifier.ReasonNotObject, "event: ping", "event: message", "data: 1")), before("emptied", stray(classifier.ReasonNotObject, "event: ping", "event", "data: 1")), before("away", skipped(EventIgnored, "event: message", "event: ping", "data: 1")))),
		neutral(fault("sse-priming", "S3", "an event with empty data before the response", "none", PartBefore,
			before("plain", skipped(EventEmpty, "id: 0", "data:")), before("bare", skipped(EventEmpty, "data")), before("retry", skipped(EventEmpty, "retry: 5000", "id: 1", "data: ")))),
		neutral(fault("sse-fields", "S2", "fields and comments that are ignored", "none", PartBefore,
			before("unknown", skipped(EventNone, "foo: bar", "x", "da: ta")), before("comments", skipped(EventNone, ":", ": x", ":data: x", "::")), before("spaces", skipped(EventNone, "id:  x", "retry:", "retry: -1", "id")),
			before("nul", skipped(EventNone, "id: a\x00b", "retry: 1\x002")), before("json", skipped(EventNone, ":", `{"jsonrpc":"2.0"}`)), before("utf8", skipped(EventNone, ": caf\xe9", "\xff: x")))),
		neutral(fault("sse-comment-long", "S2", "a comment of some length before the response", "none", PartBefore,
			before("1k", longLine(1000)), before("8k", longLine(8192)), before("66k", longLine(66000)), before("many", manyComments...))),
		neutral(fault("sse-second", "S5", "another response with the request's id after the first", "none; a third party may refuse it", PartAfter,
			after("success", success), after("error", failure), after("two", failure, success))),
		fault("sse-first", "S5", "a response with the request's id before the base's", "that of the first response", PartBefore,
			before("success", success), before("error", failure),
			before("type-emptied", Event{Kind: EventDeciding, Lines: []string{"event: ping", "event", failedLine}, Outcome: classifier.JSONRPCError, Reason: classifier.ReasonRPCError, Code: "-32603"}),
			before("wrong-version", decides(classifier.InvalidEnvelope, classifier.ReasonJSONRPCVersion, "", `data: {"id":{{id}},"result":{"content":[]}}`)),
			before("both", decides(classifier.InvalidEnvelope, classifier.ReasonResultAndError, "", `data: {"jsonrpc":"2.0","id":{{id}},"result":{},"error":{"code":1,"message":"x"}}`)),
			before("no-content", decides(classifier.InvalidToolResult, classifier.ReasonContentMissing, "", `data: {"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete"}}`))),
		neutral(fault("sse-after", "S5", "messages after the response", "none", PartAfter,
			after("notification", note), after("broken", stray(syntax, "data: {")), after("request", request), after("other", stray(classifier.ReasonIDMismatch, another)), after("ping", skipped(EventIgnored, "event: ping", "data: x")),
			after("comments", skipped(EventNone, ": bye", ":")), after("done", stray(syntax, "data: [DONE]")), after("many", note, request, note, stray(syntax, "data: x")))),
		fault("sse-final-type", "S3", "the final event has another type than message", "NO_FINAL_RESPONSE; of an error a third party may report it", PartEventType,
			eventType("error", "error"), eventType("response", "response"), eventType("title", "Message"), eventType("space", " message"), eventType("long", "message2"), eventType("tab", "message\t"), eventType("result", "result")),
	}
}

// longLine is a comment of n bytes.
func longLine(n int) Event { return skipped(EventNone, ":"+strings.Repeat("-", n-1)) }

// manyComments are those of a server that keeps a slow answer's connection open.
var manyComments = slices.Repeat([]Event{skipped(EventNone, ": keep-alive")}, 60)

func eventType(name, text string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Stream.Type, p.Stream.Ignored = text, true }}
}
