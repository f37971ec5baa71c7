package main

import "github.com/replyproof/replyproof/classifier"

// plan is what is asked of the official Go SDK's server. The last exchange
// breaks every connection.
func (g *goSDK) plan() []exchange {
	var all []exchange
	all = append(all, g.modernResults()...)
	all = append(all, g.modernErrors()...)
	all = append(all, g.legacyResults()...)
	all = append(all, g.legacyErrors()...)
	return append(all, exchange{
		id: "real/go-sdk-modern-sse-server-dies", rule: "4", request: 90,
		why:    "The server died after its first progress notification: the stream lacks its final response and its last chunk.",
		expect: expecting(classifier.NoFinalResponse, classifier.ReasonBodyCut, "ask"),
		post: func() (wireAnswer, error) {
			p := g.modernStream
			die := func(stream []byte) {
				if len(stream) > 0 {
					g.close()
				}
			}
			return p.post(p.call(90, "stall", object{}, true), watching(die))
		},
	})
}

func (g *goSDK) modernResults() []exchange {
	j, s := g.modernJSON, g.modernStream
	return []exchange{
		{id: "real/go-sdk-modern-json-success", rule: "9", request: 1,
			why:    "A tool result of revision 2026-07-28, with resultType and the server's identity in _meta.",
			expect: success(), post: calling(j, 1, "greet", object{})},
		{id: "real/go-sdk-modern-json-success-string-id", rule: "7", request: "call-é-1",
			why:    "The server gives a string id back, with what it escapes of it.",
			expect: success(), post: calling(j, "call-é-1", "greet", object{})},
		{id: "real/go-sdk-modern-json-tool-error", rule: "9", request: 3,
			why:    "A Go handler that returns an error becomes a tool error, not a JSON-RPC error.",
			expect: toolError(), post: calling(j, 3, "fail", object{})},
		{id: "real/go-sdk-modern-json-structured", rule: "9", request: 4,
			why:    "Structured content comes with a text block that repeats it.",
			expect: success(), post: calling(j, 4, "weather", object{"city": "Bern"})},
		{id: "real/go-sdk-modern-json-invalid-arguments", rule: "9", request: 5,
			why:    "Arguments that the tool's schema refuses are a tool error.",
			expect: toolError(), post: calling(j, 5, "weather", object{"city": 7})},
		{id: "real/go-sdk-modern-json-gallery", rule: "9", request: 6,
			why:    "One content item of each type that the protocol knows.",
			expect: success(), post: calling(j, 6, "gallery", object{})},
		{id: "real/go-sdk-modern-json-input-required", rule: "9", request: 7,
			why:    "A call that waits for input is no error and not final.",
			expect: expecting(classifier.InputRequired, classifier.ReasonInputRequired, "answer-inputs"), post: calling(j, 7, "confirm", object{})},
		{id: "real/go-sdk-modern-json-progress", rule: "9", request: 8,
			why:    "A server that answers with one JSON text cannot deliver its notifications; the tool passed that on as its own error.",
			expect: toolError(), post: callingWithProgress(j, 8, "steps", object{})},
		{id: "real/go-sdk-modern-sse-success", rule: "S5", request: 11,
			why:    "One event of type message holds the final response.",
			expect: success(), post: calling(s, 11, "greet", object{})},
		{id: "real/go-sdk-modern-sse-tool-error", rule: "9", request: 12,
			why:    "A tool error in a stream.",
			expect: toolError(), post: calling(s, 12, "fail", object{})},
		{id: "real/go-sdk-modern-sse-structured", rule: "9", request: 13,
			why:    "Structured content in a stream.",
			expect: success(), post: calling(s, 13, "weather", object{"city": "Bern"})},
		{id: "real/go-sdk-modern-sse-progress", rule: "S4", request: 14,
			why:    "Progress and log notifications come before the final response, each in a chunk of its own.",
			expect: success(), post: callingWithProgress(s, 14, "steps", object{})},
		{id: "real/go-sdk-modern-sse-input-required", rule: "9", request: 15,
			why:    "Input required, in a stream.",
			expect: expecting(classifier.InputRequired, classifier.ReasonInputRequired, "answer-inputs"), post: calling(s, 15, "confirm", object{})},
	}
}

