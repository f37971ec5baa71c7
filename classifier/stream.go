package classifier

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"github.com/replyproof/replyproof/classifier/internal/scan"
)

// DefaultEventLimit is the largest event that a [Stream] takes unless told
// otherwise, in bytes of its joined data.
const DefaultEventLimit = 256 << 20

// ErrSettled is what [Stream.Write] returns once the verdict is settled and
// nothing that may follow can change it.
var ErrSettled = errors.New("classifier: the stream's verdict is settled")

// Stream judges an event stream (rules S1 to S7) that comes in pieces, cut
// anywhere. It keeps the event that is pending and nothing that is over, so its
// memory is bounded by the largest event. A Stream is for one goroutine.
//
//	s := classifier.NewStream(call)
//	_, err := io.Copy(s, body) // stops at ErrSettled
//	v := s.Close(classifier.EndedEOF)
type Stream struct {
	call   Call
	base   Verdict // what the headers gave
	parser eventParser
	peek   scan.Scanner
	env    envelope

	stable  bool // what is written stays as it is, so that the verdict may alias it
	written bool // anything was written
	settled bool
	verdict Verdict

	count     int     // dispatched events
	strays    int     // events of S6
	stray     Verdict // the first one's
	ignored   bool    // an event of another type was skipped
	requested bool    // a request of the server's was skipped
}

// StreamOption is a choice for [NewStream].
type StreamOption func(*Stream)

// EventLimit sets how large the joined data of one event may become, in bytes,
// before the stream is given up with the reason size-limit. Zero or less is no
// limit.
func EventLimit(bytes int64) StreamOption {
	return func(s *Stream) { s.parser.limit = limitOf(bytes) }
}

// NewStream is a judge of the stream that answers call with status 200. Content
// codings must be undone before the stream sees the bytes.
func NewStream(call Call, options ...StreamOption) *Stream {
	s := &Stream{call: call, base: Verdict{Answered: true, Status: 200, ContentType: typeStream, SyntaxOffset: -1}}
	s.parser.limit = DefaultEventLimit
	for _, option := range options {
		option(s)
	}
	return s
}

// Reset makes the stream ready for the answer to another call. It keeps the
// options and the memory, so that it then allocates nothing for events.
func (s *Stream) Reset(call Call) {
	s.parser.reset()
	*s = Stream{call: call, base: s.base, parser: s.parser, stable: s.stable}
}

// Settled tells whether the verdict is settled: the final response was there,
// or an event passed the limit. The reader should then stop reading.
func (s *Stream) Settled() bool { return s.settled }

// Write takes the next bytes of the stream. Once the verdict is settled it
// returns [ErrSettled] and how many of the bytes it needed for that. It keeps
// no reference to p.
func (s *Stream) Write(p []byte) (n int, err error) {
	if s.settled {
		return 0, ErrSettled
	}
	s.written = s.written || len(p) > 0
	s.parser.feed(p)
	for {
		ev, step := s.parser.next()
		switch step {
		case stepMore:
			s.peek.Reset(nil, 0)
			return len(p), nil
		case stepLimit:
			s.passLimit()
		case stepEvent:
			s.count++
			if !s.passing(&ev) {
				s.judgeEvent(&ev)
			}
		}
		if s.settled {
			s.parser.chunk = nil
			s.peek.Reset(nil, 0)
			return s.parser.pos, ErrSettled
		}
	}
}

// usualNotification is how most notifications begin, so that there is nothing to
// find out.
var usualNotification = []byte(`{"jsonrpc":"2.0","method":`)

// passing is S4, which is about most events: it tells whether the event is a
// notification or a request of the server's. It is false as soon as the event
// may be anything else, a response above all.
func (s *Stream) passing(ev *event) bool {
	if ev.other {
		return false
	}
	c := &s.peek
	var id, method, more bool
	if bytes.HasPrefix(ev.data, usualNotification) {
		method = true
		c.ResetInside(ev.data, len(usualNotification))
		c.Skip()
		more = c.NextMember()
	} else {
		c.Reset(ev.data, 0)
		if !c.More() || c.Kind() != scan.Object {
			return false
		}
		more = c.Object()
	}
	for ; more; more = c.NextMember() {
		switch string(c.Name()) {
		case "result", "error":
			return false
		case "method":
			method = true
		case "id":
			id = true
		}
		c.Skip()
	}
	if !method || !c.Good() || c.More() {
		return false
	}
	s.requested = s.requested || id
	return true
}

