package properties

import (
	"bytes"
	"net/http"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// FuzzChoices is the body of a native fuzz target for a judge of one's own: the
// bytes are the choices by which an answer is made, and the properties, or those
// that the options choose, are tried on it. Its seeds are fuzz.ChoicesSeeds.
//
//	func FuzzMine(f *testing.F) {
//		for _, seed := range fuzz.ChoicesSeeds() {
//			f.Add(seed)
//		}
//		body := properties.FuzzChoices(mine.Judge)
//		f.Fuzz(func(t *testing.T, data []byte) { body(t, data) })
//	}
//
// Bad options fail every input.
func FuzzChoices(fn Judge, options ...Option) func(t TB, data []byte) {
	setup, err := NewSetup(fn, options...)
	return func(t TB, data []byte) {
		t.Helper()
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		recipe := setup.Catalogue.Build(generators.NewBytes(data))
		for _, p := range setup.Properties {
			if failure, _ := setup.Try(p, recipe, seedOf(data)); failure != nil {
				t.Errorf("%v", failure)
			}
		}
	}
}

// seedOf is the seed of a property's choices for an input.
func seedOf(data []byte) uint64 {
	seed := uint64(len(data))
	for _, b := range data {
		seed = seed*31 + uint64(b)
	}
	return seed & 0xffff
}

// FuzzBody is the body of a native fuzz target for a judge of one's own: the
// bytes are the body of an answer with status 200, as JSON and as a stream, and
// the judge must not tell a success where classifier.Classify finds none. Its
// seeds are fuzz.EnvelopeSeeds and fuzz.StreamSeeds. What rules let a third
// party take for a success passes.
func FuzzBody(fn Judge) func(t TB, data []byte) {
	call := classifier.Call{ID: classifier.IntID(1)}
	return func(t TB, data []byte) {
		t.Helper()
		for _, media := range []string{"application/json", "text/event-stream"} {
			a := classifier.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {media}}, Body: data}
			right := classifier.Classify(call, a)
			a.Body = bytes.Clone(data)
			got := fn(call, a)
			if got.Outcome != classifier.ToolSuccess || right.Outcome == classifier.ToolSuccess || leftToReader(&right) {
				continue
			}
			d := runner.Compare(right.Outcome, subject.SetOf(right.Outcome), subject.SetOf(got.Outcome))
			t.Errorf("%v (%v): want %s, got %s of this %s body:\n%s", d, d.Severity(), describe(right), describe(got), media, quote(data))
		}
	}
}

// leftToReader tells whether a third party may see a success where the law sees
// none: structured content alone (9), a last event that nothing ends (S1).
func leftToReader(v *classifier.Verdict) bool {
	return v.Reason == classifier.ReasonContentMissing || v.Has(classifier.FindingUnterminatedEvent)
}
