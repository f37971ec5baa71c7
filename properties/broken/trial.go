package broken

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Trial is a case made ready to be put before many judges.
type Trial struct {
	call         classifier.Call
	answer       classifier.Answer
	notification bool
	answered     bool
	expected     classifier.Outcome
	code         string
	allowed      subject.Outcomes
}

// NewTrial makes a case ready. The case must have an Expect; what it holds must
// not change while the trial is in use.
func NewTrial(c corpus.Case) Trial {
	t := Trial{
		call: classifier.Call{ID: c.RequestID}, answer: c.Answer(), notification: c.Notification, answered: c.Status != nil,
		expected: c.Expect.Outcome, code: c.Expect.Code, allowed: runner.Allowed(c),
	}
	return t
}

// Verdict is what a judge says of the case.
func (t *Trial) Verdict(j *Judge) classifier.Verdict {
	switch {
	case !t.answered:
		return j.NoAnswer(t.answer.Ended)
	case t.notification:
		return j.Notification(t.answer)
	}
	return j.Classify(t.call, t.answer)
}

// Errs tells whether the judge says another outcome than the law, or another code.
func (t *Trial) Errs(j *Judge) bool {
	v := t.Verdict(j)
	return v.Outcome != t.expected || !runner.SameCode(t.code, string(v.Error.Code))
}

// Kills tells whether the case shows the judge to be broken: it says what
// neither the law nor, unless it is Tolerated, the leave of a third party allows.
func (t *Trial) Kills(j *Judge) bool {
	v := t.Verdict(j)
	allowed := t.allowed
	if j.Tolerated {
		allowed = subject.SetOf(t.expected)
	}
	return !allowed.Has(v.Outcome) || !runner.SameCode(t.code, string(v.Error.Code))
}
