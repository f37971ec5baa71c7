//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKilledCheckGoesOn: a long run is killed twice. Each time it goes on where it
// was, with the seed that it had drawn, and all that had been found is told at the
// end.
func TestKilledCheckGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := func() journal {
		var j journal
		if text, err := os.ReadFile(filepath.Join(dir, journalName)); err == nil {
			if err := json.Unmarshal(text, &j); err != nil {
				t.Fatalf("a journal that is not whole: %v", err)
			}
		}
		return j
	}
	command := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		said := &bytes.Buffer{}
		cmd := exec.Command("replyproof", append([]string{"check", "--adapter", "yes-man", "--cases", "corpus,random", "--report-dir", dir}, args...)...)
		cmd.Stderr = said
		return cmd, said
	}
	// until has a run killed once it has saved that many cases.
	until := func(cases int, args ...string) string {
		cmd, said := command(append(args, "--for", "1h")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait(t, "the journal", func() bool { s := kept().State; return s != nil && s.Counts.Cases > cases })
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		return said.String()
	}
	until(0)
	first := kept()
	if said := until(first.State.Counts.Cases, "--resume"); !strings.Contains(said, "going on in "+dir+" after ") {
		t.Errorf("got %s, want it to say where it goes on", said)
	}
	second := kept()
	if first.Seed != second.Seed || second.State.Used <= first.State.Used || len(second.State.Causes) < len(first.State.Causes) {
		t.Errorf("got seed %s, %s used, %d causes; want seed %s, and no less than %s and %d", second.Seed, second.State.Used,
			len(second.State.Causes), first.Seed, first.State.Used, len(first.State.Causes))
	}
	// What a write that was cut short would have left.
	torn := filepath.Join(dir, "."+journalName+"-123")
	if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The time is over: what is told is what had been found.
	cmd, said := command("--resume", "--for", "1ms")
	if _ = cmd.Run(); cmd.ProcessState.ExitCode() != statusFindings {
		t.Fatalf("got %v, want status 1\n%s", cmd.ProcessState, said)
	}
	var told struct {
		Seed     string
		Cases    int
		Complete bool
		Causes   []json.RawMessage
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	if told.Seed != first.Seed || told.Cases != second.State.Counts.Cases || len(told.Causes) != len(second.State.Causes) || len(told.Causes) == 0 {
		t.Errorf("got seed %s, %d cases, %d causes; want those of the journal, %s, %d and %d",
			told.Seed, told.Cases, len(told.Causes), first.Seed, second.State.Counts.Cases, len(second.State.Causes))
	}
	if _, err := os.Stat(torn); err == nil {
		t.Errorf("%s is still there", torn)
	}
}
