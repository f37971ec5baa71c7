package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Path is where the server speaks MCP.
const Path = "/mcp"

// Options are what a server may be told. Zero values are the usual ones.
type Options struct {
	// Listen is host and port; empty is a free port of 127.0.0.1.
	Listen string
	// Stateless gives no sessions to anybody.
	Stateless bool
	// Listening is told the URL before any request is answered.
	Listening func(url string)
	// Began is called for each request to [Path] before it is answered, and Done
	// once it is over, by one goroutine at a time each. Done gets what it may keep.
	Began func(Start)
	Done  func(*Exchange)
	// Refused is told of each request that cannot be read, such as one that is too
	// long: it is no exchange. It is called like Done.
	Refused func(status int, why string)
	// Pages answers requests to other paths; nil knows none.
	Pages http.Handler
}

// Start is a request that is being answered.
type Start struct {
	Number  int
	Session string
	What    string // what it asks, in words
	At      time.Time
}

// Server is a running server.
type Server struct {
	options  Options
	host     *loopback.Host
	base     string
	sessions *sessions
	numbers  atomic.Int64
	order    *order
	ready    chan struct{}

	told sync.Mutex // by Began and Done
}

// Serve starts a server with a choice. Close ends it.
func Serve(choice *Choice, o Options) (*Server, error) {
	s := &Server{options: o, sessions: newSessions(choice, o.Stateless), order: newOrder(), ready: make(chan struct{})}
	host, err := loopback.Serve(loopback.Options{
		Address: o.Listen, MaxConns: 1024, WriteTimeout: 30 * time.Second, Refused: s.refused,
	}, s.handle)
	if err != nil {
		return nil, err
	}
	s.host = host
	s.base = fmt.Sprintf("http://127.0.0.1:%d", host.Port())
	if o.Listening != nil {
		o.Listening(s.URL())
	}
	close(s.ready)
	return s, nil
}

// URL is where clients connect to.
func (s *Server) URL() string { return s.base + Path }

// Choose makes a choice: for each session that begins from now on, and for calls
// without a session. What is under way goes on as it began.
func (s *Server) Choose(choice *Choice) { s.sessions.choose(choice) }

// Chosen is the choice for what begins now.
func (s *Server) Chosen() *Choice { return s.sessions.chosen() }

// Close ends the server: what is being answered is broken off, and told by Done
// before Close returns.
func (s *Server) Close() error { return s.host.Close() }

// refused tells of a request that cannot be read.
func (s *Server) refused(status int, why error) {
	<-s.ready
	if s.options.Refused == nil {
		return
	}
	s.told.Lock()
	defer s.told.Unlock()
	s.options.Refused(status, visible.Text(capture.CleanText(clip(why.Error()))))
}

// handle answers one request.
func (s *Server) handle(ctx context.Context, conn *loopback.Conn, request *http.Request, body []byte) bool {
	<-s.ready
	if request.URL.Path != Path {
		return s.page(ctx, conn, request, body)
	}
	started := time.Now()
	x := &Exchange{Number: int(s.numbers.Add(1))}
	asked := requestOf(request, s.base, body)
	j := capture.Exchange{ID: fmt.Sprint(x.Number), Request: asked, RPC: capture.ReadMessage(asked), Started: started}
	one, q, r := s.answer(x, request, body)
	j.From = capture.Place{File: s.URL(), Where: x.where()}
	if s.options.Began != nil {
		s.told.Lock()
		s.options.Began(Start{x.Number, x.Session, capture.CleanText(j.RPC.Describe()), started})
		s.told.Unlock()
	}
	t := &turn{session: x.Session, started: started}
	if j.RPC.Kind == capture.Call {
		t.asks, t.id = j.RPC.Arguments, j.RPC.ID.String()
	}
	s.order.enter(x.Number, t)
	if q.Method == "notifications/cancelled" {
		s.order.cancel(x.Session, cancelledID(body))
	}
	script, err := compose(r, q)
	if err != nil {
		x.Said = "the answer cannot be given: " + err.Error()
		r = empty(http.StatusInternalServerError)
		if script, err = compose(r, q); err != nil {
			s.order.leave(x.Number)
			return false // an empty 500 can always be given
		}
	}
	if script.End == loopback.EndSilent {
		conn.Hush()
	}
	if script.End == loopback.EndSilent || script.Delay > 0 || script.Pace > 0 {
		s.order.over(x.Number, true)
	}
	written := &counting{Conn: conn, script: &script, last: func() {
		if script.End != loopback.EndSilent { // for its client that is not over
			s.order.over(x.Number, false)
		}
	}}
	var once sync.Once
	tell := func(err error) {
		once.Do(func() {
			j.Duration = max(s.order.ended(x.Number).Sub(started), 0)
			j.Answer, j.NoAnswer = delivered(r, q.id, script, int(written.writes.Load()), err)
			j.Scenario, x.Left = x.Scenario, errors.Is(err, errCancelled) || err != nil && ctx.Err() == nil
			if errors.Is(err, errCancelled) {
				x.Said = strings.TrimPrefix(x.Said+"; the client cancelled it", "; ")
			}
			s.order.wait(x.Number)
			s.done(x, one, j)
			s.order.leave(x.Number)
		})
	}
	s.order.cancellable(x.Number, func() { tell(errCancelled) })
	written.all = func() {
		// What becomes of the connection does not matter any more.
		if script.End != loopback.EndSilent {
			tell(nil)
		}
	}
	err = script.Play(ctx, written)
	tell(err)
	return err == nil && script.End == loopback.EndKeep
}

