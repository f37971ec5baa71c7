//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/replyproof/replyproof/properties/runner"
)

// What is not as it was written is not gone on with, wherever it was changed.
func TestParseJournal(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), journalName)
	written := journal{Seed: "7", Run: []runPart{{"seed", "7"}}, State: &runner.State{Subject: "mine <1>", Fixed: 12}}
	if err := written.write(name); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if j, err := parseJournal(text); err != nil || j.Seed != "7" || len(j.Run) != 1 || j.State.Fixed != 12 || j.State.Subject != "mine <1>" {
		t.Fatalf("got %+v, %v, want what was written", j, err)
	}
	changed := func(old, now string) []byte {
		if !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s holds no %s", text, old)
		}
		return bytes.Replace(text, []byte(old), []byte(now), 1)
	}
	for _, test := range []struct {
		name string
		text []byte
		want string
	}{
		{"empty", nil, "is no journal of a run"},
		{"cut", text[:len(text)/2], "is no journal of a run"},
		{"of zeros", make([]byte, len(text)), "is no journal of a run"},
		{"a list", []byte("[]"), "is no journal of a run"},
		{"of another format", changed(journalFormat, "replyproof-journal/9"), `of the format "replyproof-journal/9"`},
		{"a digit is another", changed(`"fixed":12`, `"fixed":13`), "its sum is another"},
		{"a member is gone", changed(`"fixed":12,`, ""), "its sum is another"},
		{"without a state", changed(`"state":{`, `"other":{`), "its sum is another"},
	} {
		if _, err := parseJournal(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// A second run in a folder in which one is at work is refused, and disturbs nothing.
// Once the first is gone, killed, the folder is free.
func TestTwoChecksAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		said := &bytes.Buffer{}
		cmd := exec.Command("replyproof", append([]string{"check", "--adapter", "yes-man", "--cases", "corpus,random", "--report-dir", dir}, args...)...)
		cmd.Stderr = said
		return cmd, said
	}
	first, _ := run("--for", "1h", "--seed", "1")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, journalName)
	wait(t, "the journal", func() bool { _, err := os.Stat(path); return err == nil })
	torn := filepath.Join(dir, "."+journalName+"-1") // as the first one's, half written
	if err := os.WriteFile(torn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-n", "1"}, {"-n", "1", "--resume"}} {
		second, said := run(args...)
		if _ = second.Run(); second.ProcessState.ExitCode() != statusUsage || !strings.Contains(said.String(), "another check is at work there, process ") {
			t.Errorf("%q: got %v, %s; want status 2 and who is at work there", args, second.ProcessState, said)
		}
	}
	if _, err := os.Stat(torn); err != nil {
		t.Errorf("what the first run was writing is gone: %v", err)
	}
	if err := first.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	third, said := run("--resume", "--for", "1ms")
	if _ = third.Run(); third.ProcessState.ExitCode() != statusFindings || !strings.Contains(said.String(), "going on in ") {
		t.Errorf("got %v, %s; want it to go on", third.ProcessState, said)
	}
	if _, err := os.Stat(filepath.Join(dir, lockName)); err == nil {
		t.Error("the lock is still there")
	}
}

// A journal that is no file is not waited for, whether it is wanted or not.
func TestJournalThatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, journalName), 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range []string{"", "--resume"} {
		want := map[string]int{"": statusFindings, "--resume": statusUsage}[args]
		cmd := exec.CommandContext(t.Context(), "replyproof", append([]string{"check", "--adapter", "yes-man", "--cases", "corpus", "--report-dir", dir}, strings.Fields(args)...)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != want || !strings.Contains(string(out), "is no regular file") {
			t.Errorf("%q: got %v, %.500s; want status %d and why", args, cmd.ProcessState, out, want)
		}
	}
}

// What a name of the lock leads to is not written to.
func TestLockThatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("replyproof", "check", "--adapter", "yes-man", "--case", "article/baseline-complete", "--report-dir", dir).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusUsage || !strings.Contains(string(out), lockName+" is no regular file; remove it") {
		t.Errorf("got %v, %s; want status 2 and what is wrong", err, out)
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "mine" {
		t.Errorf("got %q, %v; want it as it was", text, err)
	}
}

// A run that is stopped before its adapter is ready says so, and leaves what an
// earlier one reported.
func TestStoppedBeforeReady(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	if err := os.WriteFile(report, []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command("replyproof", "check", "--adapter", "sh -c 'echo > begun; sleep 3600'", "--start-timeout", "1h", "--case", "article/baseline-complete", "--report-dir", dir)
	cmd.Dir, cmd.Stderr = t.TempDir(), &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, "the adapter", func() bool { _, err := os.Stat(filepath.Join(cmd.Dir, "begun")); return err == nil })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != statusUsage || !strings.Contains(said.String(), "stopped before any case had its turn") {
		t.Errorf("got %v, %s; want status 2 and that it was stopped", cmd.ProcessState, &said)
	}
	if text, err := os.ReadFile(report); err != nil || string(text) != "earlier" {
		t.Errorf("got the report %q, %v; want it as it was", text, err)
	}
}
