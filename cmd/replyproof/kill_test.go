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

	"github.com/replyproof/replyproof/corpus"
)

// finder is a module with a target that finds inputs for a long time, and one
// that fails soon.
var finder = map[string]string{
	"go.mod": "module example.com/finder\n\ngo 1.26\n",
	"finder_test.go": `package finder

import "testing"

func FuzzFails(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1 {
			t.Fatal("too long")
		}
	})
}

func FuzzFinds(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		switch len(data) {
		case 1: t.Log(1)
		case 2: t.Log(2)
		case 3: t.Log(3)
		case 4: t.Log(4)
		case 5: t.Log(5)
		case 6: t.Log(6)
		}
	})
}
`,
}

// TestKilledNightLosesNothing: a night is killed in the midst of its search. All
// that it had kept is there, whole; nothing is half written; --resume goes on with
// it, as long as it was to last, and tells what the first part had found.
func TestKilledNightLosesNothing(t *testing.T) {
	t.Parallel()
	dir, night := t.TempDir(), t.TempDir()
	for name, text := range finder {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	temp := t.TempDir()
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		out := &bytes.Buffer{}
		cmd := exec.Command("replyproof", append([]string{"nightly", "--corpus", night, "--jobs", "1", "--json"}, args...)...)
		cmd.Dir, cmd.Stdout, cmd.Env = dir, out, append(os.Environ(), "TMPDIR="+temp)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, out
	}
	// Long enough that it cannot be over before it is killed.
	cmd, _ := start("--for", "1h", "--seed", "3", "--targets", "FuzzFails|FuzzFinds")
	kept := filepath.Join(night, "inputs", "example.com", "finder", "FuzzFinds")
	filed := filepath.Join(dir, "testdata", "fuzz", "FuzzFails")
	// The properties have the first fifth of the hour: what is waited for comes
	// after them, so they are passed over as if they were done.
	wait(t, "the night's journal", func() bool { return len(journals(night)) == 1 })
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	f, err := os.OpenFile(journals(night)[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n" + `{"event":"check","used":1,"check":{"name":"properties","seconds":1,"summary":"done"}}` + "\n" + `{"event":"rou`); err != nil {
		t.Fatal(err)
	}
	f.Close()

	cmd, _ = start("--resume")
	var before []string
	wait(t, "inputs and a failing input", func() bool {
		before = names(kept)
		return len(before) >= 2 && len(names(filed)) == 1
	})
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	for _, name := range append(names(kept), names(filed)...) {
		path := filepath.Join(kept, name)
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(filed, name)
		}
		file, err := os.ReadFile(path)
		if err != nil || corpus.SeedName(file) != name {
			t.Errorf("%s: got %q, %v, want it whole", path, file, err)
		}
	}
	for _, name := range before {
		if _, err := os.Stat(filepath.Join(kept, name)); err != nil {
			t.Errorf("what was kept is gone: %v", err)
		}
	}
	test := exec.Command("go", "test", "-run", "FuzzFails", ".")
	test.Dir = dir
	if out, err := test.CombinedOutput(); err == nil || !strings.Contains(string(out), "too long") {
		t.Errorf("go test: got %v, %s, want the failure that was found", err, out)
	}

	// Once more, and to its end: as if the hour were nearly over.
	f, err = os.OpenFile(journals(night)[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n" + `{"event":"check","used":3590,"check":{"name":"late","seconds":1,"summary":"done"}}` + "\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	cmd, out := start("--resume")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != statusFindings {
		t.Fatalf("got %v, want status 1\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var report struct {
		Seed    uint64
		Resumed bool
		Seconds float64
		Targets []struct {
			Target   string
			Failures []struct{ Input string }
			Corpus   struct{ Inputs int }
		}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &report); err != nil {
		t.Fatal(err)
	}
	if report.Seed != 3 || !report.Resumed || report.Seconds < 3590 || len(report.Targets) != 2 {
		t.Errorf("got %+v, want the night of an hour and seed 3, gone on with", report)
	}
	for _, one := range report.Targets {
		if one.Target == "FuzzFails" && (len(one.Failures) != 1 || !strings.Contains(one.Failures[0].Input, "[]byte")) {
			t.Errorf("got %+v, want the failure that the killed night had found", one)
		}
		if one.Target == "FuzzFinds" && one.Corpus.Inputs == 0 {
			t.Errorf("got %+v, want the inputs that the killed night had found", one)
		}
	}
}

// TestTwoNightsAtOnce: the second is told who has the folder, and disturbs nothing.
func TestTwoNightsAtOnce(t *testing.T) {
	t.Parallel()
	dir, night := t.TempDir(), t.TempDir()
	for name, text := range finder {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := exec.Command("replyproof", "nightly", "--corpus", night, "--for", "1h", "--jobs", "1")
	first.Dir, first.Env = dir, append(os.Environ(), "TMPDIR="+t.TempDir())
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = first.Process.Signal(os.Interrupt)
		_ = first.Wait()
	}()
	wait(t, "the first night", func() bool { return len(journals(night)) == 1 })
	second := exec.Command("replyproof", "nightly", "--corpus", night, "--for", "1s", "--jobs", "1")
	second.Dir = dir
	out, err := second.CombinedOutput()
	if second.ProcessState.ExitCode() != statusUsage || !strings.Contains(string(out), "another nightly has this folder") || !strings.Contains(string(out), "--corpus") {
		t.Errorf("got %v, %s, want status 2 and who has the folder", err, out)
	}
	if got := journals(night); len(got) != 1 {
		t.Errorf("got %q, want the first night's journal alone", got)
	}
}

func journals(night string) []string {
	all, _ := filepath.Glob(filepath.Join(night, "nights", "*.jsonl"))
	return all
}

// names are the files of a folder that are not hidden.
func names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var all []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			all = append(all, e.Name())
		}
	}
	return all
}
