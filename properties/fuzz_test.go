package properties_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
)

// noted is a TB that takes down what is reported.
type noted struct{ strings.Builder }

func (*noted) Helper() {}

func (n *noted) Errorf(format string, args ...any) { n.WriteString(strings.TrimSpace(format)) }

// inputs are some inputs of a fuzz target of choices.
func inputs(n int) [][]byte {
	source := generators.NewPlain(3)
	all := [][]byte{nil}
	for range n {
		data := make([]byte, source.N(40))
		for i := range data {
			data[i] = byte(source.N(256))
		}
		all = append(all, data)
	}
	return all
}

func TestFuzzChoices(t *testing.T) {
	t.Parallel()
	sound := properties.FuzzChoices(classifier.Classify, properties.Strict())
	judge, _ := broken.ByName("status-ignored")
	unsound := properties.FuzzChoices(judge.Classify)
	var found noted
	for _, data := range inputs(300) {
		sound(t, data)
		unsound(&found, data)
	}
	if found.Len() == 0 {
		t.Error("a judge that ignores the status passed")
	}
	var refused noted
	properties.FuzzChoices(nil)(&refused, nil)
	if refused.Len() == 0 {
		t.Error("a judge that is nil passed")
	}
}

func TestFuzzBody(t *testing.T) {
	t.Parallel()
	judge, _ := broken.ByName("result-beats-error")
	reads, errs := properties.FuzzBody(judge.Classify), 0
	sound := properties.FuzzBody(classifier.Classify)
	tolerant := properties.FuzzBody(func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if v.Reason == classifier.ReasonContentMissing {
			return classifier.Verdict{Outcome: classifier.ToolSuccess, Layer: classifier.Application}
		}
		return v
	})
	for _, c := range corpus.All() {
		var found noted
		body := c.Answer().Body
		reads(&found, body)
		sound(t, body)
		tolerant(t, body)
		if found.Len() > 0 {
			errs++
		}
	}
	if errs == 0 {
		t.Error("a judge that sees no error beside a result passed")
	}
}

func TestBadTells(t *testing.T) {
	t.Parallel()
	for _, words := range [][]string{{"SUCCESS"}, {"SUCCESS|ERROR"}, {"SUCCESS", "WELL"}} {
		if err := properties.CheckClassifier(classifier.Classify, properties.Tells(words...)); err == nil || !strings.Contains(err.Error(), "tells") {
			t.Errorf("%q: got %v, want a refusal", words, err)
		}
	}
}

// What a judge merges is not held against it; what it tells wrongly is.
func TestTellsStillFinds(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"status-ignored", "id-ignored", "result-beats-error"} {
		judge, _ := broken.ByName(name)
		coarse := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
			v := classifier.Verdict{Outcome: classifier.NoFinalResponse}
			if judge.Classify(call, a).Outcome == classifier.ToolSuccess {
				v.Outcome = classifier.ToolSuccess
			}
			v.Layer = v.Outcome.Layer()
			return v
		}
		if err := properties.CheckClassifier(coarse, properties.Tells("SUCCESS", "ERROR"), properties.First()); !failed(err) {
			t.Errorf("%s, in two words, survives: %v", name, err)
		}
	}
}
