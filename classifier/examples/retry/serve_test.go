//go:build unix

package retry_test

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/examples/retry"
)

// TestServed calls a server that misbehaves, over real sockets and in real time:
// replyproof serve, which checks by itself what was sent.
func TestServed(t *testing.T) {
	command := filepath.Join(t.TempDir(), "replyproof")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", command, "./cmd/replyproof")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sequence := []string{"--scenario", "errors.http_status_sequence", "--settings", `{"statusCodes":[503,503,200],"count":"calls"}`}
	for _, test := range []struct {
		name    string
		args    []string
		safety  classifier.Safety
		outcome classifier.Outcome
		least   time.Duration // that the call takes
		expect  string
	}{
		{"two retries, then a success", sequence, classifier.SafeCall, classifier.ToolSuccess, 600 * time.Millisecond,
			"calls: 1\nposts: 3\nfresh_ids: true\noutcomes: [HTTP_ERROR, HTTP_ERROR, TOOL_SUCCESS]\n"},
		{"nothing without leave", sequence, classifier.SafetyUnknown, classifier.HTTPError, 0,
			"posts: 1\nno_repetition: true\n"},
		{"Retry-After first", []string{"--scenario", "errors.rate_limit", "--settings", `{"seconds":1}`}, classifier.SafeCall, classifier.ToolSuccess, time.Second,
			"posts: 2\nfresh_ids: true\noutcomes: [HTTP_ERROR, TOOL_SUCCESS]\n"},
		{"no retry of what the tool says", []string{"--scenario", "errors.tool_error"}, classifier.SafeCall, classifier.ToolError, 0,
			"posts: 1\nno_repetition: true\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect := filepath.Join(t.TempDir(), "expect.yaml")
			if err := os.WriteFile(expect, []byte(test.expect), 0o600); err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			serve := exec.CommandContext(t.Context(), command, append([]string{"serve", "--expect", expect}, test.args...)...)
			serve.Stderr = &said
			out, err := serve.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := serve.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			lines.Scan()
			url, found := strings.CutPrefix(lines.Text(), "listening ")
			if !found {
				t.Fatalf("got the first line %q", lines.Text())
			}
			pool := &http.Transport{}
			c := &client{url: url, http: &http.Client{Transport: pool, CheckRedirect: noRedirects}}
			began := time.Now()
			done := retry.Call(context.Background(), test.safety, c.send("{}"))
			if took := time.Since(began); done.Verdict.Outcome != test.outcome || took < test.least {
				t.Errorf("got %s after %s, want %s after %s or more", done.Verdict.Outcome, took, test.outcome, test.least)
			}
			pool.CloseIdleConnections()
			if err := serve.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() { // until its end
			}
			if err := serve.Wait(); err != nil {
				t.Errorf("serve: %v\n%s", err, said.String())
			}
		})
	}
}
