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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/store"
	"github.com/replyproof/replyproof/corpus"
)

// targets is a module of fuzz targets, each with a fate of its own, which it
// meets at once however fast the machine is.
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
			t.Fatalf("too long: %d", len(b))
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

func FuzzPanics(f *testing.F) {
	f.Add("a", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if len(s) > 1 {
			_ = []byte(s)[n-n-1:]
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

// runNight runs a night with one worker in a folder of its own, or the one given.
func runNight(t *testing.T, ctx context.Context, o Options, folder string) (*Report, error) {
	t.Helper()
	if folder == "" {
		folder = t.TempDir()
	}
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if o.Resume {
		if o.Plan, err = Pending(s); err != nil {
			t.Fatal(err)
		}
	}
	o.Jobs, o.Store = 1, s
	if o.Display == nil {
		o.Display = progress.New(io.Discard, false)
	}
	return Run(ctx, o)
}

func target(t *testing.T, r *Report, name string) Result {
	t.Helper()
	for _, one := range r.Targets {
		if one.Target == name {
			return one
		}
	}
	t.Fatalf("no target %s in %+v", name, r.Targets)
	return Result{}
}

func TestEveryTargetRunsAndFailuresReproduce(t *testing.T) {
	dir := module(t, map[string]string{"night_test.go": targets, "broken/b_test.go": "package broken\nfunc FuzzX( { // \u202e\x1b\n"})
	// Longer than anything here takes: each target ends its rounds by a failure,
	// but for the two that hold, which have all the rest.
	r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 30 * time.Second}}, "")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		target, kind, says, reproduce string
		input                         string // the smallest form
	}{
		{"FuzzSeed", fuzzing.KindFailure, "no bad seeds please", `^go test -run='\^FuzzSeed\$/\^seed#1\$' example.com/night$`, ""},
		{"FuzzFound", fuzzing.KindFailure, "too long: 2", `^go test -run='\^FuzzFound\$/\^[0-9a-f]+\$' example.com/night$`, `[]byte("00")`},
		{"FuzzDies", fuzzing.KindDeath, "exit status 7", `^go test -run='\^FuzzDies\$/\^[0-9a-f]+\$' example.com/night$`, `[]byte("00")`},
		{"FuzzPanics", fuzzing.KindPanic, "slice bounds out of range", `^go test -run='\^FuzzPanics\$/\^[0-9a-f]+\$' example.com/night$`, "string(\"00\")\nint(0)"},
	}
	for _, name := range []string{"FuzzGood", "FuzzZ"} {
		if got := target(t, r, name); len(got.Failures) > 0 || got.Executions == 0 || got.Seconds == 0 || got.Rate == 0 {
			t.Errorf("%s: got %+v, want executions and no failure", name, got)
		}
	}
	for _, test := range tests {
		got := target(t, r, test.target)
		if len(got.Failures) != 1 {
			t.Errorf("%s: got %d failures, want one: %+v", test.target, len(got.Failures), got.Failures)
			continue
		}
		f := got.Failures[0]
		if f.Kind != test.kind || !strings.Contains(f.Output, test.says) {
			t.Errorf("%s: got %s, %q, want %s, %q in it", test.target, f.Kind, f.Output, test.kind, test.says)
		}
		if !regexp.MustCompile(test.reproduce).MatchString(f.Reproduce) {
			t.Errorf("%s: got reproduction %q, want it to match %s", test.target, f.Reproduce, test.reproduce)
		}
		fails(t, dir, f.Reproduce)
		if test.input == "" {
			continue
		}
		text, ok := strings.CutPrefix(strings.TrimSpace(f.Input), "go test fuzz v1\n")
		if !ok || text != test.input {
			t.Errorf("%s: got input %q, want %q", test.target, f.Input, test.input)
		}
		if want := filepath.Join(dir, "testdata", "fuzz", test.target); filepath.Dir(f.InputFile) != want {
			t.Errorf("%s: got the input in %s, want it in %s", test.target, f.InputFile, want)
		}
		// One file, the smallest form; further inputs are counted.
		if left := fuzzing.Inputs(fuzzing.Target{Dir: dir, Name: test.target}); len(left) != 1 {
			t.Errorf("%s: got %q in testdata, want one input", test.target, left)
		}
	}
	if f := target(t, r, "FuzzFound").Failures[0]; f.Verdicts == nil || f.Verdicts.Model.Outcome != "MALFORMED_JSON" {
		t.Errorf("got verdicts %+v, want those of a body that is no JSON", f.Verdicts)
	} else if file, err := f.Verdicts.CaseFile(); err != nil {
		t.Error(err)
	} else if _, err := corpus.Parse("case.json", file); err != nil {
		t.Errorf("the proposed case: %v", err)
	}
	fails(t, dir, "go test .") // until it is mended
	if len(r.Problems) != 1 || r.Problems[0].Package != "example.com/night/broken" {
		t.Errorf("got problems %+v, want one of example.com/night/broken", r.Problems)
	}
	if !r.Failed() {
		t.Error("got a good night, want a failed one")
	}
}

