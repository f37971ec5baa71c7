package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/corpus"
)

const (
	// requestKept is how much of a request is looked at for what it carries, in
	// bytes. A longer one passes, and is recorded by its digest.
	requestKept = 32 << 20
	// requestAhead is how much of it is read before any of it is passed on.
	requestAhead = 4 << 20
	// judged is the longest body of an answer that is judged, in bytes; of a
	// stream the longest event.
	judged = 64 << 20
)

// errReplaced ends an answer of the upstream in whose place another is given.
var errReplaced = errors.New("replaced by an injected answer")

// exchange is a request under way.
type exchange struct {
	proxy   *Proxy
	ctx     context.Context // ends when the client is gone
	number  int64
	started time.Time
	method  string
	url     string
	headers corpus.Headers
	request *tap
	last    bool // of its connection

	call     classifier.ID // where something is injected
	upgraded bool
	undo     func() bool // lets go of an upgraded connection
	status   int         // of the answer, 0 for none
	answer   corpus.Headers
	body     *tap
	verdict  chan classifier.Verdict // on a body over the limit
	ended    classifier.Ended        // how a request without an answer ended
	plan     *plan                   // what is injected; nil for nothing
	proxied  *capture.Proxied
}

// begin takes down a request.
func (p *Proxy) begin(r *http.Request) *exchange {
	target := url.URL{Scheme: p.upstream.Scheme, Host: p.upstream.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	x := &exchange{
		proxy: p, ctx: r.Context(), number: p.count.Add(1), started: time.Now(), method: r.Method, url: target.String(),
		last:    r.Close || !r.ProtoAtLeast(1, 1),
		headers: append(corpus.Headers{{Name: "Host", Value: r.Host}}, corpus.HeadersOf(r.Header)...),
	}
	x.request = &tap{ReadCloser: r.Body, limit: max(requestKept, p.options.Journal.options.BodyLimit)}
	if r.Body != http.NoBody {
		r.Body = x.request
	}
	x.ended = classifier.EndedReset // what becomes of it unless something else is told
	return x
}

// message is what the request carries, as far as it was sent by now.
func (x *exchange) message() capture.Message {
	r := x.asRequest()
	m := capture.ReadMessage(r)
	if m.Kind == capture.Call && r.BodyUnknown {
		m.Kind = capture.Unknown
		m.Why = fmt.Sprintf("the request is longer than %d MiB, so the id of the call is not known", requestKept>>20)
	}
	return m
}

func (x *exchange) asRequest() *capture.Request {
	r := &capture.Request{Method: x.method, URL: x.url, Headers: x.headers}
	r.Body, r.BodyUnknown, r.Lost = x.request.body(x.proxy.options.Journal.options.Raw)
	return r
}

// prepare reads the request before any of it is passed on, for what it carries
// must be known also where the upstream takes none of it; a long one passes in
// part while it comes. It is false if the client broke off in its midst.
func (x *exchange) prepare(r *http.Request) bool {
	if r.Body == http.NoBody {
		return true
	}
	rest := r.Body
	text, err := io.ReadAll(io.LimitReader(rest, requestAhead))
	if err != nil {
		x.ended = classifier.EndedCancelled
		return false
	}
	if len(text) < requestAhead {
		// All of it is here: nothing is to read from the client any more while the
		// answer is on its way to it.
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(text)), int64(len(text)), nil
	} else {
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(text), rest), rest}
	}
	if x.proxy.options.Injector == nil || len(text) == requestAhead {
		return true
	}
	if m := x.message(); m.Kind == capture.Call {
		x.call = m.ID
		if x.plan, err = x.proxy.options.Injector.next(m.ID); err != nil {
			x.proxy.options.Note("exchange %d: nothing was injected: %v", x.number, err)
		}
	}
	return true
}

// answered takes down the head of an answer, and its body as it passes. An
// answer that is to be replaced is read here, and goes no further.
func (x *exchange) answered(resp *http.Response) error {
	if x.plan != nil && resp.StatusCode != http.StatusSwitchingProtocols {
		ctx := resp.Request.Context()
		v := classifier.Read(ctx, classifier.Call{ID: x.call}, resp)
		if err := ctx.Err(); err != nil {
			return err // the client is gone
		}
		x.proxied = &capture.Proxied{Injected: x.plan.recipe, Replaced: told(v)}
		return errReplaced
	}
	x.status, x.answer = resp.StatusCode, corpus.HeadersOf(resp.Header)
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// What follows is no HTTP, and the body is the connection itself.
		x.upgraded = true
		if conn, ok := x.ctx.Value(connKey{}).(net.Conn); ok {
			x.undo = context.AfterFunc(x.ctx, func() { conn.Close() }) // at the end of the proxy
		}
		return nil
	}
	limit := x.proxy.options.Journal.options.BodyLimit
	if limit == 0 {
		limit = judged
	}
	x.body = &tap{ReadCloser: resp.Body, limit: limit, over: x.judgeLong(resp)}
	resp.Body = x.body
	return nil
}

