package nightly

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/store"
	"github.com/replyproof/replyproof/corpus"
)

// once fails in the engine's worker and in no other process, as what only a busy
// machine, or one that has just woken, shows.
const once = `package night

import (
	"flag"
	"testing"
)

func FuzzOnce(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1 && flag.Lookup("test.fuzzworker").Value.String() == "true" {
			t.Fatal("only here")
		}
	})
}
`

func TestWhatDoesNotRepeatIsToldAsFlaky(t *testing.T) {
	dir, folder := module(t, map[string]string{"night_test.go": once}), t.TempDir()
	r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 4 * time.Second}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	got := target(t, r, "FuzzOnce")
	if len(got.Failures) == 0 || got.Failures[0].Kind != KindFlaky {
		t.Fatalf("got %+v, want what is flaky", got.Failures)
	}
	if file, err := os.ReadFile(got.Failures[0].InputFile); err != nil || !strings.HasPrefix(string(file), "go test fuzz v1\n") {
		t.Errorf("got %q, %v, want the input kept", file, err)
	}
	if r.Failed() {
		t.Error("got a failed night, want a good one: nothing repeats")
	}
	if left := fuzzing.Inputs(fuzzing.Target{Dir: dir, Name: "FuzzOnce"}); len(left) != 0 {
		t.Errorf("got %q in testdata, want nothing that go test does not see fail", left)
	}
}

// What a night that was killed had not yet taken from the engine, or not yet
// looked at, the next one looks at first.
func TestWhatAKilledNightLeftIsTakenUp(t *testing.T) {
	dir, folder := module(t, map[string]string{"night_test.go": one}), t.TempDir()
	put := func(text string, at ...string) {
		t.Helper()
		file := corpus.FuzzSeed([]byte(text))
		path := filepath.Join(append([]string{folder}, at...)...)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, corpus.SeedName(file)), file, 0o600); err != nil {
			t.Fatal(err)
		}
		// And one that the engine had not written to its end.
		if err := os.WriteFile(filepath.Join(path, "0123456789abcdef"), file[:len(file)-3], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Of two bytes that lead as far, these have the first name: whatever the
	// engine finds besides, this one is not dropped for it.
	put("@k", liveName, "example.com", "night", "FuzzSteps", "cache", "FuzzSteps")
	memory := filepath.Join(folder, liveName, "example.com", "night", "FuzzSteps", "work", "memory-7")
	if err := os.MkdirAll(filepath.Dir(memory), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(memory, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	put("in the tree", liveName, "example.com", "night", "FuzzFound", "tree", filepath.Base(dir), "testdata", "fuzz", "FuzzFound")
	r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: 2 * time.Second}}, folder)
	if err != nil {
		t.Fatal(err)
	}
	found := target(t, r, "FuzzFound")
	if len(found.Failures) != 1 || found.Failures[0].From != len("in the tree") {
		t.Errorf("got %+v, want the failing input that lay in the tree", found.Failures)
	}
	kept := filepath.Join(folder, inputsName, "example.com", "night", "FuzzSteps", corpus.SeedName(corpus.FuzzSeed([]byte("@k"))))
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("what lay in the engine's folder is not kept: %v", err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(kept), "0123456789abcdef")); err == nil {
		t.Error("half an input is kept")
	}
	if _, err := os.Stat(memory); err == nil {
		t.Error("the memory of a worker that was killed is there")
	}
}

// many finds inputs of many sizes, until the disk is full.
const many = `package night

import "testing"

func FuzzMany(f *testing.F) {
	f.Add(make([]byte, 2<<10))
	f.Fuzz(func(t *testing.T, b []byte) {
		for i := range 256 {
			if len(b) > i && b[i] > 128 {
				hit[i]++
			}
			switch i {
CASES
			}
		}
	})
}

var hit [256]int

func branch(b bool) int {
	if b {
		return 1
	}
	return 0
}
`

// TestFullDiskEndsTheNight runs on a disk of a few megabytes: what was kept
// until it was full is whole, and the night goes on once there is room.
func TestFullDiskEndsTheNight(t *testing.T) {
	disk := t.TempDir()
	unmount, err := smallDisk(disk, "4m")
	if err != nil {
		t.Skipf("no small disk can be had here: %v", err)
	}
	defer unmount()
	var cases strings.Builder
	for i := range 200 {
		cases.WriteString("\t\t\tcase " + strconv.Itoa(i) + ":\n\t\t\t\tif len(b) > " + strconv.Itoa(i) + " && b[" + strconv.Itoa(i) + "] == 'x' {\n\t\t\t\t\thit[" + strconv.Itoa(i) + "]++\n\t\t\t\t}\n")
	}
	dir := module(t, map[string]string{"night_test.go": strings.Replace(many, "CASES\n", cases.String(), 1)})
	s, err := store.Open(disk)
	if err != nil {
		t.Fatal(err)
	}
	// Nearly full already: the search would take its time.
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 3<<20-160<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{Dir: dir, Plan: Plan{For: time.Hour}, Jobs: 1, Store: s, Display: progress.New(io.Discard, false)})
	if !errors.Is(err, store.ErrFull) || r == nil || !r.Full {
		t.Fatalf("got %v, want a night that ends because the disk is full", err)
	}
	if !strings.Contains(err.Error(), "--resume") {
		t.Errorf("got %q, want it to say how to go on", err)
	}
	if got := target(t, r, "FuzzMany"); len(got.Failures) > 0 {
		t.Errorf("got %+v, want no failure: it is the disk's", got.Failures)
	}
	kept := filepath.Join(disk, inputsName, "example.com", "night", "FuzzMany")
	entries, err := os.ReadDir(kept)
	if err != nil || len(entries) == 0 {
		t.Fatalf("got %v, %v, want inputs", entries, err)
	}
	for _, e := range entries {
		if file, err := os.ReadFile(filepath.Join(kept, e.Name())); err != nil || !fuzzing.Whole(e.Name(), file) {
			t.Errorf("%s is not whole: %v", e.Name(), err)
		}
	}
	if err := os.Remove(filepath.Join(disk, "ballast")); err != nil {
		t.Fatal(err)
	}
	plan, err := Pending(s)
	if err != nil {
		t.Fatalf("got %v, want a night to go on with", err)
	}
	if err := s.Journal(nightsName, plan.Night+nightSuffix).Append(record{Event: "round", Used: 3599}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := runNight(t, t.Context(), Options{Dir: dir, Resume: true}, disk); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// An input of testdata that ends the process says nothing of itself; it is found
// all the same, and the target is searched on.
func TestAnInputThatEndsTheProcessIsKnown(t *testing.T) {
	dir, folder := module(t, map[string]string{"night_test.go": targets}), t.TempDir()
	for range 2 {
		r, err := runNight(t, t.Context(), Options{Dir: dir, Plan: Plan{For: time.Hour, Targets: "FuzzDies"}}, folder)
		if err != nil {
			t.Fatal(err)
		}
		got := target(t, r, "FuzzDies")
		if len(got.Failures) != 1 || got.Failures[0].Kind != fuzzing.KindDeath || got.Failures[0].InputFile == "" || got.Executions == 0 {
			t.Errorf("got %+v, want one death by an input, and executions", got)
		}
	}
}
