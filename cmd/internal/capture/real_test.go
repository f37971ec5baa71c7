package capture

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

// judgeAll reads an input as classify does, and gives each exchange a line: what
// was asked, the status, and the verdict or why there is none.
func judgeAll(t *testing.T, name string, form Form, data []byte) (lines []string, judged []Judged, faults []error) {
	t.Helper()
	in := Input{Name: name, Form: form, ID: classifier.IntID(1), IDAssumed: true}
	var timeline Timeline
	for x, err := range in.Exchanges(strings.NewReader(string(data))) {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		j := Judge(x)
		j.Settle(timeline.Add(j))
		if err := j.Problem(); err != nil {
			faults = append(faults, err)
		}
		judged = append(judged, j)
		status, verdict := "none", j.Why
		if j.Answer != nil {
			status = fmt.Sprint(j.Answer.Status)
		}
		if verdict == "" {
			verdict = fmt.Sprintf("%s %s", j.Verdict.Outcome, j.Verdict.Reason)
		} else {
			verdict = "not judged"
		}
		lines = append(lines, fmt.Sprintf("%s: %s %s", j.RPC.Describe(), status, verdict))
	}
	return lines, judged, faults
}

// What the tools of testdata/real/server.go answer, and what the file that was
// made of it lets a reader know.
var realVerdicts = map[string]struct {
	lines  []string
	faults []string
}{
	"chromium.har": {[]string{
		"GET, which is no POST of JSON-RPC: 200 not judged",
		"the notification notifications/cancelled: 202 ACCEPTED accepted",
		"the request tools/list: 200 not judged",
		"tools/call ok, id 1: 200 TOOL_SUCCESS tool-success",
		"tools/call fails, id 2: 200 TOOL_ERROR tool-error",
		"tools/call params, id 3: 200 JSONRPC_ERROR rpc-error",
		"tools/call input, id 4: 200 INPUT_REQUIRED input-required",
		"tools/call other, id 5: 200 INVALID_ENVELOPE id-mismatch",
		"tools/call down, id 6: 503 HTTP_ERROR http-status",
		"tools/call login, id 7: 200 UNEXPECTED_CONTENT_TYPE content-type-foreign",
		"tools/call stream, id 8: 200 TOOL_SUCCESS tool-success",
		"tools/call unfinished, id 9: 200 NO_FINAL_RESPONSE no-response-in-stream",
		"tools/call cut, id 10: 200 not judged",
		"tools/call bytes, id 11: 200 TOOL_SUCCESS tool-success",
		"tools/call flaky, id 12: 502 HTTP_ERROR http-status",
		"tools/call flaky, id 13: 200 TOOL_SUCCESS tool-success",
		`tools/call ok, id "moved": 307 HTTP_ERROR http-status`,
		`tools/call ok, id "moved": 200 TOOL_SUCCESS tool-success`,
		`tools/call late, id "aborted": none NO_FINAL_RESPONSE cancelled`,
		`tools/call ok, id "refused": none NO_FINAL_RESPONSE connect`,
	}, []string{"chromium.har: entry 13: the body of the answer is not in the input, so it cannot be judged"}},
	"mitmproxy.har": {[]string{
		"GET, which is no POST of JSON-RPC: 200 not judged",
		"the notification notifications/cancelled: 202 ACCEPTED accepted",
		"the request tools/list: 200 not judged",
		"tools/call ok, id 1: 200 TOOL_SUCCESS tool-success",
		"tools/call fails, id 2: 200 TOOL_ERROR tool-error",
		"tools/call params, id 3: 200 JSONRPC_ERROR rpc-error",
		"tools/call input, id 4: 200 INPUT_REQUIRED input-required",
		"tools/call other, id 5: 200 INVALID_ENVELOPE id-mismatch",
		"tools/call down, id 6: 503 HTTP_ERROR http-status",
		"tools/call login, id 7: 200 UNEXPECTED_CONTENT_TYPE content-type-foreign",
		"tools/call stream, id 8: 200 TOOL_SUCCESS tool-success",
		"tools/call unfinished, id 9: 200 NO_FINAL_RESPONSE no-response-in-stream",
		"tools/call cut, id 10: 200 NO_FINAL_RESPONSE no-response-in-stream",
		"tools/call bytes, id 11: 200 TOOL_SUCCESS tool-success",
		"tools/call flaky, id 12: 502 HTTP_ERROR http-status",
		"tools/call flaky, id 13: 200 TOOL_SUCCESS tool-success",
		`tools/call late, id "timeout": none NO_FINAL_RESPONSE cancelled`,
	}, nil},
	"curl-i.txt": {[]string{"tools/call, id 1: 200 TOOL_SUCCESS tool-success"}, nil},
	"curl-i-three.txt": {[]string{
		"tools/call, id 1: 200 TOOL_SUCCESS tool-success",
		"tools/call, id 1: 200 TOOL_SUCCESS tool-success",
		"tools/call, id 1: 503 HTTP_ERROR http-status",
	}, nil},
	"curl-i-continue-redirect.txt": {[]string{
		"tools/call, id 1: 307 HTTP_ERROR http-status",
		"tools/call, id 1: 200 TOOL_SUCCESS tool-success",
	}, nil},
	"curl-i-cut.txt":    {[]string{"tools/call, id 1: 200 NO_FINAL_RESPONSE body-cut"}, nil},
	"curl-i-tunnel.txt": {[]string{"tools/call, id 1: 503 HTTP_ERROR http-status"}, nil},
	"curl-v.txt":        {[]string{"tools/call, id 1: 200 JSONRPC_ERROR rpc-error"}, nil},
	"curl-v-next.txt": {[]string{
		"tools/call, id 1: 200 TOOL_SUCCESS tool-success",
		"tools/call, id 1: 503 HTTP_ERROR http-status",
	}, nil},
	"curl-v-continue-redirect.txt": {[]string{
		"tools/call, id 1: 307 HTTP_ERROR http-status",
		"tools/call, id 1: 200 TOOL_ERROR tool-error",
	}, nil},
	"curl-v-meter-stream.txt": {[]string{"tools/call, id 1: 200 TOOL_SUCCESS tool-success"}, nil},
	"curl-v-cut.txt":          {[]string{"tools/call, id 1: 200 NO_FINAL_RESPONSE body-cut"}, nil},
	"curl-v-timeout.txt":      {[]string{"tools/call, id 1: none NO_FINAL_RESPONSE deadline"}, nil},
	"curl-v-refused.txt":      {[]string{"tools/call, id 1: none NO_FINAL_RESPONSE connect"}, nil},
	"curl-v-tunnel.txt":       {[]string{"tools/call, id 1: 503 HTTP_ERROR http-status"}, nil},
}

