package explanation

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/builtin"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
)

func TestEveryWordIsTold(t *testing.T) {
	for _, o := range classifier.Outcomes() {
		if know(o).known == "" {
			t.Errorf("%s: nothing is told of what the client knows", o)
		}
		if found := Find(o.String()); len(found) == 0 || found[0].Kind != "outcome" {
			t.Errorf("%s: got %v, want the outcome first", o, found)
		}
	}
	numbers := map[string]bool{}
	for _, r := range Rules() {
		numbers[r.Name] = true
	}
	for _, e := range slices.Concat(classifier.Reasons(), classifier.Findings()) {
		if len(Find(e.Name)) == 0 {
			t.Errorf("%s is not told", e.Name)
		}
		for rule := range strings.SplitSeq(e.Rule, ", ") {
			if !numbers[rule] {
				t.Errorf("%s: its rule %q is not among the rules", e.Name, rule)
			}
		}
	}
	for _, a := range []classifier.Action{classifier.Never, classifier.Ask, classifier.AfterChange, classifier.AnswerInputs, classifier.WaitAndRetry} {
		if len(Find(a.String())) == 0 {
			t.Errorf("%s is not told", a)
		}
	}
}

func TestPropertiesAreTold(t *testing.T) {
	for _, p := range builtin.Properties() {
		if !slices.ContainsFunc(Find(p.Name), func(e Entry) bool { return e.Kind == "property" && e.Rule == p.Rule }) {
			t.Errorf("%s is not told", p.Name)
		}
	}
}

// S is the overview and then every rule of a stream, in order.
func TestStreamRulesTogether(t *testing.T) {
	for _, word := range []string{"S", "s", "rules S"} {
		var got []string
		for _, e := range Find(word) {
			got = append(got, e.Word)
		}
		if want := []string{"S", "S1", "S2", "S3", "S4", "S5", "S6", "S7"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	words := []string{"id-missing", "id-mismatch", "TOOL_ERROR", "deadline", "S1", "S2"}
	tests := []struct {
		word string
		want []string
	}{
		{"id-mismatsh", []string{"id-mismatch"}},
		{"tool_eror", []string{"TOOL_ERROR"}},
		{"mismatch", []string{"id-mismatch"}},
		{"S9", []string{"S1", "S2"}},
		{"something else entirely", nil},
	}
	for _, test := range tests {
		if got := Closest(test.word, words); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.word, got, test.want)
		}
	}
}

