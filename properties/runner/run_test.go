package runner_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// judged is a subject that judges as the reference does, unless odd says otherwise.
func judged(odd func(c corpus.Case, right subject.Observation) subject.Observation) func() subject.Subject {
	return func() subject.Subject {
		f := subject.Reference().Subject("tester", "1")
		right := f.See
		f.See = func(c corpus.Case) subject.Observation { return odd(c, right(c)) }
		return f
	}
}

func as(word string) subject.Observation { return subject.Observation{Saw: word} }

// frozen is a case of a corpus.
func frozen(id string, status int, outcome classifier.Outcome) corpus.Case {
	c := subject.Plain()
	c.ID, c.Rule, c.Status = id, "1", &status
	c.Expect = &corpus.Expect{Layer: outcome.Layer(), Outcome: outcome}
	return c
}

func run(t *testing.T, open func() subject.Subject, o runner.Options) runner.Result {
	t.Helper()
	if o.Deadline == 0 {
		o.Deadline = time.Minute // a busy machine is no hang
	}
	result, err := runner.Run(t.Context(), open, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestRunReference(t *testing.T) {
	result := run(t, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{Singles: true, Random: 2000, Seed: 3, Jobs: 2})
	if !result.OK() || !result.Complete || result.Passed+result.Skipped != result.Cases || result.Passed < 2000 {
		for _, c := range result.Causes {
			t.Logf("%v %s: want %v, saw %s", c.Deviation, c.Recipe, c.Want(), runner.Word(c.Saw))
		}
		t.Errorf("got %+v", result.Counts)
	}
}

func TestRunShrinksAndGroups(t *testing.T) {
	result := run(t, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if c.Status != nil && *c.Status == 511 {
			return as("TOOL_SUCCESS")
		}
		return right
	}), runner.Options{Random: 60000, Seed: 1})
	if len(result.Causes) != 1 {
		t.Fatalf("got %d causes, want 1: %+v", len(result.Causes), result.Causes)
	}
	c := result.Causes[0]
	if c.Deviation != runner.FalseSuccess || c.Recipe != "success +status=511" || c.Count < 2 || c.Count != result.ByDeviation[runner.FalseSuccess] {
		t.Errorf("got %v %q, %d cases of %d", c.Deviation, c.Recipe, c.Count, result.ByDeviation[runner.FalseSuccess])
	}
	if c.Saw.Saw != "TOOL_SUCCESS" || *c.Case.Status != 511 || !slices.Equal(c.Want(), []string{"HTTP_ERROR"}) {
		t.Errorf("got %+v, want %v", c.Saw, c.Want())
	}
	if result.BySeverity(runner.Critical) != c.Count || result.Deviations() != c.Count || result.OK() {
		t.Errorf("got %+v", result.Counts)
	}
}

func TestRunTwoCauses(t *testing.T) {
	result := run(t, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		switch {
		case c.Status == nil:
		case *c.Status == 511 || *c.Status == 302:
			return as("TOOL_SUCCESS")
		}
		return right
	}), runner.Options{Random: 20000, Seed: 1})
	var recipes []string
	for _, c := range result.Causes {
		recipes = append(recipes, c.Recipe)
	}
	slices.Sort(recipes)
	if want := []string{"success +status-redirect=302", "success +status=511"}; !slices.Equal(recipes, want) {
		t.Errorf("got %q, want %q", recipes, want)
	}
}

func TestRunBoundsCauses(t *testing.T) {
	result := run(t, judged(func(corpus.Case, subject.Observation) subject.Observation { return as("TOOL_SUCCESS") }),
		runner.Options{Random: 1000, Seed: 1, MaxCauses: 3})
	if len(result.Causes) != 3 || result.Unkept == 0 || result.ByDeviation[runner.FalseSuccess] < 300 {
		t.Errorf("got %d causes, %+v", len(result.Causes), result.Counts)
	}
}

