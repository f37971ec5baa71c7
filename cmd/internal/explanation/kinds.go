package explanation

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

var layers = []struct {
	layer classifier.Layer
	text  string
}{
	{classifier.Transport, "The HTTP exchange, from the connection to the last byte of the body: there is no answer, or none that can be read as one."},
	{classifier.Protocol, "JSON, JSON-RPC and MCP: an answer is there, and it is malformed, an error of the protocol, or a request for input."},
	{classifier.Application, "The tool: the protocol worked, and the final result is there, the tool's own success or its own error."},
}

var severities = []struct {
	severity runner.Severity
	text     string
}{
	{runner.Critical, "A deviation by which a caller believes or does what it must not."},
	{runner.Major, "A deviation by which a caller loses something."},
	{runner.Minor, "A deviation by which a caller is misled about the cause."},
}

// reported are words of a report that are no deviations.
var reported = []word{
	{"FLAKY", "A deviation that was seen once, and not when the case was run again alone: told and counted as not repeated, it fails no run. Many of them mean that the deadline is short for the machine."},
	{"skipped", "A case that was not judged, with the reason; it counts neither as passed nor as failed."},
	{"cause", "What several deviations have in common: the plainest answer that shows them stands for all."},
}

// coarse are the words of tells that are no outcomes.
var coarse = []word{
	{subject.WordSuccess, "What a subject says for TOOL_SUCCESS if it has no finer word."},
	{subject.WordRPCError, "What a subject says for JSONRPC_ERROR if it has no finer word."},
	{subject.WordError, "What a subject says for any failure of transport or protocol, and for TOOL_ERROR, INPUT_REQUIRED and JSONRPC_ERROR where its tells name no word for them."},
}
