//go:build unix

package subject_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

func process(mode string) *subject.Process {
	return &subject.Process{
		Command:      []string{os.Args[0]},
		Env:          append(os.Environ(), adapterEnv+"="+mode),
		StartTimeout: 30 * time.Second,
		Grace:        200 * time.Millisecond,
	}
}

func answered(status int) corpus.Case {
	c := subject.Plain()
	c.Status = &status
	return c
}

func TestProcessHandshake(t *testing.T) {
	p := process("good")
	defer p.Close()
	info, err := p.Start(context.Background(), 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if info.Name != "tester" || info.Version != "1.2" || info.Kind != subject.KindClassifier || info.ProtocolVersion != "2026-07-28" {
		t.Errorf("got %+v", info)
	}
	if !info.Tells.Holds(classifier.ToolError) || info.Tells.Holds(classifier.Accepted) {
		t.Errorf("tells %q", info.Tells.Words())
	}
}

func TestProcessBrokenHandshake(t *testing.T) {
	for _, test := range []struct{ mode, want string }{
		{"exits", "exit status 7; standard error ends with \"no such module\\n\""},
		{"silent", "no answer within 300ms"},
		{"chatty", "no JSON object: \"Listening…\""},
		{"early", `its first line is not {"ready":true,…}`},
		{"client", "its call does not reach the server"},
		{"merges", "merges success with something else"},
		{"unready", `its first line is not {"ready":true,…}`},
		{"kindless", `its kind is ""`},
		{"says-broken", "it says that it is broken: no port"},
		{"blind", "it saw ERROR where it must see success"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			p := process(test.mode)
			if test.mode == "silent" {
				p.StartTimeout = 300 * time.Millisecond
			}
			_, err := p.Start(context.Background(), 30*time.Second)
			if !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a broken adapter and %q", err, test.want)
			}
			if err := p.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

func TestProcessNoProgram(t *testing.T) {
	p := &subject.Process{Command: []string{"/no/such/program"}}
	if _, err := p.Start(context.Background(), 0); !errors.Is(err, subject.ErrBroken) {
		t.Errorf("got %v, want a broken adapter", err)
	}
	p = &subject.Process{}
	if _, err := p.Start(context.Background(), 0); !errors.Is(err, subject.ErrBroken) {
		t.Errorf("got %v, want a broken adapter", err)
	}
}

func TestProcessFates(t *testing.T) {
	status := 500
	for _, test := range []struct {
		mode   string
		want   subject.Observation
		stderr string
	}{
		{"good", subject.Observation{Saw: "ERROR", Status: &status}, ""},
		{"code", subject.Observation{Saw: "RPC_ERROR", Code: "-3.2602e4", Status: &status, Text: "bad", Dead: true}, ""},
		{"skips", subject.Observation{Fate: subject.Skipped, Text: "cannot play this"}, ""},
		{"crash", subject.Observation{Fate: subject.Crashed, Text: "it ended before it answered: exit status 3"}, "about to die\n"},
		{"killed", subject.Observation{Fate: subject.Crashed, Text: "it ended before it answered: signal: killed"}, ""},
		{"hang", subject.Observation{Fate: subject.Hung, Text: "no answer within 1s"}, "thinking\n"},
		{"closes-output", subject.Observation{Fate: subject.Crashed, Text: "it ended before it answered"}, ""},
	} {
		t.Run(test.mode, func(t *testing.T) {
			p := process(test.mode)
			defer p.Close()
			deadline := 30 * time.Second
			if test.mode == "hang" {
				deadline = 900 * time.Millisecond
			}
			if _, err := p.Start(context.Background(), deadline); err != nil {
				t.Fatal(err)
			}
			for round := range 2 { // the second time after a restart, where it died
				got, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)})
				if err != nil {
					t.Fatal(err)
				}
				text := got.Stderr
				got.Stderr = ""
				if fmt.Sprint(unfold(got)) != fmt.Sprint(unfold(test.want)) || !strings.HasPrefix(text, test.stderr) {
					t.Errorf("round %d: got %v, standard error %q; want %v", round, unfold(got), text, unfold(test.want))
				}
			}
			if got, err := p.Ask(context.Background(), subject.Trial{Case: answered(200)}); err != nil || got.Saw != "SUCCESS" {
				t.Errorf("a success afterwards: got %v, %v", unfold(got), err)
			}
		})
	}
}

