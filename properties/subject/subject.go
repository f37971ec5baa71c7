// Package subject asks whatever is being judged what it makes of a case: a Go
// function ([Func]), or a program in any language that speaks JSON lines on its
// standard input and output ([Process]).
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
	Ask(ctx context.Context, c corpus.Case) (Observation, error)
	// Close ends the subject and whatever it started.
	Close() error
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
	Name            string
	Version         string
	Kind            Kind
	ProtocolVersion string // the revision of MCP that it speaks, or ""
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
type Resent uint8

const (
	// NotResent is a call that was sent once, or again with leave, or whose
	// POSTs could not be seen.
	NotResent Resent = iota
	// Reissued is one re-send under a new id after a broken stream.
	Reissued
	// Repeated is any other re-send without leave.
	Repeated
)

// ErrBroken is matched by errors that say that the adapter, and not the client
// or classifier behind it, is at fault: its handshake, its protocol, or a plain
// success that it does not recognise.
var ErrBroken = errors.New("adapter broken")

// broken is an error that matches ErrBroken.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrBroken, fmt.Errorf(format, args...))
}
