package nightly

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/store"
)

// Plan is what a night was asked to do.
type Plan struct {
	Night    string        `json:"night"` // when it began; names its journal
	Seed     uint64        `json:"seed"`
	For      time.Duration `json:"for_ns"`
	Packages []string      `json:"packages"`
	Targets  string        `json:"targets,omitempty"` // an expression
	Cases    string        `json:"cases,omitempty"`
}

// record is a line of a night's journal. The night is what follows from its
// records: a night that was ended from outside goes on from them.
type record struct {
	Event string       `json:"event"` // night, check, round, failure or end
	Used  float64      `json:"used"`  // seconds of the night that were gone
	Plan  *Plan        `json:"plan,omitempty"`
	Check *CheckResult `json:"check,omitempty"`
	Round *round       `json:"round,omitempty"`
	Fail  *Failure     `json:"failure,omitempty"`
}

// round is what one round of one target came to.
type round struct {
	Package    string  `json:"package"`
	Target     string  `json:"target"`
	Seconds    float64 `json:"seconds"` // in all
	Fuzzing    float64 `json:"fuzzing"` // of these, after the engine had begun
	Start      float64 `json:"start"`   // from the start of the engine's process until then
	Replay     float64 `json:"replay"`  // of these, in which it ran seeds and kept inputs
	Executions int64   `json:"executions"`
	New        int64   `json:"new"`
	Seeds      int64   `json:"seeds"`
	Replayed   int64   `json:"replayed"`
	Curve      []Point `json:"curve,omitempty"`
	Empty      float64 `json:"empty,omitempty"`
	Inputs     int     `json:"inputs"`
	Retired    string  `json:"retired,omitempty"`
}

// nightLayout is the form of a night's name, the time at which it began.
const nightLayout = "20060102T150405.000Z"

const (
	nightsName  = "nights"
	nightSuffix = ".jsonl"
	nightsKept  = 30
)

// ErrNothingToResume is a folder without a night that was ended from outside.
var ErrNothingToResume = errors.New("no night to go on with")

// ErrDamaged is a file of a night that cannot be gone on with. What the night
// found does not lie in it, and is not lost.
var ErrDamaged = errors.New("the file of the last night is damaged")

// anew is what to do then.
const anew = "begin a new night without --resume, which starts from all that was found"

// nights are the names of the journals, the oldest first.
func nights(s *store.Store) []string {
	entries, err := os.ReadDir(s.Path(nightsName))
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && strings.HasSuffix(name, nightSuffix) && name[0] != '.' {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// Pending is the plan of the last night, if that was ended from outside before
// its time was over; if not, the error is [ErrNothingToResume]. If that cannot be
// told, the error is [ErrDamaged].
func Pending(s *store.Store) (Plan, error) {
	all := nights(s)
	if len(all) == 0 {
		return Plan{}, fmt.Errorf("%w in %s", ErrNothingToResume, s.Path())
	}
	name := all[len(all)-1]
	plan, over := Plan{}, false
	err := readNight(s, name, func(r record) {
		if r.Plan != nil {
			plan = *r.Plan
		}
		over = over || r.Event == "end"
	})
	switch {
	case err != nil:
	case over:
		err = fmt.Errorf("%w in %s: the last one came to its end", ErrNothingToResume, s.Path())
	case plan.Night+nightSuffix != name || plan.For <= 0:
		err = fmt.Errorf("%w: %s, line 1 does not say that it is this night, and how long it is; %s", ErrDamaged, s.Path(nightsName, name), anew)
	}
	return plan, err
}

// readNight gives the records of a night's journal.
func readNight(s *store.Store, name string, each func(record)) error {
	fault := s.Journal(nightsName, name).Lines(func(line []byte) error {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%w: %w; %s", ErrDamaged, err, anew)
		}
		each(r)
		return nil
	})
	if fault != nil {
		return fmt.Errorf("read what the last night did: %w", fault)
	}
	return nil
}

// forget removes the journals of nights long gone.
func forget(s *store.Store) {
	all := nights(s)
	for len(all) > nightsKept {
		_ = os.Remove(s.Path(nightsName, all[0]))
		all = all[1:]
	}
}
