package broken

import "github.com/replyproof/replyproof/classifier/model"

var result = []entry{
	{model.ResultTypeRequired, "result-type-required", "9", "kerlenton/mcpsnoop#179", false,
		"refuses a result without resultType, which is every result of an older server"},
	{model.ResultTypeUnknownIsComplete, "unknown-result-type-is-complete", "9", "modelcontextprotocol/conformance#424", false,
		"takes a resultType that it does not know for complete"},
	{model.ResultTypeNullIsAbsent, "null-result-type-is-absent", "9", byRule, false,
		"takes a null resultType for none"},
	{model.InputRequiredIsSuccess, "input-required-is-success", "9", "airlift/airlift#2079", false,
		"takes a result that asks for input for the final one"},
	{model.StateAloneRefused, "state-alone-refused", "9", "anthropics/claude-ai-mcp#1027", false,
		"refuses an input_required that holds requestState alone"},
	{model.ContentUnchecked, "content-unchecked", "9", "anomalyco/opencode#10141", false,
		"accepts content that is no array: a silent, empty success"},
	{model.ContentMissingIsEmpty, "missing-content-is-empty", "9", byRule, false,
		"takes absent content for an empty array"},
	{model.ContentOrStructured, "structured-replaces-content", "9", "modelcontextprotocol/python-sdk#1796", tolerated,
		"accepts structuredContent in the place of content"},
	{model.EmptyContentRefused, "empty-content-refused", "9", "outline/outline#12864", false,
		"refuses content that is an empty array"},
	{model.ContentItemsChecked, "content-items-checked", "9", "calebl/ynab-mcp-server#31", tolerated,
		"refuses a result for one content item that it does not know"},
	{model.StructuredMustBeObject, "structured-must-be-object", "9", "naw103/foremerge#28", false,
		"refuses structuredContent that is no object"},
	{model.OldToolResultTaken, "old-tool-result-taken", "9", "cloudflare/mcp-server-cloudflare#12", false,
		"reads the content of a toolResult, as the first revision had it"},
	{model.IsErrorIgnored, "is-error-ignored", "9", "CALLE-AI/call-e-integrations#110", false,
		"does not look at isError"},
	{model.IsErrorTruthy, "is-error-truthy", "9", byRule, false,
		"takes whatever JavaScript calls true for a true isError, and the rest for false"},
	{model.IsErrorNullIsAbsent, "null-is-error-is-absent", "9", byRule, false,
		"takes a null isError for none"},
}

var others = []entry{
	{model.AnyReplyAccepts, "any-reply-accepts", "N", byRule, false,
		"takes any 2xx for the acceptance of a notification"},
	{model.NoAnswerIsHTTPError, "no-answer-is-http-error", "T", byRule, false,
		"calls a connection that failed an HTTP error"},
}
