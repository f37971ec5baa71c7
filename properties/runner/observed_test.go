package runner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Each case of a corpus is observed with what became of it.
func TestRunObserves(t *testing.T) {
	asked := 0
	open := judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		switch *c.Status {
		case 500, 501:
			return subject.Observation{Saw: "TOOL_SUCCESS", Text: strings.Repeat("é", 150)}
		case 502:
			return as("MALFORMED_JSON")
		case 503:
			if asked++; asked == 1 {
				return as("TOOL_SUCCESS")
			}
		case 504:
			return subject.Observation{Fate: subject.Skipped, Text: "not mine"}
		}
		return right
	})
	var cases []corpus.Case
	for _, status := range []int{499, 500, 501, 502, 503, 504} {
		cases = append(cases, frozen(fmt.Sprintf("x/%d", status), status, classifier.HTTPError))
	}
	cases[4].Rule = "2" // the same rule would put it down to the cause of x/500
	result := run(t, open, runner.Options{
		Corpus: cases, Severity: runner.Major,
		Baseline: &runner.Baseline{Entries: []runner.Entry{{Case: "x/501", Saw: "TOOL_SUCCESS", Reason: "known"}}},
	})
	var got []string
	for _, o := range result.Observed {
		got = append(got, fmt.Sprintf("%s %s %s %s %d", o.Case, o.Became, o.Deviation, o.Saw, len(o.Text)))
	}
	want := []string{
		"x/499 passed  HTTP_ERROR 0",
		"x/500 deviated FALSE_SUCCESS TOOL_SUCCESS 200",
		"x/501 known FALSE_SUCCESS TOOL_SUCCESS 200",
		"x/502 ignored MIXED_LAYERS MALFORMED_JSON 0",
		"x/503 unrepeated FALSE_SUCCESS TOOL_SUCCESS 0",
		"x/504 skipped   8",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Generated cases are counted by fault, those with several faults apart.
func TestRunCountsFaults(t *testing.T) {
	catalogue := generators.Default()
	var recipes []generators.Recipe
	for _, text := range []string{"success", "success +status=503", "success +status=500", "tool-error +status=503", "success +status=503 +id-absent", "success +id-absent"} {
		r, err := catalogue.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		recipes = append(recipes, r)
	}
	result := run(t, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if c.Status != nil && *c.Status == 503 {
			return as("TOOL_SUCCESS")
		}
		return right
	}), runner.Options{Recipes: recipes})
	var got []string
	for _, f := range result.Faults {
		line := fmt.Sprintf("%q %d cases, %d passed, %v, together %d, %d", f.Fault, f.Cases, f.Passed, f.ByDeviation, f.Together, f.TogetherDeviated)
		if f.Worst != nil {
			line += fmt.Sprintf(", worst %s %s %s", f.Worst.Recipe, f.Worst.Deviation, f.Worst.Saw)
		}
		got = append(got, line)
	}
	want := []string{
		`"" 1 cases, 1 passed, map[], together 0, 0`,
		`"status" 3 cases, 1 passed, map[FALSE_SUCCESS:2], together 1, 1, worst success +status=503 FALSE_SUCCESS TOOL_SUCCESS`,
		`"id-absent" 1 cases, 1 passed, map[], together 1, 1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
