package loopback

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Script is an answer as it goes over the wire: what waits, what is written in
// which pieces, and what then becomes of the connection.
type Script struct {
	// Delay passes before the first byte.
	Delay time.Duration
	// Writes are handed to the connection one by one. Of no bytes at all there
	// is none.
	Writes [][]byte
	// Pace passes before each write but the first.
	Pace time.Duration
	End  End
	// Beat is written again and again while the end is silent, each time after
	// Every; of no bytes, or with no time between, there is none.
	Beat  []byte
	Every time.Duration
}

// End is what becomes of the connection after the last byte.
type End uint8

const (
	// EndKeep leaves it open for the next request.
	EndKeep End = iota
	// EndClose closes it in order (FIN).
	EndClose
	// EndReset breaks it off (RST), once what was written has had a moment to arrive.
	EndReset
	// EndSilent leaves it open and says no more until the client closes it.
	EndSilent
)

var endNames = [...]string{"kept open", "closed", "reset", "silent"}

// String tells the end in a word or two.
func (e End) String() string {
	if int(e) >= len(endNames) {
		return fmt.Sprintf("End(%d)", uint8(e))
	}
	return endNames[e]
}

// Unplayable is the error for a case that no HTTP server can give over a plain
// connection, with the reason for people.
type Unplayable struct{ Why string }

func (u *Unplayable) Error() string { return u.Why }

func unplayable(format string, args ...any) error { return &Unplayable{fmt.Sprintf(format, args...)} }

// Compose is the script of a case in answer to a request with the given id, by
// HTTP/1.1. What a case means is kept, and for that the framing is chosen here:
//
//   - Content-Length, Transfer-Encoding, Connection, Keep-Alive, Trailer and
//     Upgrade of the case are left out: a case's body arrived as it says, whatever
//     these claimed.
//   - A body goes with Content-Length. One that is an event stream, that is split,
//     or whose end is missing though all of its bytes arrive, goes in chunks, a
//     chunk and a write for each piece. Pieces may still be read together.
//   - A body that breaks off does so in one of three ways: a reset, an early close,
//     a chunk whose size is no number. Which one follows from the number of bytes
//     that arrive, so that a case always plays alike; all are the same to a judge.
//     A response that the stream has delivered before the break is given a moment
//     to arrive.
//   - A deadline that passes is a server that falls silent: before the status line
//     where there is no status, else after the bytes that arrive.
//   - A status is written with three digits if it can be (7 is 007), else as it is.
//   - A 1xx has no body and no final answer after it: the connection is closed.
//   - A 304 goes without the body that the case gives it, since it has none.
//   - A reset with no status is one in place of an answer; so is a connection that
//     was never made, which only a closed port can show: see [Server.Refuse].
//
// An error of type [Unplayable] says that this cannot be had: a 204 with a body or
// without an end, a failure of TLS, a limit or a change of mind of the client's
// own, a header that HTTP does not allow.
func Compose(c corpus.Case, id classifier.ID) (Script, error) {
	wire := c.Wire(id)
	s := Script{Delay: time.Duration(c.DelayMS) * time.Millisecond}
	if err := playable(c, wire); err != nil {
		return Script{}, err
	}
	if c.Status == nil {
		s.End = EndReset
		if wire.Ended == classifier.EndedDeadline {
			s.End = EndSilent
		}
		return s, nil
	}
	head := appendHead(make([]byte, 0, 256), c)
	if bodiless(*c.Status) {
		s.Writes, s.End = [][]byte{append(head, "\r\n"...)}, EndClose
		if *c.Status >= 200 {
			s.End = EndKeep
		}
		return s, nil
	}
	whole := wire.Ended == classifier.EndedEOF
	if !chunked(c, wire) {
		head = append(head, "Content-Length: "...)
		head = strconv.AppendInt(head, int64(len(wire.Body)), 10)
		head = append(append(head, "\r\n\r\n"...), wire.Delivered()...)
		s.Writes = [][]byte{head}
		if !whole {
			s.breakOff(wire, false)
		}
		return s, nil
	}
	head = append(head, "Transfer-Encoding: chunked\r\n\r\n"...)
	s.chunks(head, wire)
	switch {
	case whole:
		s.add("0\r\n\r\n")
	default:
		s.breakOff(wire, true)
	}
	return s, nil
}

