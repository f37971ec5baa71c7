//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTwoGigabytesOfZeros: an input that no answer is like ends fast and takes
// no memory to speak of, whatever it is taken for and however it comes.
func TestTwoGigabytesOfZeros(t *testing.T) {
	zeros := filepath.Join(t.TempDir(), "zeros")
	f, err := os.Create(zeros)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(2 << 30); err != nil {
		t.Fatal(err)
	}
	f.Close()
	tests := []struct {
		name    string
		command string
		want    string
		most    int64 // MiB
	}{
		{"a file", "replyproof classify " + zeros, "larger than 256 MiB", 100},
		{"standard input from a file", "replyproof classify - < " + zeros, "larger than 256 MiB", 100},
		{"JSON lines", "replyproof classify --from jsonl " + zeros, "begins with a zero byte", 100},
		{"JSON lines that begin well", "(printf '{'; cat " + zeros + ") | replyproof classify --from jsonl", "longer than 268435456 bytes", 1500},
		{"a pipe", "cat " + zeros + " | replyproof classify", "larger than 256 MiB", 1500},
		{"a small limit", "cat " + zeros + " | replyproof classify --limit 1", "larger than 1 MiB", 100},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var said bytes.Buffer
			cmd := exec.Command("sh", "-c", test.command)
			cmd.Stderr = &said
			err := cmd.Run()
			if err == nil || cmd.ProcessState.ExitCode() != statusUsage {
				t.Errorf("got %v, want exit status %d", err, statusUsage)
			}
			if !strings.Contains(said.String(), test.want) {
				t.Errorf("got %q, want %q in it", said.String(), test.want)
			}
			// Maxrss is that of the largest process of the pipeline, in KiB.
			if got := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; got > test.most*underRace {
				t.Errorf("took %d MiB, want at most %d", got, test.most*underRace)
			}
			// Time of the processors, which other work on the machine does not lengthen much.
			if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > 30*time.Second*underRace {
				t.Errorf("took %s", took)
			}
		})
	}
}
