package loopback

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options bound a host or a server. Zero values are the usual ones.
type Options struct {
	// Address is where to listen, host and port; empty is a free port of
	// 127.0.0.1, which is the only host there is.
	Address string
	// MaxHeader is the longest request head in bytes; zero is 64 KiB.
	MaxHeader int
	// MaxBody is the longest request body in bytes; zero is 4 MiB.
	MaxBody int
	// MaxHeld is how many bytes of request bodies are held at once, until each is
	// answered; zero is 256 MiB. A request beyond it is refused with 503. Bodies of up
	// to 64 KiB do not count.
	MaxHeld int
	// MaxConns is how many connections are open at once; zero is 256. Beyond it
	// the one that has been silent for longest is closed, or else the one that has
	// waited longest for a request, or else the new one.
	MaxConns int
	// WriteTimeout is how long a client may take to make room for one write before
	// its connection is given up; zero is no limit.
	WriteTimeout time.Duration
	// Refused is told of each request that never reaches the handler, since it
	// cannot be read: the status that it was refused with, 400, 413, 431 or 503,
	// and why. It may be called by several goroutines at once; nil is told nothing.
	Refused func(status int, why error)
}

// Handler answers one request, whose body has been read, on its connection. It
// tells whether the connection goes on. ctx is over once the host closes.
type Handler func(ctx context.Context, conn *Conn, request *http.Request, body []byte) bool

// Host takes connections on a port of 127.0.0.1, reads the requests of HTTP/1.1,
// and leaves every byte of the answers to a [Handler]. It is safe for concurrent
// use.
type Host struct {
	options Options
	handle  Handler
	refused func(c *Conn, status int, why error) // as Options.Refused; nil is told nothing
	ctx     context.Context
	stop    context.CancelFunc
	port    int
	work    sync.WaitGroup

	door sync.Mutex // held while the port is opened or closed; taken before mu

	mu       sync.Mutex
	listener net.Listener // nil while the port is closed
	hold     io.Closer    // keeps the port while it is closed
	conns    map[*Conn]struct{}
	numbers  int // of connections
	held     int // bytes of bodies
	turns    int // of connections from one state to another
	closed   bool
}

// Conn is a connection with a client.
type Conn struct {
	*net.TCPConn
	// Number counts the connections of a host from 1.
	Number int

	host  *Host
	state connState
	since int // the turn that made it so
}

// connState is what a connection is doing, in the order in which they are given up.
type connState uint8

const (
	connBusy   connState = iota
	connIdle             // waits for a request, or for the rest of one
	connSilent           // waits for the client to give up
)

// Write writes within the time that the host allows for it.
func (c *Conn) Write(b []byte) (int, error) {
	if limit := c.host.options.WriteTimeout; limit > 0 {
		c.SetWriteDeadline(time.Now().Add(limit))
	}
	return c.TCPConn.Write(b)
}

// Hush takes down that nothing more will be said on the connection, so that it is
// the first to be given up for a new one.
func (c *Conn) Hush() { c.host.turn(c, connSilent) }

// Serve opens a host, which calls handle for each request, on a goroutine for each
// connection. Close ends it.
func Serve(o Options, handle Handler) (*Host, error) { return serve(o, handle, nil) }

func serve(o Options, handle Handler, refused func(*Conn, int, error)) (*Host, error) {
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if o.MaxHeader <= 0 {
		o.MaxHeader = 64 << 10
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 4 << 20
	}
	if o.MaxHeld <= 0 {
		o.MaxHeld = 256 << 20
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 256
	}
	listener, err := ListenTCP(o.Address)
	if err != nil {
		return nil, err
	}
	h := &Host{options: o, handle: handle, refused: refused, conns: make(map[*Conn]struct{})}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.port = listener.Addr().(*net.TCPAddr).Port
	h.accept(listener)
	return h, nil
}

// Port is the port that the host listens on.
func (h *Host) Port() int { return h.port }

// accept takes connections from a listener until it is closed.
func (h *Host) accept(listener net.Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listener = listener
	h.work.Go(func() {
		for {
			conn, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				if wait(h.ctx, 5*time.Millisecond) != nil { // out of descriptors, or so
					return
				}
				continue
			}
			if c := h.admit(conn); c != nil {
				h.work.Go(func() {
					defer h.leave(c)
					h.serve(c)
				})
			}
		}
	})
}

