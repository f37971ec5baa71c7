package callers

import "github.com/replyproof/replyproof/classifier"

// leave is what an answer allows of its own.
type leave uint8

const (
	leaveNever    leave = iota // it ends the call
	leaveAsk                   // the caller's own knowledge or a person decides, so nothing is automatic
	leaveChange                // only once something has changed
	leaveInputs                // to send again with the inputs that were asked for
	leaveRetry                 // to send again after a wait, if the call is safe
	leaveFollow                // to send the same request to another address
	leaveNoFollow              // the same, but HTTP libraries make a GET of it
)

// kind is a kind of answer: what it is on the wire, what it means, and what it
// gives leave to.
type kind struct {
	name    string
	rule    string
	leave   leave
	change  classifier.Change // of leaveChange
	lost    bool              // the stream that should have brought the response broke or ended first
	outcome classifier.Outcome
	code    string
	also    []string // what a correct third party may tell instead

	status int    // 0 for no HTTP answer
	media  string // the Content-Type; JSON where it is empty and there is a text
	text   string // the JSON text or the body
	cut    string // where the body is cut: before the last of this text
	ended  classifier.Ended
}

const (
	jsonMedia   = "application/json"
	streamMedia = "text/event-stream"

	fine      = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[{"type":"text","text":"fine"}]}}`
	failed    = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[{"type":"text","text":"failed"}],"isError":true}}`
	rpcBegin  = `{"jsonrpc":"2.0","id":{{id}},"error":{"code":`
	rpcEnd    = `,"message":"synthetic"}}`
	otherID   = `{"jsonrpc":"2.0","id":"another","result":{"resultType":"complete","content":[]}}`
	bothThere = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[]},"error":{"code":1,"message":"both"}}`
	noTool    = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete"}}`
	versions  = `{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2025-11-25"]}}}`
)

var (
	rpcInstead = []string{"JSONRPC_ERROR"}
	emptyToo   = []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE"}
	cutToo     = []string{"MALFORMED_JSON"}
)

