package generators

import "github.com/replyproof/replyproof/classifier"

// Stream is the event stream around the text of the final message.
type Stream struct {
	// Marks are byte order marks at the start: one is dropped, a second one
	// spoils the name of the first line, which is then a comment of its own.
	Marks int
	// Spoilt is the line whose name the second mark spoils, "" for a comment.
	Spoilt string
	// Before and After are the events around the final one.
	Before, After []Event
	// Type is the event type of the final event, "" for none.
	Type string
	// Ignored is set where Type is not that of messages.
	Ignored bool
	// Lines replaces the data lines of the final event by these, if not nil:
	// whole lines, with Fact saying what comes of them.
	Lines []string
	// Lost is a final event that is never dispatched, since Lines hold no data field.
	Lost bool
	// Blank is a final event whose data is the empty string.
	Blank bool
	// Broken is what rule 5 finds in the data where Lines or a split damaged it.
	Broken classifier.Reason
	// Tail is how the last event ends.
	Tail Tail
	// NoFinal leaves the final event out.
	NoFinal bool
}

// Tail is how the last event of a stream ends.
type Tail uint8

// The tails.
const (
	TailBlank    Tail = iota // with a blank line
	TailLine                 // with the line end of its last line, no blank line
	TailNothing              // without even that
	TailComments             // with a blank line, and a comment that is not ended
)

// EventKind is what the stream rules find in an event.
type EventKind uint8

// The kinds of event.
const (
	EventNone         EventKind = iota // no data field, so never dispatched
	EventNotification                  // skipped (S4)
	EventRequest                       // skipped, with a finding (S4)
	EventIgnored                       // of another type (S3)
	EventEmpty                         // empty data (S3)
	EventStray                         // decides only at the end (S6)
	EventDeciding                      // a response with the request's id (S5)
)

// Event is an event written beside the final one.
type Event struct {
	Kind  EventKind
	Lines []string // without line ends; "{{id}}" stands for the request's id
	// Reason and Outcome are the verdict of a stray or deciding event; Also
	// what else may be said where it gives the outcome.
	Reason  classifier.Reason
	Outcome classifier.Outcome
	Also    []classifier.Outcome
	// Code is the code of an error.
	Code string
	// HoldsError is an error in an event of another type.
	HoldsError bool
	// Findings are what is found in the text and members of the event if it
	// gives the outcome.
	Findings []classifier.FindingKind
}
