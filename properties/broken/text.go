package broken

import "github.com/replyproof/replyproof/classifier/model"

var text = []entry{
	{model.EmptyBodyIsSuccess, "empty-body-is-success", "5", "modelcontextprotocol/csharp-sdk#1132", false,
		"takes a 200 with no body for a success"},
	{model.TrailingAccepted, "trailing-bytes-ignored", "5", byRule, false,
		"stops reading after the first JSON text, as encoding/json's Decoder does"},
	{model.BOMRefused, "bom-refused", "5", byRule, tolerated,
		"takes a byte order mark before the JSON text for a syntax error"},
	{model.BadUTF8Refused, "bad-utf8-refused", "5", "DeusData/codebase-memory-mcp#511", tolerated,
		"takes bad UTF-8 in a string for a syntax error"},
	{model.LoneSurrogateRefused, "lone-surrogate-refused", "5", byRule, tolerated,
		"takes half a surrogate pair for a syntax error"},
	{model.DepthLimited, "depth-limited", "5", "bug-ops/mcp-execution#303", tolerated,
		"takes more than 100 levels for a syntax error"},
	{model.NaNAccepted, "nan-accepted", "5", "XBP-Europe/sagemath-mcp#66", false,
		"takes NaN for a number, as Python's json does"},
	{model.TrailingCommaAccepted, "trailing-comma-accepted", "5", byRule, false,
		"allows a comma before a closing bracket"},
	{model.ControlsAccepted, "controls-accepted", "5", byRule, false,
		"allows line ends and other control characters in strings"},
	{model.BigNumbersRefused, "big-numbers-refused", "5", byRule, false,
		"takes a number beyond a double for a syntax error, wherever it stands"},
}