func TestRealCaptures(t *testing.T) {
	for name, want := range realVerdicts {
		t.Run(name, func(t *testing.T) {
			data := file(t, name)
			got, _, faults := judgeAll(t, name, Auto, data)
			if g, w := strings.Join(got, "\n"), strings.Join(want.lines, "\n"); g != w {
				t.Errorf("got\n%s\nwant\n%s", g, w)
			}
			if len(faults) != len(want.faults) {
				t.Fatalf("got faults %v, want %v", faults, want.faults)
			}
			for i, fault := range faults {
				if fault.Error() != want.faults[i] {
					t.Errorf("got fault %v, want %s", fault, want.faults[i])
				}
			}
		})
	}
	files, err := os.ReadDir("testdata/real")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		_, told := realVerdicts[f.Name()]
		if capture := strings.HasSuffix(f.Name(), ".txt") || strings.HasSuffix(f.Name(), ".har"); capture && !told {
			t.Errorf("%s has no verdicts here", f.Name())
		}
	}
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/real/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The bodies that curl printed apart from their heads go to the right answers.
func TestCurlBodies(t *testing.T) {
	const done = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}`
	for name, want := range map[string][]string{
		"curl-v-next.txt":  {done, "<h1>503 Service Unavailable</h1>\n"},
		"curl-v.txt":       {`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"missing":"city"}}}`},
		"curl-i-three.txt": {done, "", "<h1>503 Service Unavailable</h1>\n"},
	} {
		_, judged, _ := judgeAll(t, name, Auto, file(t, name))
		for i, j := range judged {
			if got := string(j.Answer.Body); want[i] != "" && got != want[i] {
				t.Errorf("%s, answer %d: got %q, want %q", name, i+1, got, want[i])
			}
		}
	}
}

func TestRealTimeline(t *testing.T) {
	_, judged, _ := judgeAll(t, "chromium.har", Auto, file(t, "chromium.har"))
	flaky, moved := judged[15].Step, judged[17].Step
	if flaky.Post != 2 || flaky.Attempt != 2 || flaky.Origin != classifier.RetryApplication || !strings.Contains(flaky.Evidence, "the same arguments under the new id 13") {
		t.Errorf("got %+v, want a second attempt by the application", flaky)
	}
	if got := judged[15].Record; got.PostCount != 2 || len(got.HTTPStatuses) != 2 || *got.HTTPStatuses[0] != 502 || got.ProtocolVersion != "2026-07-28" || got.StartedAt == nil || got.DurationMS <= 0 {
		t.Errorf("got record %+v", got)
	}
	if moved.Post != 2 || moved.Attempt != 1 || moved.Origin != classifier.RetryNone || moved.Evidence != "the 307 was followed" {
		t.Errorf("got %+v, want the redirect followed", moved)
	}
}
