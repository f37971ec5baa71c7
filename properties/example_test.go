package properties_test

import (
	"errors"
	"fmt"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
)

// A judge that looks at nothing but the status takes every 200 for a success.
func ExampleCheckClassifier() {
	naive := func(_ classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Verdict{Outcome: classifier.HTTPError, Layer: classifier.Transport}
		if a.Status == 200 {
			v.Outcome, v.Layer = classifier.ToolSuccess, classifier.Application
		}
		return v
	}
	err := properties.CheckClassifier(naive, properties.Only("result-and-error"), properties.Recipe("success"))
	var failures *properties.Failures
	if errors.As(err, &failures) {
		f := failures.List[0]
		fmt.Println(f.Deviation, f.Deviation.Severity())
		fmt.Println("want", f.Want)
		fmt.Println("got", f.Got)
	}
	// Output:
	// FALSE_SUCCESS critical
	// want INVALID_ENVELOPE: result and error are both present
	// got TOOL_SUCCESS
}

// The properties can be listed, chosen and added to.
func ExampleAll() {
	for _, p := range properties.All()[:3] {
		fmt.Printf("%s (%s): %s\n", p.Name, p.Rule, p.Doc)
	}
	// Output:
	// by-construction (all): The verdict is the one that follows from how the answer was made, or one that a correct third party may give instead.
	// status-dominance (1): A status outside 200 to 299 is HTTP_ERROR whatever headers and body say.
	// media-type-spelling (2): The case of the media type, its parameters and the space around it change nothing.
}

// A judge that merges all failures says so, and gives any outcome that its word
// stands for.
func ExampleTells() {
	coarse := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Verdict{Outcome: classifier.HTTPError} // stands for ERROR
		if classifier.Classify(call, a).Outcome == classifier.ToolSuccess {
			v.Outcome = classifier.ToolSuccess
		}
		v.Layer = v.Outcome.Layer()
		return v
	}
	fmt.Println(properties.CheckClassifier(coarse, properties.Tells("SUCCESS", "ERROR"), properties.Sampled()))
	// Output:
	// <nil>
}