// A target goes on after a failure. What fails for the same reason is counted,
// and after a while the target gets no more rounds, which ends this night long
// before its time.
func TestTheSameFailureIsCounted(t *testing.T) {
	dir := module(t, map[string]string{"night_test.go": targets})
	r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: time.Hour, Targets: "FuzzFound"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	got := target(t, r, "FuzzFound")
	if len(got.Failures) != 1 || got.Failures[0].Count != 1+repeatsMost || !strings.Contains(got.Retired, "mend that first") {
		t.Errorf("got %d failures, %+v, retired %q, want one, met %d times, and no more rounds", len(got.Failures), got.Failures, got.Retired, 1+repeatsMost)
	}
	if left := fuzzing.Inputs(fuzzing.Target{Dir: dir, Name: "FuzzFound"}); len(left) != 1 {
		t.Errorf("got %q in testdata, want one input", left)
	}
}

// paths panics in one place, to which several ways lead.
const paths = `package night

import "testing"

func FuzzPaths(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 2 {
			return
		}
		switch b[0] % 4 {
		case 0:
			here(b)
		case 1:
			first(b)
		case 2:
			second(b)
		default:
			func() { second(b) }()
		}
	})
}

//go:noinline
func first(b []byte) { here(b) }

//go:noinline
func second(b []byte) { first(b) }

//go:noinline
func here(b []byte) { panic("here") }
`

// A crash is where it crashes, whatever way led there.
func TestACrashByAnotherWayIsTheSame(t *testing.T) {
	dir := module(t, map[string]string{"night_test.go": paths})
	r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: time.Hour}}, "")
	if err != nil {
		t.Fatal(err)
	}
	got := target(t, r, "FuzzPaths")
	if len(got.Failures) != 1 || got.Failures[0].Count != 1+repeatsMost {
		t.Errorf("got %+v, want one failure, met %d times", got.Failures, 1+repeatsMost)
	}
	if left := fuzzing.Inputs(fuzzing.Target{Dir: dir, Name: "FuzzPaths"}); len(left) != 1 {
		t.Errorf("got %q in testdata, want one input", left)
	}
}

// fails runs a command, which must fail.
func fails(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("%s passed:\n%s", command, out)
	}
}

const one = `package night

import "testing"

func FuzzFound(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1 {
			t.Fatal("too long")
		}
	})
}

func FuzzSteps(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 && b[0] < 'n' {
			if len(b) > 1 && b[1] < 'm' {
				if len(b) > 2 && b[2] < 'l' {
					t.Log("far")
				}
			}
		}
	})
}
`

