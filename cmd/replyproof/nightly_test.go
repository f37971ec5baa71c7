package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/nightly"
)

// Two targets of one name with an input of one name are two files, and an input
// that is too large to be shown is saved whole.
func TestNightlyFolderSavesEveryInputWhole(t *testing.T) {
	module, dir := t.TempDir(), t.TempDir()
	r := &nightly.Report{}
	inputs := map[string][]byte{}
	for _, p := range []string{"example.com/a", "example.com/b"} {
		file := filepath.Join(module, p, "testdata/fuzz/FuzzX/0123")
		input := append([]byte("go test fuzz v1\n[]byte(\""+p), bytes.Repeat([]byte("x"), 200<<10)...)
		inputs[p] = append(input, "\")\n"...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, inputs[p], 0o600); err != nil {
			t.Fatal(err)
		}
		r.Targets = append(r.Targets, nightly.Result{
			Package: p, Target: "FuzzX", Failures: []nightly.Failure{{InputFile: file, Input: "clipped"}},
		})
	}
	if err := nightlyFolder(dir, r); err != nil {
		t.Fatal(err)
	}
	for p, want := range inputs {
		got, err := os.ReadFile(filepath.Join(dir, "inputs", p, "FuzzX/0123"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %d bytes, %v, want %d", p, len(got), err, len(want))
		}
	}
	// An input that has gone is told, and the report is written all the same.
	if err := os.RemoveAll(module); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := nightlyFolder(other, r); err == nil {
		t.Error("got no error for inputs that have gone")
	}
	if _, err := os.Stat(filepath.Join(other, "nightly.json")); err != nil {
		t.Error(err)
	}
}
