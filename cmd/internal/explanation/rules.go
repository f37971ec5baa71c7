package explanation

import (
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Rule is one of the project's rules, told for people.
type Rule struct {
	Name  string // 1 to 9, S1 to S7, N, T, advice
	Title string
	Text  string
}

// Rules lists every rule in the order in which they decide.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// RuleNames lists their names.
func RuleNames() string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

var rules = []Rule{
	{"1", "A status outside 200 to 299 is an HTTP error", `The HTTP exchange itself failed, so nothing in the body can make it a success, however much it looks like one. The outcome is HTTP_ERROR. If the body is a JSON-RPC error, its code, message and data stay readable as a detail. Whether the tool ran is unknown.`},
	{"2", "The media type says how the body is to be read", `Only application/json (rules 5 to 9) and text/event-stream (rules S) can hold the response. What precedes the first semicolon counts, without regard to case; parameters do not. No Content-Type at all is read as application/json and noted. Several lines that differ, an empty value, a list, any other type, an unknown content coding or damaged coded data are UNEXPECTED_CONTENT_TYPE.`},
	{"3", "An empty 202, 204 or 205 carries no result", `That is the right answer to a notification and never one to a tool call: NO_FINAL_RESPONSE, whatever the media type.`},
	{"4", "A body that did not arrive whole is not judged as if it had", `A read error, an early end against Content-Length, chunking or content coding, a deadline, a cancellation or a size limit make NO_FINAL_RESPONSE, unless a stream had delivered the final response before.`},
	{"5", "The text must be exactly one JSON value", `The bytes are read as UTF-8 as a browser does: one byte order mark is dropped, bad sequences become U+FFFD, and both are noted. Anything but one RFC 8259 value with white space around it is MALFORMED_JSON, an empty body included. Depth, length and the range of numbers have no limit.`},
	{"6", "The value must be the response to this request", `An object, jsonrpc exactly "2.0", the request's id, and exactly one of result and error: otherwise INVALID_ENVELOPE. A member counts as present even if it is null. Names compare exactly, and of a name that stands twice the last one counts.`},
	{"7", "Ids and numbers compare by type and exact value", `1, 1.0 and 10e-1 are the same id; "1" is another, and so is every integer that only a double would confuse with it. Strings compare code unit for code unit.`},
	{"8", "An error has an integer code and a string message", `Then the outcome is JSONRPC_ERROR, otherwise INVALID_ENVELOPE. An error response without an id, or with a null one, is INVALID_ENVELOPE too, and its code stays readable.`},
	{"9", "A result must be a tool result", `An object whose resultType is "complete" or absent, with content an array and isError a boolean or absent; "input_required" asks for input; anything else is INVALID_TOOL_RESULT. isError true is a TOOL_ERROR: the protocol worked and the tool failed.`},
	{"S1", "Lines and the byte order mark of a stream", `Line feed, carriage return, or both together end a line; a blank line ends an event. One leading byte order mark is dropped. An event that the end of the stream leaves unterminated is discarded.`},
	{"S2", "Fields of an event", `One space after the colon is dropped, data lines are joined with line feeds, comments and unknown fields are ignored, and an event without a data field is not dispatched.`},
	{"S3", "Only message events carry JSON-RPC", `Events of another type are skipped and noted; an event whose data is empty is skipped.`},
	{"S4", "Notifications and requests in a stream are skipped", `An object with method and neither result nor error is no response. If it has an id it is a request of the server's, which is noted.`},
	{"S5", "The first response with the request's id decides", `By rules 6 to 9. The reader stops there; what follows is not looked at, and the stream need not end.`},
	{"S6", "A stream that ends without the response", `The first message that is neither the response nor a notification nor a request gives the outcome; with none, NO_FINAL_RESPONSE. HTTP 200 without a final result is no success.`},
	{"S7", "A stream cannot be resumed", `Revision 2026-07-28 has no Last-Event-ID: a stream that has ended is the end of the call.`},
	{"N", "Answers to notifications", `An empty 202 is ACCEPTED, a status outside 200 to 299 is HTTP_ERROR, a body that did not arrive whole is NO_FINAL_RESPONSE, and anything else is UNEXPECTED_REPLY.`},
	{"T", "No HTTP answer at all", `Refused, reset before the status line, TLS failure, deadline, cancelled: NO_FINAL_RESPONSE. Whether the tool ran is unknown.`},
	{"advice", "May it be sent again?", `Only if the call is known to be free of side effects or idempotent is it sent again without asking, at most twice, with a growing wait and never before Retry-After. A re-sent call always has a new id. See explain never, ask, after-change, answer-inputs and wait-and-retry.`},
}

// word is an action, told for people.
type word struct {
	name, text string
}

// knowledge is what a client knows after an outcome, and what it does not.
type knowledge struct {
	outcome        classifier.Outcome
	known, unknown string
}

const ranUnknown = "whether the tool ran, and with which effects"

var knowledges = []knowledge{
	{classifier.ToolSuccess, "a final result is there, and the tool did not fail", ""},
	{classifier.ToolError, "a final result is there: the protocol worked, and the tool says that it failed", "what the tool did before it failed; only its message can tell"},
	{classifier.InputRequired, "the call is not over: the server wants inputs, and then the same call again under a new id", "what the tool will do with them"},
	{classifier.JSONRPCError, "the server answered this request with a JSON-RPC error; there is no tool result", "whether the tool had begun; the code may tell"},
	{classifier.MalformedJSON, "what should be JSON is not", ranUnknown},
	{classifier.InvalidEnvelope, "JSON is there, but it is not the response to this request", ranUnknown},
	{classifier.InvalidToolResult, "the server answered this request, but with a result that is no tool result", "what the tool did; it may well have run"},
	{classifier.HTTPError, "the HTTP exchange failed", ranUnknown},
	{classifier.NoFinalResponse, "the final response never arrived; a status of 200 does not stand for it", ranUnknown},
	{classifier.UnexpectedContentType, "the answer cannot be read as JSON or as an event stream", ranUnknown},
	{classifier.Accepted, "the server took the notification", "what it did with it"},
	{classifier.UnexpectedReply, "the notification was answered, but not with an empty 202", "whether it was taken"},
}

func know(o classifier.Outcome) knowledge {
	for _, k := range knowledges {
		if k.outcome == o {
			return k
		}
	}
	return knowledge{outcome: o}
}

// knowOf is what is known after a verdict. Where no answer came at all there is no
// status that could mislead, and a call for which no connection was made did not run.
func knowOf(v classifier.Verdict) knowledge {
	k := know(v.Outcome)
	if v.Outcome != classifier.NoFinalResponse || v.Answered {
		return k
	}
	k.known = "no HTTP answer came, not even a status (0 in a HAR file says no more)"
	if v.Reason == classifier.ReasonConnect || v.Reason == classifier.ReasonTLS {
		k.unknown = "whether the connection failed before the call was sent; if so, this attempt of it did not run"
	}
	return k
}

var actionTexts = []word{
	{"never", "Do not send it again: there is nothing to gain, or the caller gave up."},
	{"ask", "Do not send it again without asking: a person, or the caller's own knowledge of the tool, decides."},
	{"after-change", "Not as it was: something has to change first (arguments, version, headers, capabilities, authorisation or code)."},
	{"answer-inputs", "Send the same call again under a new id, with the inputs that were asked for and requestState exactly as it came."},
	{"wait-and-retry", "It may be sent again, under a new id, after the wait, because the call is known to be safe."},
}