func TestPlace(t *testing.T) {
	answer := func(status int, body string, header ...string) classifier.Answer {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Add(header[i], header[i+1])
		}
		return classifier.Answer{Status: status, Header: h, Body: []byte(body)}
	}
	const json, stream = "application/json", "text/event-stream"
	tests := []struct {
		name   string
		answer classifier.Answer
		want   []string
	}{
		{"status", answer(503, "", "Retry-After", "5"), []string{"the status line: 503", "Retry-After: 5"}},
		{"status with a detail", answer(400, `{"jsonrpc":"2.0","error":{"code":-32020,"message":"no"}}`, "Content-Type", json),
			[]string{"the status line: 400", `the body tells a JSON-RPC error as a detail: code -32020, message "no"`}},
		{"media type", answer(200, "", "Content-Type", "text/html"), []string{"Content-Type: text/html"}},
		{"two media types", answer(200, "", "Content-Type", "a/b", "Content-Type", "c/d"), []string{"Content-Type: a/b and c/d"}},
		{"coding", answer(200, "x", "Content-Type", json, "Content-Encoding", "rot13"), []string{"Content-Encoding: rot13"}},
		{"empty", answer(200, "", "Content-Type", json), []string{"byte 0 of 0, line 1, column 1, the end", "", "^"}},
		{"second line", answer(200, "{\n \"é\":x}", "Content-Type", json), []string{"byte 8 of 10, line 2, column 6", ` "é":x}`, "     ^"}},
		{"in a stream", answer(200, "data: {\n\n", "Content-Type", stream), []string{"byte 1 of the data of an event; 1 event in all"}},
		{"other id", answer(200, `{"jsonrpc":"2.0","id":"x","result":{}}`, "Content-Type", json), []string{"/id", `is "x", the request's is 7`}},
		{"error", answer(200, `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}`, "Content-Type", json), []string{"/error", `code 1, message "m"`}},
		{"result type", answer(200, `{"jsonrpc":"2.0","id":7,"result":{"resultType":"task"}}`, "Content-Type", json), []string{"/result/resultType", `is "task"`}},
		{"what a terminal would obey", answer(200, "{\x1b[2J}", "Content-Type", json), []string{"byte 1 of 6, line 1, column 2", `{\x1b[2J}`, " ^"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			call := classifier.Call{ID: classifier.IntID(7)}
			if got := plain.place(classifier.Classify(call, test.answer), call, test.answer); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestEveryReasonOfAnAnswerHasAPlaceOrNeedsNone(t *testing.T) {
	without := []classifier.Reason{
		classifier.ReasonBodyCut, classifier.ReasonDeadline, classifier.ReasonCancelled, classifier.ReasonSizeLimit,
		classifier.ReasonNoResponseInStream, classifier.ReasonAccepted, classifier.ReasonUnexpectedReply,
		classifier.ReasonConnect, classifier.ReasonReset, classifier.ReasonTLS,
	}
	for i := range classifier.Reasons() {
		reason := classifier.Reason(i + 1)
		got := plain.place(classifier.Verdict{Reason: reason, Answered: true}, classifier.Call{}, classifier.Answer{})
		if len(got) == 0 != slices.Contains(without, reason) {
			t.Errorf("%s: got place %q", reason, got)
		}
	}
}

func TestRecordLeavesOutWhatIsNotKnown(t *testing.T) {
	var out bytes.Buffer
	s := terminal.New(&out, &out)
	v := classifier.ClassifyNoAnswer(classifier.EndedConnect)
	advice := classifier.Advise(v, classifier.Facts{})
	if err := Verdict(s, Told{Verdict: v, Advice: advice, Record: classifier.NewRecord(v, advice, classifier.Exchange{})}); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = `{"method":"tools/call","postCount":1,"toolCallCount":1,"httpStatuses":[null],"outcome":"NO_FINAL_RESPONSE","layer":"transport","reason":"connect","ended":"connect","retryOrigin":"none","advice":"ask","toModel":"no"}`
	if !strings.Contains(out.String(), want) {
		t.Errorf("got %s, want %s in it", out.String(), want)
	}
}

func TestReasonsTellWhatTheyMake(t *testing.T) {
	for word, want := range map[string]string{
		"http-status":  "The status is outside 200 to 299. It makes HTTP_ERROR on the transport layer, by rule 1. Where side effects are unknown the advice is ask. Example: article/transport-precedence.",
		"id-mismatch":  "The response's id is not the request's. It makes INVALID_ENVELOPE on the protocol layer, by rules 6 and 7. Where side effects are unknown the advice is ask. Example: article/wrong-response-id. Where classify is told no id, by the input or by --id, it takes the request's to be 1.",
		"tool-success": "A complete tool result that is no error. It makes TOOL_SUCCESS on the application layer, by rule 9. Where side effects are unknown the advice is never. Example: article/baseline-complete.",
	} {
		if got := reasonText(word); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

// reasonText is what is told of a reason, which other kinds may share its word.
func reasonText(word string) string {
	for _, e := range Find(word) {
		if e.Kind == "reason" {
			return e.Text
		}
	}
	return ""
}

var makes = regexp.MustCompile(`It makes ([A-Z_]+) on the ([a-z]+) layer, by rules? ([0-9A-Z and]+)\. .* the advice is ([a-z-]+)\. Example: ([^ ]+)\.( |$)`)

// What each reason is said to make is what its example, a shipped case of that
// reason, expects, and its rules are those of the reason.
func TestEveryReasonsExampleShowsIt(t *testing.T) {
	for _, e := range classifier.Reasons() {
		text := reasonText(e.Name)
		told := makes.FindStringSubmatch(text)
		if told == nil {
			t.Errorf("%s: got %q, want what it makes and an example", e.Name, text)
			continue
		}
		c, ok := corpus.ByID(told[5])
		if !ok || c.Expect == nil || c.Expect.Reason != e.Name || len(c.Then) > 0 {
			t.Errorf("%s: its example is %q, want a shipped case of one answer with that reason", e.Name, told[5])
			continue
		}
		if told[1] != c.Expect.Outcome.String() || told[2] != c.Expect.Layer.String() || c.Expect.Advice != "" && told[4] != c.Expect.Advice {
			t.Errorf("%s: got %q, where %s expects %s on the %s layer and the advice %q", e.Name, text, c.ID, c.Expect.Outcome, c.Expect.Layer, c.Expect.Advice)
		}
		if got := strings.ReplaceAll(told[3], " and", ","); got != e.Rule {
			t.Errorf("%s: got rules %q, want %q", e.Name, got, e.Rule)
		}
	}
}

func TestAdviceSaysWhoseWaitItIs(t *testing.T) {
	verdict := classifier.Classify(classifier.Call{ID: classifier.IntID(1)}, classifier.Answer{Status: 503})
	if got := Advice(classifier.Advise(verdict, classifier.Facts{})); !strings.Contains(got, "not before 200ms (the default wait)") || !strings.Contains(got, "do not send it again without asking") {
		t.Errorf("got %s", got)
	}
	verdict.RetryAfter = "7"
	if got := Advice(classifier.Advise(verdict, classifier.Facts{})); !strings.Contains(got, "not before 7s (the answer's Retry-After)") {
		t.Errorf("got %s", got)
	}
}
