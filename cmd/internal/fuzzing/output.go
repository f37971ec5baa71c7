package fuzzing

import (
	"bufio"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Stats is how far a search has come.
type Stats struct {
	Executions int64
	New        int64     // inputs found interesting in this search
	Inputs     int64     // seeds and inputs kept from earlier, which the engine replays first
	Replayed   int64     // as far as the time let it
	Replaying  time.Time // when it began with these
	Fuzzing    time.Time // when it had done with them
}

const (
	keepText = 64 << 10 // of what a target says
	keepLine = 16 << 10 // of one line of it
)

var (
	statsLine = regexp.MustCompile(`^fuzz: elapsed: .*execs: (\d+) .*new interesting: (\d+)`)
	inputLine = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
	rerunLine = regexp.MustCompile(`^\s*go test -run=(\S+)`)
	seedLine  = regexp.MustCompile(`(?:failure while testing seed corpus entry|^\s+--- FAIL): (Fuzz\w*/\S+)`)
	baseLine  = regexp.MustCompile(`^fuzz: elapsed: .*gathering baseline coverage: (\d+)/(\d+)`)
)

// watch is what is seen in the output of a target.
type watch struct {
	Stats
	said  strings.Builder
	input string   // file of the failing input, relative to the folder
	runs  []string // what -run shows failing inputs again
	tell  func(Stats)
	now   func() time.Time
}

// follow reads the engine's lines until the target ends.
func (w *watch) follow(out io.Reader) {
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
		w.line(line)
		if err != nil {
			return
		}
	}
}

func (w *watch) line(line string) {
	if m := statsLine.FindStringSubmatch(line); m != nil {
		w.Executions, _ = strconv.ParseInt(m[1], 10, 64)
		w.New, _ = strconv.ParseInt(m[2], 10, 64)
		w.told()
		return
	}
	if m := inputLine.FindStringSubmatch(line); m != nil {
		w.input = m[1]
	}
	if m := rerunLine.FindStringSubmatch(line); m != nil {
		w.runs = append(w.runs, m[1])
	}
	if m := seedLine.FindStringSubmatch(line); m != nil {
		w.runs = append(w.runs, m[1])
	}
	if m := baseLine.FindStringSubmatch(line); m != nil {
		w.Replayed, _ = strconv.ParseInt(m[1], 10, 64)
		w.Inputs, _ = strconv.ParseInt(m[2], 10, 64)
		if w.Replaying.IsZero() {
			w.Replaying = w.now()
		}
		if strings.Contains(line, "now fuzzing") {
			w.Fuzzing = w.now()
		}
		w.told()
	}
	if strings.HasPrefix(line, "fuzz: ") {
		return
	}
	if w.said.Len()+len(line) < keepText {
		w.said.WriteString(line)
		w.said.WriteByte('\n')
	}
}

func (w *watch) told() {
	if w.tell != nil {
		w.tell(w.Stats)
	}
}

// onlyDeadline tells whether the target said nothing but that its time was over:
// the engine now and then takes the end of its own time for a failure.
func (w *watch) onlyDeadline() bool {
	if w.input != "" || len(w.runs) > 0 {
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

// noRoom tells whether the target said that the disk is full.
func (w *watch) noRoom() bool {
	return w.input == "" && strings.Contains(w.said.String(), "no space left on device")
}
