// Package broken holds judges that are wrong on purpose: each breaks one rule
// of the project, most of them as a real client did. A check that claims to
// find faults must find these; a harness is only as good as the table.
//
//	for _, judge := range broken.All() {
//		if !harnessFinds(judge.Classify) {
//			t.Errorf("%s survives: %s", judge.Name, judge.Doc)
//		}
//	}
//
// They are switches on package model, not on the reference classifier, and good
// for nothing but tests.
package broken

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// Judge is one broken judge.
type Judge struct {
	// Name is in kebab-case and says what the judge does.
	Name string
	// Rule is the rule that it breaks, such as 6 or S3.
	Rule string
	// Source is the public report that shows or suggests the fault, as
	// owner/repository#thread; "rule" where the rule itself suggested it.
	Source string
	// Doc is one sentence on the fault.
	Doc string
	// Tolerated is true where, on answers with no other fault, all that it says
	// wrongly is among what the rules let a third party say. Only a
	// comparison with the reference verdict itself finds such a judge.
	Tolerated bool

	// Classify judges the answer to a call.
	Classify func(classifier.Call, classifier.Answer) classifier.Verdict
	// Notification judges the answer to a notification.
	Notification func(classifier.Answer) classifier.Verdict
	// NoAnswer judges a call that got no HTTP answer.
	NoAnswer func(classifier.Ended) classifier.Verdict
}

// All lists the broken judges in the order of the rules. They know the codings
// gzip and deflate.
func All() []Judge { return AllWith(nil) }

// AllWith is All, with judges that also know the codings of decoders.
func AllWith(decoders model.Decoders) []Judge {
	var all []Judge
	for _, group := range [][]entry{transport, text, envelope, result, stream, others} {
		for _, e := range group {
			j := model.Judge{Decoders: decoders, Quirk: e.quirk}
			all = append(all, Judge{
				Name: e.name, Rule: e.rule, Source: e.source, Doc: e.doc, Tolerated: e.tolerated,
				Classify: j.Classify, Notification: j.Notification, NoAnswer: j.NoAnswer,
			})
		}
	}
	return all
}

// ByName is the broken judge of that name.
func ByName(name string) (Judge, bool) {
	for _, j := range All() {
		if j.Name == name {
			return j, true
		}
	}
	return Judge{}, false
}

// entry is a line of the tables.
type entry struct {
	quirk     model.Quirk
	name      string
	rule      string
	source    string
	tolerated bool
	doc       string
}

// byRule is the source of an entry that no report suggested.
const byRule = "rule"

const tolerated = true
