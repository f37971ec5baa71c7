// Package retry sends tool calls again where the advice on what came back allows
// it, and only there: a call that is known to be safe, at most twice, after 200 ms
// and then 400 ms with a jitter of the same width, later where Retry-After says so,
// and not past the caller's deadline. The loop, the timer and the end of the
// context are those of github.com/cenkalti/backoff.
//
// It knows nothing of HTTP: whoever can send a call and get a verdict can use it.
//
//	done := retry.Call(ctx, classifier.SafeCall, func(ctx context.Context) classifier.Verdict {
//		id := classifier.IntID(ids.Add(1)) // each POST has a new id
//		response, err := client.Do(newRequest(ctx, id))
//		if err != nil {
//			return classifier.ClassifyNoAnswer(classifier.NoAnswerFromError(err))
//		}
//		return classifier.Read(ctx, classifier.Call{ID: id}, response)
//	})
package retry

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/replyproof/replyproof/classifier"
)

// Send sends the call once, under an id that was not used before, and judges
// what came back.
type Send func(ctx context.Context) classifier.Verdict

// Done is a call that is not sent again.
type Done struct {
	// Verdict is that of the last POST, and Advice what to do about it: to answer
	// inputs, to change something, to ask.
	Verdict classifier.Verdict
	Advice  classifier.Advice
	// Earlier are the verdicts of the POSTs before it, as a record wants them.
	Earlier []classifier.Verdict
}

var errAgain = errors.New("the call may be sent again")

// Call sends a call, and again for as long as that is advised. Whether the call
// is safe to repeat only the caller can know; unless it is, the call is sent
// once. The deadline of ctx counts as the time that is left.
func Call(ctx context.Context, safety classifier.Safety, send Send) Done {
	var done Done
	attempt := func() (struct{}, error) {
		if done.Verdict.Outcome != 0 {
			done.Earlier = append(done.Earlier, done.Verdict)
		}
		done.Verdict = send(ctx)
		facts := classifier.Facts{Safety: safety, Attempt: len(done.Earlier) + 1, Received: time.Now()}
		if deadline, ok := ctx.Deadline(); ok {
			facts.Timed, facts.TimeLeft = true, deadline.Sub(facts.Received)
		}
		done.Advice = classifier.Advise(done.Verdict, facts)
		if done.Advice.Action == classifier.WaitAndRetry {
			return struct{}{}, errAgain
		}
		return struct{}{}, nil
	}
	// The one error that comes of it is that of a context which ended during a
	// wait; the verdict before that wait stands.
	_, _ = backoff.Retry(ctx, attempt, backoff.WithBackOff(advised{&done}), backoff.WithMaxElapsedTime(0))
	return done
}

// advised waits as long as the advice says: the bound of it, and a part of the
// jitter.
type advised struct{ done *Done }

// NextBackOff is the wait before the next POST.
func (a advised) NextBackOff() time.Duration {
	advice := &a.done.Advice
	return advice.Wait + rand.N(advice.Jitter+1)
}

// Reset does nothing: what was advised is all there is to know.
func (advised) Reset() {}
