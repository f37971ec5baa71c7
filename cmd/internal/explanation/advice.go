package explanation

import (
	"fmt"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// Advice tells in words whether a call may be sent again.
func Advice(a classifier.Advice) string {
	parts := []string{a.Action.String() + ": " + a.Why}
	switch a.Action {
	case classifier.Ask:
		parts = append(parts, "do not send it again without asking: a person, or the caller's own knowledge of the tool, decides")
	case classifier.AfterChange:
		parts = append(parts, fmt.Sprintf("change first: %s", a.Change))
	case classifier.AnswerInputs:
		if len(a.InputKeys) > 0 {
			parts = append(parts, "inputResponses for "+plain.shorten(strings.Join(a.InputKeys, ", ")))
		}
		if a.RequestState != nil {
			parts = append(parts, "requestState back exactly as it came")
		}
	case classifier.Never:
		return parts[0]
	}
	if a.Wait > 0 {
		whose := "the answer's Retry-After"
		if a.Wait == a.Jitter {
			whose = "the default wait"
		}
		parts = append(parts, fmt.Sprintf("if it is sent again, not before %s (%s)", a.Wait.Round(time.Millisecond), whose))
	}
	return strings.Join(append(parts, "always under a new id"), "; ")
}
