package report

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/properties/runner"
)

// Markdown is the result as a page of Markdown, such as a job's summary.
func Markdown(r runner.Result, reproduce func(runner.Cause) string) []byte {
	var b strings.Builder
	state := "as expected"
	switch {
	case r.Failed():
		state = "FAILED"
	case !r.OK():
		state = "STOPPED"
	}
	fmt.Fprintf(&b, "# replyproof: %s: %s\n\n%s.\n\nSeed %d, catalogue %s.\n", cell(r.Subject.Name), state, cell(Counts(r)), r.Seed, r.Catalogue)
	if len(r.Causes) > 0 {
		b.WriteString("\n| deviation | severity | cases | rule | case | want | got |\n| --- | --- | ---: | --- | --- | --- | --- |\n")
		for _, c := range r.Causes {
			name := c.Case.ID
			if c.Recipe != "" {
				name = c.Recipe
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s |\n", c.Deviation, c.Deviation.Severity(), c.Count,
				cell(c.Case.Rule), code(name), cell(strings.Join(c.Want(), " or ")), cell(Saw(c)))
		}
		b.WriteString("\n")
		for _, c := range r.Causes {
			// Indented, not fenced: no line of an answer can end such a block.
			fmt.Fprintf(&b, "%s, reproduce:\n\n    %s\n\n    %s\n\n", c.Deviation, visible(reproduce(c)), strings.Join(Wire(c.Case), "\n    "))
			if c.Unconfirmed {
				fmt.Fprintf(&b, "This is %s.\n\n", Unconfirmed)
			}
			if text := traced(c); text != "" {
				fmt.Fprintf(&b, "    %s\n\n", strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    "))
			}
		}
	}
	if faults := BaselineFaults(r); len(faults) > 0 {
		b.WriteString("\n## Faults of the baseline\n\n")
		for _, line := range faults {
			fmt.Fprintf(&b, "- %s\n", cell(line))
		}
	}
	if len(r.Flaky) > 0 {
		b.WriteString("\n## Not repeated\n\n")
		for _, f := range r.Flaky {
			got, again := f.Both()
			fmt.Fprintf(&b, "- %s: %s: saw %s; then %s\n", code(f.Case), f.Deviation, cell(got), cell(again))
		}
	}
	if skips := Skips(r); len(skips) > 0 {
		b.WriteString("\n## Skipped\n\n")
		for _, line := range skips {
			fmt.Fprintf(&b, "- %s\n", cell(line))
		}
	}
	return []byte(b.String())
}

// cell makes text fit for a cell of a table, or for any line: one line, no column
// sign, no markup, no link and no picture, whoever the text is from.
func cell(text string) string { return unmarked.Replace(visible(text)) }

// unmarked escapes what Markdown, and that of GitHub, would obey inside a line.
var unmarked = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`, "$", `\$`,
	"[", `\[`, "]", `\]`, "://", `:\//`, "www.", `www\.`, "@", `\@`, "\n", " ")

// code is text as code inside a line; as in a cell, it cannot end it.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(visible(text)) + "`"
}
