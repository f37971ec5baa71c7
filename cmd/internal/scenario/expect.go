package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Expectation is what a client should do, and what it has done so far. It is not
// safe for concurrent use.
type Expectation struct {
	file     string
	calls    *span
	posts    *span
	perCall  *span
	fresh    bool
	echo     bool
	once     bool
	outcomes []classifier.Outcome // nil: any

	seen    []classifier.Outcome
	threads map[thread]*asked
	inputs  bool // something asked for input
	count   int  // of calls
	sent    int  // POSTs of calls
	broken  []string
	more    int
}

// span is how many of something there may be.
type span struct{ from, to int }

func (s span) String() string {
	if s.from == s.to {
		return strconv.Itoa(s.from)
	}
	return fmt.Sprintf("%d to %d", s.from, s.to)
}

// thread is a call of a session.
type thread struct {
	session string
	call    int
}

// asked is what is known of a call.
type asked struct {
	posts   int
	ids     map[string]bool
	waiting bool            // for the answer to a request for input
	state   json.RawMessage // that it must bring back; nil for none
}

// Bounds of what an expectation keeps.
const (
	maxThreads = 100_000
	maxBroken  = 100
)

// ReadExpectation reads what a client should do, from YAML or JSON. name is the
// file's, for errors, which name file and line:
//
//	calls: 1                  # calls that were made, however often each was sent; or 1..3
//	posts: 2                  # POSTs of tools/call in all
//	posts_per_call: 1..2      # of each call
//	fresh_ids: true           # no POST of a call has an id that another POST of it had
//	echo_request_state: true  # each request for input is answered, and its requestState comes back as it was
//	no_repetition: true       # no call is sent again, but to answer a request for input or to follow a redirect
//	outcomes: [HTTP_ERROR, TOOL_SUCCESS]   # of the POSTs of tools/call, in order
//
// Without calls, posts and outcomes at least one call is expected: where none came,
// nothing of the rest was tried.
func ReadExpectation(name string, text []byte) (*Expectation, error) {
	e := &Expectation{file: name, threads: make(map[thread]*asked)}
	s := sequence{file: name}
	document, err := s.document(text)
	if err == io.EOF {
		return nil, fmt.Errorf("%s: is empty, and nothing is expected", name)
	} else if err != nil {
		return nil, err
	}
	members, err := s.members(document, "calls", "posts", "posts_per_call", "fresh_ids", "echo_request_state", "no_repetition", "outcomes")
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return nil, s.wrong(document, "nothing is expected")
	}
	for key, to := range map[string]**span{"calls": &e.calls, "posts": &e.posts, "posts_per_call": &e.perCall} {
		if n := members[key]; n != nil {
			if *to, err = s.span(n, key); err != nil {
				return nil, err
			}
		}
	}
	for key, to := range map[string]*bool{"fresh_ids": &e.fresh, "echo_request_state": &e.echo, "no_repetition": &e.once} {
		if n := members[key]; n != nil {
			if err := n.Decode(to); err != nil || n.Tag != "!!bool" {
				return nil, s.wrong(n, "%s: got %s, want true or false", key, described(n))
			}
		}
	}
	if n := members["outcomes"]; n != nil {
		if n.Kind != yaml.SequenceNode {
			return nil, s.wrong(n, "outcomes: got %s, want a list", described(n))
		}
		e.outcomes = []classifier.Outcome{}
		for _, child := range n.Content {
			var outcome classifier.Outcome
			if err := outcome.UnmarshalText([]byte(child.Value)); err != nil {
				return nil, s.wrong(child, "outcomes: %v", err)
			}
			e.outcomes = append(e.outcomes, outcome)
		}
	}
	return e, nil
}

// span reads 2 or 1..3.
func (s *sequence) span(n *yaml.Node, name string) (*span, error) {
	from, to, several := strings.Cut(n.Value, "..")
	if !several {
		to = from
	}
	a, err := strconv.Atoi(from)
	b, other := strconv.Atoi(to)
	if n.Kind != yaml.ScalarNode || err != nil || other != nil || a < 0 || b < a {
		return nil, s.wrong(n, "%s: got %s, want a number, or two with .. between", name, described(n))
	}
	return &span{a, b}, nil
}

