package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/replyproof/replyproof/properties/runner"
)

// begin and end stand around what is written into the README.
const (
	begin = "<!-- made by make findings: -->\n"
	end   = "<!-- until here -->\n"
)

// writeTable puts the summary between the two comments in the README.
func writeTable(name string, o options, all []found) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("write the table into %s: it lacks %q or %q", name, begin, end)
	}
	return replaceFile(name, []byte(before+begin+table(o, all)+end+after))
}

// table is the summary, and how it was made.
func table(o options, all []found) string {
	var b strings.Builder
	b.WriteString("| client | version | protocol version | ran | cases | skipped | critical | major | minor | causes | of one run alone |\n")
	b.WriteString("| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", f.client.name, f.version, f.client.protocol, strings.Join(f.ran, "; "),
			f.cases, f.skipped, f.bySeverity(runner.Critical), f.bySeverity(runner.Major), f.bySeverity(runner.Minor), len(f.causes), f.alone)
	}
	fmt.Fprintf(&b, "\nSeed %d, catalogue %s. Each of these was run, as often as the table says:\n\n", o.seed, all[0].catalog)
	for _, f := range all {
		for _, cases := range f.of {
			fmt.Fprintf(&b, "    replyproof %s\n", strings.Join(quoted(f.client.arguments(o, cases)), " "))
		}
	}
	b.WriteString("\n| client | protocol version |")
	var names []string
	for _, name := range deviationWords {
		for _, f := range all {
			if f.counts[name] > 0 {
				names = append(names, name)
				fmt.Fprintf(&b, " `%s` |", name)
				break
			}
		}
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" ---: |", len(names)) + "\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %s |", f.client.name, f.client.protocol)
		for _, name := range names {
			fmt.Fprintf(&b, " %d |", f.counts[name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// deviationWords are the words of deviations, the gravest first.
var deviationWords = func() (words []string) {
	for _, d := range runner.Deviations() {
		words = append(words, d.String())
	}
	return words
}()
