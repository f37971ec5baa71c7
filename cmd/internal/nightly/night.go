package nightly

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/store"
)

// Event is something that happens in a night, for machines: input and
// failing-input when one is kept, failure when it has been looked at, round and
// check when they are over, and progress every ten seconds.
type Event struct {
	Event   string       `json:"event"`
	Seconds float64      `json:"seconds"` // of the night
	Package string       `json:"package,omitempty"`
	Target  string       `json:"target,omitempty"`
	File    string       `json:"file,omitempty"`
	State   string       `json:"state,omitempty"`
	Round   *round       `json:"round,omitempty"`
	Check   *CheckResult `json:"check,omitempty"`
	Failure *Failure     `json:"failure,omitempty"`
	Left    float64      `json:"left_seconds,omitempty"`
}

// night is a night while it goes on. What it came to follows from its records.
type night struct {
	o        Options
	store    *store.Store
	journal  *store.Journal
	clock    *awake
	jobs     int
	work     string
	minimise time.Duration // for one failing input
	start    time.Time
	report   *Report
	hunts    []*hunt
	empty    map[string]float64 // rates of the empty target, by package
	board    *progress.Board

	mu     sync.Mutex
	checks map[string]bool // that are over
	blind  error           // why inputs are not weighed
}

// emptyMeasure is how long the empty target is measured, and emptyNight from
// which length of a night on.
const (
	emptyMeasure = 2 * time.Second
	emptyNight   = 10 * time.Minute
)

// emptyRate measures the empty target of a package, once a night.
func (n *night) emptyRate(ctx context.Context, t fuzzing.Target) float64 {
	if _, done := n.empty[t.Package]; !done && n.o.Plan.For >= emptyNight {
		n.empty[t.Package] = t.EmptyRate(ctx, n.work, emptyMeasure, n.jobs, limit)
	}
	return n.empty[t.Package]
}

// record writes a line of the journal and books it.
func (n *night) record(r record) error {
	r.Used = n.clock.gone().Seconds()
	n.book(r)
	switch {
	case r.Round != nil:
		n.event(Event{Event: "round", Package: r.Round.Package, Target: r.Round.Target, Round: r.Round})
	case r.Check != nil:
		n.event(Event{Event: "check", Check: r.Check})
	case r.Fail != nil:
		n.event(Event{Event: "failure", Package: r.Fail.Package, Target: r.Fail.Target, Failure: r.Fail})
	}
	if err := n.journal.Append(r); err != nil {
		if errors.Is(err, store.ErrFull) {
			return errors.Join(err, n.isFull())
		}
		return err
	}
	return nil
}

// book adds a record to the report. It is all that a night which is gone on
// with knows of its first part.
func (n *night) book(r record) {
	switch {
	case r.Check != nil:
		n.report.Checks = append(n.report.Checks, *r.Check)
		n.checks[r.Check.Name] = true
	case r.Round != nil:
		t := n.result(r.Round.Package, r.Round.Target)
		if t == nil {
			return
		}
		if t.Rounds == 0 {
			t.Seeds = r.Round.Seeds
		}
		t.Rounds++
		t.Seconds += r.Round.Seconds
		t.Fuzzing += r.Round.Fuzzing
		t.starts += r.Round.Start
		t.replays += r.Round.Replay
		t.Executions += r.Round.Executions
		t.New += r.Round.New
		t.Replayed = max(t.Replayed, r.Round.Replayed)
		t.Curve = append(t.Curve, r.Round.Curve...)
		if r.Round.Empty > 0 {
			t.EmptyRate = r.Round.Empty
		}
		if t.Fuzzing > 0 {
			t.Rate = float64(t.Executions) / t.Fuzzing
		}
		t.Retired = r.Round.Retired
	case r.Fail != nil:
		t := n.result(r.Fail.Package, r.Fail.Target)
		if t == nil {
			return
		}
		for i := range t.Failures {
			if t.Failures[i].Signature == r.Fail.Signature {
				t.Failures[i].Count += r.Fail.Count
				return
			}
		}
		t.Failures = append(t.Failures, *r.Fail)
	}
}

