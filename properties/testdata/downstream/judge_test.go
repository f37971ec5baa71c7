package downstream

import (
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
	"github.com/replyproof/replyproof/generators/rapidgen"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/gopterprop"
	"github.com/replyproof/replyproof/properties/rapidprop"
	"github.com/replyproof/replyproof/properties/runner"
)

// judge is Judge as replyproof asks it.
func judge(call classifier.Call, a classifier.Answer) classifier.Verdict {
	j := Judge(idText(call.ID), a.Status, a.Header, a.Body, a.Ended == classifier.EndedEOF)
	v := classifier.Verdict{Outcome: outcomes[j.Kind]}
	v.Layer = v.Outcome.Layer()
	if j.Code != "" {
		v.Error.Code = []byte(j.Code)
	}
	return v
}

// shedding is what the gateway in front of our servers does under load.
var shedding = generators.Fault{
	Name: "gateway-shedding", Layer: classifier.Transport, Rule: "6", Needs: generators.NeedMessage | generators.NeedJSON,
	Doc: "the gateway's own JSON, with status 200", Effect: "INVALID_ENVELOPE: it is no response of the server",
	Parts: generators.PartText | generators.PartJSONRPC | generators.PartID | generators.PartResult | generators.PartError,
	Variants: []generators.Variant{{Edit: func(p *generators.Plan) {
		p.JSONRPC.Present, p.ID.Present, p.Result.Present = false, false, false
		p.Error = generators.Member{Present: true, Fact: generators.FactBad, Value: `"overloaded"`}
	}}},
}

// ours is a property that holds for our judge: the gateway's trace header, with
// whatever in it, makes no difference.
var ours = properties.Property{
	Name: "trace-header", Rule: "2", Doc: "The gateway's trace header changes nothing.",
	Check: func(t *properties.Trial) *properties.Breach {
		if !t.IsCall() {
			return t.Skip()
		}
		a := t.Case.Answer()
		first := t.Judge(t.Call(), a)
		a.Header = a.Header.Clone()
		a.Header.Set("X-Gateway-Trace", []string{"", "503", "application/json"}[t.N(3)])
		return t.Same(first, t.Judge(t.Call(), a), "the trace header says nothing")
	},
}

var options = []properties.Option{
	properties.Tells(tells...), properties.Add(ours), properties.Catalogue(generators.Default().With(shedding)),
}

func TestJudge(t *testing.T) {
	tried := properties.Tally{}
	properties.TestClassifier(t, judge, append(options, properties.Tallied(tried))...)
	if n := tried[ours.Name]; n.Times == 0 || n.Times == n.Skipped {
		t.Errorf("our property was not tried: %+v", n)
	}
}

// A judge that takes the gateway's answer for a tool's is told so, by our fault.
func TestSheddingIsFound(t *testing.T) {
	careless := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if string(a.Body) == `{"error":"overloaded"}` {
			return classifier.Verdict{Outcome: classifier.ToolSuccess, Layer: classifier.Application}
		}
		return judge(call, a)
	}
	err := properties.CheckClassifier(careless, append(options, properties.Only(properties.ByConstruction))...)
	failures, ok := err.(*properties.Failures)
	if !ok || failures.List[0].Deviation != runner.FalseSuccess || failures.List[0].Recipe != "success +gateway-shedding" {
		t.Errorf("got %v, want a FALSE_SUCCESS of success +gateway-shedding", err)
	}
}

// The same in the idiom of rapid, which replays and shrinks.
func TestRapid(t *testing.T) {
	rapidprop.Check(t, judge, options...)
}

// And a rapid property of one's own, on generated answers: what our gateway sends
// with a 502 is a failure, whatever the server had put into the body.
func TestRapidOwn(t *testing.T) {
	cases := rapidgen.Cases(generators.Default().With(shedding))
	rapid.Check(t, func(t *rapid.T) {
		c := cases.Draw(t, "case")
		a := c.Answer()
		a.Status = 502
		if v := judge(classifier.Call{ID: c.RequestID}, a); v.Outcome != outcomes[Failed] {
			t.Fatalf("got %v of %q", v.Outcome, a.Body)
		}
	})
}

// The same in the idiom of gopter.
func TestGopter(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 200
	gopterprop.Properties(parameters, judge, options...).TestingRun(t)
}

// And a gopter property of one's own: a body that did not arrive whole is no
// success, unless a stream had it all before.
func TestGopterOwn(t *testing.T) {
	catalogue := generators.Default()
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("cut", prop.ForAll(func(r generators.Recipe) string {
		c := catalogue.Render(r)
		if c.Status == nil || c.Notification || r.Frame.Stream() {
			return ""
		}
		a := c.Answer()
		a.Ended = classifier.EndedReset
		if v := judge(classifier.Call{ID: c.RequestID}, a); v.Outcome == classifier.ToolSuccess && a.Header.Get("Content-Type") == "application/json" {
			return goptergen.Label(catalogue, r, "a success")
		}
		return ""
	}, goptergen.Recipes(catalogue)))
	properties.TestingRun(t)
}

func FuzzMine(f *testing.F) {
	for _, seed := range fuzz.ChoicesSeeds() {
		f.Add(seed)
	}
	body := properties.FuzzChoices(judge, options...)
	f.Fuzz(func(t *testing.T, data []byte) { body(t, data) })
}

func FuzzMineBody(f *testing.F) {
	for _, seed := range append(fuzz.EnvelopeSeeds(), fuzz.StreamSeeds()...) {
		f.Add(seed)
	}
	body := properties.FuzzBody(judge)
	f.Fuzz(func(t *testing.T, data []byte) { body(t, data) })
}
