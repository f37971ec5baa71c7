package nightly

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// state is the night in a word or two.
func (r *Report) state() string {
	switch {
	case r.Failed():
		return "FAILED"
	case r.Interrupted, r.Full:
		return "STOPPED"
	}
	if text := doubts(r); text != "" {
		return "nothing found, but " + text
	}
	return "as expected"
}

// doubts tells why a night that found nothing is less than was asked for; empty
// if it is not.
func doubts(r *Report) string {
	var all []string
	if n := len(unfuzzed(r)); n > 0 {
		all = append(all, fmt.Sprintf("%d of %s had no time to fuzz", n, count.Of(len(r.Targets), "fuzz target")))
	}
	flaky := 0
	for _, t := range r.Targets {
		flaky += len(t.Failures)
	}
	if flaky > 0 {
		all = append(all, count.Of(flaky, "failure")+" did not repeat")
	}
	return strings.Join(all, ", and ")
}

// Markdown is what a night came to as a page of Markdown.
func Markdown(r *Report) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# replyproof nightly: %s\n\n%s in all, seed %d, %s.\n\n", r.state(), seconds(r.Seconds), r.Seed, count.Of(r.Jobs, "fuzz worker"))
	if len(r.Checks) > 0 {
		b.WriteString("| check | time | what was done |\n| --- | ---: | --- |\n")
		for _, c := range r.Checks {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, seconds(c.Seconds), c.Summary)
		}
		b.WriteByte('\n')
	}
	b.WriteString("| target | time | executions | per second | of an empty target | new | covered | kept | dropped | failing |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, t := range r.Targets {
		last, known := r.Last(t)
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %d | %s | %s | %d | %d |\n", t.Target, seconds(t.Seconds), t.Executions,
			count.Short(t.Rate)+percent(t.Rate, last.Rate, known), share100(t.Rate, t.EmptyRate), t.New,
			fmt.Sprint(t.Edges)+change(t.Edges, last.Edges, known), fmt.Sprint(t.Corpus.Inputs)+change(t.Corpus.Inputs, last.Inputs, known), t.Corpus.Dropped, len(t.Failures))
	}
	for _, lines := range failures(r) {
		for i, line := range lines {
			lines[i] = oneLine(line)
		}
		fmt.Fprintf(&b, "\n## Failed: %s\n\n    %s\n", lines[0], strings.Join(lines[1:], "\n    "))
	}
	for _, note := range notes(r) {
		fmt.Fprintf(&b, "\n- %s\n", oneLine(note))
	}
	if text := rates(r); text != "" {
		fmt.Fprintf(&b, "\n%s.\n", strings.ToUpper(text[:1])+text[1:])
	}
	if len(r.Before) > 0 {
		b.WriteString("\n| night | time | executions | new | covered | failing |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
		for _, p := range append([]Past{r.past()}, r.Before...) {
			executions, fresh, edges := p.sums()
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d |\n", p.Night, seconds(p.Seconds), executions, fresh, edges, p.Failures)
		}
	}
	for _, name := range r.NotRun {
		fmt.Fprintf(&b, "\nNot run: %s\n", oneLine(name))
	}
	return []byte(b.String())
}

// oneLine is text as a line of a page, which nothing in it can end.
func oneLine(text string) string { return strings.ReplaceAll(visible.Lines(text), "\n", `\n`) }

// sums are those of all targets.
func (p Past) sums() (executions, fresh int64, edges int) {
	for _, t := range p.Targets {
		executions += t.Executions
		fresh += t.New
		edges += t.Edges
	}
	return executions, fresh, edges
}

// change tells how much more there is than the last night had.
func change(now, before int, known bool) string {
	if !known || now == before {
		return ""
	}
	return fmt.Sprintf(" (%+d)", now-before)
}

// percent tells how much faster or slower it was, where that is worth a word.
func percent(now, before float64, known bool) string {
	if !known || before == 0 || now == 0 {
		return ""
	}
	if p := 100 * (now/before - 1); p <= -5 || p >= 5 {
		return fmt.Sprintf(" (%+.0f%%)", p)
	}
	return ""
}

func share100(part, whole float64) string {
	if whole == 0 {
		return "not measured"
	}
	return fmt.Sprintf("%.0f%%", 100*part/whole)
}
