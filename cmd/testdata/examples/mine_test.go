package mine

import (
	"encoding/json"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
)

func TestMine(t *testing.T) {
	properties.TestClassifier(t, func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		outcome := mine(a.Status, a.Body)
		return classifier.Verdict{Outcome: outcome, Layer: outcome.Layer()}
	})
}

// mine is where yours goes.
func mine(status int, body []byte) classifier.Outcome {
	if status == 200 && json.Valid(body) {
		return classifier.ToolSuccess
	}
	return classifier.HTTPError
}
