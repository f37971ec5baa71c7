package runner_test

import (
	"context"
	"encoding/json"
	"errors"
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
	}), runner.Options{Random: 5000, Seed: 1})
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
		result.Flaky[0] != (runner.Flaky{Case: "a/one", Deviation: runner.FalseSuccess, Saw: "TOOL_SUCCESS", Then: "HTTP_ERROR"}) {
		t.Errorf("got %+v", result)
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

func TestRunBaseline(t *testing.T) {
	cases := []corpus.Case{frozen("a/one", 500, classifier.HTTPError), frozen("a/two", 501, classifier.HTTPError), frozen("b/fine", 404, classifier.HTTPError)}
	open := judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		if *c.Status >= 500 {
			return as("TOOL_SUCCESS")
		}
		return right
	})
	entry := func(id, saw, until string) runner.Entry {
		return runner.Entry{Case: id, Saw: saw, Reason: "known", Until: until}
	}
	today := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name                                        string
		entries                                     []runner.Entry
		ok                                          bool
		fresh, known, stale, unmatched, expiredDays int
		updated                                     string
	}{
		{"empty", nil, false, 2, 0, 0, 0, 0, "a/one=TOOL_SUCCESS a/two=TOOL_SUCCESS"},
		{"one of two", []runner.Entry{entry("a/one", "TOOL_SUCCESS", "")}, false, 1, 1, 0, 0, 0, "a/one=TOOL_SUCCESS a/two=TOOL_SUCCESS"},
		{"both", []runner.Entry{entry("a/one", "TOOL_SUCCESS", ""), entry("a/two", "TOOL_SUCCESS", "")}, true, 0, 2, 0, 0, 0, "a/one=TOOL_SUCCESS a/two=TOOL_SUCCESS"},
		{"pattern", []runner.Entry{entry("a/*", "TOOL_SUCCESS", "")}, true, 0, 2, 0, 0, 0, "a/*=TOOL_SUCCESS"},
		{"pattern in the middle", []runner.Entry{entry("*/*o*", "TOOL_SUCCESS", "")}, true, 0, 2, 0, 0, 0, "*/*o*=TOOL_SUCCESS"},
		{"another word", []runner.Entry{entry("a/*", "MALFORMED_JSON", "")}, false, 2, 0, 1, 0, 0, "a/one=TOOL_SUCCESS a/two=TOOL_SUCCESS"},
		{"stale", []runner.Entry{entry("a/*", "TOOL_SUCCESS", ""), entry("b/fine", "TOOL_SUCCESS", "")}, false, 0, 2, 1, 0, 0, "a/*=TOOL_SUCCESS"},
		{"matches nothing", []runner.Entry{entry("a/*", "TOOL_SUCCESS", ""), entry("c/*", "TOOL_SUCCESS", "")}, false, 0, 2, 0, 1, 0, "a/*=TOOL_SUCCESS"},
		{"last day", []runner.Entry{entry("a/*", "TOOL_SUCCESS", "2027-03-01")}, true, 0, 2, 0, 0, 0, "a/*=TOOL_SUCCESS"},
		{"expired", []runner.Entry{entry("a/*", "TOOL_SUCCESS", "2027-02-28")}, false, 2, 0, 0, 0, 1, "a/one=TOOL_SUCCESS a/two=TOOL_SUCCESS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &runner.Baseline{Entries: test.entries}
			result := run(t, open, runner.Options{Corpus: cases, Baseline: b, Today: today})
			if result.OK() != test.ok || result.Deviations() != test.fresh || result.Known != test.known ||
				len(result.Stale) != test.stale || len(result.Unmatched) != test.unmatched || len(result.Expired) != test.expiredDays {
				t.Errorf("got ok %v, %+v, stale %v, unmatched %v, expired %v", result.OK(), result.Counts, result.Stale, result.Unmatched, result.Expired)
			}
			updated := result.Update(b)
			var got []string
			for _, e := range updated.Entries {
				got = append(got, e.Case+"="+e.Saw)
				if e.Reason == "" {
					t.Errorf("entry %s has no reason", e.Case)
				}
				if strings.Contains(e.Case, "*") && e.Reason != "known" {
					t.Errorf("entry %s lost its reason: %q", e.Case, e.Reason)
				}
			}
			if strings.Join(got, " ") != test.updated {
				t.Errorf("updated: got %q, want %q", got, test.updated)
			}
			if again := run(t, open, runner.Options{Corpus: cases, Baseline: updated, Today: today}); !again.OK() {
				t.Errorf("with the updated baseline: %+v", again.Counts)
			}
		})
	}
}

