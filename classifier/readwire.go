package classifier

import (
	"context"
	"io"
	"sync"
	"time"
)

// wire reads a response body piece by piece and gives up when its context
// ends or a piece takes too long. Then it closes the body, which is how a
// client cancels a call. A body whose Read does not return on Close is left
// behind after closeGrace; net/http has none such.
type wire struct {
	ctx  context.Context
	body io.ReadCloser
	idle time.Duration
	want int64 // what Content-Length promises; 0 if that is nothing or unknown

	buf   []byte
	left  []byte // the part of buf that next has not given
	total int64
	err   error // sticks; io.EOF at the end
	cause Ended // why the body was given up; EndedEOF if it was not

	// Where waiting can be cut short, a goroutine reads on demand.
	demand  chan struct{}
	results chan wireResult // holds one, so that the goroutine never waits
	gone    chan struct{}
	stuck   bool // a read is under way that Close did not end
}

type wireResult struct {
	n   int
	err error
}

const (
	wireBuffer = 32 << 10
	closeGrace = 250 * time.Millisecond
)

var wireBuffers = sync.Pool{New: func() any { return new([wireBuffer]byte) }}

func newWire(ctx context.Context, body io.ReadCloser, idle time.Duration, want int64) *wire {
	w := &wire{ctx: ctx, body: body, idle: idle, want: want, buf: wireBuffers.Get().(*[wireBuffer]byte)[:]}
	if body == nil {
		w.err = io.EOF
	}
	return w
}

// next is the next piece, good until the call after it, or the error that ended the body.
func (w *wire) next() ([]byte, error) {
	if len(w.left) == 0 {
		w.fill(w.idle)
	}
	piece := w.left
	w.left = nil
	if len(piece) > 0 {
		return piece, nil
	}
	return nil, w.err
}

func (w *wire) Read(p []byte) (int, error) {
	if len(w.left) == 0 {
		w.fill(w.idle)
	}
	if len(w.left) == 0 {
		return 0, w.err
	}
	n := copy(p, w.left)
	w.left = w.left[n:]
	return n, nil
}

// fill reads until there is a piece or an error. It waits for at most the
// given time, if that is above 0.
func (w *wire) fill(patience time.Duration) {
	for tries := 0; w.err == nil; tries++ {
		if err := w.ctx.Err(); err != nil {
			w.giveUp(endedOf(err), false)
			return
		}
		var r wireResult
		if w.ctx.Done() == nil && patience <= 0 {
			r.n, r.err = w.body.Read(w.buf)
		} else if r = w.await(patience); w.cause != EndedEOF {
			w.left = w.buf[:r.n]
			return
		}
		w.total += int64(r.n)
		w.err = r.err
		if w.err == nil && r.n == 0 && tries == 100 {
			w.err = io.ErrNoProgress
		}
		if w.err == io.EOF && w.total < w.want {
			w.err = io.ErrUnexpectedEOF
		}
		if r.n > 0 {
			w.left = w.buf[:r.n]
			return
		}
	}
}

// await reads once. Where it gives up, w.cause and w.err are set, and what came
// at the last moment is still given.
func (w *wire) await(patience time.Duration) wireResult {
	if w.demand == nil {
		w.demand, w.results, w.gone = make(chan struct{}), make(chan wireResult, 1), make(chan struct{})
		go w.serve(w.demand, w.buf)
	}
	w.demand <- struct{}{}
	var late <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case r := <-w.results:
		return r
	case <-w.ctx.Done():
		return w.giveUp(endedOf(w.ctx.Err()), true)
	case <-late:
		return w.giveUp(EndedDeadline, true)
	}
}

func (w *wire) serve(demand <-chan struct{}, buf []byte) {
	defer close(w.gone)
	for range demand {
		n, err := w.body.Read(buf)
		w.results <- wireResult{n, err}
	}
}

// giveUp closes the body and, if a read is under way, waits a little for it to end.
func (w *wire) giveUp(cause Ended, reading bool) (last wireResult) {
	w.cause = cause
	w.err = context.Canceled // any error; the cause tells which
	closed := make(chan struct{})
	go func() {
		w.body.Close()
		close(closed)
	}()
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	if reading {
		select {
		case last = <-w.results:
		case <-timer.C:
			w.stuck = true
			return wireResult{}
		}
	}
	select {
	case <-closed:
	case <-timer.C:
	}
	return last
}

// drain drops what follows, up to the end of the body, for a short while.
func (w *wire) drain(linger time.Duration) {
	deadline := time.Now().Add(linger)
	for dropped := len(w.left); w.err == nil && dropped < lingerBytes; dropped += len(w.left) {
		patience := time.Until(deadline)
		if patience <= 0 {
			return
		}
		w.fill(patience)
	}
}

// close ends the wire. The body is closed and, unless it is stuck, nothing of
// the wire is left running.
func (w *wire) close() {
	if w.demand != nil {
		close(w.demand)
		if !w.stuck {
			<-w.gone
		}
	}
	if w.body != nil && w.cause == EndedEOF {
		w.body.Close()
	}
	if !w.stuck {
		wireBuffers.Put((*[wireBuffer]byte)(w.buf))
	}
	w.buf, w.left = nil, nil
}
