package callers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Line is the way from a caller to the server that plays a sequence. It is an
// [http.RoundTripper], to be given to a client in place of its transport, and
// an [http.Handler], to be served by a server of net/http/httptest, for callers
// that need sockets. It has the clock by which waits are measured. It answers
// initialize, tools/list, server/discover and notifications by itself.
type Line struct {
	mu      sync.Mutex
	slept   time.Duration // what Sleep let pass
	answers []answer
	next    int
	seen    *Transcript // of the call under way
	stop    context.CancelFunc
	cleanup []func()
}

const (
	// origin is the address that a Line answers as a RoundTripper.
	origin    = "http://line.invalid"
	callPath  = "/mcp"
	movedPath = "/moved"
)

// URL is the address of the server for a client whose transport is the line.
// Of a server that serves the line the path is /mcp too.
func (l *Line) URL() string { return origin + callPath }

// Now is the time by the clock of the line: that of package time, and what Sleep
// let pass.
func (l *Line) Now() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now()
}

func (l *Line) now() time.Time { return time.Now().Add(l.slept) }

// Sleep lets d pass by the clock of the line, at once; a year is the longest. It
// returns the error of a context that has ended.
func (l *Line) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slept += min(max(d, 0), forEver)
	return nil
}

// Cleanup calls fn when the caller is no longer needed, the last one first.
func (l *Line) Cleanup(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cleanup = append(l.cleanup, fn)
}

func (l *Line) close() {
	for _, fn := range slices.Backward(l.cleanup) {
		fn()
	}
	l.cleanup = nil
}

// begin makes the line ready for a call.
func (l *Line) begin(seen *Transcript, answers []answer, stop context.CancelFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen, l.answers, l.next, l.stop = seen, answers, 0, stop
	seen.Began = l.now()
}

// end gives the transcript, to which nothing is added any more.
func (l *Line) end() *Transcript {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.seen
	l.seen = nil
	return seen
}

// maxPosts is how many POSTs of one call are answered.
const maxPosts = 40

var errTooMany = fmt.Errorf("callers: the call was sent more than %d times", maxPosts)

// receive takes a request down and gives the answer to it. The answer is nil
// where there is none to give any more.
func (l *Line) receive(r *http.Request, body []byte) (c *corpus.Case, id classifier.ID) {
	sent := newSent(r, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	sent.At = l.now()
	switch {
	case l.seen == nil && sent.Call:
		return nil, id
	case l.seen == nil: // the maker connects, or the caller closes
		return new(reply(sent)), idOf(sent.ID)
	}
	a := l.choose(sent)
	sent.answer = a
	sent.Answered = l.now()
	l.seen.Sent = append(l.seen.Sent, sent)
	return &a.made, idOf(sent.ID)
}

func (l *Line) choose(sent *Sent) *answer {
	switch {
	case !sent.Call:
		return &answer{kind: &kinds[0], made: reply(sent)}
	case l.next >= maxPosts:
		l.stop()
		return &answer{kind: &kinds[0], made: corpus.Case{Ended: new(classifier.EndedCancelled)}}
	}
	l.next++
	if l.next <= len(l.answers) {
		return &l.answers[l.next-1]
	}
	return new(beyond())
}

// RoundTrip answers as a server would. It reads the whole of the request's body.
func (l *Line) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	c, id := l.receive(r, body)
	if c == nil {
		return nil, errors.New("callers: no call is under way")
	}
	if c.Status == nil {
		return nil, noAnswer(c.NoAnswer())
	}
	wire := c.Wire(id)
	response := &http.Response{
		StatusCode: *c.Status, Status: fmt.Sprintf("%d %s", *c.Status, http.StatusText(*c.Status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: c.HTTPHeader(), Request: r,
		ContentLength: int64(len(wire.Body)),
	}
	delivered := io.Reader(bytes.NewReader(wire.Delivered()))
	if wire.Cut < len(wire.Body) {
		delivered = io.MultiReader(delivered, broken{})
	}
	if c.HTTPHeader().Get("Content-Type") == streamMedia {
		response.ContentLength = -1
	}
	response.Body = io.NopCloser(delivered)
	return response, nil
}

// broken is the rest of a body whose connection broke.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// noAnswer is the error of a transport for a request that got no answer.
func noAnswer(ended classifier.Ended) error {
	switch ended {
	case classifier.EndedConnect:
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case classifier.EndedDeadline:
		return &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
	case classifier.EndedReset:
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return errTooMany
}

// ServeHTTP answers over a socket. An answer that there is none, in whatever
// way, is a connection that is closed.
func (l *Line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c, id := l.receive(r, body)
	if c == nil || c.Status == nil {
		panic(http.ErrAbortHandler)
	}
	wire := c.Wire(id)
	header := w.Header()
	header["Content-Type"] = nil // none is guessed
	for name, values := range c.HTTPHeader() {
		header[name] = values
	}
	w.WriteHeader(*c.Status)
	_, _ = w.Write(wire.Delivered())
	if wire.Cut < len(wire.Body) {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}
