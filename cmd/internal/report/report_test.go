package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// deviating is a result with one of everything that can be wrong, in words that
// would break what shows them.
func deviating() runner.Result {
	status := 503
	r := runner.Result{
		Subject: subject.Info{Name: "a|b <c>", Version: "1"}, Seed: 7, Catalogue: "190-x", Complete: true,
		Counts: runner.Counts{Cases: 10, Passed: 6, Skipped: 1, Known: 1, Unrepeated: 1, Unkept: 2},
		Skips:  map[string]int{"no clients": 1},
		Causes: []runner.Cause{{
			Deviation: runner.FalseSuccess, Count: 3, First: "success +status=503", Recipe: "success +status=503",
			Case: corpus.Case{
				ID: "recipe/success-status-503", Rule: "1", Why: "A 503.", Status: &status,
				Headers: corpus.Headers{{Name: "content-type", Value: "text/html"}}, Body: []byte("```\n<b>\x1b[31m\xff"),
				Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError},
			},
			Saw: subject.Observation{Saw: "SUCCESS", Stderr: "warning:\n\x07 bell"},
		}},
		Flaky: []runner.Flaky{
			{Case: "x/y", Deviation: runner.Hang, Saw: "HANG", Then: "ERROR"}, // of an earlier form
			{Case: "x/z", Deviation: runner.DeadConnection, Saw: "RPC_ERROR", Then: "RPC_ERROR", Got: "RPC_ERROR code -32602, connection dead: \x07", Again: "RPC_ERROR code -32602"},
		},
		Stale: []runner.Entry{{Case: "old/*", Saw: "SUCCESS", Reason: "known"}},
	}
	r.ByDeviation[runner.FalseSuccess] = 3
	return r
}

func again(runner.Cause) string { return "replyproof check --again" }

// A run that was stopped is neither as expected nor failed.
func TestStopped(t *testing.T) {
	var out bytes.Buffer
	s := terminal.New(&out, &out)
	r := runner.Result{Subject: subject.Info{Name: "m", Version: "1"}, Interrupted: true}
	Text(s, r, again)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "STOPPED m 1: 0 cases, 0 passed, stopped before all cases had their turn\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if page := string(Markdown(r, again)); !strings.HasPrefix(page, "# replyproof: m: STOPPED\n") {
		t.Errorf("got %q, want it to say STOPPED", page)
	}
	if suite, err := JUnit(r, again); err != nil || !strings.Contains(string(suite), `<failure type="STOPPED"`) {
		t.Errorf("got %s, %v, want a failure that says STOPPED", suite, err)
	}
	r.Interrupted, r.Cases, r.Passed = false, 5, 5 // ended by its time
	out.Reset()
	Text(s, r, again)
	if err := s.Flush(); err != nil || !strings.HasPrefix(out.String(), "OK m 1: 5 cases") {
		t.Errorf("got %q, %v, want OK of a run that its time ended", out.String(), err)
	}
}

// A deviation that was seen once and could not be run again is named so, and
// fails the run all the same.
func TestUnconfirmed(t *testing.T) {
	const want = "unconfirmed: the run ended before it could be run again alone"
	for _, unconfirmed := range []bool{true, false} {
		r := deviating()
		r.Causes[0].Unconfirmed, r.Interrupted, r.Complete = unconfirmed, true, false
		var out bytes.Buffer
		s := terminal.New(&out, &out)
		Text(s, r, again)
		if err := s.Flush(); err != nil || !strings.Contains(out.String(), "\nFAILED ") {
			t.Errorf("got %q, %v, want FAILED", out.String(), err)
		}
		suite, err := JUnit(r, again)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"text": out.String(), "JUnit": string(suite), "Markdown": string(Markdown(r, again))} {
			if strings.Contains(text, want) != unconfirmed {
				t.Errorf("%s: got %q, want %q in it: %v", name, text, want, unconfirmed)
			}
		}
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	s := terminal.New(&out, &out)
	Text(s, deviating(), again)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"FALSE_SUCCESS (critical) told success, though there was none\n",
		"  case       success +status=503\n             and 2 more cases with the same cause\n",
		"  wire       HTTP 503\n             content-type: text/html\n             ```\n             <b>\\u001B[31m\\xFF\n",
		"  want       HTTP_ERROR\n  got        SUCCESS\n  stderr     warning:\n             \\u0007 bell\n",
		"  reproduce  replyproof check --again\n",
		"FLAKY x/y: HANG did not repeat: saw HANG; when it was run again alone ERROR\n",
		"FLAKY x/z: DEAD_CONNECTION did not repeat: saw RPC_ERROR code -32602, connection dead: \\u0007; when it was run again alone RPC_ERROR code -32602\n",
		"BASELINE old/* saw SUCCESS: no longer deviates; remove the entry, as --update-baseline does\n",
		"FAILED a|b <c> 1: 10 cases, 6 passed, 1 skipped, 3 FALSE_SUCCESS, 1 known to the baseline, 1 not repeated, 1 cause, 2 deviations whose cause is not among them, 1 fault of the baseline\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got\n%s\nwant in it\n%s", out.String(), want)
		}
	}
	if bytes.ContainsAny(out.Bytes(), "\x1b\x07") || !utf8.Valid(out.Bytes()) {
		t.Error("what a terminal would obey is written as it came")
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Folder(dir, deviating(), again); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"junit.xml", "report.html", "report.json", "summary.md"}; !slices.Equal(names, want) {
		t.Errorf("got files %v, want %v", names, want)
	}
	var report struct {
		Format string
		OK     bool
	}
	text, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	if err := json.Unmarshal(text, &report); err != nil || report.Format != "replyproof-report/1" || report.OK {
		t.Errorf("report.json: got %+v, %v", report, err)
	}
}

