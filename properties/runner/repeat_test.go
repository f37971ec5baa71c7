package runner_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// unruly is a subject that takes its time at random, and hangs now and then where
// it has not been asked the same before.
type unruly struct {
	subject.Subject
	seen *tally
}

// tally is what the subjects of a run were asked.
type tally struct {
	mu    sync.Mutex
	times map[string]int // by the recipe
	hangs bool
}

func (u unruly) Ask(ctx context.Context, t subject.Trial) (subject.Observation, error) {
	for range rand.IntN(40) {
		runtime.Gosched()
	}
	u.seen.mu.Lock()
	u.seen.times[t.Case.Source]++
	first := u.seen.times[t.Case.Source] == 1
	u.seen.mu.Unlock()
	if first && u.seen.hangs && rand.IntN(50) == 0 {
		return subject.Observation{Fate: subject.Hung}, nil
	}
	o, err := u.Subject.Ask(ctx, t)
	o.Posts = 1 + rand.IntN(2)*rand.IntN(2) // which a late look would count
	return o, err
}

// A seed draws the same recipes, and finds the same, with any number of jobs, in
// whatever order the subjects answer, and whatever a busy machine adds to it.
func TestSteeredRunRepeats(t *testing.T) {
	t.Parallel()
	catalogue := generators.Default()
	faulty := judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if c.Status != nil && *c.Status > 499 && *c.Status < 512 || slices.Contains(c.Tags, "fault:id-near") {
			return as("TOOL_SUCCESS")
		}
		return right
	})
	// How often each fault was drawn, alone and with others, tells one draw from
	// another; what is asked besides, to shrink, hangs on the number of subjects.
	play := func(jobs int, hangs bool) (drawn []runner.FaultCount, result runner.Result) {
		seen := &tally{times: map[string]int{}, hangs: hangs}
		result = run(t, func() subject.Subject { return unruly{faulty(), seen} },
			runner.Options{Random: 2500, Steer: true, Seed: 11, Jobs: jobs, Catalogue: catalogue, ShrinkAsks: 60, MaxCauses: 100})
		for _, f := range result.Faults {
			drawn = append(drawn, runner.FaultCount{Fault: f.Fault, Cases: f.Cases, Together: f.Together})
		}
		return drawn, result
	}
	want, first := play(1, false)
	if len(first.Causes) == 0 || first.Covered.Rounds != 10 {
		t.Fatalf("got %d causes in %d rounds, want some in 10", len(first.Causes), first.Covered.Rounds)
	}
	for _, jobs := range []int{1, 2, 3, 7} {
		got, result := play(jobs, false)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d jobs: got other recipes than with one", jobs)
		}
		if result.Counts.Cases != first.Counts.Cases || result.Passed != first.Passed || result.ByDeviation != first.ByDeviation || len(result.Causes) != len(first.Causes) {
			t.Errorf("%d jobs: got %+v, want %+v", jobs, result.Counts, first.Counts)
		}
		got, result = play(jobs, true)
		if result.Unrepeated == 0 {
			t.Errorf("%d jobs: nothing hung", jobs)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d jobs, with hangs: got other recipes than with one and none", jobs)
		}
	}
}
