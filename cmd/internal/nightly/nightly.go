// Package nightly runs, for a given time, everything in a module that searches
// for answers which are judged wrongly: checks given by the caller, then every
// native fuzz target in rounds. It goes on after a failure, loses nothing of
// what it finds however it ends, and tells all of it.
package nightly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/children"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/store"
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// Options say what a night is.
type Options struct {
	Dir    string       // a directory in the module
	Plan   Plan         // of a night that is gone on with, what [Pending] gives
	Resume bool         // go on with the last night of the store
	Jobs   int          // fuzz workers; 0 means one per core
	Checks []Check      // run before the targets
	Store  *store.Store // where everything is kept
	// Judge lets the judges judge a failing input; nil means [Judge], in this process.
	Judge   func(ctx context.Context, pkg, target string, data []byte) (Verdicts, error)
	Event   func(Event) // nil: nobody wants to know
	Display *progress.Display
}

// Check is a part of the night besides the fuzz targets.
type Check struct {
	Name  string
	Share float64 // of the night's time that it may take, 0 to 1
	// Run searches for at most d and tells its state. findings are what was
	// found wrong; an error ends the night.
	Run func(ctx context.Context, d time.Duration, tell func(string)) (summary string, findings []string, err error)
}

// Run is the night. When ctx ends, the children are stopped and the report
// tells what was done until then. With an error the report is nil; what was
// found is in the store all the same.
func Run(ctx context.Context, o Options) (*Report, error) {
	n := &night{
		o: o, store: o.Store, start: time.Now(), jobs: o.Jobs, checks: map[string]bool{}, empty: map[string]float64{},
		report: &Report{Format: "replyproof-nightly/1", Seed: o.Plan.Seed, Resumed: o.Resume, Before: past(o.Store)},
	}
	if len(n.o.Plan.Packages) == 0 {
		n.o.Plan.Packages = []string{"./..."}
	}
	if n.jobs <= 0 {
		n.jobs = runtime.GOMAXPROCS(0)
	}
	if n.o.Plan.Night == "" {
		n.o.Plan.Night = n.start.UTC().Format(nightLayout)
	}
	n.report.Night, n.report.Jobs = n.o.Plan.Night, n.jobs
	n.minimise = min(time.Minute, max(5*time.Second, n.o.Plan.For/20))
	work, remove, err := children.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	n.work = work
	if err := n.build(ctx); err != nil {
		if ctx.Err() != nil {
			n.report.Interrupted = true
			return n.report, nil
		}
		return nil, err
	}
	if err := n.open(); err != nil {
		return nil, err
	}
	ticking, stop := context.WithCancel(ctx)
	defer stop()
	go n.clock.run(ticking)
	n.report.Build = time.Since(n.start).Seconds()
	err = n.check(ctx)
	if err == nil {
		err = n.search(ctx)
	}
	if err != nil && !errors.Is(err, store.ErrFull) && ctx.Err() == nil {
		return nil, err
	}
	return n.report, n.close(ctx, err)
}

// build finds and builds the targets.
func (n *night) build(ctx context.Context) error {
	var only *regexp.Regexp
	if n.o.Plan.Targets != "" {
		var err error
		if only, err = regexp.Compile(n.o.Plan.Targets); err != nil {
			return fmt.Errorf("targets: %w", err)
		}
	}
	step := n.o.Display.Start("build", 0)
	step.Update("looks for fuzz targets")
	targets, problems, err := fuzzing.Discover(ctx, n.o.Dir, n.work, n.o.Plan.Packages, only, step.Update)
	if err != nil {
		state := "failed"
		switch {
		case ctx.Err() != nil:
			state = "stopped"
		case errors.Is(err, fuzzing.ErrNoTargets):
			state = "nothing to build"
			if n.o.Plan.Targets != "" {
				err = fmt.Errorf("%w: none of %v has a name that matches %q; nightly --list lists them", err, n.o.Plan.Packages, n.o.Plan.Targets)
			}
		}
		step.Done(state)
		return err
	}
	step.Done(count.Of(len(targets), "fuzz target") + ", " + count.Of(len(problems), "package") + " that did not build")
	for i := range problems {
		problems[i].Output = visible.Lines(problems[i].Output)
	}
	n.report.Problems = problems
	n.report.Targets = make([]Result, len(targets))
	for i, t := range targets {
		n.report.Targets[i] = Result{Package: t.Package, Target: t.Name}
		n.hunts = append(n.hunts, &hunt{night: n, index: i, target: t, share: &share{finds: true}, result: &n.report.Targets[i]})
	}
	return nil
}

