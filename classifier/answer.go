package classifier

import (
	"fmt"
	"net/http"
	"strconv"
)

// Call is what the judge must know of the request.
type Call struct {
	ID ID
}

// ID is the id of a JSON-RPC request: an integer or a string. The zero value
// is the integer 0.
type ID struct {
	text   string
	number int64
	isText bool
}

// IntID is an integer id.
func IntID(n int64) ID { return ID{number: n} }

// StringID is a string id. s is UTF-8; half a surrogate pair, which JSON can
// escape and UTF-8 cannot hold, is given as its three bytes (WTF-8). Anything
// else that is not UTF-8 stands for U+FFFD.
func StringID(s string) ID { return ID{text: s, isText: true} }

// Int is the integer of an integer id; ok is false for a string id.
func (id ID) Int() (n int64, ok bool) { return id.number, !id.isText }

// Text is the string of a string id; ok is false for an integer id.
func (id ID) Text() (s string, ok bool) { return id.text, id.isText }

// String shows the id: an integer in decimal, a string quoted.
func (id ID) String() string {
	if id.isText {
		return strconv.Quote(id.text)
	}
	return strconv.FormatInt(id.number, 10)
}

// Answer is what came back for one POST, as far as it came. For no answer at
// all see [ClassifyNoAnswer].
type Answer struct {
	// Status is the HTTP status, whatever it is; 0 and negative ones are judged too.
	Status int
	// Header holds the response's header fields. Names are canonical as
	// net/http makes them; where the canonical name is absent, another
	// spelling of it counts.
	Header http.Header
	// Body is the body as delivered, content codings not undone.
	Body []byte
	// Ended tells how the body ended. The zero value is a body that arrived whole.
	Ended Ended
}

// Ended tells how the delivery of an answer ended.
type Ended uint8

const (
	// EndedEOF is a body that arrived whole.
	EndedEOF Ended = iota
	// EndedReset is a connection broken in the middle, or a body shorter than its framing says.
	EndedReset
	// EndedDeadline is a deadline of the reader that passed.
	EndedDeadline
	// EndedCancelled is a reader that gave up.
	EndedCancelled
	// EndedSizeLimit is a body that passed the reader's size limit.
	EndedSizeLimit
	// EndedConnect is a connection that was never made.
	EndedConnect
	// EndedTLS is a TLS handshake that failed.
	EndedTLS

	endedEnd
)

var endedNames = [endedEnd]string{"eof", "reset", "deadline", "cancelled", "size-limit", "connect", "tls"}

// String is the word of the case format, such as eof.
func (e Ended) String() string {
	if e >= endedEnd {
		return fmt.Sprintf("Ended(%d)", uint8(e))
	}
	return endedNames[e]
}

// MarshalText writes the word; a value that is none is an error.
func (e Ended) MarshalText() ([]byte, error) {
	if e >= endedEnd {
		return nil, fmt.Errorf("classifier: marshal ended %d: not an end", uint8(e))
	}
	return []byte(e.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (e *Ended) UnmarshalText(text []byte) error {
	for i := EndedEOF; i < endedEnd; i++ {
		if endedNames[i] == string(text) {
			*e = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown end %.40q; the ends are eof, reset, deadline, connect, tls, size-limit, cancelled", text)
}
