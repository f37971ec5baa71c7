package nightly

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestRoundLength(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		night   time.Duration
		targets int
		want    time.Duration
	}{
		{"too short for all", 5 * time.Second, 10, time.Second},
		{"one each", 60 * time.Second, 10, 6 * time.Second},
		{"a little more", 200 * time.Second, 10, 15 * time.Second},
		{"an hour", 48 * time.Minute, 13, 48 * time.Minute / 13 / 2},
		{"eight hours", 8 * time.Hour, 13, 2 * time.Minute},
		{"one alone", time.Minute, 1, time.Minute},
		{"one alone for long", time.Hour, 1, 2 * time.Minute},
		{"no targets", time.Minute, 0, 30 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := roundLength(test.night, test.targets); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// play lets targets have rounds; finds tells whether a target finds something in
// its n-th round. It gives the seconds that each had, and the order of rounds.
func play(shares []*share, night time.Duration, finds func(target, round int) bool) (seconds []float64, order []int) {
	seconds = make([]float64, len(shares))
	length := roundLength(night, len(shares))
	for left := night; ; {
		i, d := next(shares, length, left)
		if i < 0 {
			return seconds, order
		}
		shares[i].book(d, finds(i, shares[i].rounds))
		seconds[i] += d.Seconds()
		order = append(order, i)
		left -= d
	}
}

func TestSharesFollowTheRule(t *testing.T) {
	t.Parallel()
	shares := []*share{{finds: true}, {finds: true}, {finds: true, isNew: true}, {finds: true, isNew: true}}
	// The first finds nothing, the second does; of the new ones one does.
	seconds, order := play(shares, 4*time.Hour, func(target, _ int) bool { return target == 1 || target == 2 })
	if first := order[:4]; !slices.Equal(first, []int{0, 1, 2, 3}) {
		t.Errorf("got the first rounds for %v, want one each", first)
	}
	sum := seconds[0] + seconds[1] + seconds[2] + seconds[3]
	for i, want := range []float64{1.0 / 8, 2.0 / 8, 4.0 / 8, 1.0 / 8} {
		if got := seconds[i] / sum; got < want-0.02 || got > want+0.02 {
			t.Errorf("target %d: got %.3f of the time, want %.3f", i, got, want)
		}
	}
	if sum < 4*3600*0.99 || sum > 4*3600+1 {
		t.Errorf("got %.0f seconds used of four hours", sum)
	}
}

func TestEveryTargetGetsItsTurn(t *testing.T) {
	t.Parallel()
	for _, night := range []time.Duration{time.Second, 20 * time.Second, time.Minute, 10 * time.Minute, 3 * time.Hour} {
		shares := make([]*share, 13)
		for i := range shares {
			shares[i] = &share{finds: true, isNew: i%2 == 0}
		}
		seconds, _ := play(shares, night, func(target, _ int) bool { return target == 0 })
		for i, s := range seconds {
			if s < 1 {
				t.Errorf("a night of %s: target %d had %.1f seconds, want one at least", night, i, s)
			}
		}
	}
}

func TestATargetThatIsOutGetsNoMore(t *testing.T) {
	t.Parallel()
	shares := []*share{{finds: true, out: true}, {finds: true}}
	seconds, _ := play(shares, time.Minute, func(int, int) bool { return false })
	if seconds[0] != 0 || seconds[1] < 59 {
		t.Errorf("got %v seconds, want all for the second", seconds)
	}
	if i, _ := next([]*share{{out: true}}, time.Minute, time.Hour); i != -1 {
		t.Errorf("got target %d, want none", i)
	}
}

// The engine replays all inputs first: a round pays for it.
func TestRoundsPayForGettingReady(t *testing.T) {
	t.Parallel()
	shares := []*share{{finds: true, rounds: 1, start: 10 * time.Second}}
	if _, d := next(shares, 30*time.Second, time.Hour); d != 250*time.Second {
		t.Errorf("got a round of %s, want 250 s", d)
	}
	shares[0].start = time.Minute
	if _, d := next(shares, 30*time.Second, time.Hour); d != 5*time.Minute {
		t.Errorf("got a round of %s, want five minutes at most", d)
	}
	if _, d := next(shares, 30*time.Second, time.Minute); d != time.Minute {
		t.Errorf("got a round of %s, want what is left", d)
	}
}

func TestSleepDoesNotCount(t *testing.T) {
	t.Parallel()
	now := time.Now()
	a := newAwake(time.Minute, now)
	step := func(mono, wall time.Duration) {
		now = now.Add(mono)
		a.mu.Lock()
		a.wall = a.wall.Add(mono - wall) // as if so much more had passed on the wall's clock
		a.mu.Unlock()
		a.tick(now)
	}
	step(time.Second, time.Second)
	step(3*time.Second, 3*time.Second) // a busy machine
	step(2*time.Hour, 2*time.Hour)     // the process was stopped, the steady clock went on
	step(time.Second, time.Hour)       // the machine slept, the steady clock with it
	step(time.Second, -24*time.Hour)   // somebody set the clock back
	step(500*time.Millisecond, time.Second/2)
	if a.used != time.Minute+6500*time.Millisecond {
		t.Errorf("got %s used, want 1m6.5s", a.used)
	}
	if want := 3*time.Hour - time.Second; a.slept != want {
		t.Errorf("got %s slept, want %s", a.slept, want)
	}
}

func TestLimitEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := limit(t.Context(), 20*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if got := context.Cause(ctx); got != context.DeadlineExceeded {
		t.Errorf("got %v, want a deadline", got)
	}
}
