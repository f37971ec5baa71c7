package nightly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/store"
)

// hunt is the search of one target, through all its rounds.
type hunt struct {
	night  *night
	index  int // of the night's targets
	target fuzzing.Target
	share  *share
	result *Result

	tree    string          // the package's folder as the engine sees it
	stored  map[string]bool // names of the inputs that are kept
	failing map[string]bool // names in testdata that are known to fail
	cover   fuzzing.Cover
	ready   bool
	until   time.Time       // the end of the round
	repeats int             // rounds in a row that ended with a failure that is known
	fresh   map[string]bool // names of kept inputs that are not weighed yet
	merged  bool            // no input was kept since the last merge, which tried all
}

// The folders of a store, each with a folder for every package and target.
const (
	inputsName   = "inputs"   // evolved inputs, in the layout of -test.fuzzcachedir
	crashersName = "crashers" // what failed
	newName      = "new"      // failing inputs that nobody has looked at yet
	liveName     = "live"     // what the engine is working with
)

// look is the time between two looks at what the engine has found.
const look = 250 * time.Millisecond

// failuresMost is in how many ways a target may fail before it gets no more
// rounds.
const failuresMost = 20

// repeatsMost is how often in a row a target may meet a failure that is known.
const repeatsMost = 5

func (h *hunt) path(what string, more ...string) string {
	return h.night.store.Path(append([]string{what, filepath.FromSlash(h.target.Package), h.target.Name}, more...)...)
}

// prepare takes over what earlier nights have left, plays the seeds as plain
// tests, and leaves out of the inputs those that cover nothing of their own.
func (h *hunt) prepare(ctx context.Context) error {
	_ = os.RemoveAll(h.path(liveName, "work")) // the files of workers that were killed
	h.night.store.Sweep(inputsName, filepath.FromSlash(h.target.Package), h.target.Name)
	// What a night that was killed had not yet taken from the engine.
	for _, s := range fuzzing.ReadStored(h.treeInputs()) {
		if err := h.saveFailing(s.Path); err != nil {
			return err
		}
	}
	h.stored, h.fresh = make(map[string]bool), make(map[string]bool)
	for _, s := range fuzzing.ReadStored(h.path(inputsName)) {
		h.stored[filepath.Base(s.Path)] = true
	}
	if err := h.collect(h.path(liveName, "cache", h.target.Name)); err != nil {
		return err
	}
	h.failing = make(map[string]bool)
	if err := h.seeds(ctx); err != nil || h.result.Retired != "" {
		return err
	}
	for _, s := range fuzzing.ReadStored(h.path(crashersName, newName)) {
		if err := h.judge(ctx, filepath.Base(s.Path)); err != nil {
			return err
		}
	}
	if err := h.merge(ctx); err != nil {
		return err
	}
	h.ready = true
	return nil
}

// any tells whether inputs of earlier nights are kept.
func (h *hunt) any() bool {
	return len(fuzzing.ReadStored(h.path(inputsName))) > 0 || len(fuzzing.ReadStored(h.path(liveName, "cache", h.target.Name))) > 0
}

// treeInputs is where the engine writes failing inputs.
func (h *hunt) treeInputs() string {
	inside, _ := filepath.Rel(h.target.Root, h.target.Dir)
	return filepath.Join(h.path(liveName, "tree"), filepath.Base(h.target.Root), inside, "testdata", "fuzz", h.target.Name)
}

// seedsLimit is how long the seeds of a target may take.
const seedsLimit = 2 * time.Minute

