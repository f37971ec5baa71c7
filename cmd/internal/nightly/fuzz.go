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
)

// Result is what one target came to.
type Result struct {
	Package    string   `json:"package"`
	Target     string   `json:"target"`
	Seconds    float64  `json:"seconds"`
	Executions int64    `json:"executions"`
	New        int64    `json:"new"`    // inputs found interesting in this run
	Corpus     int64    `json:"corpus"` // inputs the engine keeps for the target
	Failure    *Failure `json:"failure,omitempty"`
}

// Failure is an input that a target does not bear, or a target that broke down.
type Failure struct {
	Output    string `json:"output"`               // what the target said
	InputFile string `json:"input_file,omitempty"` // where the failing input lies
	Input     string `json:"input,omitempty"`      // its text, in the form of Go's corpus files
	Reproduce string `json:"reproduce"`            // the command that shows the failure again
}

const (
	minimise = "5s"             // for a failing input; the engine's own default of 60 s eats a run
	grace    = 30 * time.Second // for a target to stop by itself
	keepText = 64 << 10         // of what a target says
)

var (
	statsLine = regexp.MustCompile(`^fuzz: elapsed: .*execs: (\d+) .*new interesting: (\d+) \(total: (\d+)\)`)
	inputLine = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
	rerunLine = regexp.MustCompile(`^\s*go test -run=(\S+)`)
	seedLine  = regexp.MustCompile(`failure while testing seed corpus entry: (\S+)`)
)

// fuzz runs one target for a time with so many workers and tells its state.
func fuzz(ctx context.Context, t Target, d time.Duration, workers int, tell func(string)) Result {
	began := time.Now()
	r := Result{Package: t.Package, Target: t.Name}
	limited, cancel := context.WithTimeout(ctx, d+grace)
	defer cancel()
	cmd := exec.CommandContext(limited, t.binary, "-test.run=^$", "-test.fuzz=^"+t.Name+"$",
		"-test.fuzzcachedir="+t.cache, "-test.fuzztime="+d.String(),
		"-test.fuzzminimizetime="+minimise, "-test.parallel="+strconv.Itoa(workers))
	cmd.Dir = t.dir
	ownGroup(cmd)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	cmd.WaitDelay = grace
	watched := make(chan watch)
	go func() { watched <- follow(out, &r, tell) }()
	err := cmd.Run()
	in.Close()
	w := <-watched
	killGroup(cmd) // workers that outlived their coordinator
	r.Seconds = time.Since(began).Seconds()
	switch {
	case err == nil, ctx.Err() != nil && w.input == "" && w.run == "":
	case limited.Err() != nil && ctx.Err() == nil:
		r.Failure = w.failure(t, fmt.Sprintf("the target did not stop within %s of its time", grace))
	case w.onlyDeadline():
		// The engine now and then takes the end of its own time for a failure of the target.
	default:
		r.Failure = w.failure(t, "")
	}
	return r
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
	lines := bufio.NewReaderSize(out, keepText)
	for {
		line, err := lines.ReadString('\n')
		w.line(strings.TrimRight(line, "\n"), r, tell)
		if err != nil {
			return w
		}
	}
}

func (w *watch) line(line string, r *Result, tell func(string)) {
	if m := statsLine.FindStringSubmatch(line); m != nil {
		r.Executions, _ = strconv.ParseInt(m[1], 10, 64)
		r.New, _ = strconv.ParseInt(m[2], 10, 64)
		r.Corpus, _ = strconv.ParseInt(m[3], 10, 64)
		tell(fmt.Sprintf("%d executions, %d new inputs", r.Executions, r.New))
		return
	}
	if m := inputLine.FindStringSubmatch(line); m != nil {
		w.input = m[1]
	}
	if m := rerunLine.FindStringSubmatch(line); m != nil {
		w.run = m[1]
	}
	if m := seedLine.FindStringSubmatch(line); m != nil {
		w.run = m[1]
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