// Add takes in an exchange.
func (e *Expectation) Add(x *Exchange) {
	j := &x.Judged
	if j.RPC.Kind != capture.Call {
		return
	}
	e.sent++
	if e.outcomes != nil && len(e.seen) <= len(e.outcomes) {
		e.seen = append(e.seen, j.Verdict.Outcome)
	}
	key := thread{x.Session, j.Step.Call}
	call := e.threads[key]
	if call == nil {
		if len(e.threads) >= maxThreads {
			e.forget()
		}
		e.count++
		call = &asked{ids: make(map[string]bool)}
		e.threads[key] = call
	}
	call.posts++
	fail := func(format string, args ...any) {
		e.fail(fmt.Sprintf("%s, POST %d, id %s: ", x.Session, x.Post, j.RPC.ID) + fmt.Sprintf(format, args...))
	}
	if id := j.RPC.ID.String(); e.fresh && call.ids[id] {
		fail("the call was sent before under the same id")
	} else {
		call.ids[id] = true
	}
	if e.once && j.Step.Origin != classifier.RetryNone {
		fail("the call was sent again: %s", j.Step.Evidence)
	}
	if call.waiting {
		e.answered(call, j, fail)
	}
	v := &j.Verdict
	call.waiting = v.Outcome == classifier.InputRequired
	e.inputs = e.inputs || call.waiting
	call.state = slices.Clone(v.RequestState)
}

// answered looks at the POST that answers a request for input.
func (e *Expectation) answered(call *asked, j *capture.Judged, fail func(string, ...any)) {
	if !e.echo {
		return
	}
	body, err := loopback.ReadMessage(j.Request.Body)
	if err != nil {
		fail("its body cannot be read: %v", err)
		return
	}
	was, is := call.state, body.Params.RequestState
	if string(was) == "null" {
		was = nil
	}
	switch {
	case was == nil && is != nil:
		fail("requestState came back, and there was none")
	case was != nil && is == nil:
		fail("requestState did not come back")
	case was != nil && !loopback.SameJSON(was, is):
		fail("requestState came back changed")
	}
}

func (e *Expectation) fail(what string) {
	if len(e.broken) >= maxBroken {
		e.more++
		return
	}
	e.broken = append(e.broken, what)
}

// forget settles the calls so far.
func (e *Expectation) forget() {
	for key, call := range e.threads {
		if e.perCall != nil && (call.posts < e.perCall.from || call.posts > e.perCall.to) {
			e.fail(fmt.Sprintf("%s, call %d: sent %s, want %s", key.session, key.call, count.Of(call.posts, "time"), e.perCall))
		}
		if e.echo && call.waiting {
			e.fail(fmt.Sprintf("%s, call %d: a request for input was not answered", key.session, key.call))
		}
	}
	clear(e.threads)
}

// Err tells what was not as expected, a line each; nil if all was. Nothing must be
// added after it.
func (e *Expectation) Err() error {
	e.forget()
	var errs []error
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(e.file+": "+format, args...)) }
	outside := func(s *span, n int) bool { return s != nil && (n < s.from || n > s.to) }
	if e.sent == 0 && e.calls == nil && e.posts == nil && e.outcomes == nil {
		add("no call came, so that nothing was tried; calls: 0 would expect that")
	}
	if e.echo && !e.inputs && e.sent > 0 {
		add("nothing asked for input, so that echo_request_state was not tried")
	}
	if outside(e.calls, e.count) {
		add("got %s, want %s", count.Of(e.count, "call"), e.calls)
	}
	if outside(e.posts, e.sent) {
		add("got %s of calls, want %s", count.Of(e.sent, "POST"), e.posts)
	}
	if e.outcomes != nil && !slices.Equal(e.seen, e.outcomes) {
		text := fmt.Sprint(e.seen)
		if more := e.sent - len(e.seen); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		add("got the outcomes %s, want %v", text, e.outcomes)
	}
	slices.Sort(e.broken)
	for _, what := range e.broken {
		add("%s", what)
	}
	if e.more > 0 {
		add("and %d more", e.more)
	}
	return errors.Join(errs...)
}
