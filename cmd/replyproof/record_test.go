//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// recorded is a small MCP server whose tools answer in different ways.
func recorded(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		result := func(text string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":%q}]%s}}`, m.ID, "hello", text)
		}
		switch {
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Params.Name == "fails":
			io.WriteString(w, result(`,"isError":true`))
		case m.Params.Name == "busy":
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		case m.Params.Name == "error":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such tool"}}`, m.ID)
		case m.Params.Name == "other":
			m.ID = json.RawMessage(`"other"`)
			io.WriteString(w, result(""))
		case m.Params.Name == "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: %s\n\n", result(""))
		case m.Params.Name == "long":
			io.WriteString(w, result(`,"x":"`+strings.Repeat("x", 3000)+`"`))
		case m.Params.Name == "cut":
			io.WriteString(w, result("")[:40])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case m.Params.Name == "forever":
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, ": begun\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			io.WriteString(w, result(""))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// recording is the command at work.
type recording struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	rest chan string
	said bytes.Buffer
}

func startRecording(t *testing.T, args ...string) *recording {
	t.Helper()
	r := &recording{t: t, cmd: exec.Command("replyproof", args...), rest: make(chan string, 1)} // TestMain puts it into PATH
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.cmd.Stderr = &r.said
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	url, told := strings.CutPrefix(first, "listening ")
	if err != nil || !told || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("got %q, %v, want where it listens", first, err)
	}
	r.url = strings.TrimSpace(url)
	go func() {
		rest, _ := io.ReadAll(lines)
		r.rest <- string(rest)
	}()
	return r
}

// call calls a tool and tells the status, 0 if there was no whole answer.
func (r *recording) call(client *http.Client, id int, tool string) int {
	return r.send(client, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, tool))
}

