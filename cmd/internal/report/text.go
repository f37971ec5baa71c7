// Package report tells the result of a check: as text for people, as JUnit XML
// and Markdown for the machines that show them, and as files in a folder.
package report

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	shown "github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/properties/runner"
)

// Text writes a result for people. reproduce gives the command line that shows
// a cause again.
func Text(s *terminal.Screen, r runner.Result, reproduce func(runner.Cause) string) {
	for _, c := range r.Causes {
		cause(s, c, reproduce(c))
	}
	for _, f := range r.Flaky {
		got, again := f.Both()
		fmt.Fprintf(s.Out(), "%s %s: %s did not repeat: saw %s; when it was run again alone %s\n\n",
			s.Doubt("FLAKY"), visible(f.Case), f.Deviation, visible(got), visible(again))
	}
	for _, line := range BaselineFaults(r) {
		fmt.Fprintf(s.Out(), "%s %s\n", s.Bad("BASELINE"), line)
	}
	fmt.Fprintln(s.Out(), verdict(s, r))
}

// Accepted writes the sum of a result that became a baseline, and that it did: such a
// run neither passes nor fails, and its deviations, which may be thousands, are what
// was asked for. written tells of the baseline.
func Accepted(s *terminal.Screen, r runner.Result, written string) {
	for _, line := range BaselineFaults(r) {
		fmt.Fprintf(s.Out(), "%s %s\n", s.Bad("BASELINE"), line)
	}
	var parts []string
	for _, severity := range []runner.Severity{runner.Critical, runner.Major, runner.Minor} {
		parts = append(parts, fmt.Sprintf("%d %s", r.BySeverity(severity), severity))
	}
	fmt.Fprintf(s.Out(), "%s\nnew deviations: %s\n%s\n", Counts(r), strings.Join(parts, ", "), written)
}

func cause(s *terminal.Screen, c runner.Cause, reproduce string) {
	out := s.Out()
	fmt.Fprintf(out, "%s (%s) %s\n", s.Bad(c.Deviation.String()), c.Deviation.Severity(), c.Deviation.Meaning())
	row := func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(out, "  %s %s\n", s.Faint(fmt.Sprintf("%-10s", name)), line)
		}
	}
	name := c.Case.ID
	if c.Recipe != "" {
		name = c.Recipe
	}
	row("case", visible(name))
	if c.Count > 1 {
		row("", "and "+count.Of(c.Count-1, "more case", "with the same cause"))
	}
	if c.Unconfirmed {
		row("doubt", Unconfirmed)
	}
	row("rule", visible(c.Case.Rule+" "+c.Case.Why))
	row("wire", strings.Join(Wire(c.Case), "\n"))
	row("want", strings.Join(c.Want(), " or "))
	row("got", Saw(c))
	if c.Saw.Posts > 1 {
		row("posts", fmt.Sprint(c.Saw.Posts))
	}
	if trace := c.Trace(); trace != nil {
		row("trace", visibleLines(strings.Join(trace, "\n")))
	}
	if text := strings.TrimSpace(c.Saw.Stderr); text != "" {
		row("stderr", visibleLines(text))
	}
	if line, err := c.Case.AppendJSON(nil); err == nil {
		row("as a case", string(shown.JSON(line)))
	}
	row("reproduce", visible(reproduce))
	fmt.Fprintln(out)
}

// Unconfirmed is what is said of a cause that was seen once, and not run again.
const Unconfirmed = "unconfirmed: the run ended before it could be run again alone"

// Saw is what the subject made of the case, with what it says beside its word.
func Saw(c runner.Cause) string { return visible(c.Got()) }

// BaselineFaults tells what is wrong with the baseline, a line each.
func BaselineFaults(r runner.Result) []string {
	var lines []string
	for _, list := range []struct {
		entries []runner.Entry
		why     string
	}{
		{r.Stale, "no longer deviates; remove the entry, as --update-baseline does"},
		{r.Unmatched, "matches no case of this run; mend or remove the entry"},
		{r.Expired, "is past its day; mend the subject or set another day"},
	} {
		for _, e := range list.entries {
			lines = append(lines, fmt.Sprintf("%s saw %s: %s", visible(e.Case), visible(e.Saw), list.why))
		}
	}
	return lines
}

// verdict is the last line.
func verdict(s *terminal.Screen, r runner.Result) string {
	text := Counts(r)
	switch {
	case r.Failed():
		return s.Bad("FAILED") + " " + text
	case r.OK():
		return s.Good("OK") + " " + text
	}
	return s.Doubt("STOPPED") + " " + text
}

// Counts are the numbers of a run in one line.
func Counts(r runner.Result) string {
	name := r.Subject.Name
	if r.Subject.Version != "" {
		name += " " + r.Subject.Version
	}
	parts := []string{fmt.Sprintf("%s: %s, %d passed", visible(name), count.Of(r.Cases, "case"), r.Passed)}
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(r.Skipped, "skipped")
	for _, d := range runner.Deviations() {
		add(r.ByDeviation[d], d.String())
	}
	add(r.Known, "known to the baseline")
	add(r.Ignored, "below the severity that counts")
	add(r.Unrepeated, "not repeated")
	add(r.Late, "sent again after their case was over")
	if n := len(r.Causes); n > 0 {
		parts = append(parts, count.Of(n, "cause"))
	}
	if r.Unkept > 0 {
		parts = append(parts, count.Of(r.Unkept, "deviation", "whose cause is not among them"))
	}
	if n := len(r.Stale) + len(r.Unmatched) + len(r.Expired); n > 0 {
		parts = append(parts, count.Of(n, "fault", "of the baseline"))
	}
	if v := r.Covered; v.Rounds > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s and %s in %s of steered recipes", v.Faults, count.Of(v.All, "fault"),
			count.Of(v.Classes, "kind", "of observation"), count.Of(v.Rounds, "round")))
	}
	if !r.Complete {
		parts = append(parts, "stopped before all cases had their turn")
	}
	return strings.Join(parts, ", ")
}

// Skips are the reasons for skipping with their numbers, the most frequent first.
func Skips(r runner.Result) []string {
	var lines []string
	for _, why := range count.Words(r.Skips) {
		lines = append(lines, fmt.Sprintf("%d skipped: %s", r.Skips[why], visible(why)))
	}
	return lines
}

func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = visible(lines[i])
	}
	return strings.Join(lines, "\n")
}
