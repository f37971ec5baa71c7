package fuzzing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/corpus"
)

// steps is a target of which longer prefixes of a word cover more, and whose
// code stands in a file that can be covered.
const steps = `package steps

// Steps tells how much of a word stands at the beginning.
func Steps(b []byte) int {
	n := 0
	if len(b) > 0 && b[0] == 'w' {
		n++
		if len(b) > 1 && b[1] == 'o' {
			n++
			if len(b) > 2 && b[2] == 'r' {
				n++
			}
		}
	}
	if len(b) > 0 && b[0] == 'x' {
		n = 10
	}
	return n
}
`

const stepsTest = `package steps

import (
	"os"
	"testing"
	"time"
)

func FuzzSteps(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Steps(b) == 10 {
			t.Error("it is ten")
		}
		if string(b) == "exit" {
			os.Exit(9)
		}
		if string(b) == "panic" {
			panic("as asked")
		}
		if string(b) == "sleep" {
			os.WriteFile("asleep", nil, 0o600)
			time.Sleep(time.Hour)
		}
	})
}
`

// module writes a Go module with these files and gives its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/steps\n\ngo 1.26\n"
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

func stepsTarget(t *testing.T) Target {
	t.Helper()
	dir := module(t, map[string]string{"steps.go": steps, "steps_test.go": stepsTest})
	all, problems, err := Discover(t.Context(), dir, t.TempDir(), []string{"./..."}, nil, func(string) {})
	if err != nil || len(all) != 1 || len(problems) != 0 || all[0].Name != "FuzzSteps" {
		t.Fatalf("got %v, %v, %v, want FuzzSteps alone", all, problems, err)
	}
	return all[0]
}

func seed(text string) []byte { return corpus.FuzzSeed([]byte(text)) }

// supported skips where the worker cannot be spoken to.
func supported(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the worker shares its memory in another way on Windows")
	}
}

