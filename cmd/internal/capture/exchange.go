// Package capture reads exchanges, a request and its answer each, in the forms
// in which people have them: HAR files of browsers and proxies, what curl
// printed, raw HTTP messages, event streams, bare bodies, cases as JSON lines,
// and the records that the command writes itself. Every form is read as a
// stream of [Exchange], one in memory at a time. It is not for sending any.
//
//	in := capture.Input{Name: "night.har", Form: capture.Auto, Note: note}
//	for x, err := range in.Exchanges(file) {
//		judged := capture.Judge(x)
//	}
//
// [Sanitized] makes an exchange fit to be kept, and [AppendLine] writes it as a
// line that the form record reads back.
package capture

import (
	"fmt"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Exchange is one request and what came back for it, as far as an input tells.
type Exchange struct {
	ID   string // of the case or record, or its number in the input, from 1
	From Place

	Request *Request // nil where the input tells none
	Answer  *Answer  // nil: there was no HTTP answer
	// NoAnswer tells how a request without an answer ended.
	NoAnswer classifier.Ended

	// RPC is what the request carried. Its id is the one that the answer must have.
	RPC Message
	// Assumed tells that nothing told the call's id, and the usual one was taken.
	Assumed bool

	Started  time.Time     // zero if unknown
	Duration time.Duration // from then to the last byte; 0 if unknown

	// Own tells that the command wrote the input of a case, whose id is ID. Frozen
	// is that case as JSON where the input holds it; Later tells that the exchange
	// belongs to the case of one before it.
	Own    bool
	Frozen []byte
	Later  bool

	// Scenario is the server's, as far as it is known.
	Scenario string

	// Kept is what was said of the exchange when it was recorded; nil in other forms.
	Kept *Kept
	// Proxied is what the proxy that recorded the exchange did to it; nil for nothing.
	Proxied *Proxied
}

// Proxied is what a proxy did to an exchange other than to pass it on.
type Proxied struct {
	// Injected is the recipe of the answer that the client was given in place of
	// the upstream's. Replaced tells that one: its outcome and reason.
	Injected string `json:"injected,omitempty"`
	Replaced string `json:"replaced,omitempty"`
	// Status is that of the proxy's own answer, for want of one from the upstream,
	// and Error tells why there was none.
	Status int    `json:"status,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Place is where an exchange came from.
type Place struct {
	File  string `json:"file"`
	Where string `json:"where"` // such as "entry 3" or "line 17"
}

// String is the place in a message.
func (p Place) String() string {
	if p.Where == "" {
		return p.File
	}
	return p.File + ": " + p.Where
}

// Request is an HTTP request. Header fields keep their order and spelling.
type Request struct {
	Method  string
	URL     string // as the input has it: absolute, or a path
	Headers corpus.Headers
	Body    []byte
	// BodyUnknown tells that there may have been a body and the input lacks it.
	BodyUnknown bool
	Lost        Lost // what is known of it then
}

// Answer is an HTTP answer as it arrived, content codings not undone.
type Answer struct {
	Status  int
	Headers corpus.Headers
	Body    []byte
	Ended   classifier.Ended
	// BodyUnknown tells that there was a body and the input lacks it.
	BodyUnknown bool
	Lost        Lost // what is known of it then
}

// Lost is what is known of a body that is not kept.
type Lost struct {
	Size   int64  // in bytes
	SHA256 string // in hexadecimal digits
	Head   []byte // how it begins, sanitised, as far as it is kept
}

// Wire is the answer as a judge takes it.
func (a *Answer) Wire() classifier.Answer {
	return classifier.Answer{Status: a.Status, Header: a.Headers.HTTP(), Body: a.Body, Ended: a.Ended}
}

// Call is what a judge must know of the request.
func (x *Exchange) Call() classifier.Call { return classifier.Call{ID: x.RPC.ID} }

// Fault is an exchange that could not be read, or not be judged. Others follow it.
type Fault struct {
	From Place
	Err  error
}

// Error names file and place.
func (f *Fault) Error() string { return fmt.Sprintf("%s: %v", f.From, f.Err) }

// Unwrap is what is wrong, without the place.
func (f *Fault) Unwrap() error { return f.Err }

// FromCase is the exchange of a case, without those that follow in it.
func FromCase(c corpus.Case) Exchange {
	x := Exchange{ID: c.ID, RPC: Message{Kind: Call, Method: callMethod, ID: c.RequestID}}
	if c.Notification {
		x.RPC = Message{Kind: Notification}
	}
	if c.Status == nil {
		x.NoAnswer = c.NoAnswer()
		return x
	}
	wire := c.Answer()
	x.Answer = &Answer{Status: *c.Status, Headers: c.Headers, Body: wire.Body, Ended: wire.Ended}
	return x
}

// Case is the answer of the exchange as a case that has no id and no why. Only
// a call and a notification have one.
func (x *Exchange) Case() (corpus.Case, error) {
	c := corpus.Case{RequestID: x.RPC.ID}
	switch x.RPC.Kind {
	case Call:
	case Notification:
		c.Notification, c.RequestID = true, classifier.ID{}
	default:
		return c, fmt.Errorf("%s answers no call and no notification but %s", x.From, x.RPC.Describe())
	}
	if x.Answer == nil {
		c.Ended = new(x.NoAnswer)
		return c, nil
	}
	if x.Answer.BodyUnknown {
		return c, fmt.Errorf("%s has no body to make a case of", x.From)
	}
	c.Status, c.Headers, c.Body = new(x.Answer.Status), x.Answer.Headers, x.Answer.Body
	if x.Answer.Ended != classifier.EndedEOF {
		c.Ended = new(x.Answer.Ended)
	}
	return c, nil
}