func TestRunBroken(t *testing.T) {
	for _, test := range []struct {
		name string
		see  func(corpus.Case) subject.Observation
	}{
		{"cannot start", nil},
		{"untold word", func(corpus.Case) subject.Observation { return as("OOPS") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := runner.Run(t.Context(), func() subject.Subject {
				return &subject.Func{About: subject.Info{Name: "s", Tells: subject.AllOutcomes()}, See: test.see}
			}, runner.Options{Random: 10})
			if !errors.Is(err, subject.ErrBroken) || result.Complete || result.Deviations() > 0 {
				t.Errorf("got %v, %+v", err, result.Counts)
			}
		})
	}
}

// What was seen before the adapter broke is told: confirmed where it still
// starts, and as it was seen where it does not.
func TestRunBrokenKeepsWhatWasFound(t *testing.T) {
	for _, restarts := range []bool{true, false} {
		t.Run(fmt.Sprintf("restarts %v", restarts), func(t *testing.T) {
			cases := []corpus.Case{
				frozen("a/fine", 404, classifier.HTTPError), frozen("a/wrong", 500, classifier.HTTPError),
				frozen("a/breaks", 599, classifier.HTTPError),
			}
			about := subject.Info{Name: "s", Tells: subject.AllOutcomes()}
			broke := false
			see := func(c corpus.Case) subject.Observation {
				switch {
				case broke && !restarts, *c.Status == 599:
					broke = true
					return as("OOPS")
				case *c.Status == 404:
					return as("HTTP_ERROR")
				}
				return as("TOOL_SUCCESS")
			}
			result, err := runner.Run(t.Context(), func() subject.Subject { return &subject.Func{About: about, See: see} }, runner.Options{Corpus: cases})
			if !errors.Is(err, subject.ErrBroken) || !result.Interrupted || result.OK() || !result.Failed() {
				t.Errorf("got %v, ok %v, failed %v, want a broken adapter and a failed run", err, result.OK(), result.Failed())
			}
			if result.Cases != 2 || result.Passed != 1 || result.Deviations() != 1 || len(result.Causes) != 1 || result.Causes[0].First != "a/wrong" {
				t.Errorf("got %+v, causes %+v, want a/fine passed and a/wrong as a cause", result.Counts, result.Causes)
			}
		})
	}
}

