package main

import (
	"encoding/json"
	"os"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// flawless is the built-in classifier behind the adapter protocol.
func flawless() {
	adapter(subject.AllOutcomes().Words(), func(line []byte) map[string]any {
		var request struct{ Case corpus.Case }
		if json.Unmarshal(line, &request) != nil {
			os.Exit(1)
		}
		v := request.Case.Classify()
		answer := map[string]any{"saw": v.Outcome.String()}
		if v.Answered {
			answer["status"] = v.Status
		}
		if v.Outcome == classifier.JSONRPCError {
			answer["code"] = json.RawMessage(v.Error.Code)
		}
		return answer
	})
}
