package callers

import (
	"slices"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// What the table says an answer gives leave to is what the classifier advises,
// which had no part in it: action, what must change, and the least wait.
func TestLeaveIsAdvised(t *testing.T) {
	t.Parallel()
	known := func(k *kind, safe bool) classifier.Action {
		switch k.leave {
		case leaveNever:
			return classifier.Never
		case leaveAsk:
			return classifier.Ask
		case leaveRetry:
			if safe {
				return classifier.WaitAndRetry
			}
			return classifier.Ask
		}
		return classifier.AfterChange
	}
	n := 0
	for s := range Enumerate() {
		for _, a := range s.answers() {
			for _, safe := range []bool{false, true} {
				n++
				facts := classifier.Facts{InputMethods: []string{elicit}}
				if safe {
					facts.Safety = classifier.SafeCall
				}
				got := classifier.Advise(a.made.Classify(), facts)
				want := known(a.kind, safe)
				if a.kind.leave == leaveInputs {
					want = classifier.Ask
					if a.usable && a.asked.answerable {
						want = classifier.AnswerInputs
					}
				}
				if want == classifier.WaitAndRetry && a.after.wait > time.Minute {
					want = classifier.Ask
				}
				if got.Action != want || a.kind.leave == leaveChange && got.Change != a.kind.change {
					t.Fatalf("%s, safe %v: got %v %v, want %v %v", s, safe, got.Action, got.Change, want, a.kind.change)
				}
				if a.kind.leave == leaveRetry && min(got.Wait, forEver) != max(a.after.wait, 200*time.Millisecond) {
					t.Fatalf("%s: got a wait of %v, want %v", s, got.Wait, max(a.after.wait, 200*time.Millisecond))
				}
				if want != classifier.AnswerInputs {
					continue
				}
				if string(got.RequestState) != a.state || got.InputResponses != (a.asked.text != "") || !slices.Equal(got.InputKeys, a.asked.keys) && len(a.asked.keys) > 0 {
					t.Fatalf("%s: got state %s, keys %q, want %s, %q", s, got.RequestState, got.InputKeys, a.state, a.asked.keys)
				}
			}
		}
	}
	if n < 10000 {
		t.Errorf("got %d answers, want many", n)
	}
}
