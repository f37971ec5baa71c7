package capture

import (
	"cmp"
	"fmt"
	"net/url"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// Step is the place of a POST among those of its call.
type Step struct {
	Call    int // number of the call in the input, from 1; 0 for what is no call
	Post    int // number of the POST within the call, from 1
	Attempt int // POSTs of the present round, from 1
	Round   int // requests for input that were answered before
	Origin  classifier.RetryOrigin
	// Evidence tells how the origin was inferred; "" for a POST that repeats none.
	Evidence string
	// Gap is the time since the POST before it was over; 0 if that is not known,
	// and less if it was under way still.
	Gap     time.Duration
	Earlier []classifier.Verdict
	Client  string // name@version of the client, from an initialize before it
}

// Bounds of what a timeline takes for one retry or another.
const (
	// ManualGap is the least pause after which a repetition under a new id is
	// taken for a person's.
	ManualGap = 10 * time.Second
	// atOnce is the longest pause after a broken stream within which a
	// repetition under a new id is taken for the SDK's. One whose client did not
	// wait for its end is not broken.
	atOnce = 100 * time.Millisecond
	// remembered is how many calls a timeline holds in memory, unless it is told.
	remembered = 100_000
)

// Timeline puts the POSTs of calls in order: which of them ask the same, and who
// sent one again. The zero value is ready.
type Timeline struct {
	// Remember is how many calls are held in memory before they are all forgotten;
	// zero is 100,000.
	Remember int

	calls  map[string]*thread
	count  int
	client string
}

// thread is a call with its POSTs.
type thread struct {
	number  int
	posts   int
	attempt int
	round   int
	ids     map[string]bool
	last    classifier.Verdict // without what aliases the answer
	judged  bool
	ended   time.Time
	earlier []classifier.Verdict
}

// Add takes the next exchange of the input and tells its place.
//
// Two POSTs belong to one call if tool and arguments are equal. One under an id
// that the call has had is a repetition from below the application (the SDK, an
// HTTP library, a proxy); one that follows a 307 or 308 under it is the redirect
// followed and no repetition. One under a new id repeats a call that failed: by
// the SDK if it came at once after a broken stream, by a person if 10 s or more
// had passed, else by the application. After a success, or while the other is
// under way, it is a call of its own.
func (t *Timeline) Add(j Judged) Step {
	if j.RPC.Client != "" {
		t.client = j.RPC.Client
	}
	if j.RPC.Kind != Call {
		return Step{Attempt: 1, Client: t.client}
	}
	if t.calls == nil || len(t.calls) >= cmp.Or(t.Remember, remembered) {
		t.calls = make(map[string]*thread)
	}
	key := callKey(j.Exchange)
	c := t.calls[key]
	if key == "" || c == nil || c.apart(j.Exchange) {
		t.count++
		c = &thread{number: t.count, ids: make(map[string]bool)}
		if key != "" {
			t.calls[key] = c
		}
	}
	step := c.add(j.Exchange)
	step.Client = t.client
	c.keep(j)
	return step
}

// callKey names what a call asks and of whom; "" if that is not known.
func callKey(x Exchange) string {
	if x.RPC.Arguments == "" {
		return ""
	}
	target := ""
	if x.Request != nil {
		if u, err := url.Parse(x.Request.URL); err == nil {
			target = u.Host // a redirect changes the path
		}
	}
	return target + " " + x.RPC.Arguments
}

// apart tells whether x, which asks what the call asked, is a call of its own.
func (c *thread) apart(x Exchange) bool {
	switch {
	case c.ids[x.RPC.ID.String()]:
		return false
	case c.judged && c.last.Outcome == classifier.InputRequired:
		return !x.RPC.Continues
	case x.RPC.Continues:
		return true
	case c.judged && c.last.Outcome == classifier.ToolSuccess:
		return true
	}
	return !x.Started.IsZero() && !c.ended.IsZero() && x.Started.Before(c.ended)
}

// add counts x among the POSTs of the call and tells its place.
func (c *thread) add(x Exchange) Step {
	c.posts++
	step := Step{Call: c.number, Post: c.posts, Earlier: c.earlier}
	if !x.Started.IsZero() && !c.ended.IsZero() {
		step.Gap = x.Started.Sub(c.ended)
	}
	same := c.ids[x.RPC.ID.String()]
	switch {
	case c.posts == 1:
		c.attempt = 1
	case same && (c.last.Status == 307 || c.last.Status == 308):
		step.Evidence = fmt.Sprintf("the %d was followed", c.last.Status)
	case !same && x.RPC.Continues && c.last.Outcome == classifier.InputRequired:
		c.round, c.attempt = c.round+1, 1
		step.Evidence = "the inputs that were asked for, under a new id"
	default:
		c.attempt++
		step.Origin, step.Evidence = c.origin(x, same, step.Gap)
	}
	step.Attempt, step.Round = c.attempt, c.round
	return step
}

// origin infers who sent the call again.
func (c *thread) origin(x Exchange, same bool, gap time.Duration) (classifier.RetryOrigin, string) {
	when, id := "no times are known", CleanText(x.RPC.ID.String())
	timed := !x.Started.IsZero() && !c.ended.IsZero()
	if timed {
		when = fmt.Sprintf("%s after %s", roundGap(gap), ended(c.last))
		if gap < 0 {
			when = "while the one before it was under way"
		}
	}
	switch {
	case same:
		return classifier.RetrySDK, fmt.Sprintf("the same arguments under the same id %s, %s: sent again below the application", id, when)
	case timed && gap >= ManualGap:
		return classifier.RetryManual, fmt.Sprintf("the same arguments under the new id %s, %s: as long as a person takes", id, when)
	case timed && gap < atOnce && c.judged && c.last.Outcome == classifier.NoFinalResponse && c.last.Answered && c.last.Ended != classifier.BodyDeadline:
		return classifier.RetrySDK, fmt.Sprintf("the same arguments under the new id %s, %s: at once after a broken stream, as an SDK does", id, when)
	}
	return classifier.RetryApplication, fmt.Sprintf("the same arguments under the new id %s, %s", id, when)
}

func ended(v classifier.Verdict) string {
	if v.Outcome == 0 {
		return "the answer before"
	}
	if v.Answered {
		return fmt.Sprintf("the %d", v.Status)
	}
	return "an attempt that got no answer"
}

// roundGap is a pause as people say it.
func roundGap(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= 10*unit || -d >= 10*unit {
			return d.Round(cmp.Or(unit/10, 1))
		}
	}
	return d
}

// keep remembers what of the exchange matters for the next.
func (c *thread) keep(j Judged) {
	c.ids[j.RPC.ID.String()] = true
	c.ended = time.Time{}
	if !j.Started.IsZero() {
		c.ended = j.Started.Add(j.Duration)
	}
	c.judged = j.Why == ""
	c.last = classifier.Verdict{}
	if c.judged {
		v := j.Verdict
		c.last = classifier.Verdict{Outcome: v.Outcome, Layer: v.Layer, Reason: v.Reason, Answered: v.Answered, Status: v.Status, Ended: v.Ended}
	} else if j.Answer != nil {
		c.last = classifier.Verdict{Answered: true, Status: j.Answer.Status}
	}
	const longest = 100
	if len(c.earlier) < longest {
		c.earlier = append(c.earlier[:len(c.earlier):len(c.earlier)], c.last)
	}
}
