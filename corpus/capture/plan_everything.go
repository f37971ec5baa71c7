package main

import (
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// plan is what is asked of the npm reference server. It primes every stream
// with an event of empty data, which a strict reader may take for broken JSON.
func (e *everything) plan() []exchange {
	return append(e.results(), e.errors()...)
}

func (e *everything) results() []exchange {
	s, o := e.stream, e.older
	primed := []string{"MALFORMED_JSON"}
	var response wireAnswer
	return []exchange{
		{id: "real/everything-sse-success", rule: "S5", request: 1, also: primed,
			why:    "The first event only primes the stream, the second holds the result.",
			expect: success(typeMissing), post: calling(s, 1, "echo", object{"message": "Grüße, 世界 <&> \u2028 🙂"})},
		{id: "real/everything-sse-success-string-id", rule: "7", request: "call-é-1", also: primed,
			why:    "The server gives a string id back.",
			expect: success(typeMissing), post: calling(s, "call-é-1", "echo", object{"message": "id"})},
		{id: "real/everything-sse-success-older", rule: "S5", request: 3,
			why:    "Revision 2025-06-18 has no priming event.",
			expect: success(typeMissing), post: calling(o, 3, "echo", object{"message": "older"})},
		{id: "real/everything-sse-tool-error", rule: "9", request: 4, also: primed,
			why:    "Arguments that the tool's schema refuses are a tool error.",
			expect: toolError(typeMissing), post: calling(s, 4, "get-sum", object{"a": "one", "b": 2})},
		{id: "real/everything-sse-structured", rule: "9", request: 5, also: primed,
			why:    "Structured content comes with a text block that repeats it.",
			expect: success(typeMissing), post: calling(s, 5, "get-structured-content", object{"location": "New York"})},
		{id: "real/everything-sse-progress", rule: "S4", request: 6, also: primed,
			why:    "Two progress notifications before the result.",
			expect: success(typeMissing), post: callingWithProgress(s, 6, "trigger-long-running-operation", object{"duration": 0.2, "steps": 2})},
		{id: "real/everything-sse-annotations", rule: "9", request: 7, also: primed,
			why:    "A content item with annotations.",
			expect: success(typeMissing), post: calling(s, 7, "get-annotated-message", object{"messageType": "error", "includeImage": false})},
		{id: "real/everything-sse-resource-links", rule: "9", request: 8, also: primed,
			why:    "Content items of type resource_link.",
			expect: success(typeMissing), post: calling(s, 8, "get-resource-links", object{"count": 2})},
		{id: "real/everything-sse-embedded-resource", rule: "9", request: 9, also: primed,
			why:    "A content item of type resource.",
			expect: success(typeMissing), post: calling(s, 9, "get-resource-reference", object{"resourceType": "Text", "resourceId": 1})},
		{id: "real/everything-sse-server-request", rule: "S4", request: 10, also: []string{"INVALID_ENVELOPE", "MALFORMED_JSON"},
			why:    "The server asks for input with a request of its own inside the stream.",
			expect: success(typeMissing, "server-request"), post: callingAndAnswering(s, 10, "trigger-elicitation-request", object{"name": "Ada", "check": true}, &response)},
		{id: "real/everything-response-accepted", rule: "N",
			why:    "The POST that carries the client's response is answered as a notification is.",
			expect: accepted(), post: the(&response)},
		{id: "real/everything-notification", rule: "N",
			why:    "202 with an empty body for notifications/initialized.",
			expect: accepted(), post: func() (wireAnswer, error) { return o.post(initialized) }},
		{id: "real/everything-sse-deadline", rule: "4", request: 11,
			why:    "The caller's deadline passed while the tool still reported progress.",
			expect: expecting(classifier.NoFinalResponse, classifier.ReasonDeadline, "ask"),
			post:   givingUp(s, 11, "trigger-long-running-operation", object{"duration": 6, "steps": 12}, 1300*time.Millisecond)},
	}
}

func (e *everything) errors() []exchange {
	s := e.stream
	withError := []string{"JSONRPC_ERROR"}
	return []exchange{
		{id: "real/everything-sse-unknown-tool", rule: "9", request: 21, also: []string{"MALFORMED_JSON"},
			why:    "A tool that the server does not have is a tool error in this SDK.",
			expect: toolError(typeMissing), post: calling(s, 21, "no-such-tool", object{})},
		{id: "real/everything-sse-invalid-params", rule: "8", request: 22, also: []string{"MALFORMED_JSON"},
			why:    "tools/call without a tool's name is a JSON-RPC error, an internal one in this SDK.",
			expect: rpcError("-32603", "ask"), post: func() (wireAnswer, error) {
				return s.post(object{"jsonrpc": "2.0", "id": 22, "method": "tools/call", "params": object{}})
			}},
		{id: "real/everything-sse-method-unknown", rule: "8", request: 23, also: []string{"MALFORMED_JSON"},
			why:    "An unknown method is a JSON-RPC error inside a 200.",
			expect: rpcError("-32601", "after-change"), post: func() (wireAnswer, error) {
				return s.post(object{"jsonrpc": "2.0", "id": 23, "method": "tools/no-such-method"})
			}},
		{id: "real/everything-session-unknown", rule: "1", request: 24, also: withError,
			why:    "400, not 404, for a session that never was; the error has no id.",
			expect: httpError("-32000"), post: calling(s, 24, "echo", object{}, with("Mcp-Session-Id", "never-opened"))},
		{id: "real/everything-session-missing", rule: "1", request: 25, also: withError,
			why:    "400 for a call without a session; the error's id is null.",
			expect: httpError("-32000"), post: calling(s, 25, "echo", object{}, without("Mcp-Session-Id"))},
		{id: "real/everything-version-unsupported", rule: "1", request: 26, also: withError,
			why:    "400 with a JSON-RPC error for a revision that never was.",
			expect: httpError("-32000"), post: calling(s, 26, "echo", object{}, with("MCP-Protocol-Version", "1999-01-01"))},
		{id: "real/everything-malformed-request", rule: "1", request: 27, also: withError,
			why:    "400 with -32700 for a request that is not JSON.",
			expect: httpError("-32700"), post: calling(s, 27, "echo", object{}, sending("not json"))},
		{id: "real/everything-not-acceptable", rule: "1", request: 28, also: withError,
			why:    "406 for a client that accepts JSON only.",
			expect: httpError("-32000"), post: calling(s, 28, "echo", object{}, with("Accept", "application/json"))},
		{id: "real/everything-unsupported-media-type", rule: "1", request: 29, also: withError,
			why:    "415 for a request in text/plain.",
			expect: httpError("-32000"), post: calling(s, 29, "echo", object{}, with("Content-Type", "text/plain"))},
		{id: "real/everything-wrong-path", rule: "1", request: 30,
			why:    "404 with an HTML page: the address is wrong.",
			expect: httpError(""), post: calling(s, 30, "echo", object{}, at("/nowhere"))},
	}
}

// at posts to another path.
func at(path string) change { return func(p *wirePost) { p.Path = path } }
