package runner_test

import (
	"context"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// waiting is a client that says the same of all, while its server writes.
type waiting struct {
	subject.Subject
	word string
	wire loopback.Record
}

func (w waiting) Start(context.Context, time.Duration) (subject.Info, error) {
	tells, _ := subject.ParseTells([]string{"SUCCESS", "NO_FINAL_RESPONSE", "ERROR"})
	return subject.Info{Kind: subject.KindClient, Tells: tells}, nil
}

func (w waiting) Ask(context.Context, subject.Trial) (subject.Observation, error) {
	return subject.Observation{Saw: w.word, Wire: &w.wire}, nil
}

func (w waiting) Close() error { return nil }

// A client is not accused of giving up an answer that a busy machine had not
// written yet; of what it takes a part for it is, and of what it did not wait for
// or did not read.
func TestUnplayedAnswersAreSkipped(t *testing.T) {
	wire := func(took, wrote time.Duration, writes int) loopback.Record {
		return loopback.Record{Took: took, Posts: []loopback.Post{{Wrote: wrote, Writes: writes, Script: loopback.Script{Writes: make([][]byte, 9)}}}}
	}
	const second = time.Second
	success, failure := frozen("a/success", 200, classifier.ToolSuccess), frozen("a/failure", 500, classifier.HTTPError)
	for _, test := range []struct {
		name    string
		c       corpus.Case
		word    string
		wire    loopback.Record
		skipped int
	}{
		{"still written", success, "NO_FINAL_RESPONSE", wire(2*second, 2*second, 5), 1},
		{"written", success, "NO_FINAL_RESPONSE", wire(2*second, second, 9), 0},
		{"not waited for", success, "NO_FINAL_RESPONSE", wire(second/10, second/10, 5), 0},
		{"not read", success, "NO_FINAL_RESPONSE", wire(2*second, second/10, 5), 0},
		{"a part is a success", failure, "SUCCESS", wire(2*second, 2*second, 5), 0},
	} {
		result, err := runner.Run(t.Context(), func() subject.Subject { return waiting{word: test.word, wire: test.wire} },
			runner.Options{Corpus: []corpus.Case{test.c}, Deadline: second, Jobs: 1})
		if err != nil || result.Skipped != test.skipped || len(result.Causes) != 1-test.skipped {
			t.Errorf("%s: got %v, %d skipped, %d causes, want %d and %d", test.name, err, result.Skipped, len(result.Causes), test.skipped, 1-test.skipped)
		}
	}
}
