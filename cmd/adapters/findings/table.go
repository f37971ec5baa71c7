package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/properties/runner"
)

// begin and end stand around what is written into the README.
const (
	begin = "<!-- made by make findings: -->\n"
	end   = "<!-- until here -->\n"
)

// withTable is the README with the summary between the two comments.
func withTable(name string, o options, all []found) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return nil, fmt.Errorf("write the table into %s: it lacks %q or %q", name, begin, end)
	}
	return []byte(before + begin + table(o, all) + end + after), nil
}

// table is the summary, how it was made, and what each client tells apart.
func table(o options, all []found) string {
	var b strings.Builder
	b.WriteString("| client | version | protocol version | ran | cases | skipped | critical | major | minor | causes | of one run alone |\n")
	b.WriteString("| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d | %d | %s | %s | %d | %d |\n", f.client.name, f.version, f.client.protocol, strings.Join(f.ran, "; "),
			f.cases, f.skipped, f.bySeverity(runner.Critical), f.sought(runner.Major), f.sought(runner.Minor), len(f.causes), f.alone)
	}
	fmt.Fprintf(&b, "\nSeed %d, catalogue %s. Each of these was run, as often as the table says:\n\n", o.seed, all[0].catalog)
	for _, f := range all {
		for _, command := range f.by {
			fmt.Fprintf(&b, "    %s\n", command)
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
		if f.least != "" {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |", f.client.name, f.client.protocol)
		for _, name := range names {
			fmt.Fprintf(&b, " %d |", f.counts[name])
		}
		b.WriteString("\n")
	}
	b.WriteString(apartTable(all))
	return b.String()
}

// sought is the number of cases with a severity, or a dash if it was not looked
// for.
func (f *found) sought(s runner.Severity) string {
	var least runner.Severity
	if least.UnmarshalText([]byte(f.least)) == nil && s < least {
		return "–"
	}
	return strconv.Itoa(f.bySeverity(s))
}

// deviationWords are the words of deviations, the gravest first.
var deviationWords = func() (words []string) {
	for _, d := range runner.Deviations() {
		words = append(words, d.String())
	}
	return words
}()
