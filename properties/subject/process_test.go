//go:build unix

package subject_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
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
		{"client-deaf", "it skipped it: the call never reached the server"},
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

// What has started before is given three attempts when it is to start again.
func TestProcessStartsAgain(t *testing.T) {
	for name, want := range map[string]struct {
		starts int
		broken bool
	}{"starts": {3, false}, "starts-ever": {4, true}} {
		p := process("third")
		file := filepath.Join(t.TempDir(), name)
		p.Env = append(p.Env, startsEnv+"="+file)
		if _, err := p.Start(t.Context(), 30*time.Second); err != nil {
			t.Fatal(err)
		}
		var fates []subject.Fate
		var err error
		for range 3 {
			var o subject.Observation
			if o, err = p.Ask(t.Context(), subject.Trial{Case: answered(500)}); err != nil {
				break
			}
			fates = append(fates, o.Fate)
		}
		if errors.Is(err, subject.ErrBroken) != want.broken || len(fates) < 2 || fates[1] != subject.Crashed || !want.broken && fates[2] != subject.Answered {
			t.Errorf("%s: got %v, %v", name, fates, err)
		}
		if starts, err := os.ReadFile(file); err != nil || len(starts) != want.starts {
			t.Errorf("%s: got %d starts, %v, want %d", name, len(starts), err, want.starts)
		}
		p.Close()
	}
}

// Nothing that an adapter says is kept or told without a bound.
func TestProcessWithMuchToSay(t *testing.T) {
	const most = 10 << 10 // of a message with all that belongs to it
	for _, test := range []struct{ mode, want string }{
		{"wordy-broken", "it says that it is broken: xxx"},
		{"wordy-kind", `its kind is "xxx`},
		{"wordy-tells", "its tells hold a word of 400000 bytes"},
		{"many-tells", "its tells hold 80001 words"},
		{"wordy-word", `it saw "xxx`},
		{"wordy-breaks", "it says that it is broken: xxx"},
		{"wordy-code", "its code is a number of 400001 bytes, want at most 4096"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			p := process(test.mode)
			defer p.Close()
			_, err := p.Start(context.Background(), 30*time.Second)
			if err == nil {
				_, err = p.Ask(context.Background(), subject.Trial{Case: answered(500)})
			}
			if !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), test.want) || len(err.Error()) > most {
				text := fmt.Sprint(err)
				t.Errorf("got %d bytes that begin with %.200q, want a broken adapter, %q, and at most %d bytes", len(text), text, test.want, most)
			}
		})
	}
	p := process("wordy-name")
	defer p.Close()
	info, err := p.Start(context.Background(), 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if info.Version = info.Version + info.ProtocolVersion; len(info.Name) > 250 || len(info.Version) > 500 {
		t.Errorf("got a name of %d bytes and versions of %d", len(info.Name), len(info.Version))
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
		{"text-code", subject.Observation{Saw: "RPC_ERROR"}, ""},
		{"long-text", subject.Observation{Saw: "ERROR", Text: strings.Repeat("x", 2048) + " … " + strings.Repeat("x", 2048)}, ""},
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

func TestProcessBrokenProtocol(t *testing.T) {
	for _, test := range []struct{ mode, want string }{
		{"long-line", "it wrote a line of more than 1048576 bytes"},
		{"wrong-seq", "its answer has seq 3 where 2 was asked"},
		{"no-seq", "its answer has seq none where 2 was asked"},
		{"unknown-word", `it saw "OOPS", which is not among the words`},
		{"untold-word", `it saw "HTTP_ERROR", which is not among the words`},
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