func TestRunDeterministic(t *testing.T) {
	report := func(jobs int) string {
		result := run(t, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
			if strings.Contains(string(c.Body), "event") || c.Status != nil && *c.Status >= 500 {
				return as("MALFORMED_JSON")
			}
			return right
		}), runner.Options{Random: 1500, Seed: 9, Jobs: jobs, Singles: true})
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	one := report(1)
	if again := report(1); again != one {
		t.Errorf("two runs differ:\n%s\n%s", one, again)
	}
	if three := report(3); three != one {
		t.Errorf("one subject and three differ:\n%s\n%s", one, three)
	}
	if !strings.Contains(one, `"format":"replyproof-report/1"`) || !strings.Contains(one, `"seed":"9"`) || !strings.Contains(one, `"ok":false`) {
		t.Errorf("got %s", one)
	}
}

func TestRunCrashAndHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		var (
			mu     sync.Mutex
			waited []time.Duration
		)
		result := run(t, func() subject.Subject {
			f := subject.Reference().Subject("tester", "1")
			f.See = func(c corpus.Case) subject.Observation {
				switch *c.Status {
				case 502:
					panic("out of memory")
				case 504:
					start := time.Now()
					defer func() { mu.Lock(); defer mu.Unlock(); waited = append(waited, time.Since(start)) }()
					<-hold
				}
				return as("HTTP_ERROR")
			}
			return f
		}, runner.Options{Deadline: time.Second, Corpus: []corpus.Case{
			frozen("a/crash", 502, classifier.HTTPError), frozen("a/hang", 504, classifier.HTTPError), frozen("a/fine", 500, classifier.HTTPError)}})
		if len(result.Causes) != 2 || result.Causes[0].Deviation != runner.Crash || result.Causes[1].Deviation != runner.Hang || result.Passed != 1 {
			t.Fatalf("got %+v", result)
		}
		if text := result.Causes[0].Saw.Text; text != "panic: out of memory" {
			t.Errorf("got %q", text)
		}
		if text := result.Causes[1].Saw.Text; text != "no answer within 10s" {
			t.Errorf("got %q, want ten times the deadline for the second try", text)
		}
		close(hold)
		synctest.Wait()
	})
}

func TestRunFlaky(t *testing.T) {
	times := 0
	result := run(t, judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if times++; times == 1 {
			return as("TOOL_SUCCESS")
		}
		return as("HTTP_ERROR")
	}), runner.Options{Corpus: []corpus.Case{frozen("a/one", 500, classifier.HTTPError)}})
	if !result.OK() || result.Unrepeated != 1 || len(result.Flaky) != 1 ||
		result.Flaky[0] != (runner.Flaky{Case: "a/one", Deviation: runner.FalseSuccess, Saw: "TOOL_SUCCESS", Then: "HTTP_ERROR", Got: "TOOL_SUCCESS", Again: "HTTP_ERROR"}) {
		t.Errorf("got %+v", result)
	}
}

