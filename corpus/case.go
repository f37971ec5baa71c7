package corpus

import (
	"net/http"

	"github.com/replyproof/replyproof/classifier"
)

// Case is one answer frozen as data, with what the rules say of it. The zero
// value is a call with the integer id 0 that got no HTTP answer.
//
// Cases are values; nothing in this package changes the slices of a case that
// it was given.
type Case struct {
	ID     string   // in kebab-case, a group before the slash; unique, never reused or renamed
	Rule   string   // the rules that the case shows, such as "6" or "S1"
	Why    string   // one or two sentences that state the rule
	Source string   // where such an answer was met, or ""
	Tags   []string // free words; fault:NAME marks a fault of the generators' catalogue

	// RequestID is the id of the call; without meaning for a notification.
	RequestID classifier.ID

	Status      *int              // nil: no HTTP answer at all
	Headers     Headers           // of the answer, in order
	Body        []byte            // before it is cut; {{id}} in it stands for the request's id
	ChunkSplits []int             // offsets in Body at which it is split into writes, ascending
	CutAfter    *int              // bytes of Body delivered before the connection breaks; at or past the length it cuts nothing
	DelayMS     int               // milliseconds that pass before the status line
	Ended       *classifier.Ended // how the answer ended; nil: as Status and CutAfter imply

	// Notification is set for the answer to a POST that has no id.
	Notification bool

	// Then holds the answers to the POSTs that follow, if the client sends any.
	// They have wire fields, Expect and AlsoAcceptable only.
	Then []Case

	// Expect is what the rules say; nil if nothing is expected.
	Expect *Expect
	// AlsoAcceptable holds the names of outcomes that a correct third party
	// may report instead.
	AlsoAcceptable []string
}

// Expect is the verdict that the rules give to a case. Layer and Outcome
// always count, the rest where it is present.
type Expect struct {
	Layer   classifier.Layer
	Outcome classifier.Outcome
	Reason  string // a name of [classifier.Reasons], or ""
	// Code is the JSON-RPC code as a JSON number, or "". It compares by value.
	Code string
	// Findings are names of [classifier.Findings] in any order; nil is not
	// compared, empty means none.
	Findings []string
	// Advice is the word of the advice, or "": for side effects unknown, the
	// first attempt, unlimited time and the default policy.
	Advice string
}

// HTTPHeader is the case's headers with canonical names, as net/http would
// have read them; a new map each time.
func (c Case) HTTPHeader() http.Header { return c.Headers.HTTP() }

// Answer is the answer as a judge gets it: {{id}} replaced by RequestID, the
// body cut at CutAfter, the end filled in. It has a meaning only if Status is
// not nil; otherwise its status is 0 and its end that of [Case.NoAnswer].
func (c Case) Answer() classifier.Answer {
	wire := c.Wire(c.RequestID)
	a := classifier.Answer{Header: c.HTTPHeader(), Body: wire.Delivered(), Ended: wire.Ended}
	if c.Status != nil {
		a.Status = *c.Status
	}
	return a
}

// NoAnswer is the way in which a case with no status ended: Ended, or a
// connection that was never made.
func (c Case) NoAnswer() classifier.Ended {
	if c.Ended == nil {
		return classifier.EndedConnect
	}
	return *c.Ended
}

// Exchanges is the case without its Then, followed by what is in Then. The
// later ones have no id, rule, why, source or tags.
func (c Case) Exchanges() []Case {
	first := c
	first.Then = nil
	return append([]Case{first}, c.Then...)
}

// WireOnly is the case with the fields that make up the answer and nothing
// that tells what it is or what to think of it.
func (c Case) WireOnly() Case {
	w := Case{
		RequestID: c.RequestID, Status: c.Status, Headers: c.Headers, Body: c.Body,
		ChunkSplits: c.ChunkSplits, CutAfter: c.CutAfter, DelayMS: c.DelayMS,
		Ended: c.Ended, Notification: c.Notification,
	}
	for _, next := range c.Then {
		w.Then = append(w.Then, next.WireOnly())
	}
	return w
}
