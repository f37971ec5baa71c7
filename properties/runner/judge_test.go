package runner_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

const coarse = "SUCCESS TOOL_ERROR INPUT_REQUIRED RPC_ERROR ERROR"

func number(n int) *int { return &n }

func TestJudge(t *testing.T) {
	type saw = subject.Observation
	for _, test := range []struct {
		name   string
		tells  string
		expect classifier.Outcome
		code   string
		also   string
		status int // 0: no HTTP answer
		saw    saw
		want   runner.Deviation
	}{
		{"success", coarse, classifier.ToolSuccess, "", "", 200, saw{Saw: "SUCCESS"}, 0},
		{"false success", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "SUCCESS"}, runner.FalseSuccess},
		{"false success instead of a tool error", coarse, classifier.ToolError, "", "", 200, saw{Saw: "SUCCESS"}, runner.FalseSuccess},
		{"acceptable success", coarse, classifier.UnexpectedContentType, "", "TOOL_SUCCESS", 200, saw{Saw: "SUCCESS"}, 0},
		{"false success by its own name", "TOOL_SUCCESS ERROR", classifier.HTTPError, "", "", 503, saw{Saw: "TOOL_SUCCESS"}, runner.FalseSuccess},
		{"lost success", coarse, classifier.ToolSuccess, "", "", 200, saw{Saw: "ERROR"}, runner.LostResult},
		{"lost success to a request for input", coarse, classifier.ToolSuccess, "", "", 200, saw{Saw: "INPUT_REQUIRED"}, runner.LostResult},
		{"lost tool error", coarse, classifier.ToolError, "", "", 200, saw{Saw: "RPC_ERROR"}, runner.LostResult},
		{"lost input", coarse, classifier.InputRequired, "", "", 200, saw{Saw: "ERROR"}, runner.LostResult},
		{"tool error told as error where there is no finer word", "SUCCESS ERROR", classifier.ToolError, "", "", 200, saw{Saw: "ERROR"}, 0},
		{"tool error told as error where there is one", coarse, classifier.ToolError, "", "", 200, saw{Saw: "ERROR"}, runner.LostResult},
		{"input told as error where there is no finer word", "SUCCESS TOOL_ERROR RPC_ERROR ERROR", classifier.InputRequired, "", "", 200, saw{Saw: "ERROR"}, 0},
		{"false input", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "INPUT_REQUIRED"}, runner.FalseInput},
		{"merged word that may be input", "SUCCESS INPUT_REQUIRED|RPC_ERROR ERROR", classifier.HTTPError, "", "", 503, saw{Saw: "INPUT_REQUIRED|RPC_ERROR"}, runner.MixedLayers},
		{"RPC error", coarse, classifier.JSONRPCError, "-32602", "", 200, saw{Saw: "RPC_ERROR", Code: "-32602"}, 0},
		{"RPC error with another code", coarse, classifier.JSONRPCError, "-32602", "", 200, saw{Saw: "RPC_ERROR", Code: "-32603"}, runner.MixedLayers},
		{"RPC error with no code", coarse, classifier.JSONRPCError, "-32602", "", 200, saw{Saw: "RPC_ERROR"}, 0},
		{"RPC error told as error", coarse, classifier.JSONRPCError, "-32602", "", 200, saw{Saw: "ERROR"}, runner.MixedLayers},
		{"RPC error told as error where there is no finer word", "SUCCESS ERROR", classifier.JSONRPCError, "-32602", "", 200, saw{Saw: "ERROR"}, 0},
		{"HTTP error told as the RPC error that it holds", coarse, classifier.HTTPError, "-32602", "JSONRPC_ERROR", 400, saw{Saw: "RPC_ERROR", Code: "-32602"}, 0},
		{"HTTP error told as another RPC error", coarse, classifier.HTTPError, "-32602", "JSONRPC_ERROR", 400, saw{Saw: "RPC_ERROR", Code: "-1"}, runner.MixedLayers},
		{"HTTP error told as an RPC error that it does not hold", coarse, classifier.HTTPError, "", "", 400, saw{Saw: "RPC_ERROR"}, runner.MixedLayers},
		{"code beyond a double", coarse, classifier.JSONRPCError, "9007199254740993", "", 200, saw{Saw: "RPC_ERROR", Code: "9007199254740992"}, 0},
		{"outcome for outcome", "TOOL_SUCCESS MALFORMED_JSON INVALID_ENVELOPE", classifier.MalformedJSON, "", "", 200, saw{Saw: "INVALID_ENVELOPE"}, runner.MixedLayers},
		{"merged word that covers", "SUCCESS MALFORMED_JSON|INVALID_ENVELOPE", classifier.MalformedJSON, "", "", 200, saw{Saw: "MALFORMED_JSON|INVALID_ENVELOPE"}, 0},
		{"acceptable instead", "SUCCESS MALFORMED_JSON NO_FINAL_RESPONSE", classifier.NoFinalResponse, "", "MALFORMED_JSON", 200, saw{Saw: "MALFORMED_JSON"}, 0},
		{"status", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "ERROR", Status: number(503)}, 0},
		{"another status", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "ERROR", Status: number(500)}, runner.MixedLayers},
		{"no status", coarse, classifier.NoFinalResponse, "", "", 0, saw{Saw: "ERROR", Status: number(0)}, 0},
		{"a status where there was none", coarse, classifier.NoFinalResponse, "", "", 0, saw{Saw: "ERROR", Status: number(200)}, runner.MixedLayers},
		{"right, but the connection is dead", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "ERROR", Dead: true}, runner.DeadConnection},
		{"dead by a 404 to a session", coarse, classifier.HTTPError, "", "", 404, saw{Saw: "ERROR", Dead: true, SessionSent: true}, 0},
		{"dead by a 404 without one", coarse, classifier.HTTPError, "", "", 404, saw{Saw: "ERROR", Dead: true}, runner.DeadConnection},
		{"the gravest counts", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "SUCCESS", Dead: true, Resent: subject.Repeated}, runner.FalseSuccess},
		{"of equals the first", coarse, classifier.ToolSuccess, "", "", 200, saw{Saw: "ERROR", Dead: true}, runner.DeadConnection},
		{"repeated", coarse, classifier.HTTPError, "", "", 503, saw{Saw: "ERROR", Resent: subject.Repeated}, runner.RepeatedCall},
		{"reissued", coarse, classifier.NoFinalResponse, "", "", 200, saw{Saw: "ERROR", Resent: subject.Reissued}, runner.Reissued},
		{"reissued and wrong", coarse, classifier.NoFinalResponse, "", "", 200, saw{Saw: "RPC_ERROR", Resent: subject.Reissued}, runner.Reissued},
		{"crash", coarse, classifier.HTTPError, "", "", 503, saw{Fate: subject.Crashed}, runner.Crash},
		{"hang", coarse, classifier.HTTPError, "", "", 503, saw{Fate: subject.Hung}, runner.Hang},
		{"skipped", coarse, classifier.HTTPError, "", "", 503, saw{Fate: subject.Skipped}, 0},
		{"accepted", coarse + " ACCEPTED", classifier.Accepted, "", "", 202, saw{Saw: "ACCEPTED"}, 0},
		{"not accepted", coarse + " ACCEPTED", classifier.UnexpectedReply, "", "", 200, saw{Saw: "ERROR"}, 0},
		{"accepted instead of refused", coarse + " ACCEPTED", classifier.UnexpectedReply, "", "", 200, saw{Saw: "ACCEPTED"}, runner.MixedLayers},
	} {
		t.Run(test.name, func(t *testing.T) {
			tells, err := subject.ParseTells(strings.Fields(test.tells))
			if err != nil {
				t.Fatal(err)
			}
			c := corpus.Case{AlsoAcceptable: strings.Fields(test.also),
				Expect: &corpus.Expect{Outcome: test.expect, Layer: test.expect.Layer(), Code: test.code}}
			if test.status != 0 {
				c.Status = &test.status
			}
			if got := runner.Judge(c, test.saw, tells); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestJudgeRedirect(t *testing.T) {
	c := corpus.Case{Status: number(307), Then: []corpus.Case{{Status: number(200)}},
		Expect: &corpus.Expect{Outcome: classifier.ToolSuccess, Layer: classifier.Application}}
	for status, want := range map[int]runner.Deviation{307: 0, 200: 0, 500: runner.MixedLayers} {
		if got := runner.Judge(c, subject.Observation{Saw: "TOOL_SUCCESS", Status: &status}, subject.AllOutcomes()); got != want {
			t.Errorf("status %d: got %q, want %q", status, got, want)
		}
	}
}

func TestSameCode(t *testing.T) {
	for _, test := range []struct {
		expected, told string
		want           bool
	}{
		{"-32602", "-32602", true},
		{"-32602", "-32602.0", true},
		{"-32602", "-3.2602e4", true},
		{"-32602", "-3260200e-2", true},
		{"-32602", "-32602.5", false},
		{"-32602", "32602", false},
		{"0", "-0", true},
		{"0", "0e99999999999", true},
		{"0", "", true},
		{"", "1", true},
		{"1", "1e400", false},
		{"1e400", "1", true},
		{"1", "1e99999999999999999999", false},
		{"9007199254740992", "9007199254740991", false},
		{"9007199254740993", "1", true},
		{"-9007199254740993", "1", true},
		{"1", "one", false},
		{"1", "1.1.1", false},
		{"1", "e1", false},
		{"10", "1e1", true},
		{"1000000000000000", "1e15", true},
		{"1e16", "5", true},
	} {
		if got := runner.SameCode(test.expected, test.told); got != test.want {
			t.Errorf("%q and %q: got %v, want %v", test.expected, test.told, got, test.want)
		}
	}
}

func TestDeviationTable(t *testing.T) {
	want := map[string]string{
		"FALSE_SUCCESS": "critical", "REPEATED_CALL": "critical", "CRASH": "critical",
		"HANG": "major", "DEAD_CONNECTION": "major", "LOST_RESULT": "major", "FALSE_INPUT": "major",
		"REISSUED": "minor", "MIXED_LAYERS": "minor",
	}
	all := runner.Deviations()
	if len(all) != len(want) {
		t.Errorf("%d deviations, want %d", len(all), len(want))
	}
	for i, d := range all {
		if i > 0 && all[i-1].Severity() < d.Severity() {
			t.Errorf("%v stands before the graver %v", all[i-1], d)
		}
		if got := d.Severity().String(); got != want[d.String()] {
			t.Errorf("%v: got %s, want %s", d, got, want[d.String()])
		}
		text, err := d.MarshalText()
		var back runner.Deviation
		if err != nil || back.UnmarshalText(text) != nil || back != d {
			t.Errorf("%v: %s, %v reads back as %v", d, text, err, back)
		}
	}
	if _, err := runner.Deviation(0).MarshalText(); err == nil {
		t.Error("no deviation was written")
	}
	var s runner.Severity
	if err := s.UnmarshalText([]byte("grave")); err == nil {
		t.Error("the severity grave was read")
	}
}