// Where nothing was judged nothing is as it should be.
func TestRunThatJudgedNothingIsNotOK(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := runner.Run(ctx, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{Random: 10})
	text, _ := result.MarshalJSON()
	if !errors.Is(err, context.Canceled) || result.OK() || result.Failed() || !strings.Contains(string(text), `"ok":false`) {
		t.Errorf("got %v, ok %v, failed %v, %s", err, result.OK(), result.Failed(), text)
	}
	if none := (runner.Result{Complete: true, Counts: runner.Counts{Cases: 3, Skipped: 3}}); none.OK() {
		t.Error("got OK for a run that skipped every case")
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	times := 0
	result, err := runner.Run(ctx, judged(func(_ corpus.Case, right subject.Observation) subject.Observation {
		if times++; times == 100 {
			cancel()
		}
		return right
	}), runner.Options{Random: 100000})
	if !errors.Is(err, context.Canceled) || result.Complete || result.Cases == 0 || result.Cases > 200 {
		t.Errorf("got %v, %+v", err, result.Counts)
	}
}

func TestRunFor(t *testing.T) {
	start := time.Now()
	progress := 0
	result := run(t, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{For: 50 * time.Millisecond, Progress: func(runner.Counts) { progress++ }})
	if took := time.Since(start); took > 5*time.Second || !result.Complete || result.Cases == 0 || progress == 0 {
		t.Errorf("took %v, %+v", took, result.Counts)
	}
	result = run(t, judged(func(_ corpus.Case, right subject.Observation) subject.Observation { return right }),
		runner.Options{For: time.Nanosecond, Random: 1000000})
	if result.Complete {
		t.Errorf("complete after %d cases", result.Cases)
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

// asked counts how often a judge is asked, and how often it is started.
type asked struct {
	subject.Subject
	asks, starts *int
}

func (a asked) Start(ctx context.Context, deadline time.Duration) (subject.Info, error) {
	*a.starts++
	return a.Subject.Start(ctx, deadline)
}

func (a asked) Ask(ctx context.Context, t subject.Trial) (subject.Observation, error) {
	*a.asks++
	return a.Subject.Ask(ctx, t)
}

// takesAll is a judge that takes any 200 with a body for a success.
func takesAll() subject.Subject {
	tells, _ := subject.ParseTells([]string{"SUCCESS", "ERROR"})
	return &subject.Func{About: subject.Info{Name: "takes all", Tells: tells}, See: func(c corpus.Case) subject.Observation {
		if *c.Status == 200 && len(c.Body) > 0 {
			return as("SUCCESS")
		}
		return as("ERROR")
	}}
}

// TestRunShrinksACauseOnce: with a baseline that names some of what deviates,
// and with none, a run asks hardly more often than it has cases.
func TestRunShrinksACauseOnce(t *testing.T) {
	partial := run(t, takesAll, runner.Options{Corpus: corpus.All()})
	for name, b := range map[string]*runner.Baseline{"no baseline": nil, "partial": partial.Update(nil)} {
		t.Run(name, func(t *testing.T) {
			var asks, starts int
			result := run(t, func() subject.Subject { return asked{takesAll(), &asks, &starts} },
				runner.Options{Corpus: corpus.All(), Singles: true, Random: 1000, Seed: 1, Baseline: b})
			if result.Deviations() < 10000 || len(result.Causes) < 20 {
				t.Fatalf("got %+v", result.Counts)
			}
			if most := result.Cases + 400*len(result.Causes); asks > most || starts > 200 {
				t.Errorf("%d asks and %d starts for %d cases and %d causes", asks, starts, result.Cases, len(result.Causes))
			}
		})
	}
}

// TestRunBaselineOfRecipes: a baseline made of random recipes holds in the next
// run, with another seed too as far as the causes are the same; what no longer
// deviates is told although it is not drawn; what is new is told.
func TestRunBaselineOfRecipes(t *testing.T) {
	wrong := func(statuses ...int) func() subject.Subject {
		return judged(func(c corpus.Case, right subject.Observation) subject.Observation {
			if c.Status != nil && slices.Contains(statuses, *c.Status) {
				return as("TOOL_SUCCESS")
			}
			return right
		})
	}
	first := run(t, wrong(302), runner.Options{Random: 20000, Seed: 1})
	b := first.Update(nil)
	if len(b.Entries) == 0 || b.Entries[0].Case != "success +status-redirect=302" {
		t.Fatalf("got %+v", b.Entries)
	}
	for seed := range uint64(4) {
		again := run(t, wrong(302), runner.Options{Random: 20000, Seed: seed, Baseline: b})
		if !again.OK() || again.Known == 0 {
			t.Errorf("seed %d: got %+v, stale %v, unmatched %v", seed, again.Counts, again.Stale, again.Unmatched)
		}
	}
	if none := run(t, wrong(302), runner.Options{Baseline: b}); !none.OK() || none.Known != len(b.Entries) {
		t.Errorf("nothing but the baseline: got %+v", none.Counts)
	}
	if mended := run(t, wrong(), runner.Options{Random: 10, Seed: 9, Baseline: b}); mended.OK() || len(mended.Stale) != len(b.Entries) || len(mended.Unmatched) > 0 {
		t.Errorf("mended: got stale %v, unmatched %v", mended.Stale, mended.Unmatched)
	}
	worse := run(t, wrong(302, 511), runner.Options{Random: 20000, Seed: 2, Baseline: b})
	if worse.OK() || len(worse.Causes) != 1 || worse.Causes[0].Recipe != "success +status=511" {
		t.Errorf("worse: got %+v", worse.Causes)
	}
	lost := &runner.Baseline{Entries: []runner.Entry{{Case: "success +no-such-fault", Saw: "TOOL_SUCCESS", Reason: "known"}}}
	if gone := run(t, wrong(), runner.Options{Random: 10, Baseline: lost}); len(gone.Unmatched) != 1 {
		t.Errorf("a fault that is none: got %+v", gone)
	}
	// What does not count is not what is gone.
	minor := judged(func(c corpus.Case, right subject.Observation) subject.Observation { return as("MALFORMED_JSON") })
	known := &runner.Baseline{Entries: []runner.Entry{{Case: "success +status=511", Saw: "MALFORMED_JSON", Reason: "known"}}}
	if below := run(t, minor, runner.Options{Severity: runner.Major, Baseline: known}); !below.OK() || below.Ignored != 1 {
		t.Errorf("below the severity that counts: got %+v, stale %v", below.Counts, below.Stale)
	}
}
