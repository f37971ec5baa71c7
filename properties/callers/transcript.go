package callers

import (
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/subject"
)

// Transcript is what was seen of one call: the requests in order, and what the
// caller told of it.
type Transcript struct {
	Sequence Sequence
	Call     ToolCall
	Began    time.Time
	Sent     []*Sent
	Told     Told
	// Panicked is the panic of a caller, Hung is set for one that did not return,
	// Endless for one that had to be stopped.
	Panicked string
	Hung     bool
	Endless  bool
	// Next is the plain call that the same caller made afterwards, nil for that
	// call itself.
	Next *Transcript
	// Plain is the transcript of another caller with the same sequence, but with
	// no streams and no notifications in it; nil where that is the same, or the
	// caller has made calls before.
	Plain *Transcript

	tells subject.Tells
	used  map[string]bool // the ids of earlier calls of the connection
}

// Calls are the POSTs of tools/call.
func (t *Transcript) Calls() []*Sent {
	var calls []*Sent
	for _, s := range t.Sent {
		if s.Call {
			calls = append(calls, s)
		}
	}
	return calls
}

// resend is a call that was sent again.
type resend struct {
	first, again *Sent
	between      []*Sent // what was sent in the meantime
	retries      int     // how often it was sent again before because it had failed
	rounds       int     // how often inputs were answered before
	n            int     // 2 for the second POST of the call
}

// resends are the POSTs of the call after the first, each with the one before.
func (t *Transcript) resends() iter.Seq[resend] {
	return func(yield func(resend) bool) {
		var r resend
		r.n = 1
		for _, s := range t.Sent {
			switch {
			case !s.Call:
				r.between = append(r.between, s)
				continue
			case r.first != nil:
				r.again, r.n = s, r.n+1
				if !yield(r) {
					return
				}
				switch r.leave() {
				case leaveRetry:
					r.retries++
				case leaveInputs:
					r.rounds++
				}
			}
			r.first, r.between = s, nil
		}
	}
}

// leave is what the answer to the first allows.
func (r *resend) leave() leave { return r.first.answer.kind.leave }

// followed tells whether a redirect was followed with the method kept.
func (r *resend) followed() bool { return r.first.answer.kind.redirects() && r.again.Moved() }

// waited is the time from the answer to the next POST.
func (r *resend) waited() time.Duration { return r.again.At.Sub(r.first.Answered) }

// backoff is the least wait of the default policy before this retry.
func (r *resend) backoff() time.Duration {
	return classifier.DefaultPolicy().Base << min(r.retries, 20)
}

// bound is the least wait that counts for this retry.
func (r *resend) bound() time.Duration { return max(r.first.answer.after.wait, r.backoff()) }

// changed tells whether what the answer asked for has changed.
func (r *resend) changed() bool {
	switch r.first.answer.kind.change {
	case classifier.ChangeArguments:
		return !loopback.SameJSON(r.first.Arguments, r.again.Arguments) || !loopback.SameJSON(r.first.Name, r.again.Name)
	case classifier.ChangeAuthorisation:
		return r.again.Header.Get("Authorization") != r.first.Header.Get("Authorization")
	case classifier.ChangeVersion:
		return r.versionChanged()
	case classifier.ChangeMethod:
		return r.versionChanged() || r.asked("tools/list") && !loopback.SameJSON(r.first.Name, r.again.Name)
	case classifier.ChangeHeaders:
		return r.asked("tools/list") || !sameHeaders(r.first.Header, r.again.Header)
	}
	return r.asked("initialize") || r.first.Path != r.again.Path
}

func (r *resend) versionChanged() bool {
	const version = "MCP-Protocol-Version"
	return r.asked("initialize") || r.again.Header.Get(version) != r.first.Header.Get(version)
}

// asked tells whether another method was called in the meantime.
func (r *resend) asked(method string) bool {
	for _, s := range r.between {
		if s.Method == method {
			return true
		}
	}
	return false
}

// sameHeaders tells whether the fields of the protocol are the same.
func sameHeaders(a, b http.Header) bool {
	own := func(h http.Header) map[string]string {
		fields := map[string]string{}
		for name, values := range h {
			if strings.HasPrefix(name, "Mcp-") {
				fields[name] = strings.Join(values, "\n")
			}
		}
		return fields
	}
	x, y := own(a), own(b)
	if len(x) != len(y) {
		return false
	}
	for name, value := range x {
		if other, ok := y[name]; !ok || other != value {
			return false
		}
	}
	return true
}

// last is the answer that decides the call: the last one that came.
func (t *Transcript) last() *answer {
	calls := t.Calls()
	if len(calls) == 0 {
		return nil
	}
	return calls[len(calls)-1].answer
}
