// Package progress shows how far a long run has come: a bar that is redrawn on
// a terminal, a plain line now and then elsewhere. It writes to standard error
// only.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Every is the time between two plain lines.
const Every = 10 * time.Second

// Display shows one step of a run after another.
type Display struct {
	out  io.Writer
	bars *mpb.Progress // nil: plain lines

	mu sync.Mutex // of out
}

// New is a display on out; live says that out is a terminal.
func New(out io.Writer, live bool) *Display {
	d := &Display{out: out}
	if live {
		d.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(30), mpb.WithAutoRefresh(), mpb.WithRefreshRate(200*time.Millisecond))
	}
	return d
}

// Notef writes a line that stays, above the bar if there is one.
func (d *Display) Notef(format string, args ...any) {
	var w io.Writer = d.out
	if d.bars != nil {
		w = d.bars
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(w, "replyproof: "+format+"\n", args...)
}

// Close waits until the last state of the bars is drawn.
func (d *Display) Close() {
	if d.bars != nil {
		d.bars.Wait()
	}
}

// Step is one part of the run: a search, a fuzz target.
type Step struct {
	display *Display
	name    string
	began   time.Time
	limit   time.Duration
	bar     *mpb.Bar

	over  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	state string
}

// Start begins a step, which [Step.Done] must end, and which may take as long as limit; 0 is a step of which
// nobody knows how long it takes. The bar shows the time that is gone, which is
// the one measure that every step has.
func (d *Display) Start(name string, limit time.Duration) *Step {
	s := &Step{display: d, name: name, began: time.Now(), limit: max(limit, 0), over: make(chan struct{})}
	if d.bars != nil {
		var filler mpb.BarFillerBuilder = mpb.BarStyle()
		if s.limit == 0 {
			filler = mpb.NopStyle()
		}
		s.bar = d.bars.New(max(s.limit.Milliseconds(), 1000), filler,
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(name+" ", decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return s.current() })))
	} else {
		s.ended.Go(s.lines)
	}
	return s
}

func (s *Step) current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return " " + s.state
}

// Update tells the state of the step, such as "12000 cases".
func (s *Step) Update(state string) {
	s.mu.Lock()
	s.state = state
	s.mu.Unlock()
	if s.bar != nil {
		s.bar.SetCurrent(min(time.Since(s.began).Milliseconds(), max(s.limit.Milliseconds(), 1000)-1))
	}
}

// lines tells the state now and then, also of a step that has nothing new to say.
func (s *Step) lines() {
	for t := time.NewTicker(Every); ; {
		select {
		case <-s.over:
			t.Stop()
			return
		case <-t.C:
			s.display.Notef("%s %s:%s", s.name, time.Since(s.began).Round(time.Second), s.current())
		}
	}
}

// Done ends the step with a line that stays.
func (s *Step) Done(state string) {
	close(s.over)
	s.ended.Wait()
	if s.bar != nil {
		s.bar.Abort(true)
		s.bar.Wait()
	}
	s.display.Notef("%s %s: %s", s.name, time.Since(s.began).Round(100*time.Millisecond), state)
}
