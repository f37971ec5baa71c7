package explanation

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/corpus"
)

// decides tells what a reason makes of the verdict, and where to see it.
func decides(r classifier.Reason, rule string) string {
	c, ok := example(r)
	if !ok {
		return ""
	}
	v := capture.Judge(capture.FromCase(c)).Verdict
	by := "rule " + rule
	if strings.Contains(rule, ",") {
		by = "rules " + strings.ReplaceAll(rule, ",", " and")
	}
	text := fmt.Sprintf(" It makes %s on the %s layer, by %s. Where side effects are unknown the advice is %s. Example: %s.",
		v.Outcome, v.Layer, by, classifier.Advise(v, classifier.Facts{}).Action, c.ID)
	if r == classifier.ReasonIDMismatch {
		text += " Where classify is told no id, by the input or by --id, it takes the request's to be 1."
	}
	return text
}

// example is the first shipped case that shows a reason with the fewest findings.
func example(r classifier.Reason) (best corpus.Case, ok bool) {
	for _, c := range corpus.All() {
		if c.Expect == nil || c.Expect.Reason != r.String() || len(c.Then) > 0 {
			continue
		}
		if !ok || len(c.Expect.Findings) < len(best.Expect.Findings) {
			best, ok = c, true
		}
	}
	return best, ok
}
