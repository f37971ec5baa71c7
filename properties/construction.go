package properties

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

var byConstruction = Property{
	Name: ByConstruction,
	Rule: "all",
	Doc:  "The verdict is the one that follows from how the answer was made, or one that a correct third party may give instead.",
	Check: func(t *Trial) *Breach {
		e := t.Case.Expect
		if e == nil {
			return t.Skip()
		}
		v, ok := t.verdict()
		if !ok {
			return t.Skip()
		}
		allowed := subject.SetOf(e.Outcome)
		if !t.Strict {
			allowed = runner.Allowed(t.Case)
		}
		deviation := runner.Compare(e.Outcome, allowed, t.subjects.told(v))
		if deviation == 0 && !runner.SameCode(e.Code, string(v.Error.Code)) {
			deviation = runner.MixedLayers
		}
		if deviation == 0 && t.Strict && !sameDetails(t, v) {
			deviation = runner.MixedLayers
		}
		if deviation == 0 {
			return nil
		}
		return t.Breach(deviation, t.expected(), t.got(v))
	},
}

// ByConstruction is the name of the property that compares a verdict with the
// one that is known from the way in which the answer was made.
const ByConstruction = "by-construction"

// verdict is the verdict of the case itself; ok is false where the function for
// it is not under test.
func (t *Trial) verdict() (classifier.Verdict, bool) {
	if t.IsCall() {
		if t.subjects.Call == nil {
			return classifier.Verdict{}, false
		}
		return t.Judge(t.Call(), t.answer()), true
	}
	shown := Rendering{Call: t.Call()}
	if t.Case.Status != nil {
		shown.Answer = t.answer()
	}
	t.ask(shown)
	v, ok := t.subjects.Verdict(t.Case)
	t.shown[len(t.shown)-1].Verdict = v
	return v, ok
}

// sameDetails compares what only a judge in the manner of package classifier
// tells: layer, reason, code and findings.
func sameDetails(t *Trial, v classifier.Verdict) bool {
	e := t.Case.Expect
	if v.Layer != e.Layer || e.Reason != "" && v.Reason.String() != e.Reason || e.Code != "" && !v.Error.Present() {
		return false
	}
	return e.Findings == nil || slices.Equal(slices.Sorted(slices.Values(e.Findings)), findingNames(v))
}

func findingNames(v classifier.Verdict) []string {
	names := make([]string, 0, len(v.Findings))
	for _, f := range v.Findings {
		names = append(names, f.Kind.String())
	}
	slices.Sort(names)
	return names
}

// expected is what the case allows, in words.
func (t *Trial) expected() string {
	e := t.Case.Expect
	text := e.Outcome.String()
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	if t.Strict && e.Findings != nil {
		text += ", findings " + list(slices.Sorted(slices.Values(e.Findings)))
	}
	if len(t.Case.AlsoAcceptable) > 0 && !t.Strict {
		text += " or " + strings.Join(t.Case.AlsoAcceptable, " or ")
	}
	return text
}

func (t *Trial) got(v classifier.Verdict) string {
	text := describe(v)
	if t.Strict {
		text += ", findings " + list(findingNames(v))
		if v.Layer != v.Outcome.Layer() {
			text += ", layer " + v.Layer.String()
		}
	}
	return text
}

func list(names []string) string { return "[" + strings.Join(names, " ") + "]" }
