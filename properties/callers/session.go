package callers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Session is one caller on one line, for as many calls as one likes. It is for
// state machines, whose steps are calls on a connection that lives on.
type Session struct {
	setup  *Setup
	line   *Line
	caller Caller
	used   map[string]bool
	calls  int
	fault  string // the panic of the maker
}

// NewSession makes a caller. Close must follow.
func (s *Setup) NewSession() *Session {
	session := &Session{setup: s, line: &Line{}, used: map[string]bool{}}
	session.fault = guarded(func() { session.caller = s.maker(session.line) })
	return session
}

// Close calls what the maker gave to [Line.Cleanup].
func (s *Session) Close() { s.line.close() }

// Play makes the caller make one call with the sequence for its answers, and a
// plain one after it, and gives the first failure of the properties, or nil.
func (s *Session) Play(sequence Sequence) *Failure {
	for _, f := range s.play(sequence) {
		return f
	}
	return nil
}

// play is the failures of a sequence, one for each property at most.
func (s *Session) play(sequence Sequence) []*Failure {
	fresh := s.calls == 0
	t := s.call(sequence)
	if t.over() {
		t.Next = s.call(Sequence{})
	}
	if plain, differs := sequence.unframed(); differs && fresh && sequence.TimeLeft == 0 && s.setup.has("notifications-change-nothing") {
		other := s.setup.NewSession()
		t.Plain = other.call(plain)
		other.Close()
	}
	var failures []*Failure
	for _, p := range s.setup.properties {
		b := p.Check(t)
		if b == nil && t.Next != nil {
			b = p.Check(t.Next)
		}
		if b != nil {
			failures = append(failures, &Failure{Property: p, Breach: *b, Sequence: sequence, Transcript: t, Count: 1})
		}
	}
	return failures
}

// call makes one call.
func (s *Session) call(sequence Sequence) *Transcript {
	s.calls++
	t := &Transcript{Sequence: sequence, tells: s.setup.tells, used: s.used, Panicked: s.fault, Call: ToolCall{
		Name: loopback.Tool, Arguments: fmt.Appendf(nil, `{"call":%d}`, s.calls), Safety: sequence.Safety,
	}}
	if s.fault != "" {
		return t
	}
	if !sequence.NoInputs {
		t.Call.Input = input
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answers := sequence.answers()
	s.line.begin(t, answers, cancel)
	if sequence.TimeLeft > 0 {
		t.Call.Deadline = t.Began.Add(sequence.TimeLeft)
	}
	given := t.Call
	given.Arguments = append(json.RawMessage(nil), given.Arguments...)

	type end struct {
		told  Told
		fault string
	}
	done := make(chan end, 1)
	go func() {
		var e end
		e.fault = guarded(func() { e.told = s.caller(ctx, given) })
		done <- e
	}()
	timer := time.NewTimer(s.setup.deadline + patience(answers))
	defer timer.Stop()
	select {
	case e := <-done:
		t.Told, t.Panicked = e.told, e.fault
	case <-timer.C:
		t.Hung = true
	}
	s.line.end()
	t.Endless = len(t.Calls()) > maxPosts
	used := maps.Clone(s.used)
	for _, sent := range t.Calls() {
		used[loopback.Key(sent.ID)] = true
	}
	s.used = used
	return t
}

// patience is the time that a caller may wait by right in the course of these
// answers, and half of it more.
func patience(answers []answer) time.Duration {
	var sum time.Duration
	for _, a := range answers {
		sum += min(a.after.wait, classifier.DefaultPolicy().LongestWait) + time.Second
	}
	return sum * 3 / 2
}

// guarded calls fn and gives its panic as a text.
func guarded(fn func()) (fault string) {
	defer func() {
		if caught := recover(); caught != nil {
			_, stack, _ := strings.Cut(string(debug.Stack()), "panic(")
			lines := strings.Split(stack, "\n")
			fault = fmt.Sprintf("%v\n%s", caught, strings.Join(lines[min(2, len(lines)):min(8, len(lines))], "\n"))
		}
	}()
	fn()
	return ""
}
