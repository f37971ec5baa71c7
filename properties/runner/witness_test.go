package runner_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// counted is a client that takes everything for a success, and counts how it is treated.
type counted struct {
	subject.Subject
	starts map[time.Duration]int
	renews *int
	asked  *[]string // what was asked since the last start or renewal, of a witness
	apart  bool      // it is a witness
}

func (c *counted) Start(_ context.Context, deadline time.Duration) (subject.Info, error) {
	c.starts[deadline]++
	c.apart = deadline > time.Second
	return subject.Info{Name: "s", Kind: subject.KindClient, Tells: subject.AllOutcomes()}, nil
}

func (c *counted) Renew() { *c.renews++ }

func (c *counted) Ask(_ context.Context, t subject.Trial) (subject.Observation, error) {
	if c.apart {
		*c.asked = append(*c.asked, t.Case.ID)
	}
	return as("TOOL_SUCCESS"), nil
}

func (c *counted) Close() error { return nil }

// What confirms the deviations of a client is started once, however many there
// are, and connects anew for each.
func TestClientsAreConfirmedWithoutAStartEach(t *testing.T) {
	starts, renews, asked := map[time.Duration]int{}, 0, []string{}
	cases := []corpus.Case{
		frozen("a/one", 500, classifier.HTTPError), frozen("a/two", 404, classifier.HTTPError), frozen("a/three", 302, classifier.HTTPError),
	}
	for i := range cases {
		cases[i].Rule = cases[i].ID // causes of their own
	}
	result, err := runner.Run(t.Context(), func() subject.Subject { return &counted{starts: starts, renews: &renews, asked: &asked} },
		runner.Options{Corpus: cases, Deadline: time.Second, Jobs: 1})
	if err != nil || len(result.Causes) != 3 {
		t.Fatalf("got %v, %d causes, want 3", err, len(result.Causes))
	}
	if starts[time.Second] != 1 || starts[3*time.Second] != 1 || renews != 2 || len(asked) != 3 {
		t.Errorf("got starts %v, %d renewals, %q asked again, want one start each, 2 renewals, 3 asked", starts, renews, asked)
	}
}

// starting is a client whose Start waits until another one starts too, and fails the
// fourth time; the first start is made alone.
type starting struct {
	counted
	under, tried, closed *atomic.Int64
}

func (s *starting) Start(context.Context, time.Duration) (subject.Info, error) {
	if n := s.tried.Add(1); n > 1 {
		s.under.Add(1)
		for deadline := time.Now().Add(10 * time.Second); s.under.Load() < 2; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				return subject.Info{}, errors.New("started alone")
			}
		}
		if n == 4 {
			return subject.Info{}, errors.New("the fourth")
		}
	}
	return subject.Info{Name: "s", Kind: subject.KindClient, Tells: subject.AllOutcomes()}, nil
}

func (s *starting) Close() error {
	s.closed.Add(1)
	return nil
}

// Subjects start beside each other, and are closed where one does not start.
func TestSubjectsStartTogether(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("there is one processor")
	}
	var under, tried, closed atomic.Int64
	for jobs, want := range map[int]string{3: "", 4: "the fourth"} {
		under.Store(0)
		tried.Store(0)
		closed.Store(0)
		_, err := runner.Run(t.Context(), func() subject.Subject { return &starting{counted{}, &under, &tried, &closed} }, runner.Options{Jobs: jobs})
		if got := fmt.Sprint(err); got != cmp.Or(want, "<nil>") || int(tried.Load()) != jobs || int(closed.Load()) != jobs {
			t.Errorf("%d jobs: got %v, %d started, %d closed", jobs, got, tried.Load(), closed.Load())
		}
	}
}

// tardy is a classifier that takes everything for a success, and of whose starts one is
// too late.
type tardy struct {
	tried *int
	which int
}

func (l tardy) Start(context.Context, time.Duration) (subject.Info, error) {
	if *l.tried++; *l.tried == l.which {
		return subject.Info{}, fmt.Errorf("start %d: %w", l.which, subject.ErrBroken)
	}
	return subject.Info{Name: "s", Kind: subject.KindClassifier, Tells: subject.AllOutcomes()}, nil
}

func (tardy) Ask(context.Context, subject.Trial) (subject.Observation, error) {
	return as("TOOL_SUCCESS"), nil
}

func (tardy) Close() error { return nil }

// A start that comes too late ends no run, but for the first of all.
func TestOneLateStartEndsNoRun(t *testing.T) {
	cases := []corpus.Case{frozen("a/one", 500, classifier.HTTPError)}
	for which := 1; which <= 5; which++ {
		tried := 0
		result, err := runner.Run(t.Context(), func() subject.Subject { return tardy{&tried, which} }, runner.Options{Corpus: cases, Deadline: time.Second})
		switch {
		case which == 1 && !errors.Is(err, subject.ErrBroken):
			t.Errorf("the first start: got %v, want a broken adapter", err)
		case which > 1 && (err != nil || len(result.Causes) != 1 || tried < 2):
			t.Errorf("start %d: got %v, %d causes after %d starts, want one", which, err, len(result.Causes), tried)
		}
	}
}
