package downstream

import (
	"encoding/json"

	"github.com/replyproof/replyproof/classifier"
)

// outcomes are the outcomes of replyproof that stand for the kinds.
var outcomes = map[Kind]classifier.Outcome{
	Failed: classifier.HTTPError, Success: classifier.ToolSuccess, ToolFail: classifier.ToolError,
	Question: classifier.InputRequired, RPCError: classifier.JSONRPCError,
}

// tells are the words for what Judge tells apart.
var tells = []string{"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "ERROR"}

// idText is an id as JSON.
func idText(id classifier.ID) string {
	if n, ok := id.Int(); ok {
		text, _ := json.Marshal(n)
		return string(text)
	}
	s, _ := id.Text()
	text, _ := json.Marshal(s)
	return string(text)
}