// errCancelled is the error of a call that the client gave up by a notification,
// while its connection stays open.
var errCancelled = fmt.Errorf("the client cancelled the call: %w", loopback.ErrLeft)

// cancelledID is the id of the request that a notification cancels; "" if it names none.
func cancelledID(body []byte) string {
	var n struct {
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &n) != nil {
		return ""
	}
	id, ok := loopback.ID(n.Params.RequestID)
	if !ok {
		return ""
	}
	return id.String()
}

// done judges an exchange and tells it.
func (s *Server) done(x *Exchange, one *session, j capture.Exchange) {
	x.Judged = capture.Judge(j)
	if one != nil {
		one.mu.Lock()
		x.Judged.Settle(one.timeline.Add(x.Judged))
		one.mu.Unlock()
	} else {
		x.Judged.Settle(capture.Step{Attempt: 1})
	}
	if s.options.Done != nil {
		s.told.Lock()
		s.options.Done(x)
		s.told.Unlock()
	}
}

// compose is the script of a reply.
func compose(r *reply, q *query) (loopback.Script, error) {
	script, err := loopback.Compose(r.answer, q.id)
	script.Pace, script.Every = r.pace, r.every
	if r.beat != "" {
		script.Beat = fmt.Appendf(nil, "%x\r\n%s\r\n", len(r.beat), r.beat)
	}
	return script, err
}

// answer decides what is answered to a request.
func (s *Server) answer(x *Exchange, request *http.Request, body []byte) (*session, *query, *reply) {
	q := &query{header: request.Header, base: s.base, session: request.Header.Get("Mcp-Session-Id")}
	say := func(r *reply) (*session, *query, *reply) {
		x.Said = r.said
		return nil, q, r
	}
	if r := foreign(request); r != nil {
		return say(r)
	}
	if request.Method != http.MethodPost {
		return s.otherMethod(x, q, request)
	}
	var err error
	if q.Message, err = loopback.ReadMessage(body); err != nil || q.Odd != "" && !q.Asks() || q.Method == "" && len(q.ID) == 0 {
		return say(unreadable(body))
	}
	if q.Version != "2.0" {
		return say(q.otherVersion())
	}
	q.id, q.asked = q.RequestID()
	q.asked = q.asked && q.Asks()
	if q.Asks() && !q.asked {
		return say(status(http.StatusBadRequest, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request: id is neither a string nor an integer"}}`, asJSON))
	}
	q.era()
	if q.modern {
		q.session = ""
	}
	initialize := q.Method == "initialize" && !q.modern
	one := s.sessions.find(q.session, initialize)
	if one == nil {
		return say(unknownSession(q.session))
	}
	r := s.inSession(x, one, q)
	if initialize && !one.shared {
		if r.answer.Status != nil && *r.answer.Status == http.StatusOK && q.Odd == "" {
			r.answer.Headers = append(r.answer.Headers, corpus.Header{Name: "Mcp-Session-Id", Value: s.sessions.admit(one)})
		} else {
			s.sessions.refuse(one)
		}
	}
	return one, q, r
}

// inSession counts a POST in its session and has the scenario answer it.
func (s *Server) inSession(x *Exchange, one *session, q *query) *reply {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.posts++
	q.posts = one.posts
	if q.Method == "tools/call" && q.asked {
		one.calls++
		x.Call = one.calls
	}
	q.calls = one.calls
	x.Session, x.Post, x.Scenario = one.name, one.posts, one.choice.Name
	said := ""
	if one.play.post != nil {
		r := one.play.post(q)
		if r != nil {
			said = r.said
		}
		if !r.passes() {
			x.Said = said
			return r
		}
	}
	r := q.validate()
	if r == nil {
		r = q.answer(one.play)
	}
	x.Said = r.said
	if x.Said == "" {
		x.Said = said
	}
	return r
}

// otherMethod answers GET, DELETE and the like.
func (s *Server) otherMethod(x *Exchange, q *query, request *http.Request) (*session, *query, *reply) {
	if q.session == "" {
		return nil, q, notAllowed()
	}
	one := s.sessions.find(q.session, false)
	if one == nil {
		r := unknownSession(q.session)
		x.Said = r.said
		return nil, q, r
	}
	x.Session, x.Scenario = one.name, one.choice.Name
	one.mu.Lock()
	defer one.mu.Unlock()
	switch {
	case request.Method == http.MethodDelete:
		s.sessions.end(q.session)
		x.Said = "the client ended its session"
		return nil, q, empty(http.StatusOK)
	case request.Method == http.MethodGet && one.play.listen != nil:
		q.version, q.calls = "", one.calls
		r := one.play.listen(q)
		x.Said = r.said
		return nil, q, r
	}
	return nil, q, notAllowed()
}

// counting is a connection that counts the writes that went out, and tells when the
// last one of its script begins, and when all of them are out.
type counting struct {
	*loopback.Conn
	script    *loopback.Script
	last, all func()
	writes    atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	if c.writes.Load()+1 == int64(len(c.script.Writes)) {
		c.last()
	}
	n, err := c.Conn.Write(b)
	if err != nil {
		return n, err
	}
	if c.writes.Add(1) == int64(len(c.script.Writes)) {
		c.all()
	}
	return n, nil
}

var _ net.Conn = (*counting)(nil)
