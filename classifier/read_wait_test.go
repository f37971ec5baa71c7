package classifier

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const (
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	final      = "data: " + success + "\n\n"
	progress   = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"
)

func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// pipe is an HTTP exchange over net.Pipe: the server plays the script and then
// holds the connection until the client lets go.
type pipe struct {
	resp   *http.Response
	closed atomic.Int64 // when the server saw the client go, in nanoseconds from the start
}

func newPipe(t *testing.T, script func(w io.Writer)) *pipe {
	t.Helper()
	p := new(pipe)
	start := time.Now()
	client, server := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer server.Close()
		in := bufio.NewReader(server)
		if _, err := http.ReadRequest(in); err != nil {
			t.Error(err)
			return
		}
		played := make(chan struct{})
		go func() {
			defer close(played)
			script(server)
		}()
		in.ReadByte()
		p.closed.Store(int64(time.Since(start)))
		server.Close()
		<-played
	}()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }, DisableCompression: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		client.Close()
		<-done
	})
	var err error
	if p.resp, err = (&http.Client{Transport: transport}).Post("http://test/", "application/json", nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// say writes the texts; a number before one is how long to wait first.
func say(parts ...any) func(io.Writer) {
	return func(w io.Writer) {
		for _, part := range parts {
			switch part := part.(type) {
			case time.Duration:
				time.Sleep(part)
			case string:
				if _, err := io.WriteString(w, part); err != nil {
					return
				}
			}
		}
	}
}

func TestReadWaits(t *testing.T) {
	const (
		s  = time.Second
		ms = time.Millisecond
	)
	drip := []any{streamHead}
	for range 10 {
		drip = append(drip, 900*ms, chunk(progress))
	}
	long := []any{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"}
	for range 100 {
		long = append(long, s, " ")
	}
	for _, tt := range []struct {
		name    string
		script  []any
		after   time.Duration // the context's deadline, if above 0
		cancel  time.Duration // when the context is cancelled, if not 0
		options []ReadOption
		outcome Outcome
		reason  Reason
		took    time.Duration
	}{
		{"the final response is not waited past", []any{streamHead, chunk(progress), 3 * s, chunk(final)}, 0, 0, []ReadOption{ReadLinger(0)}, ToolSuccess, ReasonToolSuccess, 3 * s},
		{"but for the linger", []any{streamHead, 3 * s, chunk(final)}, 0, 0, []ReadOption{ReadLinger(20 * ms)}, ToolSuccess, ReasonToolSuccess, 3*s + 20*ms},
		{"a stream that ends is not lingered over", []any{streamHead, chunk(final), 5 * ms, "0\r\n\r\n"}, 0, 0, []ReadOption{ReadLinger(time.Hour)}, ToolSuccess, ReasonToolSuccess, 5 * ms},
		{"deadline of the context", []any{streamHead, chunk(progress)}, 5 * s, 0, nil, NoFinalResponse, ReasonDeadline, 5 * s},
		{"cancelled", []any{streamHead, chunk(progress)}, 0, 1 * s, nil, NoFinalResponse, ReasonCancelled, 1 * s},
		{"cancelled before", []any{streamHead, chunk(final)}, 0, -1, nil, NoFinalResponse, ReasonCancelled, 0},
		{"cancelled before the deadline", []any{streamHead}, 5 * s, 4 * s, nil, NoFinalResponse, ReasonCancelled, 4 * s},
		{"timeout", []any{streamHead, chunk(progress)}, 0, 0, []ReadOption{ReadTimeout(2 * s)}, NoFinalResponse, ReasonDeadline, 2 * s},
		{"timeout later than the deadline", []any{streamHead}, 1 * s, 0, []ReadOption{ReadTimeout(2 * s)}, NoFinalResponse, ReasonDeadline, 1 * s},
		{"idle for too long", drip, 0, 0, []ReadOption{ReadIdleTimeout(s)}, NoFinalResponse, ReasonDeadline, 10 * s},
		{"never idle", append(drip[:len(drip):len(drip)], 900*ms, chunk(final)), 0, 0, []ReadOption{ReadIdleTimeout(s), ReadLinger(0)}, ToolSuccess, ReasonToolSuccess, 9900 * ms},
		{"JSON that drips", long, 30*s + 500*ms, 0, nil, NoFinalResponse, ReasonDeadline, 30*s + 500*ms},
		{"JSON that never comes", long[:1], 0, 0, []ReadOption{ReadIdleTimeout(s)}, NoFinalResponse, ReasonDeadline, s},
		{"error status, its body drips", []any{"HTTP/1.1 503 No\r\nContent-Length: 10\r\n\r\n", "{"}, 2 * s, 0, nil, HTTPError, ReasonHTTPStatus, 2 * s},
		{"foreign type, its body never comes", []any{"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n"}, 0, 0, []ReadOption{ReadLinger(0)}, UnexpectedContentType, ReasonContentTypeForeign, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPipe(t, say(tt.script...))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.after > 0 {
					ctx, cancel = context.WithTimeout(ctx, tt.after)
					defer cancel()
				}
				if tt.cancel < 0 {
					cancel()
				} else if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				start := time.Now()
				v := Read(ctx, Call{ID: IntID(1)}, p.resp, tt.options...)
				if took := time.Since(start); v.Outcome != tt.outcome || v.Reason != tt.reason || took != tt.took {
					t.Errorf("got %v, %v after %v, want %v, %v after %v", v.Outcome, v.Reason, took, tt.outcome, tt.reason, tt.took)
				}
				synctest.Wait()
				if v.Reason == ReasonCancelled || v.Reason == ReasonDeadline {
					if closed := time.Duration(p.closed.Load()); closed != tt.took {
						t.Errorf("the server saw the connection close after %v, want %v", closed, tt.took)
					}
				}
			})
		})
	}
}

// TestReadCodedStream is about a coded stream that stays open: what the server
// flushed must be judged at once, what it did not when the deadline passes.
func TestReadCodedStream(t *testing.T) {
	for _, flush := range []bool{true, false} {
		t.Run(fmt.Sprint("flushed ", flush), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPipe(t, func(w io.Writer) {
					io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
					g := gzip.NewWriter(w)
					io.WriteString(g, progress)
					g.Flush()
					time.Sleep(time.Second)
					io.WriteString(g, final)
					if flush {
						g.Flush()
					}
				})
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				start := time.Now()
				v := Read(ctx, Call{ID: IntID(1)}, p.resp, ReadLinger(0))
				want, reason := time.Second, ReasonToolSuccess
				if !flush {
					want, reason = 5*time.Second, ReasonDeadline
				}
				if took := time.Since(start); v.Reason != reason || took != want {
					t.Errorf("got %v after %v, want %v after %v", v.Reason, took, reason, want)
				}
			})
		})
	}
}

// stuckBody is a body that Close cannot end.
type stuckBody struct{ release chan struct{} }

func (b stuckBody) Read([]byte) (int, error) {
	<-b.release
	return 0, io.EOF
}

func (b stuckBody) Close() error {
	<-b.release
	return nil
}

func TestReadStuckBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := stuckBody{make(chan struct{})}
		defer close(b.release)
		start := time.Now()
		v := Read(t.Context(), Call{ID: IntID(1)}, &http.Response{StatusCode: 200, Body: b}, ReadTimeout(time.Second))
		if took := time.Since(start); v.Reason != ReasonDeadline || took != time.Second+closeGrace {
			t.Errorf("got %v after %v, want deadline after %v", v.Reason, took, time.Second+closeGrace)
		}
	})
}
