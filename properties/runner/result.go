package runner

import (
	"cmp"
	"fmt"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// Result is what a run found.
type Result struct {
	Subject   subject.Info
	Seed      uint64
	Catalogue string // its version: seeds hold within one
	// Complete is false if the run ended before all cases had their turn.
	Complete bool
	// Interrupted is true if an error ended the run: it was stopped from outside,
	// or the adapter broke.
	Interrupted bool

	Counts
	// Covered tells what was tried.
	Covered Covered
	// Skips counts the skipped cases by reason.
	Skips map[string]int
	// Causes are the deviations that were kept, each cause once, the gravest
	// first, else in the order in which they were met.
	Causes []Cause
	// Flaky are the deviations that did not repeat. They do not fail a run.
	Flaky []Flaky
	// Observed are the cases of a corpus one by one, in their order; at most
	// 20,000 are kept.
	Observed []Observed
	// Faults count the generated cases by fault.
	Faults []FaultCount
	// Command is the command line of such a run without its cases, or "".
	Command string
	// Stale, Unmatched and Expired are the entries of the baseline that no
	// longer deviate, that match no case of this run, and whose day is past.
	Stale, Unmatched, Expired []Entry

	deviating []known
}

// Counts are the numbers of a run.
type Counts struct {
	Cases      int // given to the subject or skipped
	Passed     int
	Skipped    int
	Known      int // deviations that the baseline names
	Ignored    int // deviations below the severity that counts
	Unkept     int // deviations whose cause is not among Causes, since there were too many
	Unrepeated int // deviations that did not repeat, all of them
	Late       int // POSTs of a client for cases that were over: sent again when nobody waited any more
	// ByDeviation counts those that are new, by their word.
	ByDeviation [deviationEnd]int
}

// Deviations is the number of new deviations.
func (c Counts) Deviations() int {
	sum := 0
	for _, n := range c.ByDeviation {
		sum += n
	}
	return sum
}

// BySeverity is the number of new deviations of that severity.
func (c Counts) BySeverity(s Severity) int {
	sum := 0
	for d, n := range c.ByDeviation {
		if Deviation(d).Severity() == s {
			sum += n
		}
	}
	return sum
}

// OK tells whether the run is as it should be: it came to its end, at least one
// case was judged, and it has not failed.
func (r *Result) OK() bool { return !r.Interrupted && r.Cases > r.Skipped && !r.Failed() }

// Failed tells whether something was found: a new deviation, or a baseline that
// names more than what still deviates.
func (r *Result) Failed() bool {
	return r.Deviations() > 0 || len(r.Stale) > 0 || len(r.Unmatched) > 0 || len(r.Expired) > 0
}

// Cause is a deviation in its plainest form, with the number of cases that are
// put down to it.
type Cause struct {
	Deviation Deviation
	Count     int
	// First names the case in which it was first met: its id, or its recipe.
	First string
	// Case is the plainest case that shows it. Its Expect and AlsoAcceptable
	// say what was allowed.
	Case corpus.Case
	// Recipe is the plainest recipe; "" for a case of a corpus.
	Recipe string
	// Saw is what the subject made of Case.
	Saw subject.Observation
	// Reproduce is the command line that shows it again, or "".
	Reproduce string
	// Unconfirmed is set where the run ended before the case could be run again
	// alone: the deviation was seen once, and the case is as it was met.
	Unconfirmed bool

	trace []string // of an earlier run, which kept no more of the wire
}

// Flaky is a deviation that did not repeat when its case was run alone.
type Flaky struct {
	Case      string    `json:"case"` // id or recipe
	Deviation Deviation `json:"deviation"`
	Saw       string    `json:"saw"`  // as in a baseline
	Then      string    `json:"then"` // what was seen the second time
	// Got and Again are Saw and Then with code, status and text where the subject
	// gave them, whether the connection died, and the POSTs if there were several.
	// They are empty in a report of an earlier form.
	Got   string `json:"got,omitempty"`
	Again string `json:"again,omitempty"`
}

// Both are the two observations in one line each, as far as they are known.
func (f Flaky) Both() (got, again string) { return cmp.Or(f.Got, f.Saw), cmp.Or(f.Again, f.Then) }

// newFlaky is a deviation that was seen first, and not again.
func newFlaky(name string, d Deviation, first, again subject.Observation) Flaky {
	whole := func(o subject.Observation) string {
		o.Text = o.Text[:min(len(o.Text), mostText)]
		text := got(o)
		if o.Posts > 1 {
			text += fmt.Sprintf(" (%d POSTs)", o.Posts)
		}
		return clean(text)
	}
	return Flaky{name, d, Word(first), Word(again), whole(first), whole(again)}
}

// known is a case that deviated, as a baseline names it.
type known struct {
	id, saw string
	reason  string // what an entry without a reason of its own would say

	deviation Deviation
	generated bool
}

// Word is what the subject saw as reports and baselines spell it: its own word,
// or CRASH, HANG, SKIP.
func Word(o subject.Observation) string {
	switch o.Fate {
	case subject.Crashed:
		return Crash.String()
	case subject.Hung:
		return Hang.String()
	case subject.Skipped:
		return "SKIP"
	}
	return o.Saw
}
