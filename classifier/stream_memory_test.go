package classifier

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestStreamConstantMemory has a stream of comments and notifications, cut
// anywhere, take no memory at all once it is warm. It has 16 megabytes, or as
// many as REPLYPROOF_STREAM says: 1024 are a gigabyte.
func TestStreamConstantMemory(t *testing.T) {
	megabytes := 16
	if n := os.Getenv("REPLYPROOF_STREAM"); n != "" {
		var err error
		if megabytes, err = strconv.Atoi(n); err != nil {
			t.Fatalf("REPLYPROOF_STREAM=%s: want a number of megabytes", n)
		}
	}
	const events = 1000 // in a block
	block := []byte(strings.Repeat(": still here\n\n"+
		"event: message\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\n"+
		":\r\nevent: ping\r\ndata: {}\r\n\r\n"+
		"data: {\"method\":\"notifications/message\",\r\ndata: \"params\":{\"level\":\"info\",\"data\":[1,2,3]}}\r\n\r\n", events/3))
	rounds := megabytes << 20 / len(block)
	s := NewStream(Call{ID: IntID(1)})
	pass := func(piece int) {
		for rest := block; len(rest) > 0; {
			n := min(piece, len(rest))
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
	}
	pass(61)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range rounds {
		pass(1000 + i%31_000)
	}
	runtime.ReadMemStats(&after)
	// The runtime itself allocates a little now and then.
	if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
		t.Errorf("%d MB: got %d bytes allocated, want none", megabytes, got)
	}
	if _, err := s.Write([]byte(okEvent)); err != ErrSettled {
		t.Fatalf("got %v, want ErrSettled", err)
	}
	v := s.Close(EndedEOF)
	if want := (rounds+1)*(events/3)*3 + 1; v.Outcome != ToolSuccess || v.EventCount != want {
		t.Errorf("got %v after %d events, want TOOL_SUCCESS after %d", v.Outcome, v.EventCount, want)
	}
}
