package callers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// Check puts callers through sequences: each answer in each of its forms, each
// pair of answers, and random ones. It returns nil, an error about the options,
// an error for a caller that does not even tell a plain success, or [*Failures]
// with every kind of failure that was found, each in its plainest form.
func Check(maker Maker, options ...Option) error {
	setup, err := NewSetup(maker, options...)
	if err != nil {
		return err
	}
	if err := setup.plainSuccess(); err != nil {
		return err
	}
	s := &search{Setup: setup, failures: &Failures{Seed: setup.seed}, byKey: map[key]*Failure{}}
	if err := s.run(); err != nil {
		return err
	}
	if len(s.failures.List) == 0 {
		return nil
	}
	s.failures.sort()
	return s.failures
}

// TB is what [Test] needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Test is [Check] that reports each failure to t.
func Test(t TB, maker Maker, options ...Option) {
	t.Helper()
	err := Check(maker, options...)
	var failures *Failures
	switch {
	case err == nil:
	case errors.As(err, &failures):
		for _, f := range failures.List {
			t.Errorf("%v", f)
		}
		if failures.More > 0 {
			t.Errorf("%s", failures.summary())
		}
	default:
		t.Errorf("%v", err)
	}
}

// plainSuccess is nil for a caller that works at all.
func (s *Setup) plainSuccess() error {
	session := s.NewSession()
	defer session.Close()
	t := session.call(Sequence{})
	saw, known := t.cover(t.Told.Saw)
	switch {
	case !t.over():
		return fmt.Errorf("callers: a call that succeeds at once came to %s: %s", t.outcome(), t.Panicked)
	case len(t.Calls()) > 0 && t.Calls()[0].Fault != "" && saw != success:
		return fmt.Errorf("callers: the POST of a call is no request: %s", t.Calls()[0].Fault)
	case len(t.Calls()) == 0:
		return errors.New("callers: no POST of tools/call came over the line: give it to the client as its transport")
	case !known:
		return fmt.Errorf("callers: the caller told %q, which is no word; say SUCCESS, TOOL_ERROR, INPUT_REQUIRED, RPC_ERROR, ERROR or an outcome", t.Told.Saw)
	case saw != success:
		return fmt.Errorf("callers: the caller told %s of a call that succeeds at once, want SUCCESS", t.Told.Saw)
	}
	return nil
}

// search is a Check under way.
type search struct {
	*Setup
	failures *Failures
	byKey    map[key]*Failure
	hung     []uint8 // kinds of answers after which the caller hung
	over     bool
}

// maxHung is how many kinds of answers a caller may hang after before the search
// ends: each took as long as it was waited for.
const maxHung = 10

// key is what failures of one kind have in common.
type key struct {
	property  string
	deviation runner.Deviation
}

func keyOf(f *Failure) key { return key{f.Property.Name, f.Deviation} }

func (s *search) run() error {
	if s.sequence != nil {
		sequence, err := Parse(*s.sequence)
		if err != nil {
			return err
		}
		for _, f := range s.try(sequence) {
			s.keep(f)
		}
		return nil
	}
	if !s.sampled {
		for sequence := range Enumerate() {
			if s.one(sequence); s.over {
				return nil
			}
		}
	}
	source := generators.NewPlain(s.seed)
	for i := 0; i < s.cases && !s.over; i++ {
		s.one(Build(source))
	}
	return nil
}

// one tries a sequence and books what comes of it.
func (s *search) one(sequence Sequence) {
	if slices.ContainsFunc(sequence.Steps, func(step Step) bool { return slices.Contains(s.hung, step.kind) }) {
		return // it would hang again
	}
	for _, f := range s.try(sequence) {
		s.note(f.Transcript)
		k := keyOf(f)
		if known := s.byKey[k]; known != nil {
			known.Count++
			continue
		}
		if len(s.failures.List) >= s.max {
			s.failures.More++
			continue
		}
		s.keep(s.shrunk(f))
	}
	s.over = s.over || s.first && len(s.failures.List) > 0
}

// note takes down after which answer a caller hung.
func (s *search) note(t *Transcript) {
	calls := t.Calls()
	if !t.Hung || len(calls) == 0 {
		return
	}
	k := calls[len(calls)-1].answer.kind
	if i := slices.IndexFunc(kinds, func(other kind) bool { return other.name == k.name }); !slices.Contains(s.hung, uint8(i)) {
		s.hung = append(s.hung, uint8(i))
	}
	s.over = s.over || len(s.hung) == maxHung
}

func (s *search) keep(f *Failure) {
	s.byKey[keyOf(f)] = f
	s.failures.List = append(s.failures.List, f)
}

// shrunk is the failure in the plainest form that could be found.
func (s *search) shrunk(f *Failure) *Failure {
	if f.Transcript.Hung {
		return f
	}
	k := keyOf(f)
	shrink(f.Sequence, func(plainer Sequence) bool {
		for _, found := range s.try(plainer) {
			if keyOf(found) == k {
				f = found
				return true
			}
		}
		return false
	})
	return f
}