func unfold(o subject.Observation) string {
	status := "none"
	if o.Status != nil {
		status = strconv.Itoa(*o.Status)
	}
	o.Status = nil
	return fmt.Sprintf("%+v status %s", o, status)
}

func TestProcessBrokenProtocol(t *testing.T) {
	for _, test := range []struct{ mode, want string }{
		{"long-line", "it wrote a line of more than 1048576 bytes"},
		{"wrong-seq", "its answer has seq 3 where 2 was asked"},
		{"no-seq", "its answer has seq none where 2 was asked"},
		{"unknown-word", `it saw "OOPS", which is not among the words`},
		{"untold-word", `it saw "HTTP_ERROR", which is not among the words`},
		{"text-code", "which is no number"},
		{"text-status", `its status is "500", which is no int`},
		{"nothing", "must hold one of saw, skip and broken"},
		{"no-json", "no JSON object: \"Error: x is not a function\""},
		{"breaks", "it says that it is broken: lost the port"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			p := process(test.mode)
			defer p.Close()
			if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
				t.Fatal(err)
			}
			_, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)})
			if !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a broken adapter and %q", err, test.want)
			}
		})
	}
}

func TestProcessTwoAnswers(t *testing.T) {
	p := process("two-answers")
	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	_, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)})
	if !errors.Is(err, subject.ErrBroken) { // for a line that nobody had asked for, or for its seq
		t.Errorf("second question: got %v, want a broken adapter", err)
	}

	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)}); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); !errors.Is(err, subject.ErrBroken) {
		t.Errorf("close: got %v, want a broken adapter", err)
	}
}

func TestProcessFinish(t *testing.T) {
	for _, test := range []struct {
		mode   string
		broken bool
	}{{"good", false}, {"stays", false}, {"last-word", true}} {
		t.Run(test.mode, func(t *testing.T) {
			p := process(test.mode)
			if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if err := p.Close(); errors.Is(err, subject.ErrBroken) != test.broken {
				t.Errorf("got %v, want broken %v", err, test.broken)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			if err := p.Close(); err != nil {
				t.Errorf("second close: %v", err)
			}
		})
	}
}

func TestProcessKillsChildren(t *testing.T) {
	for _, mode := range []string{"hang-with-child", "dies-with-child"} {
		t.Run(mode, func(t *testing.T) {
			p := process(mode)
			defer p.Close()
			deadline := 30 * time.Second
			if mode == "hang-with-child" {
				deadline = time.Second
			}
			if _, err := p.Start(context.Background(), deadline); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			o, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)})
			if err != nil || o.Fate != subject.Hung && o.Fate != subject.Crashed {
				t.Fatalf("got %v, %v", unfold(o), err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			_, text, _ := strings.Cut(o.Stderr, "child=")
			text, _, _ = strings.Cut(text, ".")
			child, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("no child named in %q", o.Stderr)
			}
			for range 1000 {
				if gone(child) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("child %d is still there", child)
		})
	}
}

// gone tells whether a process has ended; one that nobody has waited for yet counts.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// pidEnv names the file in which a busy adapter leaves its number.
const pidEnv = "REPLYPROOF_TEST_PID"