// Close tells how the stream ended and returns the verdict. Where the verdict
// was settled before, the end changes nothing.
func (s *Stream) Close(ended Ended) Verdict { return s.finish(ended, codingWhole) }

// judgeEvent is S3, S5 and S6 for an event that is not passing.
func (s *Stream) judgeEvent(ev *event) {
	if ev.other {
		s.ignored = true
		return
	}
	if len(ev.data) == 0 {
		return
	}
	e := &s.env
	*e = envelope{}
	e.read(ev.data, 0)
	response := e.state == textWhole && e.kind == scan.Object && (e.result.Kind != scan.None || e.err.Kind != scan.None)
	if response && e.hasID(s.call.ID) {
		s.respond()
	} else {
		s.strays++
		if s.strays == 1 {
			s.keepStray(ev)
		}
	}
	e.text = nil
}

// keepStray keeps the verdict of the first event of S6.
func (s *Stream) keepStray(ev *event) {
	s.stray = s.base
	s.stray.Findings = slices.Clone(s.base.Findings)
	s.stray.judge(s.call.ID, &s.env)
	if !s.stable || !ev.inChunk {
		s.stray = s.stray.Clone()
	}
}

// respond is S5: the event is the final response.
func (s *Stream) respond() {
	v := s.base
	v.judge(s.call.ID, &s.env)
	if !s.stable {
		v = v.Clone()
	}
	v.Ended = BodySettledEarly
	s.conclude(&v, s.strays > 0)
	s.verdict, s.settled = v, true
}

func (s *Stream) passLimit() {
	v := s.base
	v.settle(NoFinalResponse, ReasonSizeLimit)
	v.Ended = BodySizeLimit
	s.conclude(&v, s.strays > 0)
	s.verdict, s.settled = v, true
}

// conclude adds what the stream as a whole has to tell.
func (s *Stream) conclude(v *Verdict, strayed bool) {
	v.EventCount = s.count
	if s.parser.hasBOM {
		v.find(FindingBOM, 0, "")
	}
	if s.ignored {
		v.find(FindingEventTypeIgnored, -1, "")
	}
	if s.requested {
		v.find(FindingServerRequest, -1, "")
	}
	if strayed {
		v.find(FindingStrayMessage, -1, "")
	}
}

// finish is the end of the stream: rule 3, what the codings had to say, rule 4,
// and S6.
func (s *Stream) finish(ended Ended, state codingState) Verdict {
	if s.settled {
		return s.verdict
	}
	s.settled = true
	v := &s.verdict
	*v = s.base
	v.Ended = bodyEndOf(ended, state)
	cut := cutReason(ended, state)
	switch {
	case !s.written && cut == 0 && state == codingWhole && bodyOptional(v.Status):
		v.settle(NoFinalResponse, ReasonNoBody)
		v.Findings = nil
		return *v
	case state == codingDamaged:
		v.settle(UnexpectedContentType, ReasonContentEncoding)
		v.Ended = BodySettledEarly
		s.conclude(v, s.strays > 0)
		return *v
	case cut != 0:
		v.settle(NoFinalResponse, cut)
		s.conclude(v, s.strays > 0)
		return *v
	case s.strays > 0:
		*v = s.stray
		v.Ended = BodyComplete
		s.conclude(v, s.strays > 1)
	default:
		v.settle(NoFinalResponse, ReasonNoResponseInStream)
		s.conclude(v, false)
	}
	if s.parser.end() {
		v.find(FindingUnterminatedEvent, -1, "")
	}
	return *v
}

// classifyStream judges a stream that is all there.
func classifyStream(call Call, base Verdict, plain []byte, ended Ended, state codingState) Verdict {
	s := Stream{call: call, base: base, stable: true, parser: eventParser{limit: math.MaxInt64}}
	s.Write(plain)
	return s.finish(ended, state)
}
