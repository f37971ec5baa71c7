package nightly

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// targets is a module of fuzz targets, each with a fate of its own.
const targets = `package night

import (
	"os"
	"testing"
)

func FuzzGood(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {})
}

func FuzzSeed(f *testing.F) {
	f.Add([]byte("fine"))
	f.Add([]byte("bad"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if string(b) == "bad" {
			t.Fatal("no bad seeds please")
		}
	})
}

func FuzzFound(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1 {
			t.Fatal("too long")
		}
	})
}

func FuzzDies(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1 {
			os.Exit(7)
		}
	})
}

func FuzzZ(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {})
}
`

// module writes a Go module with these test files and gives its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/night\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func night(t *testing.T, o Options) (*Report, error) {
	t.Helper()
	o.Jobs = 1
	o.Display = progress.New(io.Discard, false)
	return Run(t.Context(), o)
}

func TestEveryTargetRunsAndFailuresReproduce(t *testing.T) {
	dir := module(t, map[string]string{"night_test.go": targets, "broken/b_test.go": "package broken\nfunc FuzzX( {\n"})
	r, err := night(t, Options{Dir: dir, For: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		target, says, reproduce string
		file                    bool
	}{
		{"FuzzGood", "", "", false},
		{"FuzzSeed", "no bad seeds please", `^go test -run='\^FuzzSeed\$/\^seed#1\$' example.com/night$`, false},
		{"FuzzFound", "too long", `^go test -run='\^FuzzFound\$/\^[0-9a-f]+\$' example.com/night$`, true},
		{"FuzzDies", "exit status 7", `^go test -run='\^FuzzDies\$/\^[0-9a-f]+\$' example.com/night$`, true},
		{"FuzzZ", "", "", false},
	}
	if len(r.Targets) != len(want) {
		t.Fatalf("got %d targets, want %d: %+v", len(r.Targets), len(want), r.Targets)
	}
	for i, w := range want {
		got := r.Targets[i]
		if got.Target != w.target {
			t.Errorf("target %d: got %s, want %s", i, got.Target, w.target)
		}
		if w.says == "" {
			if got.Failure != nil || got.Executions == 0 || got.Seconds == 0 {
				t.Errorf("%s: got %d executions and failure %+v, want some and none", w.target, got.Executions, got.Failure)
			}
			continue
		}
		if got.Failure == nil {
			t.Errorf("%s: got no failure, want one", w.target)
			continue
		}
		if !strings.Contains(got.Failure.Output, w.says) {
			t.Errorf("%s: got output %q, want %q in it", w.target, got.Failure.Output, w.says)
		}
		if !regexp.MustCompile(w.reproduce).MatchString(got.Failure.Reproduce) {
			t.Errorf("%s: got reproduction %q, want it to match %s", w.target, got.Failure.Reproduce, w.reproduce)
		}
		if w.file != strings.HasPrefix(got.Failure.Input, "go test fuzz v1\n") {
			t.Errorf("%s: got input %q, want one: %t", w.target, got.Failure.Input, w.file)
		}
		cmd := exec.Command("sh", "-c", got.Failure.Reproduce)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%s: the reproduction passed:\n%s", w.target, out)
		}
	}
	if len(r.Problems) != 1 || r.Problems[0].Package != "example.com/night/broken" {
		t.Errorf("got problems %+v, want one of example.com/night/broken", r.Problems)
	}
	if !r.Failed() {
		t.Error("got a good night, want a failed one")
	}
}

