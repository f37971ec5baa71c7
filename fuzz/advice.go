package fuzz

import (
	"fmt"

	"github.com/replyproof/replyproof/classifier"
)

// adviceIsCautious: nothing is sent again by itself while side effects are
// unknown, an end stays an end, and whoever knows the call to be safe is told
// nothing else than to wait where others must ask.
func (j judged) adviceIsCautious() {
	j.t.Helper()
	unknown := classifier.Advise(j.v, classifier.Facts{})
	unsafe := classifier.Advise(j.v, classifier.Facts{Safety: classifier.UnsafeCall})
	safe := classifier.Advise(j.v, classifier.Facts{Safety: classifier.SafeCall})
	late := classifier.Advise(j.v, classifier.Facts{Safety: classifier.SafeCall, Attempt: 3})
	var broken string
	switch {
	case unknown.Action == classifier.WaitAndRetry:
		broken = "sent again while side effects are unknown"
	case unsafe.Action != unknown.Action:
		broken = "unknown side effects are not treated as harmful ones"
	case late.Action == classifier.WaitAndRetry:
		broken = "a third repetition"
	case safe.Action != unknown.Action && (safe.Action != classifier.WaitAndRetry || unknown.Action != classifier.Ask):
		broken = "safety changes more than ask to wait-and-retry"
	case unknown.Wait < 0 || unknown.Jitter < 0 || safe.Wait < 0 || safe.Jitter < 0:
		broken = "a negative wait"
	case unknown.NewID != (unknown.Action != classifier.Never) || safe.NewID != (safe.Action != classifier.Never):
		broken = "sent again under the same id"
	case (j.v.Outcome == classifier.ToolSuccess) != (unknown.Action == classifier.Never) &&
		j.v.Reason != classifier.ReasonCancelled && j.v.Outcome != classifier.Accepted:
		broken = "never, but for a success"
	}
	if broken != "" {
		j.t.Errorf("advice: %s: %s\n%s", broken, fmt.Sprintf("unknown %s, unsafe %s, safe %s, third %s", unknown.Action, unsafe.Action, safe.Action, late.Action), j.s)
	}
}
