package fuzz

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier/model"
)

// TestAgree runs 50,000 answers, or as many as REPLYPROOF_AGREE says, from the
// seed that REPLYPROOF_AGREE_SEED says.
func TestAgree(t *testing.T) {
	plan := Plan{Seed: 20261130, Answers: 50_000}
	var err error
	if n := os.Getenv("REPLYPROOF_AGREE"); n != "" {
		if plan.Answers, err = strconv.Atoi(n); err != nil {
			t.Fatalf("REPLYPROOF_AGREE=%s: want a number of answers", n)
		}
	}
	if n := os.Getenv("REPLYPROOF_AGREE_SEED"); n != "" {
		if plan.Seed, err = strconv.ParseUint(n, 10, 64); err != nil {
			t.Fatalf("REPLYPROOF_AGREE_SEED=%s: want a number", n)
		}
	}
	stats, err := Agree(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Answers != plan.Answers {
		t.Errorf("got %d answers, want %d", stats.Answers, plan.Answers)
	}
	for _, d := range stats.Disagreements {
		t.Error(d)
	}
	if len(stats.Disagreeing) > 0 {
		t.Errorf("seed %d: disagreements in all: %v", stats.Seed, stats.Disagreeing)
	}
	// One in 10,000 is 1,000 in ten million.
	for _, counts := range []map[string]int{stats.Outcomes, stats.Reasons} {
		for name, n := range counts {
			if n < plan.Answers/10_000 {
				t.Errorf("%s: got %d, want at least %d of %d", name, n, plan.Answers/10_000, plan.Answers)
			}
		}
	}
	t.Logf("seed %d, %d calls, %d notifications, %d without answer; %d damaged, %d known, %d read\noutcomes %v\nreasons %v",
		stats.Seed, stats.Calls, stats.Notifications, stats.NoAnswers, stats.Damaged, stats.Known, stats.Read, stats.Outcomes, stats.Reasons)
}

func TestAgreeIsRepeatable(t *testing.T) {
	one, err := Agree(t.Context(), Plan{Seed: 7, Answers: 5_500, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	three, err := Agree(t.Context(), Plan{Seed: 7, Answers: 5_500, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, three) {
		t.Errorf("one worker: %+v\nthree workers: %+v", one, three)
	}
	other, err := Agree(t.Context(), Plan{Seed: 8, Answers: 5_500})
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(one.Reasons, other.Reasons) {
		t.Error("seeds 7 and 8 make the same answers")
	}
}

func TestAgreeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stats, err := Agree(ctx, Plan{Seed: 1, Answers: 1 << 40, Progress: func(int) { cancel() }})
	if !errors.Is(err, context.Canceled) || stats.Answers == 0 || stats.Answers > 1<<20 {
		t.Errorf("got %d answers, %v; want a few and context.Canceled", stats.Answers, err)
	}
}

// TestAgreeFindsQuirks lets the model break one rule at a time.
func TestAgreeFindsQuirks(t *testing.T) {
	for name, quirk := range map[string]model.Quirk{
		"only server errors count": model.StatusOnlyServerErrors,
		"case of media types":      model.MediaTypeCaseSensitive,
		"checksums ignored":        model.ChecksumIgnored,
		"trailing text accepted":   model.TrailingAccepted,
		"lone surrogates refused":  model.LoneSurrogateRefused,
		"depth limited":            model.DepthLimited,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorker(1)
			w.second = &model.Judge{Decoders: decoders, Quirk: quirk}
			for from := 0; from < 400_000 && w.disagreeing["model"] == 0; from += blockSize {
				w.block(1, from, from+blockSize)
			}
			if w.disagreeing["model"] == 0 {
				t.Fatal("no disagreement in 400,000 answers")
			}
			if d := w.disagreements[0]; len(d.Sample) > 2000 && !strings.Contains(d.Sample, "[[[[") {
				t.Errorf("smallest sample of %d bytes:\n%s", len(d.Sample), d)
			}
		})
	}
}
