package nightly

import (
	"context"
	"sync"
	"time"
)

// nap is the longest time between two beats that counts as time in which the
// night could run. Beats come every second; a longer gap is a machine that
// slept, or a process that was stopped.
const (
	beat = time.Second
	nap  = 5 * time.Second
)

// awake measures the time in which the night could run.
type awake struct {
	mu    sync.Mutex
	used  time.Duration
	slept time.Duration
	mono  time.Time
	wall  time.Time
}

func newAwake(used time.Duration, now time.Time) *awake {
	return &awake{used: used, mono: now, wall: now.Round(0)}
}

// tick counts the time since the last one.
func (a *awake) tick(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	gone, wall := now.Sub(a.mono), now.Round(0).Sub(a.wall)
	a.mono, a.wall = now, now.Round(0)
	if gone > nap {
		a.slept += gone
		return
	}
	// A sleeping machine's steady clock stands still on some systems.
	if wall-gone > nap {
		a.slept += wall - gone
	}
	a.used += max(gone, 0)
}

// gone is the time in which the night could run, so far.
func (a *awake) gone() time.Duration {
	a.tick(time.Now())
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used
}

// asleep is the time in which it could not.
func (a *awake) asleep() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.slept
}

// run ticks until ctx ends.
func (a *awake) run(ctx context.Context) {
	for t := time.NewTicker(beat); ; {
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case now := <-t.C:
			a.tick(now)
		}
	}
}

// limit is a [fuzzing.Limit]: a context that ends after a time of which sleep is
// no part.
func limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		a := newAwake(0, time.Now())
		for t := time.NewTicker(min(beat, max(d/10, time.Millisecond))); ; {
			select {
			case <-ctx.Done():
				t.Stop()
				return
			case now := <-t.C:
				a.tick(now)
				if a.used >= d {
					cancel(context.DeadlineExceeded)
				}
			}
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}
