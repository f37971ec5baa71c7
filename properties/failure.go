package properties

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// Failures is the error of a search that found something.
type Failures struct {
	// List holds the failures, the gravest first.
	List []*Failure
	// More counts further breaches, of kinds that were not kept.
	More int
	Seed uint64
}

// Error is a summary line and each failure.
func (f *Failures) Error() string {
	parts := []string{f.summary()}
	for _, one := range f.List {
		parts = append(parts, one.Error())
	}
	return strings.Join(parts, "\n")
}

// Unwrap gives the failures, for errors.As.
func (f *Failures) Unwrap() []error {
	all := make([]error, 0, len(f.List))
	for _, one := range f.List {
		all = append(all, one)
	}
	return all
}

func (f *Failures) summary() string {
	text := fmt.Sprintf("%d kinds of failure with seed %d", len(f.List), f.Seed)
	if len(f.List) == 1 {
		text = fmt.Sprintf("1 kind of failure with seed %d", f.Seed)
	}
	if f.More > 0 {
		text += fmt.Sprintf("; %d breaches of further kinds were not kept", f.More)
	}
	return text
}

// Failure is a property that does not hold, in the plainest form that was found.
type Failure struct {
	Breach
	Property Property
	// Case is the case that the property started from; CaseID is its id if it
	// is from a corpus, Recipe its recipe otherwise.
	Case   corpus.Case
	CaseID string
	Recipe string
	// Seed is that of the property's choices.
	Seed uint64
	// Count is how many breaches of this kind were met.
	Count int
}

// Error tells the deviation, the rule, what was wanted and got, the answer as
// it was on the wire, and how to see it again.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v (%v) by %s (rule %s)", f.Deviation, f.Deviation.Severity(), f.Property.Name, f.rule())
	if f.Count > 1 {
		fmt.Fprintf(&b, ", %d times", f.Count)
	}
	fmt.Fprintf(&b, "\n  rule: %s", f.Property.Doc)
	if f.CaseID != "" && f.Case.Why != "" {
		fmt.Fprintf(&b, " %s", f.Case.Why)
	}
	fmt.Fprintf(&b, "\n  case: %s\n  want: %s\n  got:  %s\n", f.Name(), f.Want, strings.ReplaceAll(f.Got, "\n", "\n        "))
	for i, r := range f.Shown {
		if len(f.Shown) > 2 && i < len(f.Shown)-2 {
			continue
		}
		title := "answer"
		if len(f.Shown) > 1 && i < len(f.Shown)-1 {
			title = "first answer, judged " + describe(r.Verdict)
		}
		fmt.Fprintf(&b, "  %s, to the call with id %v:\n%s", title, r.Call.ID, indent(r.wire()))
	}
	fmt.Fprintf(&b, "  reproduce: properties.TestClassifier(t, fn, %s)", f.Reproduce())
	return b.String()
}

func (f *Failure) rule() string {
	if f.Property.Name == ByConstruction && f.Case.Rule != "" {
		return f.Case.Rule
	}
	return f.Property.Rule
}

// Name is the id of the case, or the text of the recipe.
func (f *Failure) Name() string {
	if f.CaseID != "" {
		return f.CaseID
	}
	return f.Recipe
}

// Reproduce is the options with which TestClassifier and CheckClassifier do just
// this again.
func (f *Failure) Reproduce() string {
	options := fmt.Sprintf("properties.Only(%q), ", f.Property.Name)
	if f.CaseID != "" {
		options += fmt.Sprintf("properties.Case(%q)", f.CaseID)
	} else {
		options += fmt.Sprintf("properties.Recipe(%q)", f.Recipe)
	}
	if f.Property.Name != ByConstruction {
		options += fmt.Sprintf(", properties.Seed(%d)", f.Seed)
	}
	return options
}

// maxShown is how much of a body is shown.
const maxShown = 2000

// wire is the answer as it was on the wire, readable.
func (r Rendering) wire() string {
	var b strings.Builder
	a := r.Answer
	if a.Status == 0 && a.Header == nil {
		return "no HTTP answer\n"
	}
	fmt.Fprintf(&b, "HTTP %d\n", a.Status)
	for _, h := range corpus.HeadersOf(a.Header) {
		fmt.Fprintf(&b, "%s: %s\n", h.Name, printable(h.Value))
	}
	fmt.Fprintf(&b, "%s\n", quote(a.Body))
	fmt.Fprintf(&b, "(%d bytes, ended with %v", len(a.Body), a.Ended)
	if len(r.Splits) > 0 {
		fmt.Fprintf(&b, ", split at %s", shortList(r.Splits))
	}
	b.WriteString(")\n")
	return b.String()
}

// quote is a body as a Go expression, the middle of a long one left out. The
// lines of a body of several stand below each other.
func quote(body []byte) string {
	if len(body) <= maxShown {
		return spell(body)
	}
	half := maxShown / 2
	return fmt.Sprintf("%s … %d bytes … %s", spell(body[:half]), len(body)-2*half, spell(body[len(body)-half:]))
}

// spell is text between backquotes where it can be, else a quoted string.
func spell(text []byte) string {
	lines := strings.SplitAfter(string(text), "\n")
	if len(lines) > 40 {
		return strconv.Quote(string(text))
	}
	if len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, line := range lines {
		line, ended := strings.CutSuffix(line, "\n")
		quoted := strconv.Quote(line)
		switch {
		case quoted == `"`+line+`"` && ended:
			quoted = quoted[:len(quoted)-1] + `\n"`
		case quoted != `"`+line+`"` && strconv.CanBackquote(line):
			quoted = "`" + line + "`"
			if ended {
				quoted += ` + "\n"`
			}
		case ended:
			quoted = quoted[:len(quoted)-1] + `\n"`
		}
		lines[i] = quoted
	}
	return strings.Join(lines, " +\n")
}

func printable(text string) string {
	quoted := strconv.Quote(text)
	if quoted == `"`+text+`"` || strings.ReplaceAll(quoted, `\"`, `"`) == `"`+text+`"` {
		return text
	}
	return quoted
}

func shortList(numbers []int) string {
	text := fmt.Sprint(slices.Clip(numbers[:min(8, len(numbers))]))
	if len(numbers) > 8 {
		text += fmt.Sprintf(" and %d more", len(numbers)-8)
	}
	return text
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n"
}
