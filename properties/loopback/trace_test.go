package loopback_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/properties/loopback"
)

func TestTrace(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	c := split(answer(200, strings.Repeat("x", 2000), jsonType), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	c.DelayMS = 1
	p := s.Book(loopback.Frozen(c))
	post(t, client, s.URL(), `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	post(t, client, s.URL(), call(p, "1", ""), "Authorization", "Bearer secret", "Accept", "application/json")
	trace := strings.Join(p.Record().Trace(), "\n")
	for _, want := range []string{"→ POST /mcp ping", "Accept: application/json; ", "Authorization: …; ", `\"method\":\"tools/call\"`, "(waits 1ms)", `← "HTTP/1.1 200 OK\r\n`, "more writes)", "(kept open)"} {
		if !strings.Contains(trace, want) {
			t.Errorf("got\n%s\nwant in it %q", trace, want)
		}
	}
	record := p.Record()
	if last := record.Posts[len(record.Posts)-1]; last.Wrote < last.At || last.Wrote > record.Took || record.Unfinished() {
		t.Errorf("got the last write at %s of %s, unfinished %t, want it after %s", last.Wrote, record.Took, record.Unfinished(), last.At)
	}
	if strings.Contains(trace, "secret") || len(trace) > 10_000 {
		t.Errorf("got %d bytes:\n%s", len(trace), trace)
	}
}

// The trace tells what went over the wire, and not what would have.
func TestTraceTellsWhatWas(t *testing.T) {
	t.Parallel()
	script := func(end loopback.End) loopback.Script {
		return loopback.Script{Writes: [][]byte{[]byte("first"), []byte("second")}, End: end}
	}
	const ms = time.Millisecond
	for _, test := range []struct {
		name string
		post loopback.Post
		want string
	}{
		{"kept open", loopback.Post{Script: script(loopback.EndKeep), Writes: 2, End: ms}, `"first" "second" (kept open)`},
		{"kept open in the script only", loopback.Post{Script: script(loopback.EndKeep), Writes: 2, End: ms, Became: loopback.EndClose}, `"first" "second" (closed)`},
		{"a client that left", loopback.Post{Script: script(loopback.EndKeep), Writes: 1, End: ms, Became: loopback.EndClose, Err: loopback.ErrLeft},
			`"first" (closed: the client closed the connection, after 1 of 2 writes)`},
		{"under way", loopback.Post{Script: script(loopback.EndReset), Writes: 1}, `"first" (still played, after 1 of 2 writes)`},
		{"about to end", loopback.Post{Script: script(loopback.EndReset), Writes: 2}, `"first" "second" (reset)`},
		{"silent", loopback.Post{Script: script(loopback.EndSilent), Writes: 2}, `"first" "second" (silent, and the client has not closed it)`},
		{"silent with beats", loopback.Post{Script: script(loopback.EndSilent), Writes: 5, End: ms, Became: loopback.EndSilent}, `"first" "second" (silent)`},
	} {
		var got []string
		for _, line := range (loopback.Record{Posts: []loopback.Post{test.post}}).Trace() {
			if _, text, ok := strings.Cut(line, "← "); ok {
				got = append(got, text)
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// A client that leaves before its answer is told to have had none of it.
func TestTraceOfALeaver(t *testing.T) {
	s := listen(t, loopback.Options{})
	late := answer(200, "too late")
	late.DelayMS = 600_000
	p := s.Book(loopback.Frozen(late))
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.Port()))
	if err != nil {
		t.Fatal(err)
	}
	message := call(p, "1", "")
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(message), message)
	for p.Count() == 0 {
		time.Sleep(time.Millisecond)
	}
	conn.Close()
	for p.Record().Posts[0].End == 0 {
		time.Sleep(time.Millisecond)
	}
	got := strings.Join(p.Record().Trace(), "\n")
	if want := "(closed: the client closed the connection, after 0 of 1 writes)"; !strings.Contains(got, want) || strings.Contains(got, "too late") {
		t.Errorf("got\n%s\nwant in it %q, and no answer", got, want)
	}
}

// What became of the connection is not always what the script says.
func TestScriptTellsItsEnd(t *testing.T) {
	words := [][]byte{[]byte("a"), []byte("b")}
	for _, test := range []struct {
		name   string
		script loopback.Script
		says   string // the client, before it reads
		writes int
		want   loopback.End
	}{
		{"kept open", loopback.Script{Writes: words, Delay: time.Second}, "", 2, loopback.EndKeep},
		{"closed, since the client said more", loopback.Script{Writes: words, Delay: time.Second}, "x", 2, loopback.EndClose},
		{"reset", loopback.Script{Writes: words, End: loopback.EndReset}, "", 2, loopback.EndReset},
		{"silent with two beats", loopback.Script{Writes: words, End: loopback.EndSilent, Beat: []byte("."), Every: 20 * time.Second}, "", 4, loopback.EndSilent},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				defer ours.Close()
				go func() {
					if test.says != "" {
						io.WriteString(theirs, test.says)
					}
					theirs.SetReadDeadline(time.Now().Add(time.Minute - time.Second))
					io.Copy(io.Discard, theirs)
					theirs.Close()
				}()
				writes := 0
				got, err := test.script.Perform(t.Context(), ours, func() { writes++ })
				if got != test.want || writes != test.writes || err != nil {
					t.Errorf("got %v, %d writes and %v, want %v and %d", got, writes, err, test.want, test.writes)
				}
			})
		})
	}
}
