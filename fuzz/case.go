package fuzz

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Case is the sample as a case without id, why and expectations, the opposite of
// [SampleOf]. What the form of a case does not allow, as a header line that
// HTTP does not, [corpus.Case.Check] tells.
func (s Sample) Case() corpus.Case {
	c := corpus.Case{RequestID: s.Call.ID, Notification: s.Notification}
	if s.Answer.Ended != classifier.EndedEOF || s.NoAnswer {
		ended := s.Answer.Ended
		c.Ended = &ended
	}
	if s.NoAnswer {
		return c
	}
	status := s.Answer.Status
	c.Status, c.Headers, c.Body = &status, corpus.HeadersOf(s.Answer.Header), s.Answer.Body
	return c
}
