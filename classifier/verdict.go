package classifier

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Verdict is the judgement of one answer. Byte slices and strings alias the
// answer that was judged; [Verdict.Clone] copies them.
type Verdict struct {
	Outcome Outcome
	Layer   Layer  // always Outcome.Layer()
	Reason  Reason // the part of the rule that decided

	// Answered tells whether there was an HTTP answer at all (rule T).
	Answered bool
	// Status is the HTTP status; 0 without an answer.
	Status int
	// ContentType is the first Content-Type line as sent.
	ContentType string
	// Ended tells how the body ended, as the record spells it.
	Ended BodyEnd

	// ID is the response's id as raw JSON, nil if absent or not reached.
	ID []byte
	// Error is the JSON-RPC error: of a JSONRPC_ERROR, or as a detail of an
	// HTTP_ERROR or of an error response that has no id or a null one.
	Error RPCError
	// ResultType is the result's resultType as raw JSON, nil if absent or not reached.
	ResultType []byte
	// InputRequests are the members of inputRequests of an INPUT_REQUIRED, in
	// order of their first occurrence.
	InputRequests []InputRequest
	// HasInputRequests tells whether inputRequests is present and well formed,
	// if only an empty object.
	HasInputRequests bool
	// RequestState is the requestState of an INPUT_REQUIRED as raw JSON, nil if absent.
	RequestState []byte

	// RetryAfter is the Retry-After of a non-2xx as sent, if it is valid.
	RetryAfter string
	// Date is the first Date line as sent.
	Date string
	// Challenged tells whether a non-2xx carried WWW-Authenticate.
	Challenged bool

	// Findings are what is odd but did not decide, in the order of their
	// constants, each kind at most once. Nil when there is nothing to report.
	Findings []Finding
	// EventCount counts the events of a stream that were dispatched, of any
	// type, up to and including the deciding one.
	EventCount int
	// SyntaxOffset is where a MALFORMED_JSON stops being JSON: the length of
	// the longest prefix that some JSON text begins with, in bytes of the
	// decoded body, or of the event's joined data in a stream. -1 otherwise.
	SyntaxOffset int64
}

// RPCError is a JSON-RPC error object.
type RPCError struct {
	// Code is the code as its JSON number text; nil when there is no error object.
	Code []byte
	// Number is the code's value if it fits 64 bits, which Fits tells.
	Number int64
	Fits   bool
	// Message is the message as a raw JSON string, quotes included.
	Message []byte
	// Data is the data as raw JSON, nil if absent.
	Data []byte
}

// Present tells whether there is an error object.
func (e RPCError) Present() bool { return e.Code != nil }

// InputRequest is one request for input.
type InputRequest struct {
	Key    string // the member's name, unescaped
	Method string // such as elicitation/create, unescaped
}

// BodyEnd tells how a body ended for the judge, as the record spells it.
type BodyEnd uint8

const (
	// BodyComplete is a body that was read to its end.
	BodyComplete BodyEnd = iota + 1
	// BodySettledEarly is a verdict that needed no more of the body: a final
	// response in a stream, or headers that cannot be read (UNEXPECTED_CONTENT_TYPE).
	BodySettledEarly
	// BodyCut is a body that ended before it was whole.
	BodyCut
	// BodyDeadline is a deadline that passed first.
	BodyDeadline
	// BodySizeLimit is a size limit of the reader that was passed.
	BodySizeLimit
	// BodyCancelled is a reader that gave up.
	BodyCancelled
	// BodyConnect, BodyReset and BodyTLS are the ends of a call with no answer.
	BodyConnect
	BodyReset
	BodyTLS

	bodyEndEnd
)

var bodyEndNames = [bodyEndEnd]string{
	BodyComplete: "complete", BodySettledEarly: "settled-early", BodyCut: "body-cut",
	BodyDeadline: "deadline", BodySizeLimit: "size-limit", BodyCancelled: "cancelled",
	BodyConnect: "connect", BodyReset: "reset", BodyTLS: "tls",
}

// String is the word of the record, such as settled-early.
func (e BodyEnd) String() string {
	if e == 0 || e >= bodyEndEnd {
		return fmt.Sprintf("BodyEnd(%d)", uint8(e))
	}
	return bodyEndNames[e]
}

// MarshalText writes the word; a value that is none is an error.
func (e BodyEnd) MarshalText() ([]byte, error) {
	if e == 0 || e >= bodyEndEnd {
		return nil, fmt.Errorf("classifier: marshal body end %d: not a body end", uint8(e))
	}
	return []byte(e.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (e *BodyEnd) UnmarshalText(text []byte) error {
	for i := BodyComplete; i < bodyEndEnd; i++ {
		if bodyEndNames[i] == string(text) {
			*e = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown body end %.40q", text)
}

// Has tells whether the verdict lists a finding of that kind.
func (v *Verdict) Has(kind FindingKind) bool {
	for i := range v.Findings {
		if v.Findings[i].Kind == kind {
			return true
		}
	}
	return false
}

// Clone is the verdict with nothing that aliases the answer.
func (v Verdict) Clone() Verdict {
	v.ContentType = strings.Clone(v.ContentType)
	v.RetryAfter = strings.Clone(v.RetryAfter)
	v.Date = strings.Clone(v.Date)
	for _, raw := range []*[]byte{&v.ID, &v.Error.Code, &v.Error.Message, &v.Error.Data, &v.ResultType, &v.RequestState} {
		*raw = bytes.Clone(*raw)
	}
	v.InputRequests = slices.Clone(v.InputRequests)
	v.Findings = slices.Clone(v.Findings)
	return v
}
