package properties_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

func openNaive() (subject.Caller, error) {
	return &naiveClient{http.Client{Transport: &http.Transport{}}}, nil
}

func TestCheckClientTellsAFailureWhole(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	err := properties.CheckClient(openNaive, properties.Recipe("success +status=500 +space=lines +order=reversed"))
	var failures *properties.ClientFailures
	if !errors.As(err, &failures) || len(failures.List) != 1 {
		t.Fatalf("got %v, want one failure", err)
	}
	for _, want := range []string{
		"FALSE_SUCCESS (critical) by rule 1",
		"case: success +status=503\n", // the plainest: the first of its variants, and no style
		"want: HTTP_ERROR\n",
		"got:  SUCCESS\n",
		"HTTP 503\n", "content-type: application/json",
		"→ POST /mcp", `← "HTTP/1.1 503 Service Unavailable\r\n`, "(kept open)", "1 cause of 1 deviation with seed 1",
		`reproduce: properties.TestClient(t, open, properties.Recipe("success +status=503"))`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got\n%v\nwant in it %q", err, want)
		}
	}
}

func TestCheckClientRepeatsItself(t *testing.T) {
	run := func(jobs int) string {
		err := properties.CheckClient(openNaive, properties.Corpus(), properties.Sampled(), properties.Cases(600), properties.Seed(5), properties.Jobs(jobs), properties.Deadline(time.Second))
		var failures *properties.ClientFailures
		if !errors.As(err, &failures) {
			t.Fatalf("got %v, want failures", err)
		}
		text := fmt.Sprint(failures.Result.Covered.Rounds, failures.Result.ByDeviation)
		for _, f := range failures.List {
			text += fmt.Sprintln(f.Deviation, f.Count, f.Name())
		}
		return text
	}
	one, again := run(1), run(3)
	if one != again {
		t.Errorf("two runs with one seed differ:\n%s\n%s", one, again)
	}
	if !strings.HasPrefix(one, "3 ") || !strings.Contains(one, "FALSE_SUCCESS") {
		t.Errorf("got %s, want three rounds and false successes", one)
	}
}

func TestCheckClientRefuses(t *testing.T) {
	blind := func() (subject.Caller, error) {
		return subject.CallerFunc(func(context.Context, string, string, map[string]any) subject.Observation {
			return subject.Observation{Saw: "ERROR"}
		}), nil
	}
	tests := []struct {
		name    string
		open    func() (subject.Caller, error)
		options []properties.Option
		want    string
		broken  bool
	}{
		{"no factory", nil, nil, "the factory of the client is nil", false},
		{"no connection", func() (subject.Caller, error) { return nil, errors.New("no module") }, nil, "no module", true},
		{"never calls", blind, nil, "the call never reached the server", true},
		{"an option for functions", openNaive, []properties.Option{properties.Strict()}, "about properties or functions", false},
		{"unknown case", openNaive, []properties.Option{properties.Case("none/such")}, `no case has the id "none/such"`, false},
		{"unknown recipe", openNaive, []properties.Option{properties.Recipe("succes")}, "succes", false},
		{"no success among its words", openNaive, []properties.Option{properties.Tells("ERROR")}, "SUCCESS", false},
		{"a word that it does not tell", openNaive, []properties.Option{properties.Tells("TOOL_SUCCESS", "ERROR")}, "not among the words", true},
		{"nothing to play", openNaive, []properties.Option{properties.Recipe("accepted")}, "no case could be played", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := properties.CheckClient(test.open, test.options...)
			if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, subject.ErrBroken) != test.broken {
				t.Errorf("got %v, want %q, broken %v", err, test.want, test.broken)
			}
		})
	}
	judge := properties.CheckClassifier(nil)
	if judge == nil {
		t.Error("got no error for a judge that is nil")
	}
}

