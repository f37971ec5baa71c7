package nightly

import (
	"fmt"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
)

// CheckResult is what one check came to.
type CheckResult struct {
	Name     string   `json:"name"`
	Seconds  float64  `json:"seconds"`
	Summary  string   `json:"summary"`
	Findings []string `json:"findings,omitempty"`
}

// Point is what the inputs of a target had covered at a time of the night.
type Point struct {
	Seconds float64 `json:"s"` // of searching this target
	Edges   int     `json:"edges"`
}

// Result is what one target came to.
type Result struct {
	Package    string    `json:"package"`
	Target     string    `json:"target"`
	Rounds     int       `json:"rounds"`
	Seconds    float64   `json:"seconds"`
	Fuzzing    float64   `json:"fuzzing_seconds"` // of these, in which the engine searched
	Executions int64     `json:"executions"`
	Rate       float64   `json:"rate"`                 // executions per second of searching
	EmptyRate  float64   `json:"empty_rate,omitempty"` // the same of a target that does nothing, in the same binary
	New        int64     `json:"new"`                  // inputs found interesting
	Seeds      int64     `json:"inputs"`               // seeds and inputs kept from earlier, which the engine replays first
	Replayed   int64     `json:"replayed"`             // as far as the time let it
	Edges      int       `json:"edges,omitempty"`      // covered by the inputs that are kept
	Curve      []Point   `json:"curve,omitempty"`
	Corpus     Corpus    `json:"corpus"`
	Retired    string    `json:"retired,omitempty"` // why it got no more rounds
	Failures   []Failure `json:"failures,omitempty"`

	starts  float64 // seconds in which the engine got ready, of all rounds
	replays float64 // of these, in which it ran seeds and kept inputs
}

// Corpus is what is kept of a target's evolved inputs.
type Corpus struct {
	Inputs  int   `json:"inputs"`
	Bytes   int64 `json:"bytes"`
	Median  int64 `json:"median"` // bytes of the middle one
	Largest int64 `json:"largest"`
	Dropped int   `json:"dropped"` // covered nothing that others do not
}

// Short tells whether the time was over before the engine had made an input of its own.
func (r Result) Short() bool {
	return len(r.Failures) == 0 && r.Executions == 0 && r.Retired == "" && r.Rounds > 0
}

// Failed tells whether an input was found that fails.
func (r Result) Failed() bool {
	for _, f := range r.Failures {
		if f.Kind != KindFlaky {
			return true
		}
	}
	return false
}

// Summary is the result in a few words.
func (r Result) Summary() string {
	if r.Short() {
		return fmt.Sprintf("all seeds, then %d of %s again; no time was left to fuzz", r.Replayed, count.Of(r.Seeds, "input"))
	}
	text := fmt.Sprintf("%s after %s, %d new", count.Of(r.Executions, "execution"), count.Of(r.Seeds, "input"), r.New)
	if n := len(r.Failures); n > 0 {
		text += ", " + count.Of(n, "failing input")
	}
	return text
}

// KindFlaky is an input that failed once and not again.
const KindFlaky = "flaky"

// Failure is an input that a target does not bear, or a target that broke down.
type Failure struct {
	Package   string    `json:"package"`
	Target    string    `json:"target"`
	Kind      string    `json:"kind"` // failure, panic, hang, death or flaky
	Signature string    `json:"signature"`
	Count     int       `json:"count"`                // how often it was met in this night
	Known     bool      `json:"known,omitempty"`      // met in an earlier night too, or lay in testdata
	After     float64   `json:"after_seconds"`        // of the night
	Output    string    `json:"output"`               // what the target said
	InputFile string    `json:"input_file,omitempty"` // where the failing input lies
	Input     string    `json:"input,omitempty"`      // the smallest form of it, in the form of Go's seed files
	Size      int       `json:"size,omitempty"`       // of its arguments, in bytes
	From      int       `json:"from,omitempty"`       // their size as it was found
	Folder    string    `json:"folder,omitempty"`     // what is kept of it, with the proposed case
	Verdicts  *Verdicts `json:"verdicts,omitempty"`
	Reproduce string    `json:"reproduce"` // the command that shows the failure again
}

// Report is what a night came to.
type Report struct {
	Format      string            `json:"format"` // replyproof-nightly/1
	Night       string            `json:"night"`
	Seed        uint64            `json:"seed"`
	Jobs        int               `json:"jobs"`
	Seconds     float64           `json:"seconds"` // builds and sleep not counted
	Build       float64           `json:"build_seconds"`
	First       float64           `json:"first_execution_seconds"` // from the start to the engine's first search, builds counted
	Start       float64           `json:"engine_start_seconds"`    // of the engine's process, on average
	Replay      float64           `json:"replay_share"`            // of the time, in which the engine ran seeds and kept inputs
	Lost        float64           `json:"lost_share"`              // of the time, neither checks nor search nor such a replay
	Asleep      float64           `json:"asleep_seconds,omitempty"`
	Interrupted bool              `json:"interrupted"`
	Resumed     bool              `json:"resumed,omitempty"`
	Full        bool              `json:"disk_full,omitempty"`
	Checks      []CheckResult     `json:"checks"`
	Targets     []Result          `json:"targets"`
	Problems    []fuzzing.Problem `json:"problems,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
	NotRun      []string          `json:"not_run,omitempty"` // targets that the interrupted night did not reach
	Before      []Past            `json:"before,omitempty"`  // the nights before, the newest first
}

// Failed tells whether anything was found.
func (r *Report) Failed() bool {
	for _, c := range r.Checks {
		if len(c.Findings) > 0 {
			return true
		}
	}
	for _, t := range r.Targets {
		if t.Failed() {
			return true
		}
	}
	return len(r.Problems) > 0
}
