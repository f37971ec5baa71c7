package classifier

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// listen plays the script, below net/http, to each connection after its request.
func listen(t *testing.T, script func(c *net.TCPConn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			http.ReadRequest(bufio.NewReader(c))
			script(c.(*net.TCPConn))
			c.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return "http://" + l.Addr().String()
}

// post sends a request with a client of its own.
func post(t *testing.T, ctx context.Context, url string, transport *http.Transport) *http.Response {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestReadBrokenWire(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	g := string(gzipped(t, success))
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	coded := head + "Content-Encoding: gzip\r\n"
	stream := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	chunked := "Transfer-Encoding: chunked\r\n\r\n"
	n := len(success)
	for _, tt := range []struct {
		name    string
		wire    string
		reset   bool
		outcome Outcome
		reason  Reason
		ended   BodyEnd
	}{
		{"whole", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n, success), false, ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"whole, up to the close", head + "Connection: close\r\n\r\n" + success, false, ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"Content-Length too long", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n+1, success), false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"Content-Length too short", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n-1, success), false, MalformedJSON, ReasonJSONSyntax, BodyComplete},
		{"reset in the middle", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n, success[:n/2]), true, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"reset, up to the close", head + "\r\n" + success, true, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"chunked", head + chunked + chunk(success) + "0\r\n\r\n", false, ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"last chunk missing", head + chunked + chunk(success), false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"chunk cut", head + chunked + chunk(success)[:50], false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"chunk size broken", head + chunked + "zz\r\n" + success, false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"chunk longer than its size", head + chunked + "5\r\n" + success, false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"gzip", coded + "\r\n" + g, false, ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"gzip cut", coded + "\r\n" + g[:len(g)-9], false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"gzip without its trailer, chunked whole", coded + chunked + chunk(g[:len(g)-8]) + "0\r\n\r\n", false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"gzip damaged", coded + "\r\n" + string(flip([]byte(g), -3)), false, UnexpectedContentType, ReasonContentEncoding, BodySettledEarly},
		{"stream cut after the response", stream + chunked + chunk(final), false, ToolSuccess, ReasonToolSuccess, BodySettledEarly},
		{"stream reset after the response", stream + chunked + chunk(final), true, ToolSuccess, ReasonToolSuccess, BodySettledEarly},
		{"stream cut before the response", stream + chunked + chunk(progress), false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"stream cut inside the response", stream + chunked + chunk(final[:len(final)-1]), false, NoFinalResponse, ReasonBodyCut, BodyCut},
		{"stream whole without a response", stream + chunked + chunk(progress) + "0\r\n\r\n", false, NoFinalResponse, ReasonNoResponseInStream, BodyComplete},
		{"empty 202", "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", false, NoFinalResponse, ReasonNoBody, BodyComplete},
	} {
		// With and without the transport's own decompression.
		for _, plain := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, compression off %v", tt.name, plain), func(t *testing.T) {
				url := listen(t, func(c *net.TCPConn) {
					io.WriteString(c, tt.wire)
					if tt.reset {
						time.Sleep(20 * time.Millisecond) // a reset may overtake what was sent
						c.SetLinger(0)
					}
				})
				resp := post(t, t.Context(), url, &http.Transport{DisableCompression: plain})
				v := Read(t.Context(), Call{ID: IntID(1)}, resp)
				if v.Outcome != tt.outcome || v.Reason != tt.reason || v.Ended != tt.ended {
					t.Errorf("got %v, %v, %v, want %v, %v, %v", v.Outcome, v.Reason, v.Ended, tt.outcome, tt.reason, tt.ended)
				}
			})
		}
	}
}