func TestJUnit(t *testing.T) {
	text, err := JUnit(deviating(), again)
	if err != nil {
		t.Fatal(err)
	}
	var suite junitSuite
	if err := xml.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	// The cause, the flaky cases, the fault of the baseline, the run.
	if suite.Tests != 5 || suite.Failures != 3 || suite.Skipped != 2 || len(suite.Cases) != 5 {
		t.Errorf("got %d tests, %d failures, %d skipped, want 5, 3, 2", suite.Tests, suite.Failures, suite.Skipped)
	}
	const flaky = "DEAD_CONNECTION did not repeat: saw RPC_ERROR code -32602, connection dead: \\u0007; then RPC_ERROR code -32602"
	if got := suite.Cases[2].Skipped; got == nil || got.Message != flaky {
		t.Errorf("got %+v, want %s", got, flaky)
	}
	first := suite.Cases[0]
	if first.Name != "success +status=503" || first.Failure == nil || first.Failure.Type != "FALSE_SUCCESS" ||
		!strings.Contains(first.Failure.Text, "replyproof check --again") {
		t.Errorf("got %+v, %+v", first, first.Failure)
	}
	plain := runner.Result{Subject: subject.Info{Name: "x"}, Complete: true, Counts: runner.Counts{Cases: 1, Passed: 1}}
	if text, err = JUnit(plain, again); err != nil || !strings.Contains(string(text), `tests="1" failures="0"`) {
		t.Errorf("got %s, %v, want one test that passed", text, err)
	}
}

func TestMarkdown(t *testing.T) {
	text := string(Markdown(deviating(), again))
	for _, want := range []string{
		"# replyproof: a\\|b &lt;c>: FAILED\n",
		"| FALSE_SUCCESS | critical | 3 | 1 | `success +status=503` | HTTP\\_ERROR | SUCCESS |\n",
		"    ```\n    <b>",
		"- old/\\* saw SUCCESS: no longer deviates",
		"- `x/z`: DEAD_CONNECTION: saw RPC\\_ERROR code -32602, connection dead: \\\\u0007; then RPC\\_ERROR code -32602\n",
		"- 1 skipped: no clients",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant in it\n%s", text, want)
		}
	}
}

// A command, a path among it, is shown in one line: a line end of its own would end the
// block that it stands in.
func TestCommandStaysInItsLine(t *testing.T) {
	const odd, want = "replyproof check --adapter './mine\n\r# heading\x1b[2J\u2028'", `replyproof check --adapter './mine\n\r# heading\u001B[2J\u2028'`
	said := func(runner.Cause) string { return odd }
	var out bytes.Buffer
	s := terminal.New(&out, &out)
	Text(s, deviating(), said)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	suite, err := JUnit(deviating(), said)
	if err != nil {
		t.Fatal(err)
	}
	var read junitSuite
	if err := xml.Unmarshal(suite, &read); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"text": out.String(), "JUnit": read.Cases[0].Failure.Text, "Markdown": string(Markdown(deviating(), said)),
	} {
		if !strings.Contains(text, want+"\n") || strings.Contains(text, "\n# heading") {
			t.Errorf("%s: got\n%s\nwant in it the line\n%s", name, text, want)
		}
	}
}

func TestWireOfCasesWithoutAnAnswer(t *testing.T) {
	reset, status, cut := classifier.EndedReset, 200, 3
	tests := []struct {
		name string
		c    corpus.Case
		want []string
	}{
		{"refused", corpus.Case{}, []string{"no HTTP answer (connect)"}},
		{"reset", corpus.Case{Ended: &reset}, []string{"no HTTP answer (reset)"}},
		{"cut", corpus.Case{Status: &status, Body: []byte("{\"a\""), CutAfter: &cut, DelayMS: 20, ChunkSplits: []int{1}, Notification: true},
			[]string{"HTTP 200", `{"a"`, "(cut after 3 of 4 bytes, in 2 writes, after 20 ms, in reply to a notification)"}},
		{"long", corpus.Case{Status: &status, Body: bytes.Repeat([]byte("x"), 700)},
			[]string{"HTTP 200", strings.Repeat("x", 600), "… (100 bytes more)"}},
	}
	for _, test := range tests {
		if got := Wire(test.c); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Of a run that became a baseline the numbers are told, and not each deviation.
func TestAccepted(t *testing.T) {
	var out bytes.Buffer
	s := terminal.New(&out, &out)
	r := deviating()
	r.ByDeviation[runner.Hang], r.ByDeviation[runner.MixedLayers] = 4, 12
	Accepted(s, r, "baseline written known.json: 19 known deviations")
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "BASELINE old/* saw SUCCESS: no longer deviates; remove the entry, as --update-baseline does\n" +
		"a|b <c> 1: 10 cases, 6 passed, 1 skipped, 3 FALSE_SUCCESS, 4 HANG, 12 MIXED_LAYERS, 1 known to the baseline, 1 not repeated, 1 cause, 2 deviations whose cause is not among them, 1 fault of the baseline\n" +
		"new deviations: 3 critical, 4 major, 12 minor\nbaseline written known.json: 19 known deviations\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
