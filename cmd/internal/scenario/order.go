package scenario

import (
	"sync"
	"time"
)

// order puts exchanges in the order in which a client saw them. It sees an answer
// before the server knows that it was sent, and may have sent the next request by
// then; told in the order in which the goroutines come to it, a repetition would
// look like a call beside the first.
type order struct {
	mu    sync.Mutex
	turns map[int]*turn
}

// turn is an exchange that is not told yet.
type turn struct {
	session string
	asks    string // a digest of what a call asks; "" for what is no call
	id      string // of a call
	cancel  func() // tells a call as given up by its client; nil before it is known how
	started time.Time
	// since is when it may have been over for the client: when the last write began,
	// or the server let it wait. Zero before.
	since  time.Time
	silent bool
	told   chan struct{}
}

// How long an exchange waits for one that began before it and may be over: until
// its write returns, or until a client that left is noticed.
const (
	forWrite = 250 * time.Millisecond
	forLeave = 50 * time.Millisecond
)

func newOrder() *order { return &order{turns: make(map[int]*turn)} }

// enter takes in an exchange.
func (o *order) enter(number int, t *turn) {
	t.told = make(chan struct{})
	o.mu.Lock()
	o.turns[number] = t
	o.mu.Unlock()
}

// over takes down that an exchange may be over for its client from now on.
func (o *order) over(number int, silent bool) {
	o.mu.Lock()
	if t := o.turns[number]; t != nil && (t.since.IsZero() || t.silent && !silent) {
		t.since, t.silent = time.Now(), silent
	}
	o.mu.Unlock()
}

// cancellable takes down how a call is told that its client has given up.
func (o *order) cancellable(number int, cancel func()) {
	o.mu.Lock()
	o.turns[number].cancel = cancel
	o.mu.Unlock()
}

// cancel tells the call of that id as given up by its client, which may keep the
// connection open for long: what it sends next repeats the call. A call that is
// being answered is left alone, and so are two of one id.
func (o *order) cancel(session, id string) {
	var found []*turn
	o.mu.Lock()
	for _, t := range o.turns {
		if t.session == session && t.id != "" && t.id == id && t.silent && t.cancel != nil {
			found = append(found, t)
		}
	}
	o.mu.Unlock()
	if len(found) == 1 {
		found[0].cancel()
	}
}

// ended is when an exchange was over for its client, if the server noticed it now:
// the last write began then, or a client that left has begun the same call anew.
func (o *order) ended(number int) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	t, now := o.turns[number], time.Now()
	if !t.since.IsZero() && !t.silent {
		return t.since
	}
	for other, next := range o.turns {
		if other > number && t.asks != "" && next.asks == t.asks && next.session == t.session && now.Sub(next.started) < forLeave {
			now = next.started.Add(-time.Microsecond)
		}
	}
	return now
}

// wait waits for the exchanges of the session that began before this one and may
// be over.
func (o *order) wait(number int) {
	o.mu.Lock()
	mine := o.turns[number]
	var before []*turn
	for other, t := range o.turns {
		if other < number && t.session == mine.session && !t.since.IsZero() && (!t.silent || t.asks == mine.asks) {
			before = append(before, t)
		}
	}
	o.mu.Unlock()
	for _, t := range before {
		left := forLeave
		if !t.silent {
			left = forWrite - time.Since(t.since)
		}
		if left <= 0 {
			continue
		}
		timer := time.NewTimer(left)
		select {
		case <-t.told:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// leave takes out an exchange that was told.
func (o *order) leave(number int) {
	o.mu.Lock()
	close(o.turns[number].told)
	delete(o.turns, number)
	o.mu.Unlock()
}