func (n *night) result(pkg, target string) *Result {
	for _, h := range n.hunts {
		if h.target.Package == pkg && h.target.Name == target {
			return h.result
		}
	}
	return nil
}

// failed records a failure and tells it at once.
func (n *night) failed(f Failure) {
	t := n.result(f.Package, f.Target)
	before := len(t.Failures)
	if err := n.record(record{Event: "failure", Fail: &f}); err != nil {
		n.note("%v", err)
	}
	if len(t.Failures) > before && f.Kind != KindFlaky {
		n.o.Display.Notef("%s: FAILED\n%s\nreproduce: %s", f.Target, head(f.Output, outputLines), f.Reproduce)
	}
}

// note keeps a sentence for the report, once.
func (n *night) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, old := range n.report.Notes {
		if old == text {
			return
		}
	}
	n.report.Notes = append(n.report.Notes, text)
	n.o.Display.Notef("%s", text)
}

// isFull ends the search: what it finds can be kept no more.
func (n *night) isFull() error {
	n.report.Full = true
	return store.ErrFull
}

// unseeing books that inputs cannot be weighed; a nil error is none.
func (n *night) unseeing(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	n.mu.Lock()
	n.blind = err
	n.mu.Unlock()
	line, _, _ := strings.Cut(err.Error(), "\n")
	n.note("inputs are neither minimised nor weighed by what they cover: %s", line)
	return nil
}

// sightless tells why inputs are not weighed; nil if they are.
func (n *night) sightless() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.blind
}

// began notes the first search of the night.
func (n *night) began(at time.Time) {
	if n.report.First == 0 {
		n.report.First = at.Sub(n.start).Seconds()
	}
}

func (n *night) event(e Event) {
	if n.o.Event == nil {
		return
	}
	e.Seconds = n.clock.gone().Seconds()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.o.Event(e)
}

// judged is what the judges make of an input.
func (n *night) judged(ctx context.Context, t fuzzing.Target, data []byte) Verdicts {
	judge := n.o.Judge
	if judge == nil {
		judge = func(_ context.Context, pkg, target string, data []byte) (Verdicts, error) {
			return Judge(pkg, target, data), nil
		}
	}
	v, err := judge(ctx, t.Package, t.Name, data)
	if err != nil {
		v = Verdicts{Reading: "the judges themselves do not bear it", Classifier: Verdict{Fault: err.Error()}, Model: Verdict{Fault: err.Error()}, NoCase: "no verdict"}
	}
	return v
}

// How much may go at once into weighing the inputs of a target: what that leaves,
// is kept unweighed. That is a part of the night where inputs are dropped, and of
// the round after a round: what is left has its turn later.
const (
	weighShare      = 200
	weighRoundShare = 40
)

// budget tells when that is over.
func (n *night) budget(d time.Duration) func() bool {
	end := n.clock.gone() + max(time.Second, d)
	return func() bool { return n.clock.gone() > end }
}

// left is how much of the night is to come.
func (n *night) left() time.Duration { return n.o.Plan.For - n.clock.gone() }

// now shows the state of a target, and of the night.
func (n *night) now(h *hunt, state string, s *fuzzing.Stats) {
	if s != nil {
		rate, found := 0.0, h.result.New+s.New
		if !s.Fuzzing.IsZero() {
			if gone := time.Since(s.Fuzzing).Seconds(); gone > 0 {
				rate = float64(s.Executions) / gone
			}
			state = fmt.Sprintf("%s/s, %d new, %d in the corpus, %s left of the round", count.Short(rate), found, s.Inputs+s.New, max(0, time.Until(h.until)).Round(time.Second))
		} else {
			state = fmt.Sprintf("replays %d of %s", s.Replayed, count.Of(s.Inputs, "input"))
		}
	}
	n.board.Set(h.index, state)
	done, failures := 0, 0
	for _, other := range n.hunts {
		if other.share.rounds > 0 {
			done++
		}
		failures += len(other.result.Failures)
	}
	n.board.Total(n.clock.gone(), fmt.Sprintf("%d of %s had a turn, %s, %s left", done, count.Of(len(n.hunts), "target"),
		count.Of(failures, "failing input"), max(0, n.left()).Round(time.Second)))
}