func TestWorkerTellsWhatAnInputDoes(t *testing.T) {
	supported(t)
	target := stepsTarget(t)
	w, err := target.Worker(t.Context(), target.Dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	var cover Cover
	try := func(text string) Trial {
		t.Helper()
		trial, err := w.Try(seed(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return trial
	}
	try("seed")
	for _, step := range []struct {
		text  string
		fresh bool
	}{{"seed", true}, {"other", false}, {"w", true}, {"wo", true}, {"way", false}, {"word", true}, {"work", false}} {
		if got := cover.Add(try(step.text).Cover) > 0; got != step.fresh {
			t.Errorf("%q: got something new %t, want %t", step.text, got, step.fresh)
		}
	}
	for _, bad := range []struct{ text, says string }{{"x", "it is ten"}, {"panic", "as asked"}, {"exit", "exit status 9"}} {
		trial := try(bad.text)
		if !trial.Failed || !strings.Contains(trial.Said, bad.says) {
			t.Errorf("%q: got failed %t, %q, want it to say %q", bad.text, trial.Failed, trial.Said, bad.says)
		}
		if after := try("seed"); after.Failed || len(after.Cover) == 0 {
			t.Errorf("after %q: got %+v, want a run that holds", bad.text, after)
		}
	}
	if _, err := w.Try(make([]byte, maxInput+1)); err == nil {
		t.Error("got no error for an input that is too large")
	}
	if _, err := w.Try([]byte("no seed file")); err == nil {
		t.Error("got no error for what is no input")
	}
}

// An interrupt reaches a worker that is busy, and nothing of it is left to the
// one who closes it.
func TestWorkerIsInterrupted(t *testing.T) {
	supported(t)
	target := stepsTarget(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, err := target.Worker(ctx, target.Dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(target.Dir, "asleep")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if trial, err := w.Try(seed("sleep")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v, want %v", trial, err, context.Canceled)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestWorkerThatDoesNotStartHoldsNoPipes(t *testing.T) {
	supported(t)
	memory, err := os.CreateTemp(t.TempDir(), "memory-")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	dir := t.TempDir()
	w := &Worker{ctx: t.Context(), target: Target{Binary: filepath.Join(dir, "none"), Name: "FuzzX"}, dir: dir, memory: memory}
	if err := w.start(); !errors.Is(err, os.ErrNotExist) || w.cmd != nil {
		t.Fatalf("got %v and the command %v, want %v and none", err, w.cmd, os.ErrNotExist)
	}
	for name, pipe := range map[string]*os.File{"in": w.in, "out": w.out} {
		if err := pipe.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: closing it gives %v, want %v", name, err, os.ErrClosed)
		}
	}
}

// What is dropped covers nothing that is not covered without it: neither by the
// engine's counters nor, in a build of its own, by the statements of the package.
func TestMergeLosesNothing(t *testing.T) {
	supported(t)
	target := stepsTarget(t)
	dir := t.TempDir()
	for _, text := range []string{"", "a", "b", "seed", "w", "wo", "wi", "wow", "wor", "word", "a long text that begins otherwise"} {
		file := seed(text)
		if err := os.WriteFile(filepath.Join(dir, corpus.SeedName(file)), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := target.Worker(t.Context(), target.Dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	all := ReadStored(dir)
	m, err := Merge(t.Context(), w, all, func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	drop, cover := m.Drop, m.Cover
	if len(m.Left) != 0 {
		t.Errorf("got %v left, want all tried", m.Left)
	}
	keep := slices.DeleteFunc(slices.Clone(all), func(s Stored) bool { return slices.Contains(drop, s) })
	var names []string
	var again Cover
	for _, s := range keep {
		file, err := os.ReadFile(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := corpus.ParseFuzzSeed(file)
		names = append(names, string(data))
		trial, err := w.Try(file)
		if err != nil {
			t.Fatal(err)
		}
		again.Add(trial.Cover)
	}
	if len(keep)+len(drop) != len(all) || len(drop) < 4 || len(keep) > 6 {
		t.Errorf("got %d kept (%q) and %d dropped of %d, want a handful kept", len(keep), names, len(drop), len(all))
	}
	if again.Edges() != cover.Edges() {
		t.Errorf("the kept inputs cover %d edges, all of them %d", again.Edges(), cover.Edges())
	}
	if got, want := statements(t, target, keep), statements(t, target, all); got != want || want == "" {
		t.Errorf("the kept inputs cover\n%s\nall of them\n%s", got, want)
	}
	tries := 0
	m, err = Merge(t.Context(), w, all, func() bool { tries++; return tries > 3 })
	if err != nil || len(m.Left) != len(all)-3 {
		t.Errorf("got %d left, %v, of %d when there is time for three", len(m.Left), err, len(all))
	}
}

// What a process covers only once is told of no input, whichever comes first.
func TestTheFirstInputCoversNoMoreThanItself(t *testing.T) {
	supported(t)
	target := stepsTarget(t)
	w, err := target.Worker(t.Context(), target.Dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, state := range []string{"a new process", "one after a death"} {
		var edges []int
		for range 2 {
			trial, err := w.Try(seed("seed"))
			if err != nil || trial.Failed {
				t.Fatalf("%s: got %+v, %v", state, trial, err)
			}
			edges = append(edges, Cover(trial.Cover).Edges())
		}
		if edges[0] != edges[1] {
			t.Errorf("%s: got %d counters at first and %d after, want the same", state, edges[0], edges[1])
		}
		if trial, err := w.Try(seed("exit")); err != nil || !trial.Failed {
			t.Fatalf("got %+v, %v, want a death", trial, err)
		}
	}
}

// statements is what inputs cover by a build with -covermode=atomic, which block
// and whether at all.
func statements(t *testing.T, target Target, inputs []Stored) string {
	t.Helper()
	dir := module(t, map[string]string{"steps.go": steps, "steps_test.go": stepsTest})
	at := filepath.Join(dir, "testdata", "fuzz", target.Name)
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range inputs {
		file, err := os.ReadFile(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, filepath.Base(s.Path)), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	profile := filepath.Join(dir, "profile")
	cmd := exec.CommandContext(t.Context(), "go", "test", "-covermode=atomic", "-coverprofile="+profile, "-run=FuzzSteps/[0-9a-f]+", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m) [1-9]\d*$`).ReplaceAllString(string(text), " covered")
}

func TestTreeIsTheModuleWithoutWhatFails(t *testing.T) {
	dir := module(t, map[string]string{
		"a/b/b_test.go": "package b\n", "a/x.txt": "x", "shared.txt": "s", "a/b/testdata/other.txt": "o",
		"a/b/testdata/fuzz/FuzzX/good": "g", "a/b/testdata/fuzz/FuzzX/bad": "b", "a/b/testdata/fuzz/FuzzY/1": "y",
	})
	target := Target{Package: "example.com/steps/a/b", Name: "FuzzX", Dir: filepath.Join(dir, "a", "b"), Root: dir}
	got, err := Tree(filepath.Join(t.TempDir(), "tree"), target, func(name string) bool { return name != "bad" })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b_test.go", "../x.txt", "../../shared.txt", "../../go.mod", "testdata/other.txt", "testdata/fuzz/FuzzX/good", "testdata/fuzz/FuzzY/1"} {
		if _, err := os.Stat(filepath.Join(got, name)); err != nil {
			t.Errorf("%s is not there: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(got, "testdata/fuzz/FuzzX/bad")); err == nil {
		t.Error("the input that was not to be kept is there")
	}
	// What is written among the inputs is not in the module.
	if err := os.WriteFile(filepath.Join(got, "testdata/fuzz/FuzzX/new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(target.Dir, "testdata/fuzz/FuzzX/new")); err == nil {
		t.Error("what was written in the tree is in the module")
	}
}

func unlimited(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

func TestEmptyTargetIsInEveryBinary(t *testing.T) {
	target := stepsTarget(t)
	if rate := target.EmptyRate(t.Context(), t.TempDir(), time.Second, 1, unlimited); rate <= 0 {
		t.Errorf("got %f executions a second, want some", rate)
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
	w := &watch{now: time.Now}
	w.follow(out)
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

func TestWatchReadsTheEnginesLines(t *testing.T) {
	at := time.Unix(7, 0)
	var told []string
	w := &watch{now: func() time.Time { at = at.Add(time.Second); return at }, tell: func(s Stats) {
		told = append(told, fmt.Sprint(s.Replayed, s.Inputs, s.Executions, s.New, !s.Fuzzing.IsZero()))
	}}
	w.follow(strings.NewReader(`fuzz: elapsed: 0s, gathering baseline coverage: 0/257 completed
fuzz: elapsed: 1s, gathering baseline coverage: 257/257 completed, now fuzzing with 1 workers
fuzz: elapsed: 3s, execs: 325017 (108336/sec), new interesting: 11 (total: 202)
PASS
`))
	want := "0 257 0 0 false; 257 257 0 0 true; 257 257 325017 11 true"
	if got := strings.Join(told, "; "); got != want || strings.TrimSpace(w.said.String()) != "PASS" {
		t.Errorf("got %q and said %q, want %q and PASS", got, w.said.String(), want)
	}
	if w.Replaying.Unix() != 8 || w.Fuzzing.Unix() != 9 {
		t.Errorf("got a replay from %d to %d, want from 8 to 9", w.Replaying.Unix(), w.Fuzzing.Unix())
	}
}
