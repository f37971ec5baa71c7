package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Disagreement is one thing in which a verdict is not what its case expects, or
// a case that is wrong in itself.
type Disagreement struct {
	Case     Case
	Exchange int    // 0 for the case's own answer, n for Then[n-1]
	Field    string // of expect, such as reason; "" for a case that is wrong
	Want     string
	Got      string
	Wrong    error // what is wrong with the case itself; nil if the verdict differs
	Verdict  classifier.Verdict
}

// Error shows the disagreement in one line with the case's id and rule; a fault
// of the case says "case is wrong".
func (d Disagreement) Error() string {
	where := d.Case.ID
	if d.Exchange > 0 {
		where = fmt.Sprintf("%s then[%d]", where, d.Exchange-1)
	}
	if d.Wrong != nil {
		return fmt.Sprintf("corpus: %s: case is wrong: %v", where, d.Wrong)
	}
	return fmt.Sprintf("corpus: %s (rule %s): %s: got %s, want %s; the verdict was %s, %s",
		where, d.Case.Rule, d.Field, d.Got, d.Want, d.Verdict.Outcome, d.Verdict.Reason)
}

// Unwrap is what is wrong with the case, if anything is.
func (d Disagreement) Unwrap() error { return d.Wrong }

// Verify judges every exchange of every case with package classifier and
// compares all that the case expects. A case that is wrong in itself ([Case.Check])
// is reported as such and not judged. Cases that expect nothing are passed over.
// The shipped cases with br and zstd need package classifier/codings linked in.
func Verify(cases []Case) []Disagreement {
	return VerifyWith(cases, Case.Classify)
}

// VerifyWith is [Verify] with another judge.
func VerifyWith(cases []Case, judge func(Case) classifier.Verdict) []Disagreement {
	var all []Disagreement
	for _, c := range cases {
		if err := c.Check(); err != nil {
			all = append(all, Disagreement{Case: c, Wrong: err})
			continue
		}
		for i, exchange := range c.Exchanges() {
			if exchange.Expect == nil {
				continue
			}
			v := judge(exchange)
			for _, d := range exchange.Expect.compare(v) {
				d.Case, d.Exchange, d.Verdict = c, i, v
				all = append(all, d)
			}
		}
	}
	return all
}

// compare gives a disagreement for each field in which v differs.
func (e Expect) compare(v classifier.Verdict) []Disagreement {
	var all []Disagreement
	differ := func(field, want, got string) {
		all = append(all, Disagreement{Field: field, Want: want, Got: got})
	}
	if v.Outcome != e.Outcome {
		differ("outcome", e.Outcome.String(), v.Outcome.String())
	}
	if v.Layer != e.Layer {
		differ("layer", e.Layer.String(), v.Layer.String())
	}
	if e.Reason != "" && v.Reason.String() != e.Reason {
		differ("reason", e.Reason, v.Reason.String())
	}
	if e.Code != "" && !SameNumber(string(v.Error.Code), e.Code) {
		differ("code", e.Code, orNone(string(v.Error.Code)))
	}
	if e.Findings != nil {
		want, got := slices.Sorted(slices.Values(e.Findings)), findingNames(v)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			differ("findings", orNone(strings.Join(want, " ")), orNone(strings.Join(got, " ")))
		}
	}
	if e.Advice != "" {
		// Facts of the zero value: side effects unknown, the first attempt,
		// unlimited time, the default policy.
		if got := classifier.Advise(v, classifier.Facts{}).Action.String(); got != e.Advice {
			differ("advice", e.Advice, got)
		}
	}
	return all
}

// findingNames are the kinds that a verdict lists, in its order; not nil.
func findingNames(v classifier.Verdict) []string {
	names := make([]string, 0, len(v.Findings))
	for _, f := range v.Findings {
		names = append(names, f.Kind.String())
	}
	return names
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
