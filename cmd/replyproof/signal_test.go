//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stubborn is a module whose fuzz target does not end when it is asked to.
var stubborn = map[string]string{
	"go.mod": "module example.com/stubborn\n\ngo 1.26\n",
	"stubborn_test.go": `package stubborn

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func FuzzStubborn(f *testing.F) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		os.WriteFile(filepath.Join(os.Getenv("PIDS"), strconv.Itoa(os.Getpid())), nil, 0o600)
		time.Sleep(time.Hour)
	})
}
`,
}

// TestSignals: after one signal a run tells what it has; after a second one
// nothing of it is left.
func TestSignals(t *testing.T) {
	check := []string{"check", "--adapter", "stays", "--jobs", "2", "--for", "1h", "--cases", "random", "--seed", "1"}
	// One adapter is asked, the other waits for its input to end.
	idle := []string{"check", "--adapter", "hangs", "--jobs", "2", "--case", "article/baseline-complete", "--deadline", "1h"}
	night := []string{"nightly", "--for", "20s", "--jobs", "1", "--seed", "1", "--json"}
	tests := []struct {
		name    string
		args    []string
		signals []os.Signal
		said    string // on standard output
		told    string // on standard error
		within  time.Duration
	}{
		{"check, Ctrl-C", check, []os.Signal{os.Interrupt}, "STOPPED test adapter", "stopped before all cases had their turn", time.Minute},
		{"check, the terminal goes away", check, []os.Signal{syscall.SIGHUP}, "STOPPED test adapter", "stopped before all cases had their turn", time.Minute},
		{"check, twice", idle, []os.Signal{os.Interrupt, syscall.SIGTERM}, "", "stopped at once", time.Minute},
		{"nightly, Ctrl-C", night, []os.Signal{os.Interrupt}, `"interrupted":true`, "stopped before its time was over", 20 * time.Second},
		{"nightly, twice", night, []os.Signal{os.Interrupt, os.Interrupt}, "", "stopped at once", time.Minute},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(test.signals, os.Signal(syscall.SIGHUP)) && signal.Ignored(syscall.SIGHUP) {
				t.Skip("SIGHUP is ignored here, as under nohup, and so it is by what is started")
			}
			pids, temp, dir := t.TempDir(), t.TempDir(), t.TempDir()
			for name, text := range stubborn {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out, said bytes.Buffer
			args := test.args
			if args[0] == "nightly" {
				args = append([]string{"nightly", "--corpus", t.TempDir()}, args[1:]...)
			}
			cmd := exec.Command("replyproof", args...) // TestMain puts it into PATH
			cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
			cmd.Env = append(os.Environ(), "PIDS="+pids, "TMPDIR="+temp)
			cmd.WaitDelay = time.Second
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			want := 1
			if test.args[0] == "check" {
				want = 2
			}
			var running []os.DirEntry
			wait(t, "the children", func() bool { running, _ = os.ReadDir(pids); return len(running) >= want })
			time.Sleep(300 * time.Millisecond) // until what runs is in the midst of it
			began := time.Now()
			if err := cmd.Process.Signal(test.signals[0]); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			var sending sync.WaitGroup
			for _, s := range test.signals[1:] {
				// A busy machine may show the process two signals at once, which count as one.
				sending.Go(func() {
					for {
						select {
						case <-ended:
							return
						case <-time.After(time.Second):
							cmd.Process.Signal(s)
						}
					}
				})
			}
			err := cmd.Wait()
			close(ended)
			sending.Wait()
			if cmd.ProcessState.ExitCode() != statusUsage {
				t.Errorf("got %v, want status 2", err)
			}
			if took := time.Since(began); took > test.within {
				t.Errorf("it took %s to end", took)
			}
			if !strings.Contains(out.String(), test.said) || !strings.Contains(said.String(), test.told) {
				t.Errorf("got\n%s\nand on standard error\n%s\nwant %q and %q", out.String(), said.String(), test.said, test.told)
			}
			for _, e := range running {
				pid, err := strconv.Atoi(e.Name())
				if err != nil {
					t.Fatal(err)
				}
				wait(t, "the end of "+e.Name(), func() bool { return gone(pid) })
			}
			if left, err := filepath.Glob(filepath.Join(temp, "replyproof-*")); err != nil || len(left) > 0 {
				t.Errorf("got %v left, %v", left, err)
			}
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

// wait waits until it is so.
func wait(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if so() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