// admit takes a connection in; nil if there is no room.
func (h *Host) admit(conn net.Conn) *Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.listener == nil || len(h.conns) >= h.options.MaxConns && !h.makeRoom() {
		conn.Close()
		return nil
	}
	h.numbers++
	h.turns++
	c := &Conn{TCPConn: conn.(*net.TCPConn), Number: h.numbers, host: h, state: connIdle, since: h.turns}
	h.conns[c] = struct{}{}
	return c
}

// makeRoom closes the connection that can best be done without, if there is one.
func (h *Host) makeRoom() bool {
	var least *Conn
	for c := range h.conns {
		if c.state != connBusy && (least == nil || c.state > least.state || c.state == least.state && c.since < least.since) {
			least = c
		}
	}
	if least == nil {
		return false
	}
	delete(h.conns, least)
	least.Close()
	return true
}

// turn takes down what a connection is doing.
func (h *Host) turn(c *Conn, state connState) {
	h.mu.Lock()
	h.turns++
	c.state, c.since = state, h.turns
	h.mu.Unlock()
}

func (h *Host) leave(c *Conn) {
	c.Close()
	h.mu.Lock()
	delete(h.conns, c)
	h.mu.Unlock()
}

// serve answers the requests of a connection, one after the other.
func (h *Host) serve(c *Conn) {
	limited := &io.LimitedReader{R: c}
	r := bufio.NewReaderSize(limited, 4<<10)
	for {
		limited.N = int64(h.options.MaxHeader)
		h.turn(c, connIdle)
		if _, err := r.Peek(1); err != nil {
			return
		}
		request, err := http.ReadRequest(r)
		if err != nil {
			if limited.N <= 0 {
				err = errLargeHead
			}
			h.refuse(c, fmt.Errorf("read the head of a request: %w", err))
			return
		}
		held, err := h.takeUp(request)
		if err != nil {
			h.refuse(c, fmt.Errorf("read the body of a request: %w", err))
			return
		}
		goesOn := h.answer(c, limited, request)
		if held > 0 {
			h.putDown(held)
		}
		if !goesOn {
			return
		}
	}
}

// Refuse closes the port and every connection: whoever calls now finds nobody.
// Accept opens it again.
func (h *Host) Refuse() error {
	h.door.Lock()
	defer h.door.Unlock()
	h.mu.Lock()
	listener := h.listener
	h.listener = nil
	for c := range h.conns {
		c.Close()
	}
	h.mu.Unlock()
	if listener == nil {
		return nil
	}
	listener.Close()
	hold, err := holdPort(h.port)
	if err != nil {
		return fmt.Errorf("loopback: keep port %d: %w", h.port, err)
	}
	h.mu.Lock()
	h.hold = hold
	h.mu.Unlock()
	return nil
}

// Accept opens a port that [Host.Refuse] has closed. Once the host is closed it
// stays so, and the error is [net.ErrClosed].
func (h *Host) Accept() error {
	h.door.Lock()
	defer h.door.Unlock()
	h.mu.Lock()
	hold, open, closed := h.hold, h.listener != nil, h.closed
	h.hold = nil
	h.mu.Unlock()
	if hold != nil {
		hold.Close()
	}
	switch {
	case closed:
		return fmt.Errorf("loopback: open port %d again: %w", h.port, net.ErrClosed)
	case open:
		return nil
	}
	var listener net.Listener
	var err error
	for range 50 {
		if listener, err = net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", h.port)); err == nil {
			h.accept(listener)
			return nil
		}
		if wait(h.ctx, 10*time.Millisecond) != nil {
			break
		}
	}
	return fmt.Errorf("loopback: open port %d again: %w", h.port, err)
}

// Close ends the host and every connection, and waits until nothing of it is left.
func (h *Host) Close() error {
	h.stop()
	h.door.Lock()
	h.mu.Lock()
	h.closed = true
	listener, hold := h.listener, h.hold
	h.listener, h.hold = nil, nil
	for c := range h.conns {
		c.Close()
	}
	h.mu.Unlock()
	h.door.Unlock()
	if listener != nil {
		listener.Close()
	}
	if hold != nil {
		hold.Close()
	}
	h.work.Wait()
	return nil
}
