package proxy

import (
	"net"
	"sync"

	"github.com/replyproof/replyproof/properties/loopback"
)

// Listener takes connections on loopback, and takes back those over which an
// answer was written past the HTTP server, so that they go on.
type Listener struct {
	*net.TCPListener
	accepted chan net.Conn
	failed   chan error
	closed   chan struct{}
	once     sync.Once
	work     sync.WaitGroup
}

// Listen opens a port of 127.0.0.1; an address elsewhere is an error.
func Listen(address string) (*Listener, error) {
	inner, err := loopback.ListenTCP(address)
	if err != nil {
		return nil, err
	}
	l := &Listener{TCPListener: inner, accepted: make(chan net.Conn), failed: make(chan error, 1), closed: make(chan struct{})}
	l.work.Go(l.take)
	return l, nil
}

// take hands on what the system accepts.
func (l *Listener) take() {
	for {
		conn, err := l.AcceptTCP()
		if err != nil {
			select {
			case l.failed <- err:
				continue // net/http knows which errors pass
			case <-l.closed:
				return
			}
		}
		l.Return(conn, nil)
	}
}

// Return gives a connection to the server, which reads head before what comes
// over the connection.
func (l *Listener) Return(conn *net.TCPConn, head []byte) {
	var c net.Conn = conn
	if len(head) > 0 {
		c = &returned{TCPConn: conn, head: head}
	}
	select {
	case l.accepted <- c:
	case <-l.closed:
		conn.Close()
	}
}

// Accept waits for a connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case err := <-l.failed:
		return nil, err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the port and waits for what took connections there.
func (l *Listener) Close() error {
	var err error
	l.once.Do(func() {
		close(l.closed)
		err = l.TCPListener.Close()
	})
	l.work.Wait()
	return err
}

// returned is a connection of which something was read already.
type returned struct {
	*net.TCPConn
	head []byte
}

func (r *returned) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	return r.TCPConn.Read(p)
}

// bare is the connection beneath, and what of it was read and not yet used.
func bare(conn net.Conn) (tcp *net.TCPConn, head []byte) {
	switch c := conn.(type) {
	case *net.TCPConn:
		return c, nil
	case *returned:
		return c.TCPConn, c.head
	}
	return nil, nil
}