// seeds runs the target's seeds and the inputs in testdata as go test does, so
// that each is run however short the night is. Inputs of testdata that fail are
// told, and left out of the search, which would otherwise end with them.
func (h *hunt) seeds(ctx context.Context) error {
	dir := h.target.Dir
	for {
		e := h.target.Seeds(ctx, dir, seedsLimit, limit)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var fresh []string
		for _, run := range e.Runs {
			if name := filepath.Base(run); slices.Contains(fuzzing.Inputs(h.target), name) && !h.failing[name] {
				h.failing[name] = true
				fresh = append(fresh, name)
			}
		}
		for _, name := range fresh {
			if err := h.knownFailing(ctx, name); err != nil {
				return err
			}
		}
		if e.Failed && len(e.Runs) == 0 {
			// A process that just ends does not say by what.
			if fresh, err := h.silent(ctx); err != nil {
				return err
			} else if fresh {
				dir = h.tree
				continue
			}
		}
		if e.Failed && len(fresh) == 0 {
			run := ""
			if len(e.Runs) > 0 {
				run = e.Runs[0]
			}
			h.result.Retired = "its seeds fail, and the engine does not search beyond them"
			h.fail(Failure{Output: e.Said, Reproduce: h.target.Reproduce(run)})
			return nil
		}
		var err error
		if dir, err = h.plant(); err != nil {
			return err
		}
		if !e.Failed {
			return nil
		}
	}
}

// plant makes the tree in which the engine searches, without the inputs that are
// known to fail.
func (h *hunt) plant() (dir string, err error) {
	h.tree, err = fuzzing.Tree(h.path(liveName, "tree"), h.target, func(name string) bool { return !h.failing[name] })
	if err != nil {
		return "", fmt.Errorf("prepare %s: %w", h.target, err)
	}
	return h.tree, nil
}

// silent tries the inputs of testdata one by one, and tells whether some fail
// that were not known to.
func (h *hunt) silent(ctx context.Context) (fresh bool, err error) {
	for _, name := range fuzzing.Inputs(h.target) {
		if h.failing[name] {
			continue
		}
		e := h.target.Again(ctx, h.target.Dir, name, againLimit, limit)
		if ctx.Err() != nil {
			return fresh, ctx.Err()
		}
		if !e.Failed {
			continue
		}
		h.failing[name], fresh = true, true
		if err := h.knownFailing(ctx, name); err != nil {
			return fresh, err
		}
	}
	if fresh {
		_, err = h.plant()
	}
	return fresh, err
}

// round searches for a time.
func (h *hunt) round(ctx context.Context, d time.Duration) error {
	began := time.Now()
	r := round{Package: h.target.Package, Target: h.target.Name}
	h.night.now(h, "getting ready", nil)
	if !h.ready {
		if err := h.prepare(ctx); err != nil {
			return err
		}
	}
	if h.result.Retired != "" {
		h.share.out = true
		r.Retired, r.Seconds = h.result.Retired, time.Since(began).Seconds()
		return h.night.record(record{Event: "round", Round: &r})
	}
	// In a short round the engine would do nothing but replay the inputs that
	// earlier nights have kept: it starts from the seeds alone.
	cache := h.path(liveName, "cache")
	if d < roundLeast {
		cache = h.path(liveName, "brief")
		_ = os.RemoveAll(cache)
	} else if err := h.provide(cache); err != nil {
		return err
	}
	r.Empty = h.night.emptyRate(ctx, h.target)
	// Once in a round or so: getting ready is not the engine's time.
	d = max(d-time.Since(began), time.Second)
	asked := time.Now()
	h.until = asked.Add(d)
	found, stop := h.watch(filepath.Join(cache, h.target.Name))
	e := h.target.Search(ctx, h.tree, cache, d, h.night.jobs, limit, func(s fuzzing.Stats) { h.night.now(h, "", &s) })
	ended := time.Now()
	stop()
	r.Executions, r.New, r.Seeds, r.Replayed = e.Executions, e.New, e.Inputs, e.Replayed
	ready := e.Fuzzing
	if ready.IsZero() {
		ready = ended // it did not even get ready
	} else {
		h.night.began(ready)
	}
	r.Start, r.Fuzzing = ready.Sub(asked).Seconds(), ended.Sub(ready).Seconds()
	if !e.Replaying.IsZero() {
		r.Replay = ready.Sub(e.Replaying).Seconds()
	}
	err := <-found
	if errors.Is(err, store.ErrFull) || e.NoRoom {
		r.Inputs, r.Seconds = len(h.stored), time.Since(began).Seconds()
		return errors.Join(err, h.night.isFull(), h.night.record(record{Event: "round", Round: &r}))
	} else if err != nil {
		return err
	}
	if err := h.settle(ctx, e); err != nil {
		return err
	}
	r.Curve, err = h.weigh(ctx, e.Fuzzing, d)
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.Inputs, r.Retired = len(h.stored), h.result.Retired
	r.Seconds = time.Since(began).Seconds()
	// A round that was over before the engine was ready says nothing of the target.
	h.share.book(time.Since(began), r.New > 0 || e.Fuzzing.IsZero() && !e.Failed)
	h.share.start = time.Duration(r.Start * float64(time.Second))
	h.share.out = h.result.Retired != ""
	return h.night.record(record{Event: "round", Round: &r})
}

