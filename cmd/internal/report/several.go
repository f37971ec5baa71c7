package report

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/properties/runner"
)

// Matrix tells several runs side by side: a line for each client.
func Matrix(s *terminal.Screen, f *runs.Field) {
	var rows [][]string
	for _, c := range f.Clients {
		rows = append(rows, []string{
			visible(c.Title()), strconv.Itoa(c.Cases), strconv.Itoa(c.Passed), strconv.Itoa(c.Skipped),
			causes(c, runner.Critical), causes(c, runner.Major), causes(c, runner.Minor),
		})
	}
	s.Table([]string{"client", "cases", "passed", "skipped", "critical", "major", "minor"}, rows)
}

// causes is the number of causes of a severity, and of the cases put down to them.
func causes(c runs.Client, severity runner.Severity) string {
	n, cases := c.CausesOf(severity), c.CasesOf(severity)
	if n == 0 && cases == 0 {
		return "-"
	}
	return fmt.Sprintf("%s, %s", count.Of(n, "cause"), count.Of(cases, "case"))
}

// Comparison tells what changed between two versions of one client, the new
// deviations first, and ends with a line that says whether it got worse.
func Comparison(s *terminal.Screen, c runs.Comparison) {
	for _, change := range []runs.Change{runs.New, runs.Changed, runs.Gone, runs.Unasked} {
		for _, d := range c.Differences {
			if d.Change == change {
				difference(s, d)
			}
		}
	}
	before, after := c.Field.Clients[0], c.Field.Clients[1]
	word := s.Good("OK")
	if c.Worse() {
		word = s.Bad("WORSE")
	}
	line := fmt.Sprintf("%s: %s against %s: %d new, %d changed, %d gone", visible(after.Name),
		cmp.Or(visible(after.Version), "new"), cmp.Or(visible(before.Version), "old"), c.Count(runs.New), c.Count(runs.Changed), c.Count(runs.Gone))
	if n := c.Count(runs.Unasked); n > 0 {
		line += fmt.Sprintf(", %d that the new run was not asked", n)
	}
	if n := before.Unkept + after.Unkept; n > 0 {
		line += ", " + count.Of(n, "deviation", "whose cause no report holds")
	}
	fmt.Fprintf(s.Out(), "%s %s\n", word, line)
}

func difference(s *terminal.Screen, d runs.Difference) {
	word := string(d.Change)
	switch {
	case d.Worse:
		word = s.Bad("worse")
	case d.Change == runs.New:
		word = s.Bad(word)
	case d.Change == runs.Gone:
		word = s.Good(word)
	}
	name := d.Row.Name
	if d.Row.Kind == runs.OfFault {
		name = "fault " + cmp.Or(name, "none")
	}
	fmt.Fprintf(s.Out(), "%s %s: %s, before: %s", word, visible(name), d.After(), d.Before())
	if d.Change == runs.New && !d.Asked {
		fmt.Fprint(s.Out(), " (the old run was not asked)")
	}
	fmt.Fprintln(s.Out())
}
