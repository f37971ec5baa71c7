package subject_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/subject"
)

func TestTellsCovers(t *testing.T) {
	failures := []classifier.Outcome{classifier.MalformedJSON, classifier.InvalidEnvelope, classifier.InvalidToolResult,
		classifier.HTTPError, classifier.NoFinalResponse, classifier.UnexpectedContentType, classifier.UnexpectedReply}
	with := func(more ...classifier.Outcome) []classifier.Outcome { return append(more, failures...) }
	for _, test := range []struct {
		name  string
		tells string
		word  string
		want  []classifier.Outcome // nil: not a word of this subject
	}{
		{"success", "SUCCESS ERROR", "SUCCESS", []classifier.Outcome{classifier.ToolSuccess}},
		{"by its own name", "TOOL_SUCCESS ERROR", "TOOL_SUCCESS", []classifier.Outcome{classifier.ToolSuccess}},
		{"error with no finer word", "SUCCESS ERROR", "ERROR", with(classifier.JSONRPCError, classifier.ToolError, classifier.InputRequired)},
		{"error beside RPC_ERROR", "SUCCESS RPC_ERROR ERROR", "ERROR", with(classifier.ToolError, classifier.InputRequired)},
		{"error beside JSONRPC_ERROR", "SUCCESS JSONRPC_ERROR ERROR", "ERROR", with(classifier.ToolError, classifier.InputRequired)},
		{"error beside a merged finer word", "SUCCESS TOOL_ERROR|RPC_ERROR ERROR", "ERROR", with(classifier.InputRequired)},
		{"error beside all", "SUCCESS TOOL_ERROR INPUT_REQUIRED RPC_ERROR ERROR", "ERROR", with()},
		{"error beside HTTP_ERROR still covers it", "SUCCESS TOOL_ERROR INPUT_REQUIRED RPC_ERROR HTTP_ERROR ERROR", "ERROR", with()},
		{"merged", "SUCCESS MALFORMED_JSON|INVALID_ENVELOPE", "MALFORMED_JSON|INVALID_ENVELOPE", []classifier.Outcome{classifier.MalformedJSON, classifier.InvalidEnvelope}},
		{"merged in another order", "SUCCESS MALFORMED_JSON|INVALID_ENVELOPE", "INVALID_ENVELOPE|MALFORMED_JSON", []classifier.Outcome{classifier.MalformedJSON, classifier.InvalidEnvelope}},
		{"a part of a merged one", "SUCCESS MALFORMED_JSON|INVALID_ENVELOPE", "MALFORMED_JSON", nil},
		{"merged with error", "SUCCESS TOOL_ERROR|ERROR RPC_ERROR INPUT_REQUIRED", "TOOL_ERROR|ERROR", with(classifier.ToolError)},
		{"never told", "SUCCESS ERROR", "RPC_ERROR", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			tells, err := subject.ParseTells(strings.Fields(test.tells))
			if err != nil {
				t.Fatal(err)
			}
			got, ok := tells.Covers(test.word)
			if ok != (test.want != nil) || got != subject.SetOf(test.want...) {
				t.Errorf("got %b, %v; want %b", got, ok, subject.SetOf(test.want...))
			}
		})
	}
}

func TestTellsRefused(t *testing.T) {
	for _, test := range []struct{ name, tells, want string }{
		{"nothing", "", "neither"},
		{"no success", "ERROR TOOL_ERROR", "neither"},
		{"only success", "SUCCESS", "no word but that for success"},
		{"success under two names", "SUCCESS TOOL_SUCCESS", "no word but that for success"},
		{"success merged", "SUCCESS|TOOL_ERROR ERROR", "merges success"},
		{"success merged as well", "SUCCESS SUCCESS|ERROR ERROR", "merges success"},
		{"unknown", "SUCCESS FAILURE", `unknown word "FAILURE"`},
		{"lower case", "success ERROR", `unknown word "success"`},
		{"empty part", "SUCCESS ERROR|", `unknown word ""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := subject.ParseTells(strings.Fields(test.tells))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestTellsHolds(t *testing.T) {
	tells, err := subject.ParseTells([]string{"SUCCESS", "ACCEPTED|UNEXPECTED_REPLY", "ERROR"})
	if err != nil {
		t.Fatal(err)
	}
	for outcome, want := range map[classifier.Outcome]bool{
		classifier.Accepted: true, classifier.UnexpectedReply: true, classifier.NoFinalResponse: false, classifier.ToolSuccess: false,
	} {
		if got := tells.Holds(outcome); got != want {
			t.Errorf("%v: got %v, want %v", outcome, got, want)
		}
	}
	if !subject.AllOutcomes().Holds(classifier.NoFinalResponse) {
		t.Error("AllOutcomes lacks NO_FINAL_RESPONSE")
	}
}