// open begins the night's journal, or reads what there is of it.
func (n *night) open() error {
	name := n.o.Plan.Night + nightSuffix
	n.journal = n.store.Journal(nightsName, name)
	used := 0.0
	if n.o.Resume {
		err := readNight(n.store, name, func(r record) {
			n.book(r)
			used = max(used, r.Used)
			for _, h := range n.hunts {
				if r.Round != nil && r.Round.Package == h.target.Package && r.Round.Target == h.target.Name {
					h.share.book(time.Duration(r.Round.Seconds*float64(time.Second)), r.Round.New > 0)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	n.clock = newAwake(time.Duration(used*float64(time.Second)), time.Now())
	if n.o.Resume {
		n.o.Display.Notef("going on with the night of %s, of which %s is left", n.o.Plan.Night, n.left().Round(time.Second))
		return nil
	}
	return n.record(record{Event: "night", Plan: &n.o.Plan})
}

// check runs the checks one after another.
func (n *night) check(ctx context.Context) error {
	for _, c := range n.o.Checks {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if n.checks[c.Name] {
			continue
		}
		d := time.Duration(float64(n.o.Plan.For) * c.Share)
		began := time.Now()
		step := n.o.Display.Start(c.Name, d)
		summary, findings, err := c.Run(ctx, d, step.Update)
		if err != nil && !errors.Is(err, context.Canceled) {
			step.Done("failed")
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		step.Done(summary)
		r := record{Event: "check", Check: &CheckResult{c.Name, time.Since(began).Seconds(), summary, findings}}
		if err != nil {
			n.book(r) // not over: it is run again when the night goes on
			return err
		}
		if err := n.record(r); err != nil {
			return err
		}
	}
	return nil
}

// search gives the targets their rounds until the night is over.
func (n *night) search(ctx context.Context) error {
	labels, shares := make([]string, len(n.hunts)), make([]*share, len(n.hunts))
	seen := map[string]int{}
	for i, h := range n.hunts {
		labels[i], shares[i] = h.target.Name, h.share
		seen[h.target.Name]++
	}
	for i, h := range n.hunts {
		if seen[h.target.Name] > 1 {
			labels[i] = filepath.Base(h.target.Package) + "." + h.target.Name
		}
	}
	n.board = n.o.Display.Board(labels, n.o.Plan.For)
	defer n.board.Close()
	telling, stop := context.WithCancel(ctx)
	var teller sync.WaitGroup
	defer teller.Wait() // nothing is told after the night is over
	defer stop()
	teller.Go(func() { n.tell(telling) })
	length := roundLength(n.left(), len(n.hunts))
	for ctx.Err() == nil {
		i, d := next(shares, length, n.left())
		if i < 0 {
			return nil
		}
		h := n.hunts[i]
		h.share.isNew = h.share.isNew || h.share.rounds == 0 && !h.any()
		if err := h.round(ctx, d); err != nil {
			return err
		}
		n.board.Set(i, h.result.Summary())
	}
	return ctx.Err()
}

// tell says every ten seconds how far the night has come.
func (n *night) tell(ctx context.Context) {
	for t := time.NewTicker(progress.Every); ; {
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
			n.event(Event{Event: "progress", State: n.board.Line(), Left: max(0, n.left()).Seconds()})
		}
	}
}

// tidy drops what covers nothing of its own, of several targets at a time: the
// engine no longer needs the cores.
func (n *night) tidy(ctx context.Context) {
	var all sync.WaitGroup
	turn := make(chan struct{}, n.jobs)
	for _, h := range n.hunts {
		if !h.ready {
			continue
		}
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			if err := h.merge(ctx); err != nil && ctx.Err() == nil {
				n.note("%s: %v", h.target, err)
			}
		})
	}
	all.Wait()
}

// close ends the night: what was asked for is over, or was cut short.
func (n *night) close(ctx context.Context, err error) error {
	r := n.report
	r.Interrupted = ctx.Err() != nil
	if !r.Interrupted && !r.Full {
		n.tidy(ctx)
	}
	searched := 0.0
	starts, replays, rounds := 0.0, 0.0, 0
	for _, h := range n.hunts {
		h.statistics()
		searched += h.result.Fuzzing
		starts += h.result.starts
		replays += h.result.replays
		rounds += h.result.Rounds
		if h.result.Rounds == 0 {
			r.NotRun = append(r.NotRun, h.target.String())
		}
	}
	ran := r.Targets[:0]
	for _, t := range r.Targets {
		if t.Rounds > 0 || len(t.Failures) > 0 {
			ran = append(ran, t)
		}
	}
	r.Targets = ran
	for _, c := range r.Checks {
		searched += c.Seconds
	}
	r.Seconds, r.Asleep = n.clock.gone().Seconds(), n.clock.asleep().Seconds()
	if r.Seconds > 0 {
		r.Replay, r.Lost = replays/r.Seconds, max(0, 1-(searched+replays)/r.Seconds)
	}
	if rounds > 0 {
		r.Start = starts / float64(rounds)
	}
	if err != nil || r.Interrupted {
		if r.Full {
			return fmt.Errorf("%w: the night stops here; what was found until now is kept; make room and go on with --resume", err)
		}
		return nil
	}
	err = errors.Join(n.record(record{Event: "end"}), remember(n.store, r))
	forget(n.store)
	return err
}