// settle looks at how a round ended: with failing inputs, or with a target that
// broke down.
func (h *hunt) settle(ctx context.Context, e fuzzing.Ended) error {
	waiting := fuzzing.ReadStored(h.path(crashersName, newName))
	if ctx.Err() != nil {
		return nil // the next night looks at them
	}
	before := len(h.result.Failures)
	for _, s := range waiting {
		if err := h.judge(ctx, filepath.Base(s.Path)); err != nil {
			return err
		}
	}
	switch {
	case len(h.result.Failures) >= failuresMost:
		h.result.Retired = fmt.Sprintf("it fails in %d ways; mend some first", len(h.result.Failures))
	case len(h.result.Failures) > before, !e.Failed:
		h.repeats = 0
	case len(waiting) > 0:
		if h.repeats++; h.repeats >= repeatsMost {
			h.result.Retired = fmt.Sprintf("it met the same failure %d times in a row; mend that first", h.repeats)
		}
	default:
		run := ""
		if len(e.Runs) > 0 {
			run = e.Runs[0]
		}
		h.result.Retired = "it broke down without an input"
		h.fail(Failure{Output: e.Said, Reproduce: h.target.Reproduce(run)})
	}
	return nil
}

// provide puts the kept inputs where the engine reads them.
func (h *hunt) provide(cache string) error {
	dir := filepath.Join(cache, h.target.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name := range h.stored {
		if err := h.night.store.Link(h.path(inputsName, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// watch takes what the engine finds, as it appears, until stop is called; the
// channel then gives the error, if there was one.
func (h *hunt) watch(dir string) (<-chan error, func()) {
	over, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var fault error
		t := time.NewTicker(look)
		defer t.Stop()
		for last := false; !last; {
			select {
			case <-over:
				last = true
			case <-t.C:
			}
			err := h.collect(dir)
			for _, s := range fuzzing.ReadStored(h.treeInputs()) {
				err = errors.Join(err, h.saveFailing(s.Path))
			}
			if err != nil {
				fault = err
			}
		}
		done <- fault
	}()
	return done, func() { close(over) }
}

// collect keeps the inputs of a folder that are not kept yet. One that is still
// being written is taken the next time. It is the engine's own file that is kept,
// under a second name: that takes no room where the engine has just used up the
// last.
func (h *hunt) collect(dir string) error {
	for _, s := range fuzzing.ReadStored(dir) {
		name := filepath.Base(s.Path)
		if h.stored[name] {
			continue
		}
		file, err := os.ReadFile(s.Path)
		if err != nil || !fuzzing.Whole(name, file) {
			continue
		}
		if err := h.night.store.Link(s.Path, h.path(inputsName, name)); err != nil {
			return fmt.Errorf("keep an input of %s: %w", h.target, err)
		}
		h.stored[name], h.fresh[name], h.merged = true, true, false
		h.night.event(Event{Event: "input", Package: h.target.Package, Target: h.target.Name, File: h.path(inputsName, name)})
	}
	return nil
}

// saveFailing keeps an input that the engine says fails, at once, to be looked
// at when there is time.
func (h *hunt) saveFailing(path string) error {
	name := filepath.Base(path)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil // a link to one of testdata
	}
	file, err := os.ReadFile(path)
	if err != nil || !fuzzing.Whole(name, file) {
		return nil
	}
	if err := h.night.store.Write(h.path(crashersName, newName, name), file, true); err != nil {
		// The last resort: whoever reads what the night says has it.
		return fmt.Errorf("keep a failing input of %s: %w; it is\n%s", h.target, err, file)
	}
	h.night.event(Event{Event: "failing-input", Package: h.target.Package, Target: h.target.Name, File: h.path(crashersName, newName, name)})
	_ = os.Remove(path)
	return nil
}
