package properties

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// ClientFailures is the error of a check of a client that found something.
type ClientFailures struct {
	// List holds a failure for each cause, the gravest first.
	List []*ClientFailure
	// Result is all that the run found, what did not repeat included.
	Result runner.Result
	// Err is what ended the check before all cases had their turn; nil if it came
	// to its end.
	Err error
}

// Error is a summary line and each failure.
func (f *ClientFailures) Error() string {
	parts := []string{fmt.Sprintf("%s of %s with seed %d", plural(len(f.List), "cause"), plural(f.Result.Deviations(), "deviation"), f.Result.Seed)}
	for _, one := range f.List {
		parts = append(parts, one.Error())
	}
	if more := f.more(); more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, "\n")
}

// Unwrap gives the failures and what ended the check, for errors.As and errors.Is.
func (f *ClientFailures) Unwrap() []error {
	all := make([]error, 0, len(f.List)+1)
	for _, one := range f.List {
		all = append(all, one)
	}
	if f.Err != nil {
		all = append(all, f.Err)
	}
	return all
}

// more tells what no failure of the list tells.
func (f *ClientFailures) more() string {
	var lines []string
	if f.Err != nil {
		lines = append(lines, "stopped before all cases had their turn: "+f.Err.Error())
	}
	if f.Result.Unkept > 0 {
		lines = append(lines, plural(f.Result.Unkept, "deviation")+" more, of causes that were not kept")
	}
	for _, list := range []struct {
		entries []runner.Entry
		why     string
	}{{f.Result.Stale, "no longer deviates"}, {f.Result.Unmatched, "matches no case of this run"}, {f.Result.Expired, "is past its day"}} {
		for _, e := range list.entries {
			lines = append(lines, fmt.Sprintf("baseline: %s saw %s: %s", e.Case, e.Saw, list.why))
		}
	}
	for _, one := range f.Result.Flaky {
		got, again := one.Both()
		lines = append(lines, fmt.Sprintf("flaky: %s: %s did not repeat: saw %s; then %s", one.Case, one.Deviation, got, again))
	}
	return strings.Join(lines, "\n")
}

// ClientFailure is what a client made of an answer that no rule allows, in its
// plainest form.
type ClientFailure struct{ runner.Cause }

// Error tells the deviation, the rule, what was wanted and got, the answer, what
// went over the wire, and how to see it again.
func (f *ClientFailure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v (%v) by rule %s", f.Deviation, f.Deviation.Severity(), f.Case.Rule)
	if f.Count > 1 {
		fmt.Fprintf(&b, ", %d times", f.Count)
	}
	if f.Unconfirmed {
		b.WriteString("\n  unconfirmed: the run ended before it could be run again alone")
	}
	fmt.Fprintf(&b, "\n  meaning: %s\n  rule: %s\n  case: %s\n  want: %s\n  got:  %s\n", f.Deviation.Meaning(), f.Case.Why, f.Name(),
		strings.Join(f.Want(), " or "), printable(f.Got()))
	if f.Saw.Posts > 1 {
		fmt.Fprintf(&b, "  sent: %d times\n", f.Saw.Posts)
	}
	fmt.Fprintf(&b, "  answer:\n%s", indent(wireOf(f.Case)))
	if trace := f.Trace(); len(trace) > 0 {
		fmt.Fprintf(&b, "  wire:\n%s", indent(strings.Join(trace, "\n")))
	}
	fmt.Fprintf(&b, "  reproduce: properties.TestClient(t, open, %s)", f.Reproduce())
	return b.String()
}

// Name is the id of the case, or the text of the recipe.
func (f *ClientFailure) Name() string {
	if f.Recipe != "" {
		return f.Recipe
	}
	return f.Case.ID
}

// Reproduce is the option with which TestClient and CheckClient do just this again.
func (f *ClientFailure) Reproduce() string {
	if f.Recipe != "" {
		return fmt.Sprintf("properties.Recipe(%q)", f.Recipe)
	}
	return fmt.Sprintf("properties.Case(%q)", f.Case.ID)
}

// wireOf is a case as it goes over the wire, readable.
func wireOf(c corpus.Case) string {
	if c.Status == nil {
		return fmt.Sprintf("no HTTP answer (%v)", c.NoAnswer())
	}
	text := fmt.Sprintf("HTTP %d\n", *c.Status)
	for _, h := range c.Headers {
		text += h.Name + ": " + printable(h.Value) + "\n"
	}
	w := c.Wire(c.RequestID)
	return text + fmt.Sprintf("%s\n(%d of %d bytes, ended with %v)", quote(w.Delivered()), w.Cut, len(w.Body), w.Ended)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
