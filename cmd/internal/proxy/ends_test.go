package proxy

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// abort breaks a connection off in the midst of an answer.
func abort(w http.ResponseWriter, text string) {
	io.WriteString(w, text)
	http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// nobody is an address where nobody listens.
func nobody(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return "http://" + l.Addr().String() + "/mcp"
}

// TestHowAnswersEnd: what the records tell of answers that came, and of those
// that did not.
func TestHowAnswersEnd(t *testing.T) {
	response := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,%s}`, okResult)
	broken := httptest.NewTLSServer(http.HandlerFunc(answersOK)) // nobody here trusts it
	broken.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer broken.Close()
	tests := []struct {
		name     string
		upstream string
		answer   http.HandlerFunc
		status   int // that the client gets; 0: none
		want     string
		own      bool // the 502 is the proxy's
	}{
		{"whole", "", answersOK, 200, "200 eof TOOL_SUCCESS tool-success", false},
		{"a stream", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: "+response+"\n\n")
		}, 200, "200 eof TOOL_SUCCESS tool-success", false},
		{"a 502 of the server's", "", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }, 502, "502 eof HTTP_ERROR http-status", false},
		{"an empty 204", "", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, 204, "204 eof NO_FINAL_RESPONSE no-body", false},
		{"cut against its length", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			abort(w, response)
		}, 200, "200 reset NO_FINAL_RESPONSE body-cut", false},
		{"cut in chunks", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			abort(w, response)
		}, 200, "200 reset NO_FINAL_RESPONSE body-cut", false},
		{"a stream cut after the response", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			abort(w, "data: "+response+"\n\n")
		}, 200, "200 reset TOOL_SUCCESS tool-success", false},
		{"no answer", "", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 502, "none reset NO_FINAL_RESPONSE reset", true},
		{"no HTTP", "", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			io.WriteString(conn, "SSH-2.0-x\r\n")
			conn.Close()
		}, 502, "none reset NO_FINAL_RESPONSE reset", true},
		{"nobody there", nobody(t), nil, 502, "none connect NO_FINAL_RESPONSE connect", true},
		{"a name that is none", "http://no-such-host.invalid/mcp", nil, 502, "none connect NO_FINAL_RESPONSE connect", true},
		{"TLS that is not trusted", broken.URL + "/mcp", nil, 502, "none tls NO_FINAL_RESPONSE tls", true},
		{"TLS where there is none", "https" + strings.TrimPrefix(upstream(t, answersOK), "http"), nil, 502, "none tls NO_FINAL_RESPONSE tls", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := test.upstream
			if at == "" {
				at = upstream(t, test.answer)
			}
			r := run(t, Options{Upstream: at}, capture.LineOptions{})
			resp, err := r.post(call(1, "{}"))
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != test.status {
				t.Errorf("the client got %d, want %d", resp.StatusCode, test.status)
			}
			if own := resp.Header.Get("Replyproof-Record") != "" && strings.Contains(string(text), "the upstream gave no answer"); own != test.own {
				t.Errorf("the client got %v, %q: own is %v, want %v", resp.Header, text, own, test.own)
			}
			x, j := one(t, r)
			if got := told1(x, j); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if own := x.Proxied != nil && x.Proxied.Status == 502 && x.Proxied.Error != ""; own != test.own {
				t.Errorf("got %+v, want the proxy's own answer told: %v", x.Proxied, test.own)
			}
		})
	}
}

// one is the only record, and its verdict when it is read back.
func one(t *testing.T, r *running) (capture.Exchange, capture.Judged) {
	t.Helper()
	records := r.end()
	if len(records) != 1 {
		t.Fatalf("got %d records, want one", len(records))
	}
	j := capture.Judge(records[0])
	if was := capture.VerdictKey(r.judged[0].Verdict); was != capture.VerdictKey(j.Verdict) && !records[0].Answer.BodyUnknown {
		t.Errorf("got %s from the record, and it was %s", capture.VerdictKey(j.Verdict), was)
	}
	return records[0], j
}

func told1(x capture.Exchange, j capture.Judged) string {
	if x.Answer == nil {
		return fmt.Sprintf("none %s %s %s", x.NoAnswer, j.Verdict.Outcome, j.Verdict.Reason)
	}
	return fmt.Sprintf("%d %s %s %s", x.Answer.Status, x.Answer.Ended, j.Verdict.Outcome, j.Verdict.Reason)
}

// TestTLS: an upstream that speaks TLS, and HTTP/2 if it likes.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(answersOK))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	transport := newTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	defer transport.CloseIdleConnections()
	r := run(t, Options{Upstream: s.URL + "/mcp", Transport: transport}, capture.LineOptions{})
	if status, text, err := r.ask(call(1, "{}")); status != 200 || err != nil {
		t.Errorf("got %d, %q, %v", status, text, err)
	}
	x, j := one(t, r)
	if got := told1(x, j); got != "200 eof TOOL_SUCCESS tool-success" || !strings.HasPrefix(x.Request.URL, "https://127.0.0.1:") {
		t.Errorf("got %s of %s", got, x.Request.URL)
	}
}

// TestClientsThatAreGone: before the answer, in its midst, and once a stream has
// given what was wanted.
func TestClientsThatAreGone(t *testing.T) {
	event := fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":1,%s}\n\n", okResult)
	tests := []struct{ name, sent, want string }{
		{"before the answer", "", "none cancelled NO_FINAL_RESPONSE cancelled"},
		{"in a stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n", "200 cancelled NO_FINAL_RESPONSE cancelled"},
		{"after the response", event, "200 cancelled TOOL_SUCCESS tool-success"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			begun, seen := make(chan bool, 1), make(chan bool)
			r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if test.sent != "" {
					w.Header().Set("Content-Type", "text/event-stream")
					io.WriteString(w, test.sent)
					http.NewResponseController(w).Flush()
				}
				begun <- true
				<-r.Context().Done() // the proxy tells the server that nobody waits
				close(seen)
			})}, capture.LineOptions{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			request, _ := http.NewRequestWithContext(ctx, "POST", r.url, strings.NewReader(call(1, "{}")))
			if test.sent == "" {
				go func() { <-begun; cancel() }()
			}
			resp, err := r.client.Do(request)
			if test.sent != "" {
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(resp.Body, make([]byte, len(test.sent))); err != nil {
					t.Fatal(err)
				}
				cancel()
				resp.Body.Close()
			}
			<-seen
			x, j := one(t, r)
			if got := told1(x, j); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestStop: what is under way at the end is cut and recorded as cut, and a call
// that has no answer by then gets none, no 502 of the proxy's own either; what is
// over is recorded, whatever it is.
func TestStop(t *testing.T) {
	begun := make(chan bool)
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"stream"`):
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case strings.Contains(string(body), `"wait"`):
			begun <- true
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,%s}`, okResult)
		}
	})}, capture.LineOptions{})
	for range 30 {
		if status, _, err := r.ask(call(1, `{"a":1}`)); status != 200 || err != nil {
			t.Fatalf("got %d, %v", status, err)
		}
	}
	stream, err := r.post(call(2, `{"b":"stream"}`)) // its head is here, and it goes on
	if err != nil {
		t.Fatal(err)
	}
	type end struct {
		status int
		err    error
	}
	waits := make(chan end, 1)
	go func() {
		status, _, err := r.ask(call(3, `{"b":"wait"}`))
		waits <- end{status, err}
	}()
	<-begun
	records := r.end()
	text, err := io.ReadAll(stream.Body)
	stream.Body.Close()
	if stream.StatusCode != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the stream: got %d, %q, %v, want a 200 that is cut", stream.StatusCode, text, err)
	}
	if got := <-waits; got.status != 0 || got.err == nil {
		t.Errorf("the call without an answer: got %d, %v, want a closed connection", got.status, got.err)
	}
	got := map[string]int{}
	for _, x := range records {
		got[told1(x, capture.Judge(x))]++
	}
	want := map[string]int{"200 eof TOOL_SUCCESS tool-success": 30, "200 reset NO_FINAL_RESPONSE body-cut": 1, "none reset NO_FINAL_RESPONSE reset": 1}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// stoppedMeanwhile is an upstream while whose answer is awaited the proxy is stopped.
type stoppedMeanwhile struct{ cut context.CancelCauseFunc }

func (s stoppedMeanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	s.cut(errStopped)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestNo502AtTheEnd: the connection may be open still when a call is given up at
// the end of the proxy; nothing is written over it even so.
func TestNo502AtTheEnd(t *testing.T) {
	ctx, cut := context.WithCancelCause(t.Context())
	var out bytes.Buffer
	journal := NewJournal(&out, capture.LineOptions{}, nil)
	p, err := New(Options{Upstream: "http://127.0.0.1:1/mcp", Journal: journal, Transport: stoppedMeanwhile{cut}})
	if err != nil {
		t.Fatal(err)
	}
	if p.listener, err = Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer p.listener.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, "POST", "http://127.0.0.1:1/mcp", strings.NewReader(call(1, "{}")))
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("got %v, want the connection closed", got)
			}
		}()
		p.ServeHTTP(w, r)
	}()
	if len(w.Header()) != 0 || w.Body.Len() != 0 {
		t.Errorf("got %d, %v, %q, want nothing", w.Code, w.Header(), w.Body)
	}
	for range 2 { // a second time tells the same
		if written, err := journal.Close(); written != 1 || err != nil {
			t.Errorf("got %d records, %v, want one", written, err)
		}
	}
	if !strings.Contains(out.String(), `"NO_FINAL_RESPONSE"`) || strings.Contains(out.String(), "502") {
		t.Errorf("got the record %s, want no answer", &out)
	}
}

// TestSlowPeers: a client that sends its request byte by byte, and one that does
// not read for a while, get what they asked for.
func TestSlowPeers(t *testing.T) {
	const size = 8 << 20
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":"`)
		io.WriteString(w, strings.Repeat("x", size))
		io.WriteString(w, `"}}`)
	})}, capture.LineOptions{BodyLimit: 1 << 20})
	from, to := io.Pipe()
	go func() {
		for _, b := range []byte(call(1, "{}")) {
			to.Write([]byte{b})
			time.Sleep(time.Millisecond)
		}
		to.Close()
	}()
	resp, err := r.client.Post(r.url, "application/json", from)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // until no buffer on the way has room
	n, err := io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if n < size || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	x, j := one(t, r)
	if j.Verdict.Outcome != classifier.ToolSuccess || string(x.Request.Body) != call(1, "{}") || !x.Answer.BodyUnknown {
		t.Errorf("got %s, request %q", j.Verdict.Outcome, x.Request.Body)
	}
}
