package classifier

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const (
	okEvent      = "data: " + okBody + "\n\n"
	noteEvent    = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"
	requestEvent = "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n\n"
	otherEvent   = "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n"
)

// streamCases are streams and what they amount to when they end whole.
var streamCases = []struct {
	name, stream string
	outcome      Outcome
	reason       Reason
	events       int
	findings     string
}{
	{"LF", "event: message\ndata: " + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"CRLF", "event: message\r\ndata: " + okBody + "\r\n\r\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"CR", "event: message\rdata: " + okBody + "\r\r", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"mixed line ends", "event: message\rdata: " + okBody + "\r\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"CR, then CRLF", "data: " + okBody + "\r\r\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"LF, then CR", "data: " + okBody + "\n\r", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"CRLF is one end, not two", "data: {}\r\ndata: x\r\n\r\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "stray-message"},
	{"blank lines first", "\n\r\n\r\r" + okEvent, ToolSuccess, ReasonToolSuccess, 1, ""},
	{"BOM", bom + okEvent, ToolSuccess, ReasonToolSuccess, 1, "bom"},
	{"BOM before a blank line", bom + "\n" + okEvent, ToolSuccess, ReasonToolSuccess, 1, "bom"},
	{"two BOMs", bom + bom + okEvent, NoFinalResponse, ReasonNoResponseInStream, 0, "bom"},
	{"half a BOM", "\xEF\xBB" + okEvent, NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"half a BOM, then a line end", "\xEF\xBB\n" + okEvent, ToolSuccess, ReasonToolSuccess, 1, ""},
	{"BOM in the second line", ":\n" + bom + okEvent, NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"BOM in the data", "data: " + bom + okBody + "\n\n", MalformedJSON, ReasonJSONSyntax, 1, ""},

	{"no space", "data:" + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"two spaces are white space of JSON", "data:  " + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"space before the colon", "data : " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"space before the field", " data: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"case of the field", "Data: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"longer field", "dataset: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"another field of four letters", "dada: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"another field of five letters", "eve-t: x\n" + okEvent, ToolSuccess, ReasonToolSuccess, 1, ""},
	{"shorter field", "dat: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"comments and other fields", ": hello\nid: 7\nretry: 10\nfoo: bar\nfoo\n:\ndata: " + okBody + "\nid\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"data in several lines", "data: {\"jsonrpc\":\"2.0\",\ndata:\ndata: \"id\":1,\n: between\ndata:\"result\":{\"content\":[]}}\n\n", ToolSuccess, ReasonToolSuccess, 1, "result-type-missing"},
	{"data lines join with LF, which no string holds", "data: {\"jsonrpc\":\"2\ndata: .0\"}\n\n", MalformedJSON, ReasonJSONSyntax, 1, ""},
	{"data with no colon", "data\ndata: " + okBody + "\ndata\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"data: in the data", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"data: x\"}]}}\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"line separators of Unicode end nothing", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"\u2028\u2029\u0085\"}]}}\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},

	{"empty event type", "event:\ndata: " + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"event with no colon", "event: x\nevent\ndata: " + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"the last type counts", "event: x\nevent: message\ndata: " + okBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"type after the data", "data: " + okBody + "\nevent: x\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"another type", "event: error\ndata: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"type with two spaces", "event:  message\ndata: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"longer type", "event: messages\ndata: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"shorter type", "event: messag\ndata: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"case of the type", "event: Message\ndata: " + okBody + "\n\n", NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
	{"a type with no data is forgotten", "event: error\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 1, ""},
	{"a type is for one event", "event: error\ndata: x\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "event-type-ignored"},
	{"empty data", "data:\n\ndata\n\ndata: \n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 4, ""},
	{"two empty data lines are a line end", "data\ndata\n\n", MalformedJSON, ReasonJSONEmpty, 1, ""},

	{"notifications", noteEvent + noteEvent + okEvent, ToolSuccess, ReasonToolSuccess, 3, ""},
	{"a notification of the wrong version", "data: {\"method\":7}\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, ""},
	{"requests", requestEvent + requestEvent + okEvent, ToolSuccess, ReasonToolSuccess, 3, "server-request"},
	{"a request with a null id", "data: {\"id\":null,\"method\":\"x\"}\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "server-request"},
	{"a request with the call's id", "data: {\"id\":1,\"method\":\"x\"}\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "server-request"},
	{"notifications only", noteEvent, NoFinalResponse, ReasonNoResponseInStream, 1, ""},

	{"error", "data: " + errorBody + "\n\n", JSONRPCError, ReasonRPCError, 1, ""},
	{"the first response decides", okEvent + "data: " + errorBody + "\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"what follows is not looked at", okEvent + requestEvent + "event: x\ndata: y\n\ndata: z", ToolSuccess, ReasonToolSuccess, 1, ""},
	{"wrong version decides", "data: {\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}\n\n" + okEvent, InvalidEnvelope, ReasonJSONRPCVersion, 1, ""},
	{"both decide", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}\n\n" + okEvent, InvalidEnvelope, ReasonResultAndError, 1, ""},
	{"method beside a response", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"result\":{\"content\":[]}}\n\n", ToolSuccess, ReasonToolSuccess, 1, "result-type-missing"},
	{"id of the same value", "data: {\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{\"content\":[],\"resultType\":\"complete\"}}\n\n", ToolSuccess, ReasonToolSuccess, 1, ""},

	{"another id, then ours", otherEvent + okEvent, ToolSuccess, ReasonToolSuccess, 2, "stray-message"},
	{"another id only", otherEvent, InvalidEnvelope, ReasonIDMismatch, 1, ""},
	{"another id twice", otherEvent + otherEvent, InvalidEnvelope, ReasonIDMismatch, 2, "stray-message"},
	{"no id", "data: {\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}\n\n", InvalidEnvelope, ReasonIDMissing, 1, ""},
	{"not JSON", "data: hello\n\n", MalformedJSON, ReasonJSONSyntax, 1, ""},
	{"not JSON, then another id", "data: 01\n\n" + otherEvent, MalformedJSON, ReasonJSONTrailing, 2, "stray-message"},
	{"a batch", "data: [" + okBody + "]\n\n", InvalidEnvelope, ReasonNotObject, 1, ""},
	{"neither kind of object", "data: {\"jsonrpc\":\"2.0\",\"id\":1}\n\n", InvalidEnvelope, ReasonNeitherResultNorError, 1, ""},
	{"a response and something else", "data: " + okBody + "x\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "stray-message"},
	{"a response that is cut", "data: " + okBody[:len(okBody)-1] + "\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "stray-message"},
	{"a notification and something else", "data: {\"method\":\"x\"}]\n\n", MalformedJSON, ReasonJSONTrailing, 1, ""},
	{"a usual notification and something else", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}]\n\n", MalformedJSON, ReasonJSONTrailing, 1, ""},
	{"a usual notification cut", "data: {\"jsonrpc\":\"2.0\",\"method\":\n\n", MalformedJSON, ReasonJSONSyntax, 1, ""},
	{"a usual notification with white space", "data: {\"jsonrpc\":\"2.0\",\"method\": \"x\"}\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, ""},
	{"a notification whose brace is another byte", "data: 1\"method\":\"x\"}\n\n", MalformedJSON, ReasonJSONTrailing, 1, ""},
	{"an array that ends as a notification does", "data: [\"method\":\"x\"}\n\n", MalformedJSON, ReasonJSONSyntax, 1, ""},
	{"white space", "data:  \n\n", MalformedJSON, ReasonJSONEmpty, 1, ""},
	{"findings of the deciding event only", "data: {\"id\":2,\"id\":3,\"result\":\"\xFF\"}\n\n" + okEvent, ToolSuccess, ReasonToolSuccess, 2, "stray-message"},
	{"findings of a stray that decides", bom + "event: x\ndata: y\n\n" + requestEvent + "data: {\"id\":2,\"id\":3,\"result\":\"\xFF\"}\n\ndata: z", InvalidEnvelope, ReasonJSONRPCVersion, 3, "bom bad-utf8 duplicate-member unterminated-event event-type-ignored server-request"},
	{"everything odd", bom + otherEvent + "event: x\ndata: y\n\n" + requestEvent + "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\\ud800\"}]}}\n\n", ToolSuccess, ReasonToolSuccess, 4, "bom lone-surrogate result-type-missing event-type-ignored server-request stray-message"},

	{"nothing", "", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"BOM only", bom, NoFinalResponse, ReasonNoResponseInStream, 0, "bom"},
	{"comments only", ": ping\n\n: ping\n\n", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"no blank line", "data: " + okBody + "\n", NoFinalResponse, ReasonNoResponseInStream, 0, "unterminated-event"},
	{"no line end", "data: " + okBody, NoFinalResponse, ReasonNoResponseInStream, 0, "unterminated-event"},
	{"a bare field at the end", "data", NoFinalResponse, ReasonNoResponseInStream, 0, "unterminated-event"},
	{"a field name cut short", "dat", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"CR, but no blank line", "data: x\r", NoFinalResponse, ReasonNoResponseInStream, 0, "unterminated-event"},
	{"no data in the last block", "event: x\nid: 4", NoFinalResponse, ReasonNoResponseInStream, 0, ""},
	{"unterminated after a stray", otherEvent + "data: ", InvalidEnvelope, ReasonIDMismatch, 1, "unterminated-event"},
	{"JSON instead of a stream", okBody, NoFinalResponse, ReasonNoResponseInStream, 0, ""},
}

func streamAnswer(stream string, ended Ended) Answer {
	return Answer{Status: 200, Header: headerOf("Content-Type: text/event-stream"), Body: []byte(stream), Ended: ended}
}

// TestStream is rules S1 to S6.
func TestStream(t *testing.T) {
	t.Parallel()
	for _, c := range streamCases {
		v := Classify(Call{ID: IntID(1)}, streamAnswer(c.stream, EndedEOF))
		if v.Outcome != c.outcome || v.Reason != c.reason || v.EventCount != c.events || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, %d events, findings %q; want %v, %v, %d, %q", c.name, v.Outcome, v.Reason, v.EventCount, kinds(&v), c.outcome, c.reason, c.events, c.findings)
		}
		end := BodySettledEarly
		if strings.Contains(c.findings, "unterminated") || v.Outcome == NoFinalResponse || v.Outcome == MalformedJSON || v.Reason == ReasonIDMismatch || v.Reason == ReasonIDMissing || v.Reason == ReasonNotObject || v.Reason == ReasonNeitherResultNorError {
			end = BodyComplete
		}
		if v.Ended != end {
			t.Errorf("%s: got the end %v, want %v", c.name, v.Ended, end)
		}
	}
}

// TestStreamCut is rule 4 in a stream.
func TestStreamCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stream string
		ended        Ended
		outcome      Outcome
		reason       Reason
		end          BodyEnd
		findings     string
	}{
		{"after the response", okEvent + "data: x", EndedReset, ToolSuccess, ReasonToolSuccess, BodySettledEarly, ""},
		{"before the blank line", "data: " + okBody + "\n", EndedReset, NoFinalResponse, ReasonBodyCut, BodyCut, ""},
		{"after strays", bom + otherEvent + requestEvent + "event: x\ndata: y\n\n", EndedDeadline, NoFinalResponse, ReasonDeadline, BodyDeadline, "bom event-type-ignored server-request stray-message"},
		{"cancelled", "", EndedCancelled, NoFinalResponse, ReasonCancelled, BodyCancelled, ""},
		{"size limit", noteEvent, EndedSizeLimit, NoFinalResponse, ReasonSizeLimit, BodySizeLimit, ""},
	} {
		v := Classify(Call{ID: IntID(1)}, streamAnswer(c.stream, c.ended))
		if v.Outcome != c.outcome || v.Reason != c.reason || v.Ended != c.end || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, %v, findings %q; want %v, %v, %v, %q", c.name, v.Outcome, v.Reason, v.Ended, kinds(&v), c.outcome, c.reason, c.end, c.findings)
		}
	}
}

// TestStreamCoded has the codings decide only what no response has decided.
func TestStreamCoded(t *testing.T) {
	t.Parallel()
	whole := gzipped(t, otherEvent+okEvent)
	damaged := append([]byte(nil), whole...)
	damaged[len(damaged)-8] ^= 1 // the checksum
	undecided := gzipped(t, otherEvent)
	damagedUndecided := append([]byte(nil), undecided...)
	damagedUndecided[len(undecided)-8] ^= 1
	for _, c := range []struct {
		name     string
		body     []byte
		ended    Ended
		outcome  Outcome
		reason   Reason
		end      BodyEnd
		findings string
	}{
		{"whole", whole, EndedEOF, ToolSuccess, ReasonToolSuccess, BodySettledEarly, "stray-message"},
		{"damaged after the response", damaged, EndedEOF, ToolSuccess, ReasonToolSuccess, BodySettledEarly, "stray-message"},
		{"cut after the response", whole[:len(whole)-4], EndedEOF, ToolSuccess, ReasonToolSuccess, BodySettledEarly, "stray-message"},
		{"damaged, no response", damagedUndecided, EndedEOF, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly, "stray-message"},
		{"ends early, no response", undecided[:len(undecided)-4], EndedEOF, NoFinalResponse, ReasonBodyCut, BodyCut, "stray-message"},
		{"deadline, no response", undecided[:len(undecided)-4], EndedDeadline, NoFinalResponse, ReasonDeadline, BodyDeadline, "stray-message"},
		{"whole, no response", undecided, EndedEOF, InvalidEnvelope, ReasonIDMismatch, BodyComplete, ""},
	} {
		a := streamAnswer(string(c.body), c.ended)
		a.Header.Set("Content-Encoding", "gzip")
		v := Classify(Call{ID: IntID(1)}, a)
		if v.Outcome != c.outcome || v.Reason != c.reason || v.Ended != c.end || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, %v, findings %q; want %v, %v, %v, %q", c.name, v.Outcome, v.Reason, v.Ended, kinds(&v), c.outcome, c.reason, c.end, c.findings)
		}
	}
}

// feed writes a stream in pieces, each of which is overwritten afterwards.
func feed(s *Stream, pieces ...string) {
	for _, piece := range pieces {
		p := []byte(piece)
		s.Write(p)
		for i := range p {
			p[i] = '#'
		}
	}
}

// TestStreamPieces has the verdict not depend on how a stream is cut: in one
// piece, byte by byte, at every place in two.
func TestStreamPieces(t *testing.T) {
	t.Parallel()
	for _, c := range streamCases {
		want := Classify(Call{ID: IntID(1)}, streamAnswer(c.stream, EndedEOF)).Clone()
		s := NewStream(Call{ID: IntID(1)})
		check := func(how string) {
			t.Helper()
			settled := s.Settled()
			if got := s.Close(EndedEOF); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: got %+v, want %+v", c.name, how, got, want)
			}
			if early := want.Ended == BodySettledEarly; settled != early {
				t.Errorf("%s, %s: settled %t before the end, want %t", c.name, how, settled, early)
			}
			s.Reset(Call{ID: IntID(1)})
		}
		feed(s, c.stream)
		check("at once")
		feed(s, strings.Split(c.stream, "")...)
		check("character by character")
		for i := range len(c.stream) {
			feed(s, c.stream[i:i+1])
		}
		check("byte by byte")
		for i := range len(c.stream) {
			feed(s, c.stream[:i], "", c.stream[i:])
			check(fmt.Sprintf("cut at %d", i))
		}
		for i := 0; i+3 <= len(c.stream); i++ {
			feed(s, c.stream[:i], c.stream[i:i+1], c.stream[i+1:i+3], c.stream[i+3:])
			check(fmt.Sprintf("cut around %d", i))
		}
	}
}

func TestStreamWrite(t *testing.T) {
	t.Parallel()
	s := NewStream(Call{ID: IntID(1)})
	if n, err := s.Write([]byte(noteEvent)); n != len(noteEvent) || err != nil || s.Settled() {
		t.Errorf("got %d, %v, settled %t; want %d, no error, not settled", n, err, s.Settled(), len(noteEvent))
	}
	if n, err := s.Write([]byte(okEvent + "more")); n != len(okEvent) || err != ErrSettled || !s.Settled() {
		t.Errorf("got %d, %v, settled %t; want %d, ErrSettled, settled", n, err, s.Settled(), len(okEvent))
	}
	if n, err := s.Write([]byte(okEvent)); n != 0 || err != ErrSettled {
		t.Errorf("got %d, %v; want 0, ErrSettled", n, err)
	}
	v := s.Close(EndedReset)
	if v.Outcome != ToolSuccess || v.Ended != BodySettledEarly || v.EventCount != 2 || string(v.ID) != "1" || v.Status != 200 || !v.Answered {
		t.Errorf("got %+v", v)
	}
	s = NewStream(Call{ID: StringID("a")})
	if v := s.Close(EndedDeadline); v.Reason != ReasonDeadline || v.Ended != BodyDeadline {
		t.Errorf("got %v, %v; want deadline", v.Reason, v.Ended)
	}
	if _, err := s.Write(nil); err != ErrSettled {
		t.Errorf("got %v after Close, want ErrSettled", err)
	}
}

func TestEventLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stream string
		limit        int64
		outcome      Outcome
		reason       Reason
		events       int
		findings     string
	}{
		{"at the limit", "data: 123456789\n\n", 9, InvalidEnvelope, ReasonNotObject, 1, ""},
		{"above it", "data: 1234567890\n\n", 9, NoFinalResponse, ReasonSizeLimit, 0, ""},
		{"above it, unfinished", "data: 1234567890", 9, NoFinalResponse, ReasonSizeLimit, 0, ""},
		{"two lines, at the limit", "data: 1234\ndata: 6789\n\n", 9, MalformedJSON, ReasonJSONTrailing, 1, ""},
		{"two lines, above it", "data: 1234\ndata: 67890\n\n", 9, NoFinalResponse, ReasonSizeLimit, 0, ""},
		{"in the second event", bom + "data: 1\n\ndata: 1234567890\n\n", 9, NoFinalResponse, ReasonSizeLimit, 1, "bom stray-message"},
		{"other fields do not count", ": 1234567890\nid: 1234567890\nevent: 1234567890\ndata: 1\n\n", 9, NoFinalResponse, ReasonNoResponseInStream, 1, "event-type-ignored"},
		{"no limit", "data: 1234567890\n\n", 0, InvalidEnvelope, ReasonNotObject, 1, ""},
		{"less than no limit", "data: 1234567890\n\n", -1, InvalidEnvelope, ReasonNotObject, 1, ""},
	} {
		for size := 1; size <= len(c.stream); size++ {
			s := NewStream(Call{ID: IntID(1)}, EventLimit(c.limit))
			for rest := c.stream; rest != ""; rest = rest[min(size, len(rest)):] {
				feed(s, rest[:min(size, len(rest))])
			}
			settled := s.Settled()
			v := s.Close(EndedEOF)
			if v.Outcome != c.outcome || v.Reason != c.reason || v.EventCount != c.events || kinds(&v) != c.findings || settled != (c.reason == ReasonSizeLimit) {
				t.Errorf("%s, pieces of %d: got %v, %v, %d events, findings %q, settled %t; want %v, %v, %d, %q", c.name, size, v.Outcome, v.Reason, v.EventCount, kinds(&v), settled, c.outcome, c.reason, c.events, c.findings)
			}
			if c.reason == ReasonSizeLimit && v.Ended != BodySizeLimit {
				t.Errorf("%s: got the end %v, want size-limit", c.name, v.Ended)
			}
		}
	}
}

// TestStreamShortLines has lines that are shorter than the names of the fields,
// with nothing behind them in memory.
func TestStreamShortLines(t *testing.T) {
	for _, text := range []string{"d\n", "dat\n", "e\n", "even\n", "\n", "d\r", "event: messag\n", "event: message"} {
		s := NewStream(Call{ID: IntID(1)})
		b := []byte(text)
		s.Write(b[:len(b):len(b)])
		if v := s.Close(EndedEOF); v.Reason != ReasonNoResponseInStream || v.EventCount != 0 || len(v.Findings) > 0 {
			t.Errorf("%q: got %v, %d events, findings %v, want no-response-in-stream, none, none", text, v.Reason, v.EventCount, v.Findings)
		}
	}
}
