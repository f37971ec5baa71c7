package callers

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

var success = subject.SetOf(classifier.ToolSuccess)

// cover is the outcomes that a word of the caller covers; ok is false for a word
// that is none of those that it tells.
func (t *Transcript) cover(word string) (set subject.Outcomes, ok bool) {
	if set, ok = t.tells.Covers(word); ok {
		return set, true
	}
	for part := range strings.SplitSeq(word, "|") {
		one, known := t.tells.Covers(part)
		if !known {
			return 0, false
		}
		set |= one
	}
	return set, true
}

// repeated is the breach of a call that was sent again.
func (r *resend) repeated(want string) *Breach {
	return &Breach{runner.RepeatedCall, want, fmt.Sprintf("POST %d, after %s", r.n, r.first.answer.kind.name)}
}

func retryOnlySafe(t *Transcript) *Breach {
	for r := range t.resends() {
		if r.leave() != leaveRetry || t.Call.Safety == classifier.SafeCall {
			continue
		}
		b := r.repeated("no other POST: whether the call had effects is not known")
		if r.first.answer.kind.lost && r.n == 2 && loopback.Key(r.first.ID) != loopback.Key(r.again.ID) {
			b.Deviation = runner.Reissued
		}
		return b
	}
	return nil
}

func overIsOver(t *Transcript) *Breach {
	for r := range t.resends() {
		switch r.leave() {
		case leaveNever:
			return r.repeated("no other POST: the call has its final result")
		case leaveAsk:
			return r.repeated("no other POST: a person, or what the caller knows, decides")
		}
	}
	return nil
}

func changeFirst(t *Transcript) *Breach {
	for r := range t.resends() {
		switch {
		case r.leave() == leaveChange && !r.changed():
			return r.repeated("no other POST before this has changed: " + r.first.answer.kind.change.String())
		case (r.leave() == leaveFollow || r.leave() == leaveNoFollow) && !r.followed():
			return r.repeated("no other POST but to where the redirect points")
		}
	}
	return nil
}

func twoRetries(t *Transcript) *Breach {
	for r := range t.resends() {
		if r.leave() == leaveRetry && r.retries >= classifier.DefaultPolicy().Retries {
			return r.repeated("no more than two retries")
		}
	}
	return nil
}

func retryAfter(t *Transcript) *Breach {
	for r := range t.resends() {
		if wait := r.first.answer.after.wait; r.waited() < wait {
			return r.repeated(fmt.Sprintf("a wait of %v before: Retry-After", wait))
		}
	}
	return nil
}

func backoff(t *Transcript) *Breach {
	for r := range t.resends() {
		stateOnly := r.leave() == leaveInputs && r.first.answer.asked.text == ""
		if stateOnly {
			r.retries = 0
		}
		if (r.leave() == leaveRetry || stateOnly) && r.waited() < r.backoff() {
			return r.repeated(fmt.Sprintf("a wait of %v before", r.backoff()))
		}
	}
	return nil
}

func longestWait(t *Transcript) *Breach {
	for r := range t.resends() {
		longest := classifier.DefaultPolicy().LongestWait
		if r.leave() == leaveRetry && r.bound() > longest {
			return r.repeated(fmt.Sprintf("no other POST: the wait is longer than %v", longest))
		}
	}
	return nil
}

func timeLeft(t *Transcript) *Breach {
	for r := range t.resends() {
		if t.Call.Deadline.IsZero() || r.leave() != leaveRetry {
			continue
		}
		if left := t.Call.Deadline.Sub(r.first.Answered); r.bound() >= left {
			return r.repeated(fmt.Sprintf("no other POST: a wait of %v does not fit into the time that is left", r.bound()))
		}
	}
	return nil
}

func freshID(t *Transcript) *Breach {
	used := map[string]bool{}
	var before *Sent
	for _, s := range t.Calls() {
		follows := before != nil && before.answer.kind.redirects() && s.Moved()
		before = s
		key := loopback.Key(s.ID)
		if (used[key] || t.used[key]) && !follows {
			return &Breach{runner.RepeatedCall, "an id that was not used before", "the id " + shown(s.ID) + " again"}
		}
		used[key] = true
	}
	return nil
}

func sameCall(t *Transcript) *Breach {
	for r := range t.resends() {
		a, b := r.first, r.again
		if r.leave() == leaveChange && r.first.answer.kind.change == classifier.ChangeArguments {
			continue
		}
		same := sameParams(a, b)
		if r.leave() == leaveInputs {
			same = loopback.SameJSON(a.Name, b.Name) && loopback.SameJSON(a.Arguments, b.Arguments)
		}
		if !same {
			return &Breach{runner.MixedLayers, fmt.Sprintf("the same call as before: %s", a.Body), string(b.Body)}
		}
	}
	return nil
}

func sameParams(a, b *Sent) bool {
	return loopback.SameJSON(a.Name, b.Name) && loopback.SameJSON(a.Arguments, b.Arguments) && loopback.SameJSON(a.State, b.State) && loopback.SameJSON(a.Responses, b.Responses)
}

func firstIsFresh(t *Transcript) *Breach {
	calls := t.Calls()
	if len(calls) == 0 || calls[0].State == nil && calls[0].Responses == nil {
		return nil
	}
	return &Breach{runner.MixedLayers, "neither requestState nor inputResponses: nothing was asked for", string(calls[0].Body)}
}
