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

	"github.com/replyproof/replyproof/properties/subject"
)

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
			// The child holds its output open for an hour, longer than any test
			// may take: that Ask is back shows that it did not wait for it.
			o, err := p.Ask(context.Background(), subject.Trial{Case: answered(500)})
			if err != nil || o.Fate != subject.Hung && o.Fate != subject.Crashed {
				t.Fatalf("got %v, %v", unfold(o), err)
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
// asks it, and so do its children.
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
			var pid, child int
			if _, err := fmt.Sscan(string(text), &pid, &child); err != nil {
				t.Fatal(err)
			}
			if end == "is-killed" {
				// Long enough for an idle thread to end, had it started the adapter.
				time.Sleep(200 * time.Millisecond)
				if gone(pid) || gone(child) {
					t.Error("the adapter died before its parent")
				}
				cmd.Process.Kill()
			}
			cmd.Wait()
			defer syscall.Kill(pid, syscall.SIGKILL)
			defer syscall.Kill(child, syscall.SIGKILL)
			wait(t, "the end of the adapter", func() bool { return gone(pid) })
			wait(t, "the end of its child", func() bool { return gone(child) })
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