// TestReadCancelReachesServer cancels a call whose server streams for ever.
func TestReadCancelReachesServer(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	gone := make(chan time.Time, 1)
	url := listen(t, func(c *net.TCPConn) {
		io.WriteString(c, streamHead+chunk(progress))
		c.Read(make([]byte, 1))
		gone <- time.Now()
	})
	for _, name := range []string{"own context", "the request's context"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := t.Context()
			if name != "own context" {
				asked = ctx
			}
			resp := post(t, asked, url, &http.Transport{})
			cancelled := make(chan time.Time, 1)
			time.AfterFunc(50*time.Millisecond, func() {
				cancelled <- time.Now()
				cancel()
			})
			v := Read(ctx, Call{ID: IntID(1)}, resp)
			returned, at := time.Now(), <-cancelled
			if v.Outcome != NoFinalResponse || v.Reason != ReasonCancelled || v.Ended != BodyCancelled {
				t.Errorf("got %v, %v, %v, want cancelled", v.Outcome, v.Reason, v.Ended)
			}
			seen := (<-gone).Sub(at)
			t.Logf("returned after %v, seen by the server after %v", returned.Sub(at), seen)
			if seen > time.Second {
				t.Errorf("the server saw the connection close %v after the cancellation", seen)
			}
		})
	}
}

// bomb writes n megabytes of zero bytes, gzipped.
func bomb(w io.Writer, megabytes int) {
	g := gzip.NewWriter(w)
	zeros := make([]byte, 1<<20)
	for range megabytes {
		if _, err := g.Write(zeros); err != nil {
			return
		}
	}
	g.Close()
}

func TestReadBomb(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for _, contentType := range []string{"application/json", "text/event-stream"} {
		for _, plain := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, compression off %v", contentType, plain), func(t *testing.T) {
				url := listen(t, func(c *net.TCPConn) {
					fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Encoding: gzip\r\n\r\n", contentType)
					bomb(c, 200)
				})
				resp := post(t, t.Context(), url, &http.Transport{DisableCompression: plain})
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				v := Read(t.Context(), Call{ID: IntID(1)}, resp, ReadDecodedLimit(2<<20))
				runtime.ReadMemStats(&after)
				if v.Outcome != NoFinalResponse || v.Reason != ReasonSizeLimit || v.Ended != BodySizeLimit {
					t.Errorf("got %v, %v, %v, want size-limit", v.Outcome, v.Reason, v.Ended)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
					t.Errorf("%d MB were allocated for a limit of 2 MB", used>>20)
				}
			})
		}
	}
}

// TestReadKeepsConnection counts the connections of calls one after another.
func TestReadKeepsConnection(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for _, tt := range []struct {
		name        string
		contentType string
		body        []string
		most        int
	}{
		{"JSON", "application/json", []string{success}, 1},
		{"error", "application/json", []string{"{}"}, 1},
		{"foreign type", "text/html", []string{"<html>"}, 2},
		{"stream that ends", "text/event-stream", []string{progress, final}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened := 0
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.contentType)
				for _, part := range tt.body {
					io.WriteString(w, part)
					w.(http.Flusher).Flush()
				}
			}))
			server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					opened++
				}
			}
			server.Start()
			defer server.Close()
			transport := &http.Transport{}
			for range 20 {
				resp := post(t, t.Context(), server.URL, transport)
				Read(t.Context(), Call{ID: IntID(1)}, resp, ReadLinger(time.Second))
			}
			if opened > tt.most {
				t.Errorf("20 calls opened %d connections, want at most %d", opened, tt.most)
			}
		})
	}
}

// quiet is an error whose text does not tell what is in it.
type quiet struct{ error }

func (quiet) Error() string   { return "x" }
func (q quiet) Unwrap() error { return q.error }

