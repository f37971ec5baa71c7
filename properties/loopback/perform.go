package loopback

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// settling is how long an answer has to arrive before its connection is reset:
// some systems drop what the other side has not read by then.
const settling = 3 * time.Millisecond

// ErrLeft is the error of a script whose client closed the connection while the
// server waited.
var ErrLeft = errors.New("the client closed the connection")

// Play writes the script to a connection. It returns once the last byte is
// written and the connection is closed, reset or, by EndKeep, left open, unless the
// client has sent more meanwhile, which is lost; with EndSilent once the client has
// closed it. An error is that of a write, [ErrLeft], or that of ctx, which closes
// the connection.
func (s Script) Play(ctx context.Context, conn net.Conn) error {
	_, err := s.perform(ctx, conn, func() {})
	return err
}

// perform is Play. It calls writing before each write, and tells what has become of
// the connection.
func (s Script) perform(ctx context.Context, conn net.Conn, writing func()) (became End, err error) {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	spoke, err := s.play(ctx, conn, writing)
	if err != nil {
		conn.Close()
		return EndClose, err
	}
	if spoke && s.End == EndKeep {
		s.End = EndClose // what the client sent has been read, so it must ask anew
	}
	err = s.end(ctx, conn, writing)
	if ctx.Err() != nil && s.End != EndKeep {
		return EndClose, ctx.Err()
	}
	return s.End, err
}

// play writes what there is to write. It tells whether the client sent more
// meanwhile.
func (s Script) play(ctx context.Context, conn net.Conn, writing func()) (spoke bool, err error) {
	pause := func(d time.Duration) error {
		said, err := linger(ctx, conn, d)
		spoke = spoke || said
		return err
	}
	if err := pause(s.Delay); err != nil {
		return spoke, err
	}
	for i, text := range s.Writes {
		if i > 0 {
			if err := pause(s.Pace); err != nil {
				return spoke, err
			}
		}
		writing()
		if _, err := conn.Write(text); err != nil {
			return spoke, err
		}
	}
	return spoke, nil
}

// linger waits, but no longer than the client does. It tells whether the client
// sent something meanwhile, which is lost then.
func linger(ctx context.Context, conn net.Conn, d time.Duration) (spoke bool, err error) {
	var waste [1]byte
	for end := time.Now().Add(d); d > 0; d = time.Until(end) {
		if spoke {
			return spoke, wait(ctx, d)
		}
		conn.SetReadDeadline(end)
		n, err := conn.Read(waste[:])
		conn.SetReadDeadline(time.Time{})
		spoke = n > 0
		switch {
		case ctx.Err() != nil:
			return spoke, ctx.Err()
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
			return spoke, ErrLeft
		}
	}
	return spoke, nil
}

// end does with the connection what the script says.
func (s Script) end(ctx context.Context, conn net.Conn, writing func()) error {
	switch s.End {
	case EndKeep:
		return nil
	case EndReset:
		if len(s.Writes) > 0 {
			if err := wait(ctx, settling); err != nil {
				conn.Close()
				return err
			}
		}
		if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
			tcp.SetLinger(0)
		}
	case EndClose:
		// What the client may have sent meanwhile is read, or the system would
		// make a reset of the close.
		if tcp, ok := conn.(interface{ CloseWrite() error }); ok && tcp.CloseWrite() == nil {
			conn.SetReadDeadline(time.Now().Add(lingering))
			drain(conn)
		}
	case EndSilent:
		for len(s.Beat) > 0 && s.Every > 0 {
			if _, err := linger(ctx, conn, s.Every); err != nil {
				break
			}
			writing()
			if _, err := conn.Write(s.Beat); err != nil {
				break
			}
		}
		drain(conn)
	}
	return conn.Close()
}

// lingering is how long a client has to close a connection that was closed for it.
const lingering = 250 * time.Millisecond

// drain reads until the other side closes the connection.
func drain(conn net.Conn) {
	var waste [512]byte
	for {
		if _, err := conn.Read(waste[:]); err != nil {
			return
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
