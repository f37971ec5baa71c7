package fuzzing

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestListIsWhatDiscoverFinds(t *testing.T) {
	dir := module(t, map[string]string{
		"a_test.go":   "package a\nimport \"testing\"\nfunc FuzzOne(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\nfunc FuzzNot(t *testing.T) {}\n",
		"b/b_test.go": "package b_test\nimport \"testing\"\nfunc FuzzTwo(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\n",
	})
	listed, err := List(t.Context(), dir, []string{"./..."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(listed) != 2 || listed[0].String() != "example.com/steps FuzzOne" || listed[1].String() != "example.com/steps/b FuzzTwo" {
		t.Errorf("got %v, want FuzzOne and FuzzTwo", listed)
	}
}

// What a target, or the engine, writes into the temporary folder lies beside the
// test binary, and goes with it.
func TestTemporaryFilesLieBesideTheBinary(t *testing.T) {
	supported(t)
	dir, work := module(t, map[string]string{
		"a_test.go": "package a\nimport (\n\"os\"\n\"testing\"\n)\nfunc FuzzTemp(f *testing.F) {\nf.Add(\"a\")\nf.Fuzz(func(t *testing.T, s string) { t.Fatal(\"at \" + os.TempDir()) })\n}\n",
	}), t.TempDir()
	all, problems, err := Discover(t.Context(), dir, work, []string{"./..."}, nil, func(string) {})
	if err != nil || len(all) != 1 || len(problems) != 0 {
		t.Fatalf("got %v, %v, %v, want FuzzTemp alone", all, problems, err)
	}
	want := "at " + filepath.Join(work, "tmp")
	if e := all[0].Seeds(t.Context(), dir, time.Minute, unlimited); !strings.Contains(e.Said, want) {
		t.Errorf("as go test runs it: got %q, want %q in it", e.Said, want)
	}
	w, err := all[0].Worker(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if trial, err := w.Try([]byte("go test fuzz v1\nstring(\"a\")\n")); err != nil || !strings.Contains(trial.Said, want) {
		t.Errorf("in a worker: got %q, %v, want %q in it", trial.Said, err, want)
	}
}