func TestNoAnswerFromError(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	short, cancelShort := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancelShort()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	say := func(text string) string { return listen(t, func(c *net.TCPConn) { io.WriteString(c, text) }) }
	silent := listen(t, func(c *net.TCPConn) { c.Read(make([]byte, 1)) })

	for _, tt := range []struct {
		name   string
		ctx    context.Context
		url    string
		client http.Client
		want   Ended
	}{
		{"refused", t.Context(), "http://" + free.Addr().String(), http.Client{}, EndedConnect},
		{"no such scheme", t.Context(), "gopher://127.0.0.1/", http.Client{}, EndedConnect},
		{"closed before the status line", t.Context(), say(""), http.Client{}, EndedReset},
		{"reset before the status line", t.Context(), listen(t, func(c *net.TCPConn) { c.SetLinger(0) }), http.Client{}, EndedReset},
		{"cut inside the head", t.Context(), say("HTTP/1.1 200 OK\r\nContent-"), http.Client{}, EndedReset},
		{"no HTTP", t.Context(), say("SSH-2.0-x\r\n\r\n"), http.Client{}, EndedReset},
		{"a broken header line", t.Context(), say("HTTP/1.1 200 OK\r\n: x\r\n\r\n"), http.Client{}, EndedReset},
		{"certificate unknown", t.Context(), secure.URL, http.Client{}, EndedTLS},
		{"no TLS there", t.Context(), strings.Replace(say("HTTP/1.1 400 Bad Request\r\n\r\n"), "http:", "https:", 1), http.Client{}, EndedTLS},
		{"no protocol version in common", t.Context(), secure.URL, http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{MaxVersion: tls.VersionTLS11}}}, EndedTLS},
		{"cancelled", cancelled, silent, http.Client{}, EndedCancelled},
		{"deadline of the context", short, silent, http.Client{}, EndedDeadline},
		{"timeout of the client", t.Context(), silent, http.Client{Timeout: 30 * time.Millisecond}, EndedDeadline},
		{"timeout of the head", t.Context(), silent, http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Millisecond}}, EndedDeadline},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.client.Transport == nil {
				tt.client.Transport = &http.Transport{}
			}
			defer tt.client.CloseIdleConnections()
			req, err := http.NewRequestWithContext(tt.ctx, http.MethodPost, tt.url, bytes.NewReader([]byte("{}")))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := tt.client.Do(req)
			if err == nil {
				resp.Body.Close()
				t.Fatal("there was an answer")
			}
			if got := NoAnswerFromError(err); got != tt.want {
				t.Errorf("%v: got %v, want %v", err, got, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		name string
		err  error
		want Ended
	}{
		{"none", nil, EndedEOF},
		{"no such host", &net.DNSError{Err: "no such host", IsNotFound: true}, EndedConnect},
		{"name server too slow", &net.DNSError{Err: "timeout", IsTimeout: true}, EndedConnect},
		{"proxy refuses", &net.OpError{Op: "proxyconnect", Err: errors.New("x")}, EndedConnect},
		{"handshake too slow", errors.New("net/http: TLS handshake timeout"), EndedTLS},
		{"unknown", errors.New("x"), EndedConnect},
		{"issuer unknown", x509.UnknownAuthorityError{}, EndedTLS},
		{"certificate of another host", x509.HostnameError{Certificate: new(x509.Certificate), Host: "x"}, EndedTLS},
		{"certificate expired", x509.CertificateInvalidError{Reason: x509.Expired}, EndedTLS},
		{"HTTP in place of TLS", http.ErrSchemeMismatch, EndedTLS},
		{"alert", quiet{tls.AlertError(40)}, EndedTLS},
		{"no record of TLS", quiet{tls.RecordHeaderError{Msg: "x"}}, EndedTLS},
		{"hello refused", quiet{&tls.ECHRejectionError{}}, EndedTLS},
		{"certificate not verified", quiet{&tls.CertificateVerificationError{Err: errors.New("x")}}, EndedTLS},
		{"connect by SOCKS", &net.OpError{Op: "socks connect", Err: errors.New("x")}, EndedConnect},
		{"dial", &net.OpError{Op: "dial", Err: errors.New("x")}, EndedConnect},
		{"dial cut short", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, EndedConnect},
		{"read", &net.OpError{Op: "read", Err: errors.New("x")}, EndedReset},
		{"read cut short", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, EndedDeadline},
	} {
		if got := NoAnswerFromError(tt.err); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
