// Package nightly runs, for a given time, everything in a module that searches
// for answers which are judged wrongly: checks given by the caller, then every
// native fuzz target. It goes on after a failure and tells them all at the end.
package nightly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/progress"
)

// Options say what a night is.
type Options struct {
	Dir      string         // a directory in the module
	Packages []string       // patterns as for go test; none means ./...
	Targets  *regexp.Regexp // names of targets; nil takes all
	For      time.Duration  // in all, builds not counted
	Jobs     int            // fuzz workers; 0 means one per core
	Checks   []Check        // run before the targets
	Display  *progress.Display
}

// Check is a part of the night besides the fuzz targets.
type Check struct {
	Name  string
	Share float64 // of the night's time that it may take, 0 to 1
	// Run searches for at most d and tells its state. findings are what was
	// found wrong; an error ends the night.
	Run func(ctx context.Context, d time.Duration, tell func(string)) (summary string, findings []string, err error)
}

// CheckResult is what one check came to.
type CheckResult struct {
	Name     string   `json:"name"`
	Seconds  float64  `json:"seconds"`
	Summary  string   `json:"summary"`
	Findings []string `json:"findings,omitempty"`
}

// Report is what a night came to.
type Report struct {
	Format      string        `json:"format"` // replyproof-nightly/1
	Seed        uint64        `json:"seed"`
	Seconds     float64       `json:"seconds"`
	Interrupted bool          `json:"interrupted"`
	Checks      []CheckResult `json:"checks"`
	Targets     []Result      `json:"targets"`
	Problems    []Problem     `json:"problems,omitempty"`
	NotRun      []string      `json:"not_run,omitempty"` // targets that the interrupted night did not reach
}

// Failed tells whether anything was found.
func (r *Report) Failed() bool {
	for _, c := range r.Checks {
		if len(c.Findings) > 0 {
			return true
		}
	}
	for _, t := range r.Targets {
		if t.Failure != nil {
			return true
		}
	}
	return len(r.Problems) > 0
}

// Run is the night. When ctx ends, the children are stopped and the report
// tells what was done until then.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &Report{Format: "replyproof-nightly/1"}
	if len(o.Packages) == 0 {
		o.Packages = []string{"./..."}
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	work, remove, err := workdir()
	if err != nil {
		return nil, err
	}
	defer remove()

	step := o.Display.Start("build", 0)
	targets, problems, err := Discover(ctx, o.Dir, work, o.Packages, o.Targets, step.Update)
	if err != nil {
		step.Done("failed")
		if ctx.Err() != nil {
			r.Interrupted = true
			return r, nil
		}
		return nil, err
	}
	step.Done(count.Of(len(targets), "fuzz target") + ", " + count.Of(len(problems), "package") + " that did not build")
	r.Problems = problems

	began := time.Now()
	if err := r.check(ctx, o); err != nil {
		return nil, err
	}
	r.search(ctx, o, work, targets, began.Add(o.For))
	r.Seconds = time.Since(began).Seconds()
	r.Interrupted = ctx.Err() != nil
	return r, nil
}

// check runs the checks one after another.
func (r *Report) check(ctx context.Context, o Options) error {
	for _, c := range o.Checks {
		if ctx.Err() != nil {
			return nil
		}
		limit := time.Duration(float64(o.For) * c.Share)
		began := time.Now()
		step := o.Display.Start(c.Name, limit)
		summary, findings, err := c.Run(ctx, limit, step.Update)
		if err != nil && !errors.Is(err, context.Canceled) {
			step.Done("failed")
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		step.Done(summary)
		r.Checks = append(r.Checks, CheckResult{c.Name, time.Since(began).Seconds(), summary, findings})
	}
	return nil
}

// brief is a share of the time in which the engine would do nothing but replay
// the inputs that earlier runs have kept; it then starts from the seeds alone,
// and keeps nothing.
const brief = 10 * time.Second

// search gives every target an equal share of the time that is left, and a
// second at least: what a target does not use goes to those after it.
func (r *Report) search(ctx context.Context, o Options, work string, targets []Target, end time.Time) {
	for i, t := range targets {
		if ctx.Err() != nil {
			r.NotRun = append(r.NotRun, t.Package+" "+t.Name)
			continue
		}
		share := max(time.Until(end)/time.Duration(len(targets)-i), time.Second).Round(time.Millisecond)
		if share < brief {
			t.cache = filepath.Join(work, "cache", t.Name)
		}
		step := o.Display.Start(t.Name, share)
		result := fuzz(ctx, t, share, o.Jobs, step.Update)
		if result.Failure != nil {
			step.Done("FAILED\n" + result.Failure.Output + "\nreproduce: " + result.Failure.Reproduce)
		} else {
			step.Done(result.Summary())
		}
		r.Targets = append(r.Targets, result)
	}
}
