package callers

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Failures is the error of a search that found something.
type Failures struct {
	// List holds the failures, the gravest first.
	List []*Failure
	// More counts further breaches, of kinds that were not kept.
	More int
	Seed uint64
}

func (f *Failures) sort() {
	slices.SortStableFunc(f.List, func(a, b *Failure) int { return int(a.Deviation) - int(b.Deviation) })
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
	errs := make([]error, 0, len(f.List))
	for _, one := range f.List {
		errs = append(errs, one)
	}
	return errs
}

func (f *Failures) summary() string {
	text := fmt.Sprintf("kinds of failure: %d, with seed %d", len(f.List), f.Seed)
	if f.More > 0 {
		text += fmt.Sprintf("; breaches of further kinds that were not kept: %d", f.More)
	}
	return text
}

// Failure is a property that does not hold of a caller, in the plainest
// sequence that was found.
type Failure struct {
	Breach
	Property   Property
	Sequence   Sequence
	Transcript *Transcript
	// Count is how many breaches of this kind were met.
	Count int
}

// Error tells what Summary does, and every exchange with its time.
func (f *Failure) Error() string { return f.Summary() + "\n" + strings.TrimSuffix(f.Exchanges(), "\n") }

// Exchanges are the requests and answers of the call, and of the one after it.
func (f *Failure) Exchanges() string {
	var b strings.Builder
	f.Transcript.write(&b, "call")
	if next := f.Transcript.Next; next != nil && f.Transcript.over() {
		next.write(&b, "next call")
	}
	return b.String()
}

// Summary tells the deviation, the rule, what was wanted and got, and how to see
// it again. It holds no times, so that it is the same again for the same failure.
func (f *Failure) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v (%v) by %s (rule: %s)", f.Deviation, f.Deviation.Severity(), f.Property.Name, f.Property.Rule)
	if f.Count > 1 {
		fmt.Fprintf(&b, ", %d times", f.Count)
	}
	fmt.Fprintf(&b, "\n  rule: %s\n  sequence: %s\n  want: %s\n  got:  %s\n", f.Property.Doc, f.Sequence, f.Want, strings.ReplaceAll(f.Got, "\n", "\n        "))
	fmt.Fprintf(&b, "  reproduce: callers.Test(t, maker, %s)", f.Reproduce())
	return b.String()
}

// Reproduce is the options with which [Test] does just this again.
func (f *Failure) Reproduce() string {
	return fmt.Sprintf("callers.Only(%q), callers.Play(%q)", f.Property.Name, f.Sequence)
}

// shownPosts and shownText bound what is shown of a call.
const (
	shownPosts = 13
	shownText  = 400
)

func (t *Transcript) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "  %s:\n", name)
	for i, s := range t.Sent {
		if i == shownPosts {
			fmt.Fprintf(b, "    … %d more\n", len(t.Sent)-i)
			break
		}
		fmt.Fprintf(b, "    +%v %s %s\n      → %s\n", s.At.Sub(t.Began).Round(time.Millisecond), s.HTTPMethod, s.Path, bounded(string(s.Body)))
		c := s.answer.made
		status := "no answer: " + c.NoAnswer().String()
		if c.Status != nil {
			status = fmt.Sprint(*c.Status)
			for _, h := range c.Headers {
				status += fmt.Sprintf(" %s: %s;", h.Name, h.Value)
			}
		}
		fmt.Fprintf(b, "      ← %s\n", strings.TrimSuffix(status, ";"))
		if wire := c.Wire(idOf(s.ID)); len(wire.Body) > 0 {
			fmt.Fprintf(b, "        %s\n", bounded(fmt.Sprintf("%q", wire.Delivered())))
		}
	}
	fmt.Fprintf(b, "    came to: %s\n", t.outcome())
}

func bounded(text string) string {
	if len(text) > shownText {
		return text[:shownText] + "…"
	}
	return text
}
