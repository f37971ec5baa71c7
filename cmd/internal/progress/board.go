package progress

import (
	"fmt"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Board shows several parts of a run that take turns: on a terminal a line for
// each, and one for the whole; elsewhere, every ten seconds, a line for the one
// that is running and the whole.
type Board struct {
	display *Display
	labels  []string
	over    chan struct{}
	ended   sync.WaitGroup
	bars    []*mpb.Bar
	whole   *mpb.Bar
	limit   time.Duration

	mu     sync.Mutex
	states []string
	active int
	total  string
	gone   time.Duration
}

// Board is a board with a line for each label, of a run that takes so long.
func (d *Display) Board(labels []string, limit time.Duration) *Board {
	b := &Board{display: d, labels: labels, over: make(chan struct{}), states: make([]string, len(labels)), limit: limit}
	if d.bars == nil {
		b.ended.Go(b.lines)
		return b
	}
	for i, label := range labels {
		b.bars = append(b.bars, d.bars.New(1, mpb.NopStyle(),
			mpb.PrependDecorators(decor.Name(label+" ", decor.WCSyncSpaceR), decor.Any(func(decor.Statistics) string { return b.state(i) }))))
	}
	b.whole = d.bars.New(max(limit.Milliseconds(), 1), mpb.BarStyle(),
		mpb.PrependDecorators(decor.Name("all ", decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { b.mu.Lock(); defer b.mu.Unlock(); return " " + b.total })))
	return b
}

func (b *Board) state(i int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.states[i]
}

// Set tells the state of a part, which is the one that is running.
func (b *Board) Set(i int, state string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.active = i
	b.states[i] = state
}

// Total tells how much of the time is gone, and the state of the whole.
func (b *Board) Total(gone time.Duration, state string) {
	b.mu.Lock()
	b.gone, b.total = gone, state
	b.mu.Unlock()
	if b.whole != nil {
		b.whole.SetCurrent(min(gone.Milliseconds(), max(b.limit.Milliseconds(), 1)-1))
	}
}

// Line is what is running, and the whole, in a line.
func (b *Board) Line() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.labels) == 0 {
		return b.total
	}
	return fmt.Sprintf("%s %s: %s; %s", b.gone.Round(time.Second), b.labels[b.active], b.states[b.active], b.total)
}

func (b *Board) lines() {
	for t := time.NewTicker(Every); ; {
		select {
		case <-b.over:
			t.Stop()
			return
		case <-t.C:
			b.display.Notef("%s", b.Line())
		}
	}
}

// Close takes the board away.
func (b *Board) Close() {
	close(b.over)
	b.ended.Wait()
	for _, bar := range b.bars {
		bar.Abort(true)
	}
	if b.whole != nil {
		b.whole.Abort(true)
	}
}