// kinds are the kinds of answers, the plainest first.
var kinds = []kind{
	{name: "success", rule: "9", outcome: classifier.ToolSuccess, status: 200, text: fine},
	{name: "503", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 503},
	{name: "429", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 429},
	{name: "500", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 500, media: "text/html", text: "<p>synthetic</p>"},
	{name: "502", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 502},
	{name: "504", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 504},
	{name: "408", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 408},
	{name: "425", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 425},
	{name: "503-with-success", rule: "1", leave: leaveRetry, outcome: classifier.HTTPError, status: 503, text: fine},
	{name: "input", rule: "9", leave: leaveInputs, outcome: classifier.InputRequired, status: 200, text: "input"},
	{name: "cut", rule: "4", leave: leaveRetry, outcome: classifier.NoFinalResponse, also: cutToo, status: 200, text: fine, cut: "]"},
	{name: "cut-stream", rule: "4", leave: leaveRetry, lost: true, outcome: classifier.NoFinalResponse, status: 200, media: streamMedia,
		text: ": open\n\ndata: " + fine + "\n\n", cut: "]"},
	{name: "cut-at-once", rule: "4", leave: leaveRetry, lost: true, outcome: classifier.NoFinalResponse, status: 200, media: streamMedia,
		text: ": open\n\ndata: " + fine + "\n\n", cut: "data"},
	{name: "cut-after-final", rule: "S5", outcome: classifier.ToolSuccess, status: 200, media: streamMedia,
		text: "data: " + fine + "\n\n: more\n\n", cut: "more"},
	{name: "no-response", rule: "S6", leave: leaveRetry, lost: true, outcome: classifier.NoFinalResponse, status: 200, media: streamMedia, text: ": over\n\n"},
	{name: "accepted", rule: "3", leave: leaveRetry, outcome: classifier.NoFinalResponse, also: emptyToo, status: 202},
	{name: "refused", rule: "T", leave: leaveRetry, outcome: classifier.NoFinalResponse, ended: classifier.EndedConnect},
	{name: "reset", rule: "T", leave: leaveRetry, outcome: classifier.NoFinalResponse, ended: classifier.EndedReset},
	{name: "timeout", rule: "T", leave: leaveRetry, outcome: classifier.NoFinalResponse, ended: classifier.EndedDeadline},
	{name: "tool-error", rule: "9", leave: leaveAsk, outcome: classifier.ToolError, status: 200, text: failed},
	{name: "rpc-internal", rule: "8", leave: leaveRetry, outcome: classifier.JSONRPCError, code: "-32603", status: 200, text: rpcBegin + "-32603" + rpcEnd},
	{name: "rpc-own", rule: "8", leave: leaveRetry, outcome: classifier.JSONRPCError, code: "7", status: 200, text: rpcBegin + "7" + rpcEnd},
	{name: "rpc-url", rule: "8", leave: leaveAsk, outcome: classifier.JSONRPCError, code: "-32042", status: 200, text: rpcBegin + "-32042" + rpcEnd},
	{name: "rpc-params", rule: "8", leave: leaveChange, change: classifier.ChangeArguments, outcome: classifier.JSONRPCError, code: "-32602",
		status: 200, text: rpcBegin + "-32602" + rpcEnd},
	{name: "rpc-method", rule: "8", leave: leaveChange, change: classifier.ChangeMethod, outcome: classifier.JSONRPCError, code: "-32601",
		status: 200, text: rpcBegin + "-32601" + rpcEnd},
	{name: "version", rule: "1", leave: leaveChange, change: classifier.ChangeVersion, outcome: classifier.HTTPError, code: "-32022", also: rpcInstead,
		status: 400, text: versions},
	{name: "headers", rule: "1", leave: leaveChange, change: classifier.ChangeHeaders, outcome: classifier.HTTPError, code: "-32020", also: rpcInstead,
		status: 400, text: rpcBegin + "-32020" + rpcEnd},
	{name: "503-params", rule: "1", leave: leaveChange, change: classifier.ChangeArguments, outcome: classifier.HTTPError, code: "-32602", also: rpcInstead,
		status: 503, text: rpcBegin + "-32602" + rpcEnd},
	{name: "400", rule: "1", leave: leaveChange, change: classifier.ChangeRequest, outcome: classifier.HTTPError, status: 400},
	{name: "401", rule: "1", leave: leaveChange, change: classifier.ChangeAuthorisation, outcome: classifier.HTTPError, status: 401},
	{name: "403", rule: "1", leave: leaveChange, change: classifier.ChangeAuthorisation, outcome: classifier.HTTPError, status: 403},
	{name: "404", rule: "1", leave: leaveChange, change: classifier.ChangeRequest, outcome: classifier.HTTPError, status: 404},
	{name: "501", rule: "1", leave: leaveChange, change: classifier.ChangeRequest, outcome: classifier.HTTPError, status: 501},
	{name: "malformed", rule: "5", leave: leaveAsk, outcome: classifier.MalformedJSON, status: 200, text: `{"jsonrpc":"2.0",`},
	{name: "other-id", rule: "7", leave: leaveAsk, outcome: classifier.InvalidEnvelope, status: 200, text: otherID},
	{name: "result-and-error", rule: "6", leave: leaveAsk, outcome: classifier.InvalidEnvelope, status: 200, text: bothThere},
	{name: "no-content", rule: "9", leave: leaveAsk, outcome: classifier.InvalidToolResult, status: 200, text: noTool},
	{name: "html", rule: "2", leave: leaveAsk, outcome: classifier.UnexpectedContentType, also: cutToo, status: 200, media: "text/html", text: "<p>synthetic</p>"},
	{name: "307", rule: "1", leave: leaveFollow, outcome: classifier.HTTPError, status: 307},
	{name: "308", rule: "1", leave: leaveFollow, outcome: classifier.HTTPError, status: 308},
	{name: "302", rule: "1", leave: leaveNoFollow, outcome: classifier.HTTPError, status: 302},
	{name: "303", rule: "1", leave: leaveNoFollow, outcome: classifier.HTTPError, status: 303},
}

// framed tells whether the answer is a JSON text that a stream can carry as well.
func (k *kind) framed() bool {
	return k.status == 200 && k.media == "" && k.cut == ""
}

// redirects tells whether the answer names another address.
func (k *kind) redirects() bool { return k.leave == leaveFollow || k.leave == leaveNoFollow }
