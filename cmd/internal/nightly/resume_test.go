package nightly

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/store"
)

// A night that is cut short tells what it has, and the same night goes on: its
// checks are not run again, its time is what is left.
func TestInterruptAndResume(t *testing.T) {
	dir, folder := module(t, map[string]string{"night_test.go": targets}), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	check := Check{Name: "check", Share: 0.1, Run: func(context.Context, time.Duration, func(string)) (string, []string, error) {
		ran++
		return "one check", []string{"a finding"}, nil
	}}
	began := time.Now()
	o := Options{Dir: dir, Plan: Plan{For: time.Hour, Seed: 7, Targets: "FuzzGood|FuzzZ"}, Checks: []Check{check}}
	// The event of a round, or of anything found, comes while the search is on.
	o.Event = func(e Event) {
		if e.Event == "check" {
			time.AfterFunc(3*time.Second, cancel)
		}
	}
	r, err := runNight(t, ctx, o, folder)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || ran != 1 || len(r.NotRun) == 0 {
		t.Errorf("got interrupted %t, %d checks, not run %v, want true, 1, some", r.Interrupted, ran, r.NotRun)
	}
	if took := time.Since(began); took > 2*time.Minute {
		t.Errorf("the interrupted night took %s", took)
	}
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Pending(s)
	if err != nil || plan.Seed != 7 || plan.For != time.Hour || plan.Targets != "FuzzGood|FuzzZ" {
		t.Fatalf("got %+v, %v, want the plan of the night", plan, err)
	}
	// As if all but a few seconds of the hour were gone.
	journal := s.Journal(nightsName, plan.Night+nightSuffix)
	if err := journal.Append(record{Event: "round", Used: (time.Hour - 15*time.Second).Seconds(), Round: &round{Package: "example.com/night", Target: "FuzzGood", Executions: 1000, Seconds: 1, Fuzzing: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err = runNight(t, t.Context(), Options{Dir: dir, Resume: true, Checks: []Check{check}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	if ran != 1 || len(r.Checks) != 1 || !r.Failed() {
		t.Errorf("got %d runs of the check and %+v, want the one from before", ran, r.Checks)
	}
	if got := target(t, r, "FuzzGood"); got.Executions < 1000 {
		t.Errorf("got %d executions, want those from before too", got.Executions)
	}
	if got := target(t, r, "FuzzZ"); got.Executions == 0 {
		t.Error("got no executions of the target that had not had its turn")
	}
	if r.Seed != 7 || !r.Resumed || r.Interrupted || r.Seconds < 3590 {
		t.Errorf("got seed %d, resumed %t, interrupted %t, %.0f s, want one night of an hour", r.Seed, r.Resumed, r.Interrupted, r.Seconds)
	}
	s, err = store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Pending(s); !errors.Is(err, ErrNothingToResume) {
		t.Errorf("got %v, want nothing to go on with", err)
	}
}
