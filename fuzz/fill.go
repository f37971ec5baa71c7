package fuzz

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// filler makes samples of cases as [SampleOf] does, in memory that it uses again:
// what it returns holds until its next call.
type filler struct{ answers corpus.Answers }

func (f *filler) sampleOf(c *corpus.Case) Sample {
	if c.Status == nil {
		return SampleOf(*c)
	}
	return Sample{Call: classifier.Call{ID: c.RequestID}, Notification: c.Notification, Answer: f.answers.Answer(c)}
}