// Playable tells whether [Compose] can make a script of a case, whatever the id;
// nil if it can.
func Playable(c corpus.Case) error { return playable(c, c.Wire(c.RequestID)) }

// playable tells what no HTTP server can do.
func playable(c corpus.Case, wire corpus.Wire) error {
	switch wire.Ended {
	case classifier.EndedCancelled:
		return unplayable("only the caller itself can give up")
	case classifier.EndedSizeLimit:
		return unplayable("the limit that a body passes is the reader's own")
	case classifier.EndedTLS:
		if c.Status == nil {
			return unplayable("a failure of TLS needs TLS, and the server speaks plain HTTP")
		}
	}
	if c.Status == nil {
		return nil
	}
	if *c.Status == http.StatusNoContent {
		if len(wire.Body) > 0 {
			return unplayable("a 204 has no body in HTTP")
		}
		if wire.Ended != classifier.EndedEOF {
			return unplayable("a 204 ends with its headers")
		}
	}
	for _, h := range c.Headers {
		if !token(h.Name) {
			return unplayable("the header name %q is none of HTTP", h.Name)
		}
		for i := range len(h.Value) {
			if b := h.Value[i]; b < ' ' && b != '\t' || b == 0x7f {
				return unplayable("the header %s holds a control character, which HTTP does not allow", h.Name)
			}
		}
	}
	return nil
}

func token(name string) bool {
	for i := range len(name) {
		b := name[i]
		if b <= ' ' || b >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, b) >= 0 {
			return false
		}
	}
	return name != ""
}

// bodiless tells whether HTTP gives a status no body.
func bodiless(status int) bool {
	return status >= 100 && status < 200 || status == http.StatusNoContent || status == http.StatusNotModified
}

// chunked tells whether the body goes in chunks.
func chunked(c corpus.Case, wire corpus.Wire) bool {
	return len(wire.Split) > 0 || wire.Ended != classifier.EndedEOF && wire.Cut == len(wire.Body) || streamed(c)
}

// streamed tells whether the first Content-Type names an event stream.
func streamed(c corpus.Case) bool {
	essence, _, _ := strings.Cut(c.Headers.Get("content-type"), ";")
	return strings.EqualFold(strings.Trim(essence, " \t"), "text/event-stream")
}

// framing are the headers that say how a message goes over its connection.
var framing = []string{"content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "upgrade"}

func appendHead(dst []byte, c corpus.Case) []byte {
	status := *c.Status
	if status >= 0 && status <= 999 {
		dst = fmt.Appendf(dst, "HTTP/1.1 %03d %s\r\n", status, http.StatusText(status))
	} else {
		dst = fmt.Appendf(dst, "HTTP/1.1 %d \r\n", status)
	}
header:
	for _, h := range c.Headers {
		for _, name := range framing {
			if strings.EqualFold(h.Name, name) {
				continue header
			}
		}
		dst = append(append(append(append(dst, h.Name...), ": "...), h.Value...), "\r\n"...)
	}
	return dst
}

// chunks writes the pieces of the body, the first of them with the head.
func (s *Script) chunks(head []byte, wire corpus.Wire) {
	from := 0
	piece := func(to int) {
		if to > from {
			head = strconv.AppendInt(head, int64(to-from), 16)
			head = append(append(append(head, "\r\n"...), wire.Body[from:to]...), "\r\n"...)
		}
		s.Writes = append(s.Writes, head)
		from, head = to, nil
	}
	for _, at := range wire.Split {
		piece(at)
	}
	if from < wire.Cut || len(s.Writes) == 0 {
		piece(wire.Cut)
	}
}

// add appends to the last write.
func (s *Script) add(text string) {
	last := &s.Writes[len(s.Writes)-1]
	*last = append(*last, text...)
}

// breakOff ends a body before its end.
func (s *Script) breakOff(wire corpus.Wire, chunked bool) {
	if wire.Ended == classifier.EndedDeadline {
		s.End = EndSilent
		return
	}
	switch wire.Cut % 3 {
	case 1:
		s.End = EndClose
	case 2:
		s.End = EndClose
		if chunked {
			s.add("not-a-size\r\n")
		}
	default:
		s.End = EndReset
	}
}
