// Package subject asks whatever is being judged what it makes of a case: a Go
// function ([Func]), a client in Go ([Client]), a program in any language that
// speaks JSON lines on its standard input and output ([Process]), or one that is
// started for each case ([Command]).
//
// It only asks. What an observation is worth is for package runner to say, which
// drives a subject over many cases:
//
//	s := &subject.Process{Command: []string{"node", "adapter.mjs"}}
//	result, err := runner.Run(ctx, s, runner.Options{…})
package subject

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Subject is whatever is being judged. It is used by one goroutine at a time.
type Subject interface {
	// Start makes the subject ready and gives what it tells about itself. A
	// subject that is running already is made anew. The deadline is the time
	// that each case will get. Errors match [ErrBroken] where the adapter is at
	// fault and not what stands behind it.
	Start(ctx context.Context, deadline time.Duration) (Info, error)
	// Ask gives the subject one case and waits for what it saw, at most for the
	// deadline. A subject that dies or stays silent is an observation, no error,
	// and the next Ask makes it ready again. Errors match [ErrBroken] or are
	// those of ctx.
	Ask(ctx context.Context, t Trial) (Observation, error)
	// Close ends the subject and whatever it started.
	Close() error
}

// Trial is a case as it is put to a subject.
type Trial struct {
	// Case is the answer, and what is expected of it.
	Case corpus.Case
	// For makes the case for a call that came with an id of its own, for
	// subjects that make the call themselves. Nil is [loopback.Retarget].
	For loopback.Scene
}

// scene is the trial as a server plays it.
func (t Trial) scene() loopback.Scene {
	if t.For != nil {
		return t.For
	}
	return loopback.Frozen(t.Case)
}

// Renewer is a subject whose connection can be made anew without starting it again.
type Renewer interface {
	// Renew has the next case asked over a connection of its own.
	Renew()
}

// Kind is what a subject is asked for.
type Kind string

const (
	// KindClassifier is a subject that is handed an answer and judges it.
	KindClassifier Kind = "classifier"
	// KindClient is a subject that makes the call itself.
	KindClient Kind = "client"
)

// Info is what a subject tells about itself.
type Info struct {
	Name    string
	Version string
	Kind    Kind
	// ProtocolVersion is the revision of MCP that it speaks, or "". Of a client that
	// leaves it out it is the one that its call of the plain success named.
	ProtocolVersion string
	Tells           Tells
}

// Observation is what a subject made of one case.
type Observation struct {
	Fate Fate
	// Saw is the word that the subject said; "" unless Fate is Answered.
	Saw string
	// Code is the JSON-RPC code as JSON number text; "" where it was left out.
	Code string
	// Status is the HTTP status; nil where it was left out.
	Status *int
	// Text is what the subject says beyond that, for people; why it skipped, or
	// how it died.
	Text string
	// Dead is set where the subject says that its connection is of no more use.
	Dead bool
	// SessionSent is set where the call was seen to carry Mcp-Session-Id, which
	// a 404 ends by right.
	SessionSent bool
	// Resent tells how the call was sent again without leave, where its POSTs
	// could be seen.
	Resent Resent
	// Posts is how often the call was sent, where that could be seen.
	Posts int
	// Late is how many POSTs came since the case before that were for cases which
	// were over.
	Late int
	// Played is the case by which the observation is to be judged, where that
	// differs from the one that was asked: a client gets its own id back, may
	// have sent the call several times, and may say more of what comes over HTTP.
	Played *corpus.Case
	// Untold is set where the subject has no way to tell what it saw of such a
	// case; then only what it did is judged.
	Untold bool
	// Wire is what went over the wire; nil where that could not be seen.
	Wire *loopback.Record
	// Stderr is the end of what the subject printed on standard error for this
	// case, bounded.
	Stderr string
}

// Fate is what became of a subject while it had a case.
type Fate uint8

const (
	// Answered is a subject that said what it saw.
	Answered Fate = iota
	// Skipped is a case that the subject would not take.
	Skipped
	// Crashed is a subject that died.
	Crashed
	// Hung is a subject that said nothing within the deadline.
	Hung
)

// Resent tells whether a call was sent again without leave.
type Resent = loopback.Resent

// The ways to send a call again: see package loopback.
const (
	NotResent = loopback.NotResent
	Reissued  = loopback.Reissued
	Repeated  = loopback.Repeated
)

// ErrBroken is matched by errors that say that the adapter, and not the client
// or classifier behind it, is at fault: its handshake, its protocol, or a plain
// success that it does not recognise.
var ErrBroken = errors.New("adapter broken")

// broken is an error that matches ErrBroken.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrBroken, fmt.Errorf(format, args...))
}
