//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// served is the command while it serves.
type served struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	out  *bufio.Reader
	said bytes.Buffer // on standard error
}

// startServe starts the command and waits for its first line.
func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{t: t, cmd: exec.CommandContext(t.Context(), "replyproof", append([]string{"serve"}, args...)...)} // TestMain puts it into PATH
	s.cmd.Stderr = &s.said
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	line, err := s.out.ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if err != nil || !found || !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, "/mcp") {
		t.Fatalf("got the first line %q and %v", line, err)
	}
	s.url = url
	return s
}

// call sends a call of revision 2026-07-28, and gives the status.
func (s *served) call(id int) (int, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, id)
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"a"}}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// end sends Ctrl-C, and gives what was printed since the first line, and the status.
func (s *served) end() (printed string, status int) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(s.out)
	if err != nil {
		s.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		s.t.Fatal(err)
	}
	return string(text), status
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestServe: a line and a record for each exchange, also for one that is under way
// when Ctrl-C comes, and a status by what was expected.
func TestServe(t *testing.T) {
	t.Parallel()
	transcript := filepath.Join(t.TempDir(), "seen.jsonl")
	sequence := write(t, "flaky.yaml", "steps:\n  - status: 503\n  - pass\n  - scenario: sse.stall\n")
	s := startServe(t, "--sequence", sequence, "--transcript", transcript, "--expect", write(t, "e.yaml", "posts: 3\nfresh_ids: true\n"))
	for id, want := range []int{503, 200} {
		if status, err := s.call(id); status != want || err != nil {
			t.Errorf("call %d: got %d and %v, want %d", id, status, err, want)
		}
	}
	stalled := make(chan error, 1)
	go func() {
		_, err := s.call(2)
		stalled <- err
	}()
	// The third is recorded only once it is over, so its beginning is waited for at the client.
	time.Sleep(200 * time.Millisecond)
	printed, status := s.end()
	if err := <-stalled; err == nil {
		t.Error("the third call ended well, want an error")
	}
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	for i, want := range []string{"→ 503 HTTP_ERROR", "→ 200 TOOL_SUCCESS", "→ 200 (deadline) NO_FINAL_RESPONSE"} {
		if len(lines) != 3 || !strings.Contains(lines[i], want) {
			t.Fatalf("got %q, want in line %d %q", lines, i+1, want)
		}
	}
	if status != 0 || !strings.Contains(s.said.String(), "all was as") {
		t.Errorf("got status %d, %s", status, s.said.String())
	}
	file, err := os.Open(transcript)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var outcomes []string
	in := capture.Input{Name: transcript, Form: capture.Auto, Limit: 1 << 20, Note: func(string, ...any) {}}
	for x, err := range in.Exchanges(file) {
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, capture.Judge(x).Verdict.Outcome.String())
	}
	if got := strings.Join(outcomes, " "); got != "HTTP_ERROR TOOL_SUCCESS NO_FINAL_RESPONSE" {
		t.Errorf("the transcript holds %s", got)
	}
}

// TestServeKeepsSecretsIfAsked: a transcript is its owner's alone, and holds what is
// secret only with --keep-secrets.
func TestServeKeepsSecretsIfAsked(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		transcript := filepath.Join(t.TempDir(), "seen.jsonl")
		args := []string{"--transcript", transcript}
		if keep {
			args = append(args, "--keep-secrets")
		}
		s := startServe(t, args...)
		request, err := http.NewRequest(http.MethodPost, s.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"password":"hunter2"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		s.end()
		info, err := os.Stat(transcript)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v, %v, want mode 600", info, err)
		}
		if got := strings.Contains(read(t, transcript), "hunter2"); got != keep {
			t.Errorf("keep %t: got the secret in the transcript: %t", keep, got)
		}
		if got := strings.Contains(s.said.String(), "secrets and personal data are kept"); got != keep {
			t.Errorf("keep %t: got %s", keep, s.said.String())
		}
	}
}

// TestServeExpects: what was not as expected is status 1.
func TestServeExpects(t *testing.T) {
	t.Parallel()
	s := startServe(t, "--faults", "status=503", "--expect", write(t, "e.yaml", "no_repetition: true\n"), "--json")
	for id := range 2 {
		if status, err := s.call(id); status != 503 || err != nil {
			t.Errorf("got %d and %v, want 503", status, err)
		}
	}
	printed, status := s.end()
	if status != 1 || !strings.Contains(s.said.String(), "e.yaml: n1, POST 2, id 1: the call was sent again") {
		t.Errorf("got status %d, %s", status, s.said.String())
	}
	if strings.Count(printed, `{"format":"replyproof-record/1"`) != 2 {
		t.Errorf("got %s, want two records", printed)
	}
}