func TestNothingToRun(t *testing.T) {
	none := module(t, map[string]string{"a_test.go": "package night\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n"})
	some := module(t, map[string]string{"a_test.go": targets})
	tests := []struct {
		name string
		o    Options
		want error
	}{
		{"no module", Options{Dir: t.TempDir()}, ErrNoModule},
		{"no target", Options{Dir: none}, ErrNoTargets},
		{"no target of that name", Options{Dir: some, Targets: regexp.MustCompile("^FuzzNone$")}, ErrNoTargets},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.o.For = time.Second
			if _, err := night(t, test.o); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestInterruptStopsChildrenAndReports(t *testing.T) {
	dir := module(t, map[string]string{"night_test.go": targets})
	ctx, cancel := context.WithCancel(t.Context())
	check := Check{Name: "check", Share: 0.1, Run: func(context.Context, time.Duration, func(string)) (string, []string, error) {
		time.AfterFunc(2*time.Second, cancel)
		return "one check", nil, nil
	}}
	began := time.Now()
	r, err := Run(ctx, Options{
		Dir: dir, Targets: regexp.MustCompile("FuzzGood|FuzzZ"), For: time.Hour, Jobs: 1,
		Checks: []Check{check}, Display: progress.New(io.Discard, false),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || r.Failed() {
		t.Errorf("got interrupted %t, failed %t, want true, false: %+v", r.Interrupted, r.Failed(), r.Targets)
	}
	if len(r.Targets) != 1 || r.Targets[0].Target != "FuzzGood" || len(r.NotRun) != 1 {
		t.Errorf("got targets %+v and not run %v, want FuzzGood and FuzzZ", r.Targets, r.NotRun)
	}
	if took := time.Since(began); took > 2*time.Minute {
		t.Errorf("the interrupted night took %s", took)
	}
}

// A target may write a line without end: neither is it kept, nor does it hide
// what follows.
func TestFollowBoundsLines(t *testing.T) {
	const length = 64 << 20
	out := io.MultiReader(strings.NewReader("one\n"), io.LimitReader(endless('x'), length),
		strings.NewReader("\n    Failing input written to testdata/fuzz/FuzzX/1\nlast"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := follow(out, &Result{}, func(string) {})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > length/8 {
		t.Errorf("took %d bytes of memory for a line of %d", used, length)
	}
	said := w.said.String()
	if w.input != "testdata/fuzz/FuzzX/1" || !strings.HasPrefix(said, "one\nxxx") || !strings.Contains(said, "x…\n") || !strings.HasSuffix(said, "last\n") {
		t.Errorf("got input %q and %d bytes said, want the lines before and after the long one", w.input, len(said))
	}
}

// endless reads as one byte again and again.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestSweepRemovesOnlyWhatIsOldAndOurs(t *testing.T) {
	temp := t.TempDir()
	old := time.Now().Add(-25 * time.Hour)
	for name, when := range map[string]time.Time{workPrefix + "old": old, workPrefix + "new": time.Now(), "another-old": old} {
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "cache"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, when, when); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	dir, remove, err := workdir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	remove()
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 2 || entries[0].Name() != "another-old" || entries[1].Name() != workPrefix+"new" {
		t.Errorf("got %v, %v, want what is new and what is not ours", entries, err)
	}
}

func TestFindingsOfAChecksFailTheNight(t *testing.T) {
	r := &Report{Checks: []CheckResult{{Name: "corpus", Findings: []string{"a case disagrees"}}}}
	if !r.Failed() {
		t.Error("got a good night, want a failed one")
	}
}

func TestTheEnginesOwnDeadlineIsNoFailure(t *testing.T) {
	tests := []struct {
		name string
		said string
		want bool
	}{
		{"only the deadline", "--- FAIL: FuzzX (10.02s)\n    context deadline exceeded\nFAIL\n", true},
		{"a failure", "--- FAIL: FuzzX (1.00s)\n    x_test.go:3: context deadline exceeded by far\nFAIL\n", false},
		{"nothing", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w watch
			w.said.WriteString(test.said)
			if got := w.onlyDeadline(); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

func TestLastLineTellsOfTargetsWithoutTime(t *testing.T) {
	var out bytes.Buffer
	r := &Report{Targets: []Result{{Target: "FuzzA"}, {Target: "FuzzB", Executions: 1}, {Target: "FuzzC"}}}
	s := terminal.New(&out, &out)
	Text(s, r)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = "\nOK, but 2 of 3 fuzz targets had no time to fuzz (FuzzA, FuzzC); give them more time; 3 fuzz targets and 0 checks in 0s, seed 0\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}