// judgeLong judges an answer that is longer than what is kept of it, while it
// passes: in memory is what the verdict needs, of a stream one event.
func (x *exchange) judgeLong(resp *http.Response) func(kept []byte) feed {
	header, status := resp.Header.Clone(), resp.StatusCode
	return func(kept []byte) feed {
		m := x.message()
		if m.Kind != capture.Call && m.Kind != capture.Notification {
			return nil
		}
		from, to := io.Pipe()
		x.verdict = make(chan classifier.Verdict, 1)
		go func() {
			long := &http.Response{StatusCode: status, Header: header, ContentLength: -1, Body: struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(kept), from), from}}
			limits := []classifier.ReadOption{classifier.ReadBodyLimit(judged), classifier.ReadEventLimit(judged), classifier.ReadDecodedLimit(0), classifier.ReadLinger(0)}
			if m.Kind == capture.Notification {
				x.verdict <- classifier.ReadNotification(context.Background(), long, limits...)
			} else {
				x.verdict <- classifier.Read(context.Background(), classifier.Call{ID: m.ID}, long, limits...)
			}
		}()
		return to
	}
}

// failed takes down that no answer came, and that the proxy gives one itself if
// there is still somebody to be answered, and the proxy has not been stopped.
func (x *exchange) failed(err error) (stopped bool) {
	client, stopped := x.cutBy()
	switch {
	case client:
		x.ended = classifier.EndedCancelled
	case stopped:
		x.ended = classifier.EndedReset
	default:
		x.ended = classifier.NoAnswerFromError(err)
		x.proxied = &capture.Proxied{Status: http.StatusBadGateway, Error: err.Error()}
	}
	return stopped
}

// finish hands the exchange to the journal.
func (x *exchange) finish() {
	now := x.over(time.Now())
	if x.undo != nil {
		x.undo()
	}
	e := entry{began: x.started, took: now.Sub(x.started)}
	c := &e.exchange
	c.ID, c.From = strconv.FormatInt(x.number, 10), capture.Place{File: x.proxy.listener.Addr().String(), Where: fmt.Sprintf("exchange %d", x.number)}
	c.Started, c.Duration, c.Proxied = x.started, e.took, x.proxied
	x.request.seal(io.ErrUnexpectedEOF, false)
	c.Request, c.RPC = x.asRequest(), x.message()
	c.NoAnswer = x.ended
	switch {
	case x.plan != nil && x.plan.played:
		c.Answer, c.NoAnswer = x.plan.injected()
	case x.upgraded:
		c.Answer = &capture.Answer{Status: x.status, Headers: x.answer}
	case x.status != 0:
		c.Answer = &capture.Answer{Status: x.status, Headers: x.answer, Ended: x.bodyEnded()}
		c.Answer.Body, c.Answer.BodyUnknown, c.Answer.Lost = x.body.body(x.proxy.options.Journal.options.Raw)
		if c.Answer.Headers.Get("content-encoding") != "" {
			c.Answer.Lost.Head = nil
		}
	}
	if x.verdict != nil {
		v := <-x.verdict
		e.verdict = &v
	}
	x.proxy.options.Journal.add(e)
}

// over is when the client had all that it was to have, now unless that is known
// better: it may call again at once, and that is no call beside this one.
func (x *exchange) over(now time.Time) time.Time {
	if x.plan != nil && !x.plan.whole.IsZero() {
		return x.plan.whole
	}
	return now
}

// cutBy tells who has cut what was under way: the client, which is gone, or the
// end of the proxy; nobody by now if neither.
func (x *exchange) cutBy() (client, end bool) {
	switch cause := context.Cause(x.ctx); {
	case cause == nil:
		return false, false
	case errors.Is(cause, errStopped):
		return false, true
	}
	return true, false
}

// bodyEnded seals the body and tells how it ended. One that was not read to its
// end was cut by the upstream, if that is what reading it said; else by the end
// of the proxy, or by the client, which took no more.
func (x *exchange) bodyEnded() classifier.Ended {
	client, end := x.cutBy()
	otherwise := context.Canceled
	if end {
		otherwise = io.ErrUnexpectedEOF
	}
	switch err := x.body.seal(otherwise, client || end); {
	case err == io.EOF:
		return classifier.EndedEOF
	case errors.Is(err, context.Canceled):
		return classifier.EndedCancelled
	}
	return classifier.EndedReset
}

// told is a verdict in two words.
func told(v classifier.Verdict) string {
	if v.Reason == 0 {
		return v.Outcome.String()
	}
	return v.Outcome.String() + " " + v.Reason.String()
}
