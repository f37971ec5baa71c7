package gopterprop_test

import (
	"io"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/gopterprop"
)

func parameters(tests int) *gopter.TestParameters {
	p := gopter.DefaultTestParametersWithSeed(1)
	p.MinSuccessfulTests = tests
	return p
}

func TestReference(t *testing.T) {
	gopterprop.Properties(parameters(200), classifier.Classify, properties.Strict(),
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer),
		properties.Stream(properties.InPieces)).TestingRun(t)
}

func TestKillsAndShrinks(t *testing.T) {
	for _, test := range []struct{ judge, property, want string }{
		{"status-ignored", "status-dominance", `properties.Recipe("success")`},
		{"id-ignored", "id-mismatch", `properties.Recipe("success`},
		{"lf-only", "line-ends", `properties.Recipe("success`},
		{"status-ignored", properties.ByConstruction, `properties.Recipe("success +status`},
	} {
		judge, ok := broken.ByName(test.judge)
		if !ok {
			t.Fatalf("no judge is named %s", test.judge)
		}
		property, ok := properties.ByName(test.property)
		if !ok {
			t.Fatalf("no property is named %s", test.property)
		}
		result := gopterprop.Prop(property, judge.Classify).Check(parameters(2000))
		if result.Passed() || !strings.Contains(strings.Join(result.Labels, "\n"), test.want) {
			t.Errorf("%s by %s: got %v %q, want %q", test.judge, test.property, result.Status, result.Labels, test.want)
		}
	}
}

func TestBadOptionsFail(t *testing.T) {
	property, _ := properties.ByName("layer")
	result := gopterprop.Prop(property, classifier.Classify, properties.Only("no-such")).Check(parameters(10))
	if result.Passed() || result.Error == nil || !strings.Contains(result.Error.Error(), `no property is named "no-such"`) {
		t.Errorf("got %v, %v", result.Status, result.Error)
	}
	if got := gopterprop.Properties(parameters(10), nil); got.Run(gopter.NewFormatedReporter(false, 75, io.Discard)) {
		t.Error("a nil judge passed")
	}
}

// tornAtPieces judges a stream rightly only where it comes in one piece.
func tornAtPieces(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
	if len(splits) > 0 {
		a.Body = a.Body[splits[0]:]
	}
	return properties.InPieces(call, a, nil)
}

func TestChunkingKills(t *testing.T) {
	property, _ := properties.ByName("chunking")
	if gopterprop.Prop(property, classifier.Classify, properties.Stream(tornAtPieces)).Check(parameters(2000)).Passed() {
		t.Error("a judge that loses the first piece passed")
	}
}
