package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIn, in the environment, has the test's own program stand in for replyproof.
const standIn = "FINDINGS_STAND_IN"

func TestMain(m *testing.M) {
	if os.Getenv(standIn) != "" {
		os.Exit(stopOnce(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// stopOnce is a check that is stopped where its folder is new, and ends where it
// finds a journal in it.
func stopOnce(args []string) int {
	at := slices.Index(args, "--report-dir")
	if at < 0 || !slices.Contains(args, "--resume") {
		return 2
	}
	journal := filepath.Join(args[at+1], "journal.json")
	_, err := os.Stat(journal)
	fmt.Printf(`{"complete":%t}`, err == nil)
	if err != nil {
		if os.MkdirAll(args[at+1], 0o755) != nil || os.WriteFile(journal, nil, 0o644) != nil {
			return 2
		}
	}
	return 1
}

// A run that was stopped leaves no report; the next goes on with it, and leaves the
// report alone. Its command is what a user would give, without the folder.
func TestStoppedRunGoesOn(t *testing.T) {
	t.Setenv(standIn, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "client-1.json")
	c := client{name: "client", protocol: "2025-11-25", command: "it runs", deadline: "1s", jobs: 2}
	run := func() error {
		return c.run(context.Background(), options{program: program, seed: 1}, "singles", name)
	}
	if err := run(); err == nil || !strings.Contains(err.Error(), "goes on") {
		t.Errorf("stopped: %v", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a report of a run that was stopped: %v", err)
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"command":"replyproof check --adapter 'it runs' --cases singles --seed 1 --deadline 1s --start-timeout 3m --jobs 2 --max-deviations 2000 --json","report":{"complete":true}}`
	if string(text) != want {
		t.Errorf("report:\n%s\nwant:\n%s", text, want)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("beside the report: %v, %v", left, err)
	}
}

// Where a client has no report, what is written down of it stays.
func TestCollectKeepsWhatIsNotThere(t *testing.T) {
	t.Chdir(t.TempDir())
	const folder = "cmd/adapters"
	files := map[string]string{"deviations.jsonl": "{}\n", "README.md": begin + "old\n" + end}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	err := run(t.Context(), options{reports: "nowhere", dry: true})
	if err == nil || !strings.Contains(err.Error(), "nothing is written: nowhere has no report of "+clients[0].key()) {
		t.Errorf("got %v, want the clients that lack", err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want it as it was", name, got, err)
		}
	}
	if _, err := os.Stat("nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the reports: %v, want none", err)
	}
}