// What did not repeat is told as what did is: with code, status and text, whether the
// connection died, and how often the call was sent.
func TestRunFlakyTellsWhatEachSaw(t *testing.T) {
	status := 500
	for _, test := range []struct {
		name       string
		first      subject.Observation
		deviation  runner.Deviation
		got, again string
	}{
		{"a code", subject.Observation{Saw: "JSONRPC_ERROR", Code: "-32602", Text: "no\xff"}, runner.MixedLayers, "JSONRPC_ERROR code -32602: no\uFFFD", "HTTP_ERROR status 500"},
		{"a dead connection", subject.Observation{Saw: "HTTP_ERROR", Status: &status, Dead: true}, runner.DeadConnection, "HTTP_ERROR status 500, connection dead", "HTTP_ERROR status 500"},
		{"a hang", subject.Observation{Fate: subject.Hung}, runner.Hang, "HANG", "HTTP_ERROR status 500"},
		{"POSTs", subject.Observation{Saw: "TOOL_SUCCESS", Posts: 3}, runner.FalseSuccess, "TOOL_SUCCESS (3 POSTs)", "HTTP_ERROR status 500"},
		{"a long text", subject.Observation{Saw: "TOOL_SUCCESS", Text: strings.Repeat("x", 1000)}, runner.FalseSuccess, "TOOL_SUCCESS: " + strings.Repeat("x", 200), "HTTP_ERROR status 500"},
	} {
		times := 0
		result := run(t, judged(func(corpus.Case, subject.Observation) subject.Observation {
			if times++; times == 1 {
				return test.first
			}
			return subject.Observation{Saw: "HTTP_ERROR", Status: &status}
		}), runner.Options{Corpus: []corpus.Case{frozen("a/one", 500, classifier.HTTPError)}})
		if len(result.Flaky) != 1 || result.Flaky[0].Deviation != test.deviation || result.Flaky[0].Got != test.got || result.Flaky[0].Again != test.again {
			t.Errorf("%s: got %+v, want %s: %s, then %s", test.name, result.Flaky, test.deviation, test.got, test.again)
		}
	}
}

func TestRunSeverity(t *testing.T) {
	o := runner.Options{Corpus: []corpus.Case{frozen("a/one", 500, classifier.HTTPError), frozen("a/two", 200, classifier.ToolSuccess)}}
	open := judged(func(corpus.Case, subject.Observation) subject.Observation { return as("MALFORMED_JSON") })
	for severity, want := range map[runner.Severity][2]int{runner.Minor: {2, 0}, runner.Major: {1, 1}, runner.Critical: {0, 2}} {
		o.Severity = severity
		if result := run(t, open, o); result.Deviations() != want[0] || result.Ignored != want[1] {
			t.Errorf("%v: got %d deviations, %d ignored, want %v", severity, result.Deviations(), result.Ignored, want)
		}
	}
}

func TestRunSkips(t *testing.T) {
	tells, err := subject.ParseTells([]string{"SUCCESS", "TOOL_ERROR", "ERROR"})
	if err != nil {
		t.Fatal(err)
	}
	status := 202
	note := corpus.Case{ID: "a/note", Status: &status, Notification: true}
	none := corpus.Case{ID: "a/none"}
	several := frozen("a/several", 307, classifier.HTTPError)
	several.Then = []corpus.Case{subject.Plain()}
	refused := frozen("a/refused", 418, classifier.HTTPError)
	var asked []string
	result := run(t, func() subject.Subject {
		return &subject.Func{About: subject.Info{Name: "s", Tells: tells}, See: func(c corpus.Case) subject.Observation {
			asked = append(asked, c.ID)
			return subject.Observation{Fate: subject.Skipped, Text: "no tea"}
		}}
	}, runner.Options{Corpus: []corpus.Case{note, none, several, refused}})
	if result.Skipped != 4 || result.Cases != 4 || result.Passed != 0 || len(result.Skips) != 4 || result.Skips["no tea"] != 1 {
		t.Errorf("got %+v, %v", result.Counts, result.Skips)
	}
	if !slices.Equal(asked, []string{"a/refused"}) {
		t.Errorf("asked %q", asked)
	}
}

func TestRunOneRecipe(t *testing.T) {
	catalogue := generators.Default()
	recipe, err := catalogue.Parse("tool-error +status=503")
	if err != nil {
		t.Fatal(err)
	}
	result := run(t, judged(func(corpus.Case, subject.Observation) subject.Observation { return as("TOOL_ERROR") }),
		runner.Options{Catalogue: catalogue, Recipes: []generators.Recipe{recipe}})
	if result.Cases != 1 || len(result.Causes) != 1 || result.Causes[0].First != "tool-error +status=503" {
		t.Errorf("got %+v", result)
	}
	if got := fmt.Sprint(result.Causes[0].Recipe); got != "success +status=503" {
		t.Errorf("shrunk to %q", got)
	}
}
