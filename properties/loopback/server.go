// Package loopback is an MCP server on 127.0.0.1 that answers a tool call with
// whatever a case says: below net/http, so that bytes, chunks, resets and silence
// are as the case has them.
//
// It speaks both eras of the protocol (2026-07-28, and initialize of those before)
// with one tool, [Tool]. A call names its case by an argument, so that a late one
// is booked to its own case and spoils no other:
//
//	s, err := loopback.Listen(loopback.Options{})
//	p := s.Book(loopback.Frozen(c))           // or a scene of one's own
//	mine.CallTool(ctx, s.URL(), loopback.Tool, p.Arguments())
//	record := p.Record()                      // the POSTs, their ids, the wire
//
// It is for tests of clients. Writing an answer alone is [Compose] and
// [Script.Play], and [Serve] is a host for other servers that answer below net/http.
// Of what a client does it judges one thing: whether a call was sent again without
// leave ([Record.Resent]). All else is for package runner.
package loopback

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// Tool is the name of the tool that the server offers.
const Tool = "synthetic"

// Server is a running server. It is safe for concurrent use. Once it is closed,
// what was booked can still be read.
type Server struct {
	*Host
	late atomic.Int64 // POSTs for plays that were over

	mu       sync.Mutex
	plays    map[string]*Play
	names    int
	watching *Play // to whose trace other requests belong
	round    int   // of the URL
}

// Listen starts a server on a free port of 127.0.0.1. Close ends it.
func Listen(o Options) (*Server, error) {
	s := &Server{plays: make(map[string]*Play)}
	// Until the host is there, whoever guesses its port waits.
	s.mu.Lock()
	defer s.mu.Unlock()
	host, err := serve(o, s.answer, func(c *Conn, status int, why error) {
		s.take(c, fmt.Sprintf("a request that was refused with %d: %v", status, why))
	})
	if err != nil {
		return nil, err
	}
	s.Host = host
	return s, nil
}

// URL is where to send calls. It changes with [Server.Renew].
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	url := fmt.Sprintf("http://127.0.0.1:%d/mcp", s.port)
	if s.round > 0 {
		url += "/" + strconv.Itoa(s.round)
	}
	return url
}

// Renew changes the URL, which tells a client to make its connection anew.
func (s *Server) Renew() {
	s.mu.Lock()
	s.round++
	s.mu.Unlock()
}
