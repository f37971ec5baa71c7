package nightly

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/count"
)

// Result is what one target came to.
type Result struct {
	Package    string   `json:"package"`
	Target     string   `json:"target"`
	Seconds    float64  `json:"seconds"`
	Executions int64    `json:"executions"`
	New        int64    `json:"new"`      // inputs found interesting in this run
	Inputs     int64    `json:"inputs"`   // seeds and inputs kept from earlier runs, which the engine replays first
	Replayed   int64    `json:"replayed"` // as far as the time let it
	Failure    *Failure `json:"failure,omitempty"`
}

// Short tells whether the time was over before the engine had made an input of its own.
func (r Result) Short() bool { return r.Failure == nil && r.Executions == 0 }

// Summary is the result in a few words.
func (r Result) Summary() string {
	if r.Short() {
		return fmt.Sprintf("all seeds, then %d of %s again; no time was left to fuzz", r.Replayed, count.Of(r.Inputs, "input"))
	}
	return fmt.Sprintf("%s after %s, %d new", count.Of(r.Executions, "execution"), count.Of(r.Inputs, "input"), r.New)
}

// Failure is an input that a target does not bear, or a target that broke down.
type Failure struct {
	Output    string `json:"output"`               // what the target said
	InputFile string `json:"input_file,omitempty"` // where the failing input lies
	Input     string `json:"input,omitempty"`      // how its text begins, in the form of Go's corpus files
	Reproduce string `json:"reproduce"`            // the command that shows the failure again
}

const (
	minimise = "5s"             // for a failing input; the engine's own default of 60 s eats a run
	grace    = 30 * time.Second // for a target to stop by itself
	keepText = 64 << 10         // of what a target says
	keepLine = 16 << 10         // of one line of it
)

var (
	statsLine = regexp.MustCompile(`^fuzz: elapsed: .*execs: (\d+) .*new interesting: (\d+)`)
	inputLine = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
	rerunLine = regexp.MustCompile(`^\s*go test -run=(\S+)`)
	seedLine  = regexp.MustCompile(`(?:failure while testing seed corpus entry|^\s+--- FAIL): (Fuzz\w*/\S+)`)
	baseLine  = regexp.MustCompile(`^fuzz: elapsed: .*gathering baseline coverage: (\d+)/(\d+)`)
)

// fuzz runs one target for a time with so many workers and tells its state:
// its seeds as plain tests first, so that each is run however short the time
// is, then the engine.
func fuzz(ctx context.Context, t Target, d time.Duration, workers int, tell func(string)) (r Result) {
	began := time.Now()
	r = Result{Package: t.Package, Target: t.Name}
	defer func() { r.Seconds = time.Since(began).Seconds() }()
	tell("seeds")
	r.Failure = play(ctx, t, d, &r, tell, "-test.run=^"+t.Name+"$")
	if r.Failure != nil || ctx.Err() != nil {
		return r
	}
	d = max(d-time.Since(began), time.Second).Round(time.Millisecond)
	r.Failure = play(ctx, t, d, &r, tell, "-test.run=^$", "-test.fuzz=^"+t.Name+"$", "-test.fuzzcachedir="+t.cache,
		"-test.fuzztime="+d.String(), "-test.fuzzminimizetime="+minimise, "-test.parallel="+strconv.Itoa(workers))
	return r
}

// play runs the test binary once, for d and not much longer.
func play(ctx context.Context, t Target, d time.Duration, r *Result, tell func(string), args ...string) *Failure {
	limited, cancel := context.WithTimeout(ctx, d+grace)
	defer cancel()
	cmd := exec.CommandContext(limited, t.binary, args...)
	cmd.Dir = t.dir
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	cmd.WaitDelay = grace
	watched := make(chan watch)
	go func() { watched <- follow(out, r, tell) }()
	err := run(ctx, cmd)
	in.Close()
	w := <-watched
	switch {
	case err == nil, ctx.Err() != nil && w.input == "" && w.run == "":
		return nil
	case limited.Err() != nil && ctx.Err() == nil:
		return w.failure(t, fmt.Sprintf("the target did not stop within %s of its time", grace))
	case w.onlyDeadline():
		// The engine now and then takes the end of its own time for a failure of the target.
		return nil
	}
	return w.failure(t, "")
}