func (r *recording) send(client *http.Client, body string) int {
	resp, err := client.Post(r.url, "application/json", strings.NewReader(body))
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// end sends a signal and tells what the command still printed.
func (r *recording) end(s os.Signal) (out string, status int, took time.Duration) {
	began := time.Now()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
	out = <-r.rest
	_ = r.cmd.Wait()
	return out, r.cmd.ProcessState.ExitCode(), time.Since(began)
}

// classified are outcome and evidence of a file of records, by the id of the exchange.
func classified(t *testing.T, name string) map[string]string {
	t.Helper()
	out, err := exec.Command("replyproof", "classify", "--from", "record", "--json", name).Output()
	if err != nil {
		t.Fatalf("classify: %v", err)
	}
	all := map[string]string{}
	for line := range bytes.Lines(out) {
		var v struct {
			ID, Outcome, Injected string
			Post                  int
			Record                *struct{ RetryOrigin string }
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		text := v.Outcome
		if v.Post > 1 {
			text += fmt.Sprintf(" POST %d by %s", v.Post, v.Record.RetryOrigin)
		}
		if v.Injected != "" {
			text += " injected " + v.Injected
		}
		all[v.ID] = text
	}
	return all
}

// TestRecordAndReplay: a session is recorded while a client goes through every
// kind of answer; Ctrl-C cuts what is under way; the file gives the verdicts
// again, and its cases can be taken into a corpus. The command line is the
// README's.
func TestRecordAndReplay(t *testing.T) {
	s, dir := recorded(t), t.TempDir()
	file := filepath.Join(dir, "session.jsonl")
	example := regexp.MustCompile(`(?m)^replyproof (record --upstream https://example\.com/mcp --out session\.jsonl)`).FindStringSubmatch(read(t, "../../README.md"))
	if example == nil {
		t.Fatal("README.md has no example of record")
	}
	args := strings.Fields(strings.NewReplacer("https://example.com", s.URL, "session.jsonl", file).Replace(example[1]))
	r := startRecording(t, append(args, "--body-limit", "2000")...)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	r.send(client, `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`)
	r.send(client, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	want := map[string]string{"1": "", "2": "ACCEPTED"}
	for i, one := range [][2]string{
		{"plain", "TOOL_SUCCESS"}, {"fails", "TOOL_ERROR"}, {"busy", "HTTP_ERROR"}, {"error", "JSONRPC_ERROR"}, {"other", "INVALID_ENVELOPE"},
		{"stream", "TOOL_SUCCESS"}, {"long", "TOOL_SUCCESS"}, {"cut", "NO_FINAL_RESPONSE"},
	} {
		r.call(client, i, one[0])
		want[fmt.Sprint(i+3)] = one[1]
	}
	r.call(client, 2, "busy") // under the same id
	r.call(client, 77, "busy")
	want["11"], want["12"] = "HTTP_ERROR POST 2 by sdk", "HTTP_ERROR POST 3 by application"
	resp, err := client.Post(r.url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"forever"}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	want["13"] = "NO_FINAL_RESPONSE"

	out, status, took := r.end(os.Interrupt)
	if status != 0 {
		t.Errorf("got status %d, %s", status, r.said.String())
	}
	t.Logf("it took %s to end", took)
	if !strings.Contains(out, "13 exchanges: 11 POSTs of tools/call (3 TOOL_SUCCESS, 1 TOOL_ERROR, 1 JSONRPC_ERROR, ") || !strings.Contains(out, "Calls sent more than once") {
		t.Errorf("got %s", out)
	}
	if got := classified(t, file); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	cases := filepath.Join(dir, "cases.json")
	// All of them become cases but one, whose body is not kept.
	out2, err := exec.Command("replyproof", "corpus", "add", file, "--all", "--yes", "--even-if-shipped", "--to", cases).CombinedOutput()
	if exitCode(err) != statusUsage || strings.Count(string(out2), "line 9 has no body to make a case of") != 1 {
		t.Fatalf("corpus add: %v\n%s", err, out2)
	}
	if out, err := exec.Command("replyproof", "corpus", "verify", cases).CombinedOutput(); err != nil {
		t.Errorf("corpus verify: %v\n%s", err, out)
	}
	for _, outcome := range []string{"TOOL_SUCCESS", "TOOL_ERROR", "HTTP_ERROR", "JSONRPC_ERROR", "INVALID_ENVELOPE", "NO_FINAL_RESPONSE", "ACCEPTED"} {
		if text := read(t, cases); !strings.Contains(text, `"outcome": "`+outcome+`"`) {
			t.Errorf("got no case of %s in %s", outcome, text)
		}
	}
	// A second recording goes on with the file; a third at once may not.
	r = startRecording(t, args...)
	second, err := exec.Command("replyproof", args...).CombinedOutput()
	if err == nil || !strings.Contains(string(second), "is being written by another replyproof") {
		t.Errorf("got %v, %s", err, second)
	}
	r.call(client, 1, "plain")
	r.end(syscall.SIGTERM)
	if lines := strings.Count(read(t, file), "\n"); lines != 14 {
		t.Errorf("got %d records, want 14", lines)
	}
}

// TestRecordOfNothing: that nothing came is told, and no command that would fail.
func TestRecordOfNothing(t *testing.T) {
	const nothing = "0 exchanges: nothing was sent to the proxy's URL\n"
	s, file := recorded(t), filepath.Join(t.TempDir(), "session.jsonl")
	r := startRecording(t, "record", "--upstream", s.URL, "--out", file)
	if out, status, _ := r.end(os.Interrupt); status != 0 || out != nothing {
		t.Errorf("got status %d, %q, want %q", status, out, nothing)
	}
	r = startRecording(t, "record", "--upstream", s.URL)
	if out, status, _ := r.end(os.Interrupt); status != 0 || out != "" || !strings.HasSuffix(r.said.String(), "replyproof: "+nothing) {
		t.Errorf("got status %d, %q, %q, want %q", status, out, r.said.String(), nothing)
	}
}

// TestRecordCutShort: what the help says of a file that ends in half a record.
func TestRecordCutShort(t *testing.T) {
	s, file := recorded(t), filepath.Join(t.TempDir(), "session.jsonl")
	record := func() string {
		r := startRecording(t, "record", "--upstream", s.URL, "--out", file)
		r.call(http.DefaultClient, 1, "plain")
		http.DefaultClient.CloseIdleConnections()
		r.end(os.Interrupt)
		return r.said.String()
	}
	record()
	whole := read(t, file)
	if err := os.WriteFile(file, []byte(whole+whole[:100]), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("replyproof", "classify", "--json", file).CombinedOutput()
	if exitCode(err) != statusUsage || strings.Count(string(out), `"outcome":"TOOL_SUCCESS"`) != 2 || !strings.Contains(string(out), "line 2: half a record, with which the file ends") {
		t.Errorf("classify: got %v, %s, want one verdict, status 2 and the half named", err, out)
	}
	if said := record(); !strings.Contains(said, "ended in half a record (100 bytes), which was taken away") {
		t.Errorf("the next recording: got %q", said)
	}
	if text := read(t, file); !strings.HasPrefix(text, whole) || strings.Count(text, "\n") != 2 || len(classified(t, file)) != 1 {
		t.Errorf("got %s, want two whole records", text)
	}
}

// TestRecordKilled: whatever moment a recording is killed at, its file holds
// whole records, and the next recording goes on with it.
func TestRecordKilled(t *testing.T) {
	s, file := recorded(t), filepath.Join(t.TempDir(), "session.jsonl")
	before := 0
	for round := range 3 {
		r := startRecording(t, "record", "--upstream", s.URL, "--out", file)
		client := &http.Client{Transport: &http.Transport{}}
		over := make(chan bool)
		go func() {
			defer close(over)
			for i := 0; r.call(client, i, "long") != 0; i++ {
			}
		}()
		wait(t, "some records", func() bool {
			text, _ := os.ReadFile(file)
			return bytes.Count(text, []byte("\n")) > before+20
		})
		r.end(syscall.SIGKILL)
		<-over
		client.CloseIdleConnections()
		all, text := classified(t, file), read(t, file)
		before = strings.Count(text, "\n")
		if !strings.HasSuffix(text, "\n") || len(all) == 0 {
			t.Errorf("round %d: got a file that ends in %q", round, text[max(0, len(text)-100):])
		}
	}
}

// TestRecordInjects: calls fail on the way as the recipe says, and everything
// that reads the records is told so. Without --out they go to standard output.
func TestRecordInjects(t *testing.T) {
	s, dir := recorded(t), t.TempDir()
	r := startRecording(t, "record", "--upstream", s.URL, "--inject", "success +status=503", "--seed", "1")
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	if got := r.send(client, `{"jsonrpc":"2.0","id":"a","method":"tools/list"}`); got != 200 {
		t.Errorf("tools/list: got %d", got)
	}
	if got := r.call(client, 5, "plain"); got != 503 {
		t.Errorf("the call: got %d, want 503", got)
	}
	out, status, _ := r.end(os.Interrupt)
	if status != 0 || !strings.Contains(r.said.String(), "seed 1") || !strings.Contains(r.said.String(), "1 HTTP_ERROR") || !strings.Contains(r.said.String(), "1 answer injected") {
		t.Errorf("got status %d, %s", status, r.said.String())
	}
	file := filepath.Join(dir, "r.jsonl")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(classified(t, file)), "map[1: 2:HTTP_ERROR injected success +status=503]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if table, err := exec.Command("replyproof", "classify", file).Output(); err != nil || !strings.Contains(string(table), "tools/call plain, id 5, injected") {
		t.Errorf("got %s, %v, want it told that the answer was injected", table, err)
	}
}

func TestRecordUsage(t *testing.T) {
	diary := filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("Dear diary\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`required flag(s) "upstream" not set`:                        {},
		"--upstream: the upstream is no URL":                         {"--upstream", "http://h:x"},
		"--listen: loopback: listen on 0.0.0.0:0: only 127.0.0.1 is": {"--upstream", "http://h", "--listen", "0.0.0.0:0"},
		"--body-limit 0: must be at least 1 byte":                    {"--upstream", "http://h", "--body-limit", "0"},
		"--inject: generators: recipe":                               {"--upstream", "http://h", "--inject", "nonsense"},
		"only the caller itself can give up":                         {"--upstream", "http://h", "--inject", "success +no-answer=cancelled"},
		"the rate 2 must be above 0 and at most 1":                   {"--upstream", "http://h", "--inject-rate", "2"},
		"--seed: is of use with --inject-rate only":                  {"--upstream", "http://h", "--seed", "1"},
		"holds no records of the form replyproof-record/1":           {"--upstream", "http://h", "--out", diary},
		"no-such-folder/r.jsonl: no such file or directory":          {"--upstream", "http://h", "--out", filepath.Join(diary[:len(diary)-len("diary.txt")], "no-such-folder/r.jsonl")},
	} {
		out, err := exec.Command("replyproof", append([]string{"record"}, args...)...).CombinedOutput()
		if status := exitCode(err); status != statusUsage || !strings.Contains(string(out), want) {
			t.Errorf("%v: got status %d, %s, want 2 and %q", args, status, out, want)
		}
	}
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}