// The next night finds what the one before has kept: its inputs, less those that
// cover nothing of their own, the failing input in testdata, and its history.
func TestTheNextNightGoesOnFromTheLast(t *testing.T) {
	dir, folder := module(t, map[string]string{"night_test.go": one}), t.TempDir()
	// An input of which go test says that it fails, and that no night has found.
	own := filepath.Join(dir, "testdata", "fuzz", "FuzzSteps", "mine")
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("go test fuzz v1\n[]byte(\"zzz\")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// One kept input that covers nothing of its own, and half of one.
	at := filepath.Join(folder, inputsName, "example.com", "night", "FuzzSteps")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"zzzzzzzz", "zzzzzzzzz", "zzzzzzzzzz"} {
		file := corpus.FuzzSeed([]byte(text))
		if err := os.WriteFile(filepath.Join(at, corpus.SeedName(file)), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 20 * time.Second}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	found := target(t, first, "FuzzFound")
	if len(found.Failures) != 1 || found.Failures[0].Known {
		t.Fatalf("got %+v, want one new failure", found.Failures)
	}
	steps := target(t, first, "FuzzSteps")
	if steps.Corpus.Dropped < 2 || steps.Corpus.Inputs == 0 || steps.Edges == 0 || len(steps.Curve) == 0 {
		t.Errorf("got %+v, want inputs kept and dropped, and a curve", steps)
	}
	if !slices.IsSortedFunc(steps.Curve, func(a, b Point) int { return a.Edges - b.Edges }) {
		t.Errorf("got the curve %v, want it to rise", steps.Curve)
	}
	if n := len(steps.Curve); n > 0 && steps.Edges != steps.Curve[n-1].Edges {
		t.Errorf("got %d covered, want the end of the curve %v", steps.Edges, steps.Curve)
	}
	second, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 20 * time.Second}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	again := target(t, second, "FuzzFound")
	if len(again.Failures) != 1 || !again.Failures[0].Known || again.Failures[0].InputFile != found.Failures[0].InputFile || again.Failures[0].From == 0 {
		t.Errorf("got %+v, want the failure of the night before, known", again.Failures)
	}
	if again.Rounds == 0 || again.Executions == 0 {
		t.Errorf("got %d rounds and %d executions of a target whose input is known to fail, want it to be searched on", again.Rounds, again.Executions)
	}
	if len(second.Before) != 1 || second.Before[0].Night != first.Night {
		t.Errorf("got %+v before, want the first night", second.Before)
	}
	if last, ok := second.Last(target(t, second, "FuzzSteps")); !ok || last.Inputs != steps.Corpus.Inputs {
		t.Errorf("got %+v, want what the first night had", last)
	}
	// Mended: the input holds, and nothing is told of it.
	mended := strings.Replace(one, "len(b) > 1 {\n\t\t\tt.Fatal", "len(b) > 1000000 {\n\t\t\tt.Fatal", 1)
	if err := os.WriteFile(filepath.Join(dir, "night_test.go"), []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	third, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 3 * time.Second, Targets: "FuzzFound"}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	if third.Failed() {
		t.Errorf("got %+v, want a good night", third.Targets)
	}
}

func TestNothingToRun(t *testing.T) {
	none := module(t, map[string]string{"a_test.go": "package night\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n"})
	some := module(t, map[string]string{"a_test.go": targets})
	tests := []struct {
		name string
		o    Options
		want error
		says string // the step and the error
	}{
		{"no module", Options{Dir: t.TempDir()}, fuzzing.ErrNoModule, `^(?:replyproof: build \d+0s: [^\n]*\n|replyproof: build \d+m\d+s: [^\n]*\n)*replyproof: build [^ ]+: failed\nno Go module here: `},
		{"no target", Options{Dir: none}, fuzzing.ErrNoTargets, `^(?:replyproof: build \d+0s: [^\n]*\n|replyproof: build \d+m\d+s: [^\n]*\n)*replyproof: build [^ ]+: nothing to build\nno fuzz target found$`},
		{
			"no target of that name", Options{Dir: some, Plan: Plan{Targets: "^FuzzNone$"}}, fuzzing.ErrNoTargets,
			`^(?:replyproof: build \d+0s: [^\n]*\n|replyproof: build \d+m\d+s: [^\n]*\n)*replyproof: build [^ ]+: nothing to build\nno fuzz target found: none of \[\./\.\.\.\] has a name that matches "\^FuzzNone\$"; `,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var shown bytes.Buffer
			test.o.Plan.For, test.o.Display = time.Second, progress.New(&shown, false)
			_, err := runNight(t, t.Context(), test.o, "")
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if got := shown.String() + err.Error(); !regexp.MustCompile(test.says).MatchString(got) {
				t.Errorf("got %q, want it to match %s", got, test.says)
			}
		})
	}
}
