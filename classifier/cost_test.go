package classifier

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestClassifyAllocatesNothing(t *testing.T) {
	long := http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Date": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "Content-Length": {"99"}, "Server": {"x"}, "Vary": {"Origin"}, "Cache-Control": {"no-store"}, "X-Request-Id": {"1"}, "Connection": {"close"}, "Set-Cookie": {"a"}, "Etag": {"b"}}
	for _, c := range []struct {
		name string
		a    Answer
	}{
		{"small", Answer{Status: 200, Header: headerOf("Content-Type: application/json"), Body: []byte(okBody)}},
		{"many fields", Answer{Status: 200, Header: long, Body: []byte(okBody)}},
		{"large", Answer{Status: 200, Header: long, Body: toolResult(256 << 10)}},
		{"error", Answer{Status: 200, Header: long, Body: []byte(errorBody)}},
		{"malformed", Answer{Status: 200, Header: long, Body: []byte("<html>")}},
		{"escaped id and names", Answer{Status: 200, Header: long, Body: []byte(`{"jsonrpc":"2\u002e0","\u0069d":1.0e0,"result":{"resultType":"complete","content":[{"type":"te\u0078t","text":""}]}}`)}},
		{"foreign", Answer{Status: 200, Header: headerOf("Content-Type: text/html"), Body: []byte("<html>")}},
		{"HTTP error", Answer{Status: 400, Header: long, Body: []byte(errorBody)}},
		{"cut", Answer{Status: 200, Header: long, Body: []byte(okBody), Ended: EndedReset}},
		{"stream", Answer{Status: 200, Header: headerOf("Content-Type: text/event-stream"), Body: []byte(noteEvent + okEvent)}},
	} {
		if n := testing.AllocsPerRun(100, func() { Classify(Call{ID: IntID(1)}, c.a) }); n != 0 {
			t.Errorf("%s: got %v allocations, want 0", c.name, n)
		}
	}
}

func TestStreamAllocatesNothing(t *testing.T) {
	var b bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&b, "event: message\r\nid: %d\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"method\":\"x\",\"params\":{\"n\":%d}}\r\n\r\n", i, i)
	}
	stream := b.Bytes()
	s := NewStream(Call{ID: IntID(1)})
	for _, size := range []int{1, 7, 100, len(stream)} {
		if n := testing.AllocsPerRun(20, func() {
			s.Reset(Call{ID: IntID(1)})
			for rest := stream; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				s.Write(rest[:min(size, len(rest))])
			}
		}); n != 0 {
			t.Errorf("pieces of %d: got %v allocations, want 0", size, n)
		}
	}
}

// TestEnormous is about answers whose cost is quadratic, or whose depth is too
// much, where a judge is careless. A careless one takes minutes here.
func TestEnormous(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	head := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"structuredContent":`
	for _, c := range []struct {
		name, body string
		reason     Reason
	}{
		{"deep", head + strings.Repeat("[", million) + strings.Repeat("]", million) + "}}", ReasonToolSuccess},
		{"deep objects", head + strings.Repeat(`{"content":`, million) + "1" + strings.Repeat("}", million) + "}}", ReasonToolSuccess},
		{"brackets only", strings.Repeat("[", 20<<20), ReasonJSONSyntax},
		{"results only", `{"jsonrpc":"2.0","id":1` + strings.Repeat(`,"result":{"content":[]}`, million/2) + "}", ReasonToolSuccess},
		{"errors only", `{"jsonrpc":"2.0","id":1` + strings.Repeat(`,"error":{"code":1,"message":""}`, million/2) + "}", ReasonRPCError},
		{"contents only", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"` + strings.Repeat(`,"content":[{}]`, million) + "}}", ReasonToolSuccess},
		{"odd items", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[` + strings.Repeat(`{"_meta":null},`, million) + "{}]}}", ReasonToolSuccess},
		{"a long id", `{"jsonrpc":"2.0","id":` + strings.Repeat("1", million) + `,"result":{"content":[]}}`, ReasonIDMismatch},
		{"a long exponent", `{"jsonrpc":"2.0","id":1e` + strings.Repeat("1", million) + `,"result":{"content":[]}}`, ReasonIDMismatch},
		{"a long escaped name", `{"` + strings.Repeat(`\u0061`, million) + `":1}`, ReasonJSONRPCVersion},
		{"bad bytes", `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("\xE2\x82", million) + `"}`, ReasonResultNotObject},
		{"half pairs", `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat(`\ud800`, million) + `"}`, ReasonResultNotObject},
	} {
		if v := classifyJSON(c.body); v.Reason != c.reason {
			t.Errorf("%s: got %v, want %v", c.name, v.Reason, c.reason)
		}
	}
	for _, c := range []struct {
		name, stream string
		reason       Reason
		pieces       int // their size
	}{
		{"CRs", strings.Repeat("\r", 4*million), ReasonNoResponseInStream, 4 * million},
		{"CRs, then an LF", strings.Repeat("data\r", million) + "\n", ReasonNoResponseInStream, 6 * million},
		{"CR events", strings.Repeat("data: 1\r\r", million/2) + okEvent, ReasonToolSuccess, 8 * million},
		{"LF, with one CR at the end", strings.Repeat("data:\n", million) + "\r", ReasonJSONEmpty, 8 * million},
		{"a data line a byte", "data: [\n" + strings.Repeat("data: 1\ndata: ,\n", million/2) + "data: 1]\n\n", ReasonNotObject, 64 << 10},
		{"a long comment", ":" + strings.Repeat("x", 8*million) + "\n" + okEvent, ReasonToolSuccess, 100},
		{"a long line of data in small pieces", "data: \"" + strings.Repeat("x", 8*million) + "\"\n\n", ReasonNotObject, 100},
	} {
		s := NewStream(Call{ID: IntID(1)})
		for rest := []byte(c.stream); len(rest) > 0; rest = rest[min(c.pieces, len(rest)):] {
			s.Write(rest[:min(c.pieces, len(rest))])
		}
		if v := s.Close(EndedEOF); v.Reason != c.reason {
			t.Errorf("%s: got %v, want %v", c.name, v.Reason, c.reason)
		}
	}
}
