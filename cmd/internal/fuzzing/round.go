package fuzzing

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/children"
)

// Grace is how long a target may take to stop once its time is over.
const Grace = 30 * time.Second

// Ended is what a run of a target came to.
type Ended struct {
	Stats
	Failed bool
	Said   string // what the target said, without the engine's own lines
	// Runs are the failing subtests, such as FuzzX/seed#0.
	Runs   []string
	NoRoom bool // the engine could not write: the disk is full
}

// Limit gives a context that ends after a time of which a pause of the whole
// machine, or of this process, is no part.
type Limit func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)

// Search runs the engine in dir, which is the package's folder or a [Tree] of
// it, for a time with so many workers. The inputs that it finds interesting go
// into cache, beside those that it starts from. A failing input is not
// minimised: it is written when it appears.
func (t Target) Search(ctx context.Context, dir, cache string, d time.Duration, workers int, limit Limit, tell func(Stats)) Ended {
	return t.play(ctx, dir, d, limit, tell, "-test.run=^$", "-test.fuzz=^"+t.Name+"$", "-test.fuzzcachedir="+cache,
		"-test.fuzztime="+d.Round(time.Millisecond).String(), "-test.fuzzminimizetime=0x", "-test.parallel="+strconv.Itoa(workers))
}

// Seeds runs the seeds of the target, and its inputs in testdata/fuzz in dir, as
// plain go test does.
func (t Target) Seeds(ctx context.Context, dir string, d time.Duration, limit Limit) Ended {
	return t.play(ctx, dir, d, limit, nil, "-test.run=^"+t.Name+"$", "-test.timeout="+d.String())
}

// Again runs one input of testdata/fuzz in dir as plain go test does.
func (t Target) Again(ctx context.Context, dir, name string, d time.Duration, limit Limit) Ended {
	return t.play(ctx, dir, d, limit, nil, "-test.run=^"+t.Name+"$/^"+regexp.QuoteMeta(name)+"$", "-test.timeout="+d.String())
}

// play runs the test binary once, for d and not much longer.
func (t Target) play(ctx context.Context, dir string, d time.Duration, limit Limit, tell func(Stats), args ...string) Ended {
	limited, cancel := limit(ctx, d+Grace)
	defer cancel()
	cmd := command(limited, t.Binary, dir, args...)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	cmd.WaitDelay = Grace
	w := &watch{tell: tell, now: time.Now}
	watched := make(chan struct{})
	go func() { w.follow(out); close(watched) }()
	err := children.Run(limited, cmd)
	in.Close()
	<-watched
	e := Ended{Stats: w.Stats, Said: strings.TrimSpace(w.said.String()), Runs: w.runs}
	switch {
	case err == nil, ctx.Err() != nil && w.input == "":
	case limited.Err() != nil && ctx.Err() == nil:
		e.Failed, e.Said = true, strings.TrimSpace(fmt.Sprintf("the target did not stop within %s of its time\n%s", Grace, e.Said))
	case w.noRoom():
		e.NoRoom = true
	case !w.onlyDeadline():
		e.Failed = true
		if e.Said == "" {
			e.Said = fmt.Sprintf("the target ended without a word: %v", err)
		}
	}
	return e
}

// Reproduce is the line that shows a failure again: of an input, such as
// FuzzX/seed#0, or of the whole target where the failure is tied to none.
func (t Target) Reproduce(run string) string {
	if run == "" {
		return fmt.Sprintf("go test -run='^$' -fuzz='^%s$' %s", t.Name, t.Package)
	}
	name, input, ok := strings.Cut(run, "/")
	if !ok {
		return fmt.Sprintf("go test -run='^%s$' %s", name, t.Package)
	}
	return fmt.Sprintf("go test -run='^%s$/^%s$' %s", name, regexp.QuoteMeta(input), t.Package)
}

// EmptyRate is how many executions a second the engine makes of a target that
// does nothing, in the binary of this one; 0 if it could not be measured.
func (t Target) EmptyRate(ctx context.Context, work string, d time.Duration, workers int, limit Limit) float64 {
	t.Name = Empty
	dir := filepath.Join(work, "empty")
	if os.MkdirAll(dir, 0o755) != nil {
		return 0
	}
	e := t.play(ctx, dir, d, limit, nil, "-test.run=^$", "-test.fuzz=^"+Empty+"$", "-test.fuzzcachedir="+dir,
		"-test.fuzztime="+d.String(), "-test.fuzzminimizetime=0x", "-test.parallel="+strconv.Itoa(workers))
	if e.Failed || e.Executions == 0 {
		return 0
	}
	return float64(e.Executions) / d.Seconds()
}
