package corpus

import "github.com/replyproof/replyproof/classifier"

// Classify is the verdict of package classifier on the case's own answer: as a
// call's, as a notification's, or as no answer at all.
func (c Case) Classify() classifier.Verdict {
	switch {
	case c.Status == nil:
		return classifier.ClassifyNoAnswer(c.NoAnswer())
	case c.Notification:
		return classifier.ClassifyNotification(c.Answer())
	}
	return classifier.Classify(classifier.Call{ID: c.RequestID}, c.Answer())
}

// Expecting is the case with the expectation that v is right, to freeze what a
// judge said: layer, outcome, reason, code and findings. What it held before is
// replaced. Read the verdict before you keep it; a case that repeats a fault
// protects the fault.
func (c Case) Expecting(v classifier.Verdict) Case {
	c.Expect = &Expect{
		Layer: v.Layer, Outcome: v.Outcome, Reason: v.Reason.String(),
		Code: string(v.Error.Code), Findings: findingNames(v),
	}
	c.AlsoAcceptable = nil
	return c
}
