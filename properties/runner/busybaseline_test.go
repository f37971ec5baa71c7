package runner_test

import (
	"context"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// late hangs where it is asked a case for the first time, and makes of the case
// restless something else each time.
type late struct {
	subject.Subject
	met map[string]int
}

func (l late) Ask(ctx context.Context, t subject.Trial) (subject.Observation, error) {
	l.met[t.Case.ID]++
	switch met := l.met[t.Case.ID]; {
	case met == 1:
		return subject.Observation{Fate: subject.Hung}, nil
	case t.Case.ID == "a/restless" && met == 2:
		return as("JSONRPC_ERROR"), nil
	}
	return l.Subject.Ask(ctx, t)
}

// What a busy machine makes of a deviation is told by running it alone: it is what
// it is then, known or new, if it is that twice, and no entry of the baseline is
// called one that no longer deviates.
func TestBaselineOnABusyMachine(t *testing.T) {
	cases := []corpus.Case{frozen("a/known", 500, classifier.HTTPError), frozen("a/new", 501, classifier.HTTPError),
		frozen("a/restless", 502, classifier.HTTPError), frozen("a/fine", 404, classifier.HTTPError)}
	open := judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if *c.Status >= 500 {
			return as("TOOL_SUCCESS")
		}
		return right
	})
	met := map[string]int{}
	b := &runner.Baseline{Entries: []runner.Entry{{Case: "a/known", Saw: "TOOL_SUCCESS", Reason: "known"}}}
	r := run(t, func() subject.Subject { return late{open(), met} }, runner.Options{Corpus: cases, Baseline: b, Jobs: 1})
	if r.Known != 1 || r.Unrepeated != 2 || len(r.Stale) != 0 || r.Deviations() != 1 || len(r.Flaky) != 2 {
		t.Errorf("got %+v, stale %v, flaky %v; want one known, one new, two that did not repeat, and no stale entry", r.Counts, r.Stale, r.Flaky)
	}
	want := map[string]runner.Observed{
		"a/known":    {Became: runner.Known, Deviation: runner.FalseSuccess, Saw: "TOOL_SUCCESS"},
		"a/new":      {Became: runner.Deviated, Deviation: runner.FalseSuccess, Saw: "TOOL_SUCCESS"},
		"a/restless": {Became: runner.Unrepeated, Deviation: runner.Hang, Saw: "HANG"},
		"a/fine":     {Became: runner.Unrepeated, Deviation: runner.Hang, Saw: "HANG"},
	}
	for _, o := range r.Observed {
		if w := want[o.Case]; o.Became != w.Became || o.Deviation != w.Deviation || o.Saw != w.Saw {
			t.Errorf("got %+v, want %+v", o, w)
		}
	}
	if got := r.Update(b).Entries; len(got) != 2 || got[0].Case != "a/known" || got[1].Case != "a/new" {
		t.Errorf("updated: got %v, want the entry that there was and the new one", got)
	}
}
