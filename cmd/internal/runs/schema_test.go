package runs

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("schema.json")
}

func valid(s *jsonschema.Schema, text string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// The reports of real runs, of a right judge and of one that takes every 200 for
// a success, fit the schema, and are read as they were written.
func TestReportsFitTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t)
	judge := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if a.Status == 200 {
			return classifier.Verdict{Outcome: classifier.ToolSuccess, Layer: classifier.Application}
		}
		return classifier.Classify(call, a)
	}
	for name, fn := range map[string]func(classifier.Call, classifier.Answer) classifier.Verdict{"right": classifier.Classify, "wrong": judge} {
		cases := corpus.All()
		o := runner.Options{Corpus: cases, Random: 200, Seed: 3, Deadline: time.Minute}
		r, err := runner.Run(context.Background(), func() subject.Subject { return subject.Judges{Call: fn}.Subject(name, "1") }, o)
		if err != nil {
			t.Fatal(err)
		}
		r.Command = "replyproof check"
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(s, string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := parsed(t, string(text))
		if run.Subject.Name != name || run.Cases != len(cases)+200 || len(run.Observed) != len(cases) || len(run.Faults) == 0 ||
			run.Catalogue != generators.Default().Version() || len(run.Causes) != len(r.Causes) || run.OK != (name == "right") {
			t.Errorf("%s: got %d cases, %d observed, %d faults, %d causes, ok %t", name, run.Cases, len(run.Observed), len(run.Faults), len(run.Causes), run.OK)
		}
		deviating := 0
		for _, o := range run.Observed {
			if o.Became == runner.Deviated {
				deviating++
			}
		}
		if (deviating > 0) != (name == "wrong") {
			t.Errorf("%s: got %d deviating cases", name, deviating)
		}
		if size := len(text) / len(cases); size > 600 {
			t.Errorf("%s: got a report of %d bytes, which is %d for each case of the corpus, want at most 600", name, len(text), size)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t)
	r := runner.Result{Subject: subject.Info{Name: "x", Kind: subject.KindClassifier}, Complete: true, Counts: runner.Counts{Cases: 1, Passed: 1},
		Observed: []runner.Observed{{Case: "a/b", Became: runner.Passed, Saw: "ERROR"}}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(s, string(text)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, old, new string }{
		{"another format", "replyproof-report/1", "replyproof-report/2"},
		{"no name", `"name":"x"`, `"name":""`},
		{"a seed that is a number", `"seed":"0"`, `"seed":0`},
		{"a negative number", `"passed":1`, `"passed":-1`},
		{"an unknown fate", `"became":"passed"`, `"became":"lost"`},
		{"a pass that deviates", `"became":"passed"`, `"became":"passed","deviation":"HANG"`},
		{"a deviation without its word", `"became":"passed"`, `"became":"deviated"`},
		{"no observed", `"observed":`, `"observations":`},
	} {
		changed := strings.Replace(string(text), test.old, test.new, 1)
		if changed == string(text) {
			t.Errorf("%s: %q is not in the report", test.name, test.old)
		}
		if err := valid(s, changed); err == nil {
			t.Errorf("%s: got no error", test.name)
		}
	}
}
