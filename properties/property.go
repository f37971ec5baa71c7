package properties

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Judge is a function under test: it judges the answer to a call. It must
// neither change nor keep what it is given.
type Judge = func(classifier.Call, classifier.Answer) classifier.Verdict

// StreamJudge is a judge that is fed: it gets the body of a in pieces, split
// at the given offsets, which ascend and lie inside the body.
type StreamJudge = func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict

// Property is something that holds for every right judge.
type Property struct {
	Name string // in kebab-case, unique in All
	Rule string // the rule that it rests on
	Doc  string // one sentence, what holds
	// Kills names broken judges and habits of package broken that this property
	// finds out with all others switched off. It is empty for by-construction alone,
	// which finds out all of the judges.
	Kills []string
	// Check tries the property on one case. It gives nil where the property
	// holds and t.Skip() where it says nothing of such a case. It takes whatever
	// choices it has from t.N, so that a trial can be repeated.
	Check func(t *Trial) *Breach
}

// All lists the properties: by-construction first, then the relations.
func All() []Property { return slices.Clone(all) }

// ByName is the property of that name.
func ByName(name string) (Property, bool) {
	i := slices.IndexFunc(all, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return Property{}, false
	}
	return all[i], true
}

var all = slices.Concat([]Property{byConstruction}, wholeRelations, envelopeRelations, textRelations, streamRelations)

// Subjects are the functions under test. All but Judges.Call may be nil; what a
// nil function would judge is skipped.
type Subjects struct {
	subject.Judges
	Stream StreamJudge
	Advise func(classifier.Verdict, classifier.Facts) classifier.Advice

	merged map[classifier.Outcome]subject.Outcomes // what an outcome stands for; see Tells
}

// told is the outcomes that the outcome of a verdict stands for.
func (s *Subjects) told(v classifier.Verdict) subject.Outcomes {
	if set, ok := s.merged[v.Outcome]; ok {
		return set
	}
	return subject.SetOf(v.Outcome)
}

// Trial is one try of one property: a case, the judges, and a source of choices.
type Trial struct {
	// Case is the case that the property starts from.
	Case corpus.Case
	// Strict takes only the verdict of the law, with reason, code and findings,
	// and none of the alternatives that a third party has.
	Strict bool

	subjects *Subjects
	source   generators.Source // made of seed when it is first needed
	seed     uint64
	skipped  bool
	shown    []Rendering
	beat     *atomic.Uint64 // counts calls of functions under test; may be nil

	read bool  // text is set
	text *tree // the case's answer as an object that can be rewritten, or nil

	maker *corpus.Answers // makes the case's own answer; may be nil
}

// answer is the case's answer as it is.
func (t *Trial) answer() classifier.Answer {
	if t.maker != nil {
		return t.maker.Answer(&t.Case)
	}
	return t.Case.Answer()
}

// again makes the trial ready for another property on the same case.
func (t *Trial) again(seed uint64) {
	t.source, t.seed, t.skipped, t.shown = nil, seed, false, t.shown[:0]
}

// NewTrial is a trial of a case; choices are taken from source.
func NewTrial(s *Subjects, c corpus.Case, source generators.Source) *Trial {
	return &Trial{Case: c, subjects: s, source: source}
}

// N is a choice: at least 0, below n.
func (t *Trial) N(n int) int {
	if t.source == nil {
		t.source = generators.NewPlain(t.seed)
	}
	return t.source.N(n)
}

// Skip says that the property has nothing to say of this case.
func (t *Trial) Skip() *Breach {
	t.skipped = true
	return nil
}

// Skipped tells whether Skip was called.
func (t *Trial) Skipped() bool { return t.skipped }

// Call is the call of the case.
func (t *Trial) Call() classifier.Call { return classifier.Call{ID: t.Case.RequestID} }

// IsCall tells whether the case is an HTTP answer to a call, which is what a
// Judge can judge.
func (t *Trial) IsCall() bool { return t.Case.Status != nil && !t.Case.Notification }

// Judge asks the judge and keeps what it was asked for the message of a breach.
func (t *Trial) Judge(call classifier.Call, a classifier.Answer) classifier.Verdict {
	t.ask(Rendering{Call: call, Answer: a})
	v := t.subjects.Call(call, a)
	t.shown[len(t.shown)-1].Verdict = v
	return v
}

// ask takes down what a function under test is about to be asked.
func (t *Trial) ask(r Rendering) {
	t.shown = append(t.shown, r)
	if t.beat != nil {
		t.beat.Add(1)
	}
}

// Rendering is an answer that was judged, and the verdict.
type Rendering struct {
	Call    classifier.Call
	Answer  classifier.Answer
	Splits  []int // of a stream judge
	Verdict classifier.Verdict
}

// Breach is a property that does not hold.
type Breach struct {
	Deviation runner.Deviation
	Want, Got string
	// Shown are the answers that were judged, the one at fault last.
	Shown []Rendering
}

// own is the breach with memory of its own.
func (b *Breach) own() *Breach {
	kept := *b
	kept.Shown = slices.Clone(b.Shown)
	for i := range kept.Shown {
		a := &kept.Shown[i].Answer
		a.Header, a.Body = a.Header.Clone(), bytes.Clone(a.Body)
	}
	return &kept
}

// Breach tells that the last verdict is wrong.
func (t *Trial) Breach(d runner.Deviation, want, got string) *Breach {
	return &Breach{Deviation: d, Want: want, Got: got, Shown: t.shown}
}

// Same demands that two verdicts have the same outcome and, where both have
// one, the same code; why says what ties them.
func (t *Trial) Same(first, second classifier.Verdict, why string) *Breach {
	one, other := t.subjects.told(first), t.subjects.told(second)
	if one&other != 0 && runner.SameCode(string(first.Error.Code), string(second.Error.Code)) {
		return nil
	}
	d := runner.Compare(first.Outcome, one, other)
	if d == 0 {
		d = runner.MixedLayers
	}
	return t.Breach(d, fmt.Sprintf("%s, as for the first answer: %s", describe(first), why), describe(second))
}

// OneOf demands an outcome from a set, of which the first is what the law says.
func (t *Trial) OneOf(v classifier.Verdict, why string, allowed ...classifier.Outcome) *Breach {
	told := t.subjects.told(v)
	if told&subject.SetOf(allowed...) != 0 {
		return nil
	}
	want := ""
	for i, o := range allowed {
		if i > 0 {
			want += " or "
		}
		want += o.String()
	}
	d := runner.Compare(allowed[0], subject.SetOf(allowed...), told)
	return t.Breach(d, want+": "+why, describe(v))
}

// NotOneOf demands an outcome outside a set.
func (t *Trial) NotOneOf(v classifier.Verdict, why string, forbidden ...classifier.Outcome) *Breach {
	if t.subjects.told(v)&^subject.SetOf(forbidden...) != 0 {
		return nil
	}
	d := runner.MixedLayers
	switch v.Outcome {
	case classifier.ToolSuccess:
		d = runner.FalseSuccess
	case classifier.InputRequired:
		d = runner.FalseInput
	}
	return t.Breach(d, "anything but "+v.Outcome.String()+": "+why, describe(v))
}

// describe is a verdict in a few words.
func describe(v classifier.Verdict) string {
	text := v.Outcome.String()
	if v.Error.Present() {
		text += " " + string(v.Error.Code)
	}
	if v.Reason != 0 {
		text += " (" + v.Reason.String() + ")"
	}
	return text
}
