package subject

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Func is a Go function as a subject. A panic is a crash. A call that does not
// return within the deadline is a hang; its goroutine cannot be ended and is
// left to itself.
type Func struct {
	// About is what Start gives. Its Kind is filled in.
	About Info
	// See judges one case.
	See func(c corpus.Case) Observation

	deadline time.Duration
}

// Start keeps the deadline; zero or less is one second.
func (f *Func) Start(_ context.Context, deadline time.Duration) (Info, error) {
	if f.See == nil {
		return Info{}, broken("start function %q: See is nil", f.About.Name)
	}
	if deadline <= 0 {
		deadline = time.Second
	}
	f.deadline = deadline
	info := f.About
	info.Kind = KindClassifier
	return info, nil
}

// Ask calls See. See [Subject].
func (f *Func) Ask(ctx context.Context, t Trial) (Observation, error) {
	result := make(chan Observation, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- Observation{Fate: Crashed, Text: shorten(fmt.Sprintf("panic: %v", p), maxText), Stderr: shorten(string(debug.Stack()), maxStderr)}
			}
		}()
		result <- f.See(t.Case)
	}()
	timer := time.NewTimer(f.deadline)
	defer timer.Stop()
	select {
	case o := <-result:
		if _, ok := f.About.Tells.Covers(o.Saw); !ok && o.Fate == Answered {
			return o, broken("function %q saw %q, which is not among the words of its tells %q", f.About.Name, o.Saw, f.About.Tells.Words())
		}
		return o, nil
	case <-timer.C:
		return Observation{Fate: Hung, Text: fmt.Sprintf("no answer within %v", f.deadline)}, nil
	case <-ctx.Done():
		return Observation{}, ctx.Err()
	}
}

// Close does nothing.
func (f *Func) Close() error { return nil }

// Judges are the three functions of a judge in the manner of package
// classifier. Cases of a kind whose function is nil are skipped.
type Judges struct {
	Call         func(classifier.Call, classifier.Answer) classifier.Verdict
	Notification func(classifier.Answer) classifier.Verdict
	NoAnswer     func(classifier.Ended) classifier.Verdict
}

// Reference is the project's own classifier.
func Reference() Judges {
	return Judges{classifier.Classify, classifier.ClassifyNotification, classifier.ClassifyNoAnswer}
}

// Verdict is the judges' verdict of a case; ok is false where the function for
// it is nil.
func (j Judges) Verdict(c corpus.Case) (v classifier.Verdict, ok bool) {
	switch {
	case c.Status == nil && j.NoAnswer != nil:
		return j.NoAnswer(c.NoAnswer()), true
	case c.Status != nil && c.Notification && j.Notification != nil:
		return j.Notification(c.Answer()), true
	case c.Status != nil && !c.Notification && j.Call != nil:
		return j.Call(classifier.Call{ID: c.RequestID}, c.Answer()), true
	}
	return classifier.Verdict{}, false
}

// Subject is the judges as a subject that tells every outcome.
func (j Judges) Subject(name, version string) *Func {
	return &Func{
		About: Info{Name: name, Version: version, Tells: AllOutcomes()},
		See: func(c corpus.Case) Observation {
			v, ok := j.Verdict(c)
			if !ok {
				return Observation{Fate: Skipped, Text: "no function for such a case"}
			}
			return Observe(v)
		},
	}
}

// Observe is a verdict as what a subject saw.
func Observe(v classifier.Verdict) Observation {
	o := Observation{Saw: v.Outcome.String(), Code: string(v.Error.Code), Text: v.Reason.String()}
	if v.Answered {
		status := v.Status
		o.Status = &status
	}
	return o
}
