package runner_test

import (
	"context"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// late hangs where it is asked a case for the first time.
type late struct {
	subject.Subject
	met map[string]bool
}

func (l late) Ask(ctx context.Context, t subject.Trial) (subject.Observation, error) {
	if met := l.met[t.Case.ID]; !met {
		l.met[t.Case.ID] = true
		return subject.Observation{Fate: subject.Hung}, nil
	}
	return l.Subject.Ask(ctx, t)
}

// What a busy machine makes of a known deviation is told by running it alone: it
// is what the baseline says, and no entry is called one that no longer deviates.
func TestBaselineOnABusyMachine(t *testing.T) {
	cases := []corpus.Case{frozen("a/known", 500, classifier.HTTPError), frozen("a/new", 501, classifier.HTTPError), frozen("a/fine", 404, classifier.HTTPError)}
	open := judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if *c.Status >= 500 {
			return as("TOOL_SUCCESS")
		}
		return right
	})
	met := map[string]bool{}
	b := &runner.Baseline{Entries: []runner.Entry{{Case: "a/known", Saw: "TOOL_SUCCESS", Reason: "known"}}}
	r := run(t, func() subject.Subject { return late{open(), met} }, runner.Options{Corpus: cases, Baseline: b, Jobs: 1})
	if r.Known != 1 || r.Unrepeated != 2 || len(r.Stale) != 0 || r.Deviations() != 0 || len(r.Flaky) != 2 {
		t.Errorf("got %+v, stale %v, flaky %v; want one known, two that did not repeat, and no stale entry", r.Counts, r.Stale, r.Flaky)
	}
	for _, o := range r.Observed {
		if o.Case == "a/known" && (o.Became != runner.Known || o.Saw != "TOOL_SUCCESS") {
			t.Errorf("got %+v, want it known as it was seen alone", o)
		}
	}
	if got := r.Update(b).Entries; len(got) != 1 || got[0].Case != "a/known" {
		t.Errorf("updated: got %v, want the one entry that there was", got)
	}
}