// TestServeRefuses: what cannot be served is status 2, with the reason in one line.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	taken := startServe(t)
	defer taken.end()
	address := strings.TrimSuffix(strings.TrimPrefix(taken.url, "http://"), "/mcp")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--scenario", "errors.tool_eror"}, "did you mean errors.tool_error?"},
		{[]string{"--scenario", "errors.tool_error", "--settings", "{"}, "settings of errors.tool_error: "},
		{[]string{"--settings", `{"on":1}`}, "unknown setting"},
		{[]string{"--faults", "id-abset"}, "--faults: "},
		{[]string{"--sequence", "nosuch.yaml"}, "--sequence: open nosuch.yaml"},
		{[]string{"--sequence", write(t, "s.yaml", "steps:\n  - stat: 1\n")}, "s.yaml:2: unknown key"},
		{[]string{"--expect", write(t, "e.yaml", "post: 1\n")}, "e.yaml:1: unknown key"},
		{[]string{"--listen", address}, "address already in use"},
		{[]string{"--listen", "0.0.0.0:0"}, "only 127.0.0.1 is listened on"},
		{[]string{"--listen", "nonsense"}, "--listen nonsense"},
		{[]string{"--transcript", "no/such/folder"}, "--transcript: "},
		{[]string{"--transcript", write(t, "notes.txt", "dear diary\n")}, "holds no records"},
		{[]string{"--for", "-1s"}, "must not be negative"},
		{[]string{"--scenario", "baseline", "--faults", "status=503"}, "--scenario and --faults: give one of them"},
	} {
		cmd := exec.CommandContext(t.Context(), "replyproof", append([]string{"serve"}, test.args...)...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), test.want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%q: got %v, %s, want status 2 and one line with %q", test.args, err, out, test.want)
		}
	}
}

// TestServeTellsThatItCannotWrite: a transcript on a full disk is told, and the
// status is 2.
func TestServeTellsThatItCannotWrite(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	s := startServe(t, "--transcript", "/dev/full")
	if status, err := s.call(1); status != 200 || err != nil {
		t.Errorf("got %d and %v, want 200", status, err)
	}
	if _, status := s.end(); status != 2 || !strings.Contains(s.said.String(), "write the transcript: ") || !strings.Contains(s.said.String(), syscall.ENOSPC.Error()) {
		t.Errorf("got status %d, %s", status, s.said.String())
	}
}

// TestServeKeepsTheTranscript: a transcript that is there gives way to one of a
// server that listens, and to no other; and then it is its owner's alone.
func TestServeKeepsTheTranscript(t *testing.T) {
	t.Parallel()
	const before = `{"format":"replyproof-record/1"}` + "\n"
	transcript := write(t, "seen.jsonl", before)
	if err := os.Chmod(transcript, 0o644); err != nil {
		t.Fatal(err)
	}
	taken := startServe(t)
	address := strings.TrimSuffix(strings.TrimPrefix(taken.url, "http://"), "/mcp")
	if out, err := exec.CommandContext(t.Context(), "replyproof", "serve", "--listen", address, "--transcript", transcript).CombinedOutput(); err == nil {
		t.Errorf("got %s, want an error", out)
	}
	taken.end()
	if got := read(t, transcript); got != before {
		t.Errorf("a server that could not listen left %q", got)
	}
	s := startServe(t, "--transcript", transcript)
	second, err := exec.CommandContext(t.Context(), "replyproof", "serve", "--transcript", transcript).CombinedOutput()
	if err == nil || !strings.Contains(string(second), "is being written by another replyproof") {
		t.Errorf("a second server at the same transcript: got %v, %s", err, second)
	}
	s.end()
	if got := read(t, transcript); got != "" {
		t.Errorf("got %q, want nothing of before", got)
	}
	if info, err := os.Stat(transcript); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 600", info, err)
	}
}

// TestServeUnread: whoever starts the command, reads its first line and no more does
// not stop it, and Ctrl-C ends it all the same.
func TestServeUnread(t *testing.T) {
	t.Parallel()
	transcript := filepath.Join(t.TempDir(), "seen.jsonl")
	s := startServe(t, "--transcript", transcript, "--json")
	const calls = 300 // of 600 bytes or more each: no pipe holds them
	for id := range calls {
		if status, err := s.call(id); status != 200 || err != nil {
			t.Fatalf("call %d: got %d and %v, want 200", id, status, err)
		}
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	state, err := s.cmd.Process.Wait()
	if err != nil || state.ExitCode() != 2 {
		t.Errorf("got %v, %v, want status 2", state, err)
	}
	if got := strings.Count(read(t, transcript), "\n"); got != calls {
		t.Errorf("got %d records, want %d", got, calls)
	}
}

// TestServeTellsWhatItRefuses: a request that cannot be read is no exchange, and is told.
func TestServeTellsWhatItRefuses(t *testing.T) {
	t.Parallel()
	s := startServe(t)
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Post(s.url, "application/json", strings.NewReader(strings.Repeat("x", 5<<20)))
	if err == nil {
		response.Body.Close()
	}
	if printed, status := s.end(); status != 0 || printed != "" || !strings.Contains(s.said.String(), "a request was refused with 413: read the body of a request: the body is too large") {
		t.Errorf("got status %d, %q, %s", status, printed, s.said.String())
	}
}