func (g *goSDK) modernErrors() []exchange {
	j, s := g.modernJSON, g.modernStream
	return []exchange{
		{id: "real/go-sdk-modern-json-unknown-tool", rule: "1", request: 21,
			why:    "A tool that the server does not have: invalid params, which this server sends with 400.",
			expect: httpError("-32602"), also: []string{"JSONRPC_ERROR"}, post: calling(j, 21, "no-such-tool", object{})},
		{id: "real/go-sdk-modern-sse-unknown-tool", rule: "1", request: 22,
			why:    "A server that streams its results sends this error as one JSON text with 400.",
			expect: httpError("-32602"), also: []string{"JSONRPC_ERROR"}, post: calling(s, 22, "no-such-tool", object{})},
		{id: "real/go-sdk-modern-header-missing", rule: "1", request: 23,
			why:    "Mcp-Name is required for tools/call; 400 carries a JSON-RPC error as a detail.",
			expect: httpError("-32020"), also: []string{"JSONRPC_ERROR"}, post: calling(j, 23, "greet", object{}, without("Mcp-Name"))},
		{id: "real/go-sdk-modern-header-mismatch", rule: "1", request: 24,
			why:    "Mcp-Name differs from the name in the body.",
			expect: httpError("-32020"), also: []string{"JSONRPC_ERROR"}, post: calling(j, 24, "greet", object{}, with("Mcp-Name", "fail"))},
		{id: "real/go-sdk-modern-version-unsupported", rule: "1", request: 25,
			why:    "A server that keeps sessions refuses the revision that has none, and lists those it speaks.",
			expect: httpError("-32022"), also: []string{"JSONRPC_ERROR"}, post: func() (wireAnswer, error) {
				p := &peer{addr: g.legacyJSON.addr, path: g.legacyJSON.path, version: modern}
				return p.post(p.call(25, "greet", object{}, false))
			}},
		{id: "real/go-sdk-modern-method-unknown", rule: "1", request: 26,
			why:    "An unknown method gets 404 with a JSON-RPC error, which is no sign that the address is wrong.",
			expect: httpError("-32601"), also: []string{"JSONRPC_ERROR"}, post: func() (wireAnswer, error) {
				message := j.call(26, "greet", object{}, false)
				message["method"] = "tools/no-such-method"
				return j.post(message)
			}},
		{id: "real/go-sdk-modern-malformed-request", rule: "1", request: 27,
			why:    "A request that is not JSON gets 400 with plain text.",
			expect: httpError(""), post: calling(j, 27, "greet", object{}, sending(`{"jsonrpc":"2.0","id":27,`))},
		{id: "real/go-sdk-modern-not-acceptable", rule: "1", request: 28,
			why:    "A client must accept both media types; this one accepted JSON only.",
			expect: httpError(""), post: calling(j, 28, "greet", object{}, with("Accept", "application/json"))},
		{id: "real/go-sdk-modern-unsupported-media-type", rule: "1", request: 29,
			why:    "415 for a request in text/plain.",
			expect: httpError(""), post: calling(j, 29, "greet", object{}, with("Content-Type", "text/plain"))},
		{id: "real/go-sdk-modern-foreign-host", rule: "1", request: 30,
			why:    "403 for a Host that is not the machine itself: protection against DNS rebinding.",
			expect: httpError(""), post: calling(j, 30, "greet", object{}, as("attacker.example"))},
		{id: "real/go-sdk-modern-notification", rule: "N",
			why:    "202 with an empty body is the right answer to a notification.",
			expect: accepted(), post: func() (wireAnswer, error) {
				return j.post(object{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": object{"requestId": 1, "reason": "changed my mind"}})
			}},
	}
}

func (g *goSDK) legacyResults() []exchange {
	j, s, r := g.legacyJSON, g.legacyStream, g.resumable
	var response wireAnswer
	return []exchange{
		{id: "real/go-sdk-legacy-json-success", rule: "9", request: 41,
			why:    "A tool result of revision 2025-11-25 has no resultType.",
			expect: success(typeMissing), post: calling(j, 41, "greet", object{})},
		{id: "real/go-sdk-legacy-json-tool-error", rule: "9", request: 42,
			why:    "A tool error of revision 2025-11-25.",
			expect: toolError(typeMissing), post: calling(j, 42, "fail", object{})},
		{id: "real/go-sdk-legacy-json-structured", rule: "9", request: 43,
			why:    "Structured content of revision 2025-11-25.",
			expect: success(typeMissing), post: calling(j, 43, "weather", object{"city": "Bern"})},
		{id: "real/go-sdk-legacy-sse-success", rule: "S5", request: 44,
			why:    "A stream of revision 2025-11-25 with one event.",
			expect: success(typeMissing), post: calling(s, 44, "greet", object{})},
		{id: "real/go-sdk-legacy-sse-progress", rule: "S4", request: 45,
			why:    "Progress notifications before the result of an earlier revision.",
			expect: success(typeMissing), post: callingWithProgress(s, 45, "steps", object{})},
		{id: "real/go-sdk-legacy-sse-server-request", rule: "S4", request: 46,
			why:    "The server asks for input with a request of its own inside the stream, as revisions before 2026-07-28 allowed.",
			also:   []string{"INVALID_ENVELOPE"},
			expect: success(typeMissing, "server-request"), post: callingAndAnswering(s, 46, "ask", object{"go": true}, &response)},
		{id: "real/go-sdk-legacy-response-accepted", rule: "N",
			why:    "The POST that carries the client's response is answered as a notification is.",
			expect: accepted(), post: the(&response)},
		{id: "real/go-sdk-legacy-sse-primed", rule: "S3", request: 47,
			why:    "With an event store the stream opens with an event of type prime that has an id and empty data.",
			also:   []string{"MALFORMED_JSON"},
			expect: success(typeMissing, "event-type-ignored"), post: calling(r, 47, "greet", object{})},
	}
}

func (g *goSDK) legacyErrors() []exchange {
	j, s := g.legacyJSON, g.legacyStream
	return []exchange{
		{id: "real/go-sdk-legacy-json-unknown-tool", rule: "8", request: 51,
			why:    "An unknown tool in revision 2025-11-25.",
			expect: rpcError("-32602", "after-change"), post: calling(j, 51, "no-such-tool", object{})},
		{id: "real/go-sdk-legacy-sse-unknown-tool", rule: "8", request: 52,
			why:    "An unknown tool in revision 2025-11-25, in a stream.",
			expect: rpcError("-32602", "after-change"), post: calling(s, 52, "no-such-tool", object{})},
		{id: "real/go-sdk-legacy-session-unknown", rule: "1", request: 53,
			why:    "404 tells that the session is gone, not that the tool is.",
			expect: httpError(""), post: calling(j, 53, "greet", object{}, with("Mcp-Session-Id", "never-opened"))},
		{id: "real/go-sdk-legacy-version-unsupported", rule: "1", request: 54,
			why:    "400 with plain text for a revision that never was.",
			expect: httpError(""), post: calling(j, 54, "greet", object{}, with("MCP-Protocol-Version", "1999-01-01"))},
		{id: "real/go-sdk-legacy-malformed-request", rule: "1", request: 55,
			why:    "400 with plain text for a request that is not JSON.",
			expect: httpError(""), post: calling(s, 55, "greet", object{}, sending("not json"))},
		{id: "real/go-sdk-legacy-session-missing", rule: "8", request: 56,
			why:    "A call without a session opens one that was never initialised, and fails in it.",
			expect: rpcError("0", "ask"), post: calling(j, 56, "greet", object{}, without("Mcp-Session-Id"))},
		{id: "real/go-sdk-legacy-notification", rule: "N",
			why:    "202 with an empty body, from a server that streams its other answers.",
			expect: accepted(), post: func() (wireAnswer, error) { return s.post(initialized) }},
	}
}
