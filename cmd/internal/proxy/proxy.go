// Package proxy records what passes between an MCP client and a server: a reverse
// proxy on loopback that hands streams on event by event, writes a record of each
// exchange in the form of package capture, and can make the answers to calls
// fail on the way. It changes nothing else, and sends nothing a second time.
//
//	p, err := proxy.New(proxy.Options{Upstream: "https://example.com/mcp", Journal: journal})
//	listener, err := proxy.Listen("127.0.0.1:0")
//	p.Serve(ctx, listener)      // until ctx ends
package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Options are what a proxy needs to know. Upstream and Journal are required.
type Options struct {
	// Upstream is the URL of the MCP server, http or https.
	Upstream string
	// Journal takes the records.
	Journal *Journal
	// Injector makes answers to calls fail; nil for none.
	Injector *Injector
	// Transport asks the upstream; nil for the usual one.
	Transport http.RoundTripper
	// Note tells what the user should know while the proxy runs; nil for nobody.
	Note func(format string, args ...any)
}

// Proxy is a reverse proxy that records. Serve it once.
type Proxy struct {
	options  Options
	upstream *url.URL
	reverse  *httputil.ReverseProxy
	server   *http.Server
	listener *Listener
	idle     func() // closes what connections to the upstream are kept

	work  sync.WaitGroup // exchanges under way
	count atomic.Int64   // exchanges begun

	mu       sync.RWMutex
	stopping bool // no exchange begins any more
}

// New is a proxy before an upstream. An error is one of its URL.
func New(o Options) (*Proxy, error) {
	u, err := parseUpstream(o.Upstream)
	if err != nil {
		return nil, err
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	p := &Proxy{options: o, upstream: u, idle: func() {}}
	if p.options.Transport == nil {
		t := newTransport()
		p.options.Transport, p.idle = t, t.CloseIdleConnections
	}
	p.reverse = &httputil.ReverseProxy{
		Rewrite:        p.rewrite,
		Transport:      p.options.Transport,
		FlushInterval:  -1, // every piece is passed on when it comes
		ModifyResponse: p.answered,
		ErrorHandler:   p.unanswered,
		ErrorLog:       log.New(io.Discard, "", 0), // the records tell it
		BufferPool:     &buffers{},
	}
	p.server = &http.Server{
		Handler:           p,
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	return p, nil
}

func parseUpstream(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		// The error of url.Parse would tell the URL, and a secret in it.
		return nil, errors.New("the upstream is no URL; it must be one such as https://example.com/mcp")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "":
		return nil, fmt.Errorf("the upstream %s must be an http or https URL with a host and no fragment, such as https://example.com/mcp", capture.CleanText(u.Redacted()))
	}
	return u, nil
}

// newTransport asks the upstream as the client would: no coding is undone, and
// how long an answer takes is the client's affair. A connection is not kept for
// longer than common servers keep theirs, lest a call meets one that is closed.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       4 * time.Second,
	}
}

// URL is where a client must send to, for what it would have sent to the upstream.
func (p *Proxy) URL(l *Listener) string {
	path := p.upstream.EscapedPath()
	if path == "" {
		path = "/"
	}
	return "http://" + l.Addr().String() + path
}

// Serve takes requests until ctx ends. What is under way is cut then, and
// recorded as cut. It returns once nothing of the proxy is left but the journal,
// which its owner closes.
func (p *Proxy) Serve(ctx context.Context, l *Listener) error {
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	p.listener = l
	p.server.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }
	p.server.BaseContext = func(net.Listener) context.Context { return base }
	stopped := make(chan struct{})
	undo := context.AfterFunc(ctx, func() {
		defer close(stopped)
		p.stop(cancel)
	})
	err := p.server.Serve(l)
	if undo() { // the listener failed before ctx ended
		p.stop(cancel)
	} else {
		<-stopped
		err = nil
	}
	p.work.Wait()
	p.idle()
	if err != nil {
		return fmt.Errorf("take connections: %w", err)
	}
	return nil
}

// stop cuts what is under way.
func (p *Proxy) stop(cut context.CancelCauseFunc) {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	p.listener.Close()
	cut(errStopped)
	p.server.Close()
}

// errStopped is why what was under way at the end of the proxy is cut.
var errStopped = errors.New("the proxy was stopped")

// enter counts an exchange among those that the end waits for, unless it has come.
func (p *Proxy) enter() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if !p.stopping {
		p.work.Add(1)
	}
	return !p.stopping
}

// ServeHTTP passes one request on, and its answer back.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.enter() {
		panic(http.ErrAbortHandler)
	}
	defer p.work.Done()
	if !loopback.Local(r) {
		// The upstream sees its own name as the host, so that it cannot see this.
		http.Error(w, "replyproof record: the host or the origin of the request is none of this machine's own names, as when a web page asks that should not", http.StatusForbidden)
		return
	}
	x := p.begin(r)
	defer x.finish()
	if !x.prepare(r) {
		panic(http.ErrAbortHandler)
	}
	p.reverse.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
}

// Keys of a request's context: its exchange, and its connection.
type (
	exchangeKey struct{}
	connKey     struct{}
)

func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// rewrite turns a request to the proxy into one to the upstream.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	u := r.Out.URL
	u.Scheme, u.Host, u.User = p.upstream.Scheme, p.upstream.Host, p.upstream.User
	r.Out.Host = ""
	// What the proxy before this one said of the client is passed on as it is.
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if v, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = v
		}
	}
	u.RawQuery = r.In.URL.RawQuery
	if p.upstream.RawQuery != "" && u.Path == p.upstream.Path {
		u.RawQuery = strings.TrimSuffix(p.upstream.RawQuery+"&"+u.RawQuery, "&")
	}
}

// answered is called for each answer of the upstream, before any of it is passed on.
func (p *Proxy) answered(resp *http.Response) error {
	return exchangeOf(resp.Request).answered(resp)
}

// unanswered is called where there is nothing to pass on. The proxy then answers
// itself, but not at its own end: which of the two comes first, that answer or the
// end of the connection, would be chance.
func (p *Proxy) unanswered(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r)
	if errors.Is(err, errReplaced) {
		x.play(w, r)
		return
	}
	if stopped := x.failed(err); stopped {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Replyproof-Record", x.ended.String())
	w.WriteHeader(http.StatusBadGateway)
	fmt.Fprintf(w, "replyproof record: the upstream gave no answer (%s): %s\n", x.ended, capture.CleanText(err.Error()))
}

// buffers lends the memory through which answers pass.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if v, ok := b.pool.Get().(*[32 << 10]byte); ok {
		return v[:]
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buffer []byte) {
	if len(buffer) == 32<<10 {
		b.pool.Put((*[32 << 10]byte)(buffer))
	}
}
