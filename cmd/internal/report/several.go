package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	word := s.Good("OK")
	if c.Worse() {
		word = s.Bad("WORSE")
	}
	fmt.Fprintf(s.Out(), "%s %s: %s\n", word, against(c), changes(c))
}

// against names the two versions, the new one first.
func against(c runs.Comparison) string {
	before, after := c.Field.Clients[0], c.Field.Clients[1]
	return fmt.Sprintf("%s: %s against %s", visible(after.Name), cmp.Or(visible(after.Edition()), "new"), cmp.Or(visible(before.Edition()), "old"))
}

// changes are the numbers of a comparison.
func changes(c runs.Comparison) string {
	line := fmt.Sprintf("%d new, %d changed, %d gone", c.Count(runs.New), c.Count(runs.Changed), c.Count(runs.Gone))
	if n := c.Count(runs.Unasked); n > 0 {
		line += fmt.Sprintf(", %d that the new run was not asked", n)
	}
	if n := c.Field.Clients[0].Unkept + c.Field.Clients[1].Unkept; n > 0 {
		line += ", " + count.Of(n, "deviation", "whose cause no report holds")
	}
	return line
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
	fmt.Fprintf(s.Out(), "%s %s: %s, before: %s", word, visible(rowName(d)), d.After(), d.Before())
	if d.Change == runs.New && !d.Asked {
		fmt.Fprint(s.Out(), " (the old run was not asked)")
	}
	fmt.Fprintln(s.Out())
}

func rowName(d runs.Difference) string {
	if d.Row.Kind == runs.OfFault {
		return "fault " + cmp.Or(d.Row.Name, "none")
	}
	return d.Row.Name
}

// MatrixMarkdown is what [Matrix] tells, as a page of Markdown.
func MatrixMarkdown(f *runs.Field) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# replyproof: %s\n\n", count.Of(len(f.Clients), "client"))
	b.WriteString("| client | cases | passed | skipped | critical | major | minor |\n| --- | ---: | ---: | ---: | --- | --- | --- |\n")
	for _, c := range f.Clients {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s | %s |\n", cell(c.Title()), c.Cases, c.Passed, c.Skipped,
			causes(c, runner.Critical), causes(c, runner.Major), causes(c, runner.Minor))
	}
	return []byte(b.String())
}

// ComparisonMarkdown is what [Comparison] tells, as a page of Markdown. Rows that
// changed in the same way are one line.
func ComparisonMarkdown(c runs.Comparison) []byte {
	var b strings.Builder
	state := "no worse"
	if c.Worse() {
		state = "WORSE"
	}
	fmt.Fprintf(&b, "# replyproof: %s: %s\n\n%s.\n", cell(against(c)), state, cell(changes(c)))
	type way struct{ change, now, before string }
	var ways []way
	names, rules := map[way][]string{}, map[way][]string{}
	for _, change := range []runs.Change{runs.New, runs.Changed, runs.Gone, runs.Unasked} {
		for _, d := range c.Differences {
			if d.Change != change {
				continue
			}
			w := way{string(change), d.After().String(), d.Before().String()}
			switch {
			case d.Worse:
				w.change += ", worse"
			case change == runs.New && !d.Asked:
				w.before += " (the old run was not asked)"
			}
			if names[w] == nil {
				ways = append(ways, w)
			}
			names[w] = append(names[w], code(rowName(d)))
			if rule := cell(d.Row.Rule); rule != "" && !slices.Contains(rules[w], rule) {
				rules[w] = append(rules[w], rule)
			}
		}
	}
	if len(ways) > 0 {
		b.WriteString("\n| change | now | before | rows | rules | which |\n| --- | --- | --- | ---: | --- | --- |\n")
	}
	for _, w := range ways {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %s |\n", w.change, cell(w.now), cell(w.before), len(names[w]), strings.Join(rules[w], ", "), strings.Join(names[w], ", "))
	}
	return []byte(b.String())
}