// watch is what is seen in the output of a target.
type watch struct {
	said  strings.Builder
	input string // file of the failing input, relative to the package
	run   string // what -run shows it again
}

// follow reads the engine's lines until the target ends.
func follow(out io.Reader, r *Result, tell func(string)) watch {
	var w watch
	lines := bufio.NewReaderSize(out, keepLine)
	for {
		part, err := lines.ReadSlice('\n')
		line := strings.TrimRight(string(part), "\n")
		if errors.Is(err, bufio.ErrBufferFull) {
			line += "…"
		}
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a line that is too long
			_, err = lines.ReadSlice('\n')
		}
		w.line(line, r, tell)
		if err != nil {
			return w
		}
	}
}

func (w *watch) line(line string, r *Result, tell func(string)) {
	if m := statsLine.FindStringSubmatch(line); m != nil {
		r.Executions, _ = strconv.ParseInt(m[1], 10, 64)
		r.New, _ = strconv.ParseInt(m[2], 10, 64)
		tell(count.Of(r.Executions, "execution") + ", " + count.Of(r.New, "new input"))
		return
	}
	if m := inputLine.FindStringSubmatch(line); m != nil {
		w.input = m[1]
	}
	if m := rerunLine.FindStringSubmatch(line); m != nil {
		w.run = m[1]
	}
	if m := seedLine.FindStringSubmatch(line); m != nil && w.run == "" {
		w.run = m[1]
	}
	if m := baseLine.FindStringSubmatch(line); m != nil {
		r.Replayed, _ = strconv.ParseInt(m[1], 10, 64)
		r.Inputs, _ = strconv.ParseInt(m[2], 10, 64)
	}
	if strings.HasPrefix(line, "fuzz: ") {
		if !strings.Contains(line, "minimizing") {
			tell(strings.TrimPrefix(line, "fuzz: "))
		}
		return
	}
	if w.said.Len()+len(line) < keepText {
		w.said.WriteString(line)
		w.said.WriteByte('\n')
	}
}

// onlyDeadline tells whether the target said nothing but that its time was over.
func (w *watch) onlyDeadline() bool {
	if w.input != "" || w.run != "" {
		return false
	}
	deadline := false
	for line := range strings.Lines(w.said.String()) {
		switch line = strings.TrimSpace(line); {
		case line == context.DeadlineExceeded.Error():
			deadline = true
		case line == "" || line == "FAIL" || strings.HasPrefix(line, "--- FAIL: Fuzz"):
		default:
			return false
		}
	}
	return deadline
}

func (w *watch) failure(t Target, why string) *Failure {
	f := &Failure{Output: strings.TrimSpace(w.said.String())}
	if why != "" {
		f.Output = strings.TrimSpace(why + "\n" + f.Output)
	}
	if w.input != "" {
		f.InputFile = filepath.Join(t.dir, w.input)
		if text, err := os.ReadFile(f.InputFile); err == nil {
			f.Input = clip(string(text), keepText)
		} else if !errors.Is(err, os.ErrNotExist) {
			f.Input = err.Error()
		}
	}
	f.Reproduce = reproduce(t, w.run)
	return f
}

// reproduce is the line that shows the failure again: of an input, or of the
// whole target where the failure is tied to none.
func reproduce(t Target, run string) string {
	if run == "" {
		return fmt.Sprintf("go test -run='^$' -fuzz='^%s$' %s", t.Name, t.Package)
	}
	name, input, ok := strings.Cut(run, "/")
	if !ok {
		return fmt.Sprintf("go test -run='^%s$' %s", name, t.Package)
	}
	return fmt.Sprintf("go test -run='^%s$/^%s$' %s", name, regexp.QuoteMeta(input), t.Package)
}

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:limit] + fmt.Sprintf("… (%d bytes more)", len(text)-limit)
}
