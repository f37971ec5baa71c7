package runner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

func TestRunBroken(t *testing.T) {
	for _, test := range []struct {
		name string
		see  func(corpus.Case) subject.Observation
	}{
		{"cannot start", nil},
		{"untold word", func(corpus.Case) subject.Observation { return as("OOPS") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := runner.Run(t.Context(), func() subject.Subject {
				return &subject.Func{About: subject.Info{Name: "s", Tells: subject.AllOutcomes()}, See: test.see}
			}, runner.Options{Random: 10})
			if !errors.Is(err, subject.ErrBroken) || result.Complete || result.Deviations() > 0 {
				t.Errorf("got %v, %+v", err, result.Counts)
			}
		})
	}
}

// What was seen before the adapter broke is told: confirmed where it still
// starts, and as it was seen where it does not.
func TestRunBrokenKeepsWhatWasFound(t *testing.T) {
	for _, restarts := range []bool{true, false} {
		t.Run(fmt.Sprintf("restarts %v", restarts), func(t *testing.T) {
			cases := []corpus.Case{
				frozen("a/fine", 404, classifier.HTTPError), frozen("a/wrong", 500, classifier.HTTPError),
				frozen("a/breaks", 599, classifier.HTTPError),
			}
			about := subject.Info{Name: "s", Tells: subject.AllOutcomes()}
			broke := false
			see := func(c corpus.Case) subject.Observation {
				switch {
				case broke && !restarts, *c.Status == 599:
					broke = true
					return as("OOPS")
				case *c.Status == 404:
					return as("HTTP_ERROR")
				}
				return as("TOOL_SUCCESS")
			}
			result, err := runner.Run(t.Context(), func() subject.Subject { return &subject.Func{About: about, See: see} }, runner.Options{Corpus: cases})
			if !errors.Is(err, subject.ErrBroken) || !result.Interrupted || result.OK() || !result.Failed() {
				t.Errorf("got %v, ok %v, failed %v, want a broken adapter and a failed run", err, result.OK(), result.Failed())
			}
			if result.Cases != 2 || result.Passed != 1 || result.Deviations() != 1 || len(result.Causes) != 1 || result.Causes[0].First != "a/wrong" {
				t.Errorf("got %+v, causes %+v, want a/fine passed and a/wrong as a cause", result.Counts, result.Causes)
			}
		})
	}
}

// Where nothing was judged nothing is as it should be.
func TestRunThatJudgedNothingIsNotOK(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := runner.Run(ctx, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{Random: 10})
	text, _ := result.MarshalJSON()
	if !errors.Is(err, context.Canceled) || result.OK() || result.Failed() || !strings.Contains(string(text), `"ok":false`) {
		t.Errorf("got %v, ok %v, failed %v, %s", err, result.OK(), result.Failed(), text)
	}
	if none := (runner.Result{Complete: true, Counts: runner.Counts{Cases: 3, Skipped: 3}}); none.OK() {
		t.Error("got OK for a run that skipped every case")
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	times := 0
	result, err := runner.Run(ctx, judged(func(_ corpus.Case, right subject.Observation) subject.Observation {
		if times++; times == 100 {
			cancel()
		}
		return right
	}), runner.Options{Random: 100000})
	if !errors.Is(err, context.Canceled) || result.Complete || result.Cases == 0 || result.Cases > 200 {
		t.Errorf("got %v, %+v", err, result.Counts)
	}
}

func TestRunFor(t *testing.T) {
	start := time.Now()
	progress := 0
	result := run(t, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{For: 50 * time.Millisecond, Progress: func(runner.Counts) { progress++ }})
	if took := time.Since(start); took > 5*time.Second || !result.Complete || result.Cases == 0 || progress == 0 {
		t.Errorf("took %v, %+v", took, result.Counts)
	}
	result = run(t, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{For: time.Nanosecond, Random: 1000000})
	if result.Complete {
		t.Errorf("complete after %d cases", result.Cases)
	}
}
