package gopterprop_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/gopterprop"
)

// mine looks at nothing but the body.
func mine(_ classifier.Call, a classifier.Answer) classifier.Verdict {
	v := classifier.Verdict{Outcome: classifier.HTTPError}
	if strings.Contains(string(a.Body), `"result"`) {
		v.Outcome = classifier.ToolSuccess
	}
	v.Layer = v.Outcome.Layer()
	return v
}

// newCaller makes a caller that tries three times, whatever comes.
func newCaller(line *callers.Line) callers.Caller {
	client := &http.Client{Transport: line}
	id := 0
	return func(ctx context.Context, call callers.ToolCall) callers.Told {
		for range 3 {
			id++
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, call.Name, call.Arguments)
			response, err := client.Post(line.URL(), "application/json", strings.NewReader(body))
			if err != nil {
				continue
			}
			v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(int64(id))}, response)
			if v.Outcome == classifier.ToolSuccess {
				return callers.Told{Saw: "SUCCESS"}
			}
		}
		return callers.Told{Saw: "ERROR"}
	}
}

// tell prints the first line of what a property says; in a test of one's own that is for
// TestingRun of the properties to do.
func tell(name string, p gopter.Prop) {
	result := p.Check(parameters(1000))
	first, _, _ := strings.Cut(strings.Join(result.Labels, "\n"), "\n")
	fmt.Printf("%s: %v: %s\n", name, result.Status, first)
}

// Properties of replyproof and one's own stand side by side.
func ExampleProp() {
	p, _ := properties.ByName("status-dominance")
	tell(p.Name, gopterprop.Prop(p, mine))

	catalogue := generators.Default()
	tell("cut bodies", prop.ForAll(func(r generators.Recipe) string {
		a := catalogue.Render(r).Answer()
		a.Ended = classifier.EndedReset
		if !r.Frame.Stream() && mine(classifier.Call{}, a).Outcome == classifier.ToolSuccess {
			return goptergen.Label(catalogue, r, "a success, though the body was cut")
		}
		return ""
	}, goptergen.Recipes(catalogue)))
	// Output:
	// status-dominance: FAILED: FALSE_SUCCESS (critical) by status-dominance (rule 1)
	// cut bodies: FAILED: success: a success, though the body was cut
}

// In a test: func TestMine(t *testing.T) { gopterprop.Properties(parameters, mine).TestingRun(t) }.
func ExampleProperties() {
	all := gopterprop.Properties(parameters(200), classifier.Classify, properties.Only("layer", "status-dominance"))
	fmt.Println(all.Run(gopter.NewFormatedReporter(false, 75, io.Discard)))
	// Output:
	// true
}

func ExampleCallers() {
	tell("calls", gopterprop.Callers(newCaller, callers.Only("retry-only-safe")))
	// Output:
	// calls: FAILED: REPEATED_CALL (critical) by retry-only-safe (rule: Leave)
}
