package runner_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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
			}, runner.Options{Random: 10, Deadline: time.Minute})
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
			result, err := runner.Run(t.Context(), func() subject.Subject { return &subject.Func{About: about, See: see} }, runner.Options{Corpus: cases, Deadline: time.Minute})
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
		runner.Options{Random: 10, Deadline: time.Minute})
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
	}), runner.Options{Random: 100000, Deadline: time.Minute})
	if !errors.Is(err, context.Canceled) || result.Complete || result.Cases == 0 || result.Cases > 200 {
		t.Errorf("got %v, %+v", err, result.Counts)
	}
}

// A run that is stopped keeps what it saw and could not run again, and names it
// so; what a subject says while it is being stopped counts for nothing.
func TestRunStoppedKeepsWhatItSaw(t *testing.T) {
	cases := []corpus.Case{
		frozen("a/wrong", 500, classifier.HTTPError), frozen("a/fine", 404, classifier.HTTPError),
		frozen("b/wrong", 501, classifier.HTTPError), frozen("a/same", 502, classifier.HTTPError), frozen("a/stops", 599, classifier.HTTPError),
	}
	cases[2].Rule = "2" // the same rule would put it down to the cause of a/wrong
	ctx, cancel := context.WithCancel(t.Context())
	asked := map[int]int{}
	result, err := runner.Run(ctx, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		asked[*c.Status]++
		switch *c.Status {
		case 404:
			return right
		case 599:
			cancel()
		}
		return as("TOOL_SUCCESS")
	}), runner.Options{Corpus: cases, Deadline: time.Minute})
	if !errors.Is(err, context.Canceled) || !result.Interrupted || !result.Failed() || result.Cases != 4 || result.Passed != 1 || result.Deviations() != 3 {
		t.Errorf("got %v, %+v", err, result.Counts)
	}
	if asked[500] != 1 || asked[501] != 1 || asked[599] != 1 {
		t.Errorf("asked %v, want each once: nothing is run again after the stop", asked)
	}
	var got []string
	for _, c := range result.Causes {
		got = append(got, fmt.Sprintf("%s %d %v", c.First, c.Count, c.Unconfirmed))
	}
	for _, o := range result.Observed {
		got = append(got, fmt.Sprintf("%s %s %s", o.Case, o.Became, o.Deviation))
	}
	want := []string{
		"a/wrong 2 true", "b/wrong 1 true",
		"a/wrong deviated FALSE_SUCCESS", "a/fine passed ", "b/wrong deviated FALSE_SUCCESS", "a/same deviated FALSE_SUCCESS",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text, err := result.MarshalJSON()
	if n := strings.Count(string(text), `"unconfirmed":true`); n != 2 || err != nil {
		t.Errorf("got %d causes marked as unconfirmed in %s (%v), want 2", n, text, err)
	}
}

// A run with a limit of its time and no number goes on until that is over, and is
// complete then: its clock is a bubble's.
func TestRunFor(t *testing.T) {
	right := func(_ corpus.Case, right subject.Observation) subject.Observation { return right }
	const each, limit = time.Millisecond, 50 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		progress := 0
		result := run(t, judged(func(c corpus.Case, o subject.Observation) subject.Observation {
			time.Sleep(each)
			return o
		}), runner.Options{For: limit, Progress: func(runner.Counts) { progress++ }})
		// A batch is 32 cases, and the one under way at the limit is brought to its end.
		if took := time.Since(start); took < limit || took > limit+32*each || !result.Complete || result.Cases != 64 || progress != 2 {
			t.Errorf("took %v, %d times progress, %+v; want two batches", took, progress, result.Counts)
		}
	})
	result := run(t, judged(right), runner.Options{For: time.Nanosecond, Random: 1000000})
	if result.Complete {
		t.Errorf("complete after %d cases", result.Cases)
	}
}