// harness is a process that asks a busy adapter and ends meanwhile: by KillAll,
// or when it is killed from outside.
func harness(end string) {
	p := process("busy")
	if _, err := p.Start(context.Background(), time.Hour); err != nil {
		panic(err)
	}
	if end == "kills-all" {
		go func() {
			for {
				if _, err := os.Stat(os.Getenv(pidEnv)); err == nil {
					subject.KillAll()
					if _, err := process("good").Start(context.Background(), time.Hour); !errors.Is(err, subject.ErrBroken) {
						panic("an adapter started after KillAll")
					}
					os.Exit(0)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	p.Ask(context.Background(), subject.Trial{Case: answered(500)})
	time.Sleep(time.Hour)
}

// A busy adapter, which does not see its input end, dies with the process that
// asks it.
func TestProcessDiesWithItsParent(t *testing.T) {
	for _, end := range []string{"kills-all", "is-killed"} {
		t.Run(end, func(t *testing.T) {
			if end == "is-killed" && runtime.GOOS != "linux" {
				t.Skip("only Linux kills the children of a process that was killed")
			}
			file := filepath.Join(t.TempDir(), "pid")
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), adapterEnv+"=harness-"+end, pidEnv+"="+file)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var text []byte
			wait(t, "the busy adapter", func() bool { text, _ = os.ReadFile(file); return len(text) > 0 })
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if end == "is-killed" {
				// Long enough for an idle thread to end, had it started the adapter.
				time.Sleep(200 * time.Millisecond)
				if gone(pid) {
					t.Error("the adapter died before its parent")
				}
				cmd.Process.Kill()
			}
			cmd.Wait()
			defer syscall.Kill(pid, syscall.SIGKILL)
			wait(t, "the end of the adapter", func() bool { return gone(pid) })
		})
	}
}

// wait waits until it is so.
func wait(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 2000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

func TestProcessCancelled(t *testing.T) {
	p := process("hang")
	defer p.Close()
	if _, err := p.Start(context.Background(), time.Minute); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.Ask(ctx, subject.Trial{Case: answered(500)}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, subject.ErrBroken) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// The line that is being sent when the context ends must not meet a process that
// has been forgotten meanwhile.
func TestProcessCancelledWhileItSends(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 100 {
		p := process("good")
		if _, err := p.Start(ctx, time.Minute); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		p.Close()
	}
}

func TestProcessBigCase(t *testing.T) {
	c := answered(500)
	c.Body = []byte(strings.Repeat("x", 4<<20))
	for _, test := range []struct {
		mode     string
		deadline time.Duration
		fate     subject.Fate
	}{{"good", time.Minute, subject.Answered}, {"hang", 200 * time.Millisecond, subject.Hung}} {
		p := process(test.mode)
		if _, err := p.Start(context.Background(), test.deadline); err != nil {
			t.Fatal(err)
		}
		if o, err := p.Ask(context.Background(), subject.Trial{Case: c}); err != nil || o.Fate != test.fate {
			t.Errorf("%s: got %v, %v", test.mode, unfold(o), err)
		}
		p.Close()
	}
}

// What an adapter is told: the answer as delivered, and nothing of what is expected.
func TestProcessCaseLine(t *testing.T) {
	status, cut := 500, 9
	c := corpus.Case{
		ID: "secret/id", Rule: "6", Why: "secret why", Source: "secret source", Tags: []string{"secret"},
		RequestID: classifier.StringID("a"), Status: &status, Headers: corpus.Headers{{Name: "x", Value: "y"}},
		Body: []byte(`{"id":{{id}}}`), CutAfter: &cut,
		Expect:         &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError},
		AlsoAcceptable: []string{"JSONRPC_ERROR"},
	}
	p := process("echo")
	defer p.Close()
	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	o, err := p.Ask(context.Background(), subject.Trial{Case: c})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"seq":2,"case":{"request_id":"a","status":500,"headers":{"x":"y"},"body":"{\"id\":\"a\"","ended":"reset"}}`
	if got := strings.TrimSpace(o.Text); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.Body, c.CutAfter, c.Status = []byte("\xff{{id}}"), nil, nil
	o, err = p.Ask(context.Background(), subject.Trial{Case: c})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(o.Text, `"status":null`) || !strings.Contains(o.Text, `"body_base64":"/yJhIg=="`) {
		t.Errorf("got %s", o.Text)
	}
}

// A case that JSON cannot hold is passed over with the reason, and the adapter
// goes on to the next.
func TestProcessCaseThatJSONCannotHold(t *testing.T) {
	p := process("good")
	defer p.Close()
	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	odd := answered(200)
	odd.ID = "mine/odd-header"
	odd.Headers = append(odd.Headers, corpus.Header{Name: "x-note", Value: "\xff"})
	got, err := p.Ask(context.Background(), subject.Trial{Case: odd})
	if err != nil || got.Fate != subject.Skipped || !strings.Contains(got.Text, `write case "mine/odd-header"`) {
		t.Errorf("got %+v, %v, want it skipped", got, err)
	}
	if got, err = p.Ask(context.Background(), subject.Trial{Case: answered(200)}); err != nil || got.Fate != subject.Answered {
		t.Errorf("the next case: got %+v, %v, want an answer", got, err)
	}
}