// Every option that has no meaning for a client is refused by its name.
func TestCheckClientNamesWhatIsForFunctions(t *testing.T) {
	options := map[string]properties.Option{
		"First": properties.First(), "Strict": properties.Strict(), "Add": properties.Add(properties.All()[0]), "Only": properties.Only("layer"),
		"Without": properties.Without("layer"), "Tallied": properties.Tallied(properties.Tally{}),
		"Notifications": properties.Notifications(classifier.ClassifyNotification), "NoAnswers": properties.NoAnswers(classifier.ClassifyNoAnswer),
		"Stream": properties.Stream(properties.InPieces), "Advice": properties.Advice(classifier.Advise),
	}
	for name, option := range options {
		err := properties.CheckClient(openNaive, option, properties.Seed(1))
		if want := "properties: " + name + ": about properties or functions, and a client was given"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	for name, option := range map[string]properties.Option{
		"Jobs": properties.Jobs(2), "LeastSeverity": properties.LeastSeverity(runner.Major), "Known": properties.Known(&runner.Baseline{}),
	} {
		err := properties.CheckClassifier(classifier.Classify, option)
		if err == nil || !strings.Contains(err.Error(), "Jobs, LeastSeverity and Known are for clients") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What is below the least severity is passed over, and what reaches it is not.
func TestLeastSeverity(t *testing.T) {
	tests := []struct {
		recipe string // of which naiveClient makes a deviation of the severity
		is     runner.Severity
	}{
		{"success +status=503", runner.Critical},
		{"tool-error +media-foreign=text-plain", runner.Critical},
		{"rpc-error", runner.Minor},
	}
	for _, test := range tests {
		for least := runner.Minor; least <= runner.Critical; least++ {
			err := properties.CheckClient(openNaive, properties.Recipe(test.recipe), properties.LeastSeverity(least))
			var failures *properties.ClientFailures
			if !errors.As(err, &failures) {
				if err != nil || test.is >= least {
					t.Errorf("%s, least %v: got %v, want a failure of severity %v", test.recipe, least, err, test.is)
				}
				continue
			}
			if got := failures.List[0].Deviation.Severity(); got != test.is || got < least {
				t.Errorf("%s, least %v: got a failure of severity %v, want %v if any", test.recipe, least, got, test.is)
			}
		}
	}
}

// A check that an error ends returns what it found until then with the error.
func TestCheckClientKeepsWhatItFoundBeforeAnError(t *testing.T) {
	open := func() (subject.Caller, error) {
		client := &naiveClient{http.Client{Transport: &http.Transport{}}}
		return subject.CallerFunc(func(ctx context.Context, url, tool string, arguments map[string]any) subject.Observation {
			defer client.Close()
			o := client.Call(ctx, url, tool, arguments)
			if o.Status != nil && *o.Status == 404 {
				o.Saw = "OOPS"
			}
			return o
		}), nil
	}
	of := func(id string, status int, body string) corpus.Case {
		c := subject.Plain()
		c.ID, c.Rule, c.Why, c.Status, c.Body = id, "1", "the status decides", &status, []byte(body)
		c.Expect = &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError}
		return c
	}
	cases := []corpus.Case{of("x/wrong", 500, string(subject.Plain().Body)), of("x/breaks", 404, "no")}
	err := properties.CheckClient(open, properties.Corpus(cases...), properties.Sampled(), properties.Cases(0), properties.Jobs(1))
	var failures *properties.ClientFailures
	if !errors.As(err, &failures) || !errors.Is(err, subject.ErrBroken) || !errors.Is(failures.Err, subject.ErrBroken) {
		t.Fatalf("got %v, want failures and a broken client", err)
	}
	if len(failures.List) != 1 || failures.List[0].Name() != "x/wrong" || failures.List[0].Unconfirmed {
		t.Errorf("got %v, want x/wrong, confirmed", failures.List)
	}
	for _, want := range []string{"FALSE_SUCCESS (critical) by rule 1", "stopped before all cases had their turn: adapter broken", `saw "OOPS"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want in it %q", err, want)
		}
	}
	var told recorder
	properties.TestClient(&told, open, properties.Corpus(cases...), properties.Sampled(), properties.Cases(0), properties.Jobs(1))
	if len(told) != 2 || !strings.Contains(told[0], "FALSE_SUCCESS") || !strings.Contains(told[1], "OOPS") {
		t.Errorf("got %q, want the failure and what ended the check", told)
	}
}

func TestCheckClientKeepsABaseline(t *testing.T) {
	known := &runner.Baseline{Entries: []runner.Entry{{Case: "success +status=500", Saw: "SUCCESS", Reason: "known"}}}
	if err := properties.CheckClient(openNaive, properties.Recipe("success +status=500"), properties.Known(known)); err != nil {
		t.Errorf("got %v, want what is known to be excused", err)
	}
	known.Entries[0].Saw = "RPC_ERROR"
	err := properties.CheckClient(openNaive, properties.Recipe("success"), properties.Known(known))
	if err == nil || !strings.Contains(err.Error(), "no longer deviates") {
		t.Errorf("got %v, want an entry that no longer deviates", err)
	}
}
