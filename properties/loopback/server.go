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
// [Script.Play]. It judges nothing: see package runner.
package loopback

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Tool is the name of the tool that the server offers.
const Tool = "synthetic"

// Options bound a server. Zero values are the usual ones.
type Options struct {
	// MaxHeader is the longest request head in bytes; zero is 64 KiB.
	MaxHeader int
	// MaxBody is the longest request body in bytes; zero is 4 MiB.
	MaxBody int
	// MaxConns is how many connections are open at once; zero is 256. Beyond it
	// the one that has been silent for longest is closed, or else the new one.
	MaxConns int
}

// Server is a running server. It is safe for concurrent use.
type Server struct {
	options Options
	ctx     context.Context
	stop    context.CancelFunc
	port    int
	work    sync.WaitGroup
	late    atomic.Int64 // POSTs for plays that were over

	mu       sync.Mutex
	listener net.Listener // nil while the port is closed
	hold     io.Closer    // keeps the port while it is closed
	conns    map[*peer]struct{}
	silent   []*peer // the longest first
	numbers  int     // of connections
	plays    map[string]*Play
	names    int
	watching *Play // to whose trace other requests belong
	round    int   // of the URL
	closed   bool
}

// peer is a connection with a client.
type peer struct {
	*net.TCPConn
	number int
}

// Listen starts a server on a free port of 127.0.0.1. Close ends it.
func Listen(o Options) (*Server, error) {
	if o.MaxHeader <= 0 {
		o.MaxHeader = 64 << 10
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 4 << 20
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 256
	}
	s := &Server{options: o, conns: make(map[*peer]struct{}), plays: make(map[string]*Play)}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("loopback: listen: %w", err)
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.port = listener.Addr().(*net.TCPAddr).Port
	s.accept(listener)
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

// accept takes connections from a listener until it is closed.
func (s *Server) accept(listener net.Listener) {
	s.mu.Lock()
	s.listener = listener
	s.mu.Unlock()
	s.work.Go(func() {
		for {
			conn, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				if wait(s.ctx, 5*time.Millisecond) != nil { // out of descriptors, or so
					return
				}
				continue
			}
			if p := s.admit(conn); p != nil {
				s.work.Go(func() {
					defer s.leave(p)
					s.serve(p)
				})
			}
		}
	})
}

// admit takes a connection in; nil if there is no room.
func (s *Server) admit(conn net.Conn) *peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) >= s.options.MaxConns && len(s.silent) > 0 {
		s.silent[0].Close()
		s.silent = s.silent[1:]
	} else if len(s.conns) >= s.options.MaxConns || s.closed || s.listener == nil {
		conn.Close()
		return nil
	}
	s.numbers++
	p := &peer{conn.(*net.TCPConn), s.numbers}
	s.conns[p] = struct{}{}
	return p
}

func (s *Server) leave(p *peer) {
	p.Close()
	s.mu.Lock()
	delete(s.conns, p)
	for i, other := range s.silent {
		if other == p {
			s.silent = append(s.silent[:i:i], s.silent[i+1:]...)
			break
		}
	}
	s.mu.Unlock()
}

// hush takes down that a connection has fallen silent.
func (s *Server) hush(p *peer) {
	s.mu.Lock()
	s.silent = append(s.silent, p)
	s.mu.Unlock()
}

// serve answers the requests of a connection, one after the other.
func (s *Server) serve(p *peer) {
	limited := &io.LimitedReader{R: p}
	r := bufio.NewReaderSize(limited, 4<<10)
	for {
		limited.N = int64(s.options.MaxHeader)
		request, err := http.ReadRequest(r)
		if err != nil {
			if limited.N <= 0 {
				io.WriteString(p, "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			}
			return
		}
		limited.N = int64(s.options.MaxBody) + 1024 // for the sizes of chunks
		if request.Header.Get("Expect") != "" {
			if _, err := io.WriteString(p, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
				return
			}
		}
		body, err := readBody(request, s.options.MaxBody)
		if err != nil {
			if errors.Is(err, errLarge) {
				io.WriteString(p, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			}
			return
		}
		if !s.answer(p, request, body) || request.Close {
			return
		}
	}
}

var errLarge = errors.New("the body is too large")

// readBody reads a request's body.
func readBody(request *http.Request, limit int) ([]byte, error) {
	if request.ContentLength > int64(limit) {
		return nil, errLarge
	}
	if n := request.ContentLength; n >= 0 {
		body := make([]byte, n)
		_, err := io.ReadFull(request.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(request.Body, int64(limit)+1))
	if err == nil && len(body) > limit {
		err = errLarge
	}
	return body, err
}

// Refuse closes the port and every connection: whoever calls now finds nobody.
// Accept opens it again.
func (s *Server) Refuse() error {
	s.mu.Lock()
	listener := s.listener
	s.listener = nil
	for p := range s.conns {
		p.Close()
	}
	s.mu.Unlock()
	if listener == nil {
		return nil
	}
	listener.Close()
	hold, err := holdPort(s.port)
	if err != nil {
		return fmt.Errorf("loopback: keep port %d: %w", s.port, err)
	}
	s.mu.Lock()
	s.hold = hold
	s.mu.Unlock()
	return nil
}

// Accept opens a port that [Server.Refuse] has closed.
func (s *Server) Accept() error {
	s.mu.Lock()
	hold, open := s.hold, s.listener != nil
	s.hold = nil
	s.mu.Unlock()
	if hold != nil {
		hold.Close()
	}
	if open {
		return nil
	}
	var listener net.Listener
	var err error
	for range 50 {
		if listener, err = net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", s.port)); err == nil {
			s.accept(listener)
			return nil
		}
		if wait(s.ctx, 10*time.Millisecond) != nil {
			break
		}
	}
	return fmt.Errorf("loopback: open port %d again: %w", s.port, err)
}

// Close ends the server and every connection, and waits until nothing of it is
// left. What was booked can still be read.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	listener, hold := s.listener, s.hold
	s.listener, s.hold = nil, nil
	for p := range s.conns {
		p.Close()
	}
	s.mu.Unlock()
	s.stop()
	if listener != nil {
		listener.Close()
	}
	if hold != nil {
		hold.Close()
	}
	s.work.Wait()
	return nil
}
