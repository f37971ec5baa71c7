package properties_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

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
		err := properties.CheckClient(openNaive, properties.Corpus(), properties.Sampled(), properties.Cases(600), properties.Seed(5), properties.Jobs(jobs))
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
