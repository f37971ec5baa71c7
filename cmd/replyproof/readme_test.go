package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeShowsTheExamples: what the README tells people to copy is what
// testdata/script/examples.txtar runs.
func TestReadmeShowsTheExamples(t *testing.T) {
	readme := read(t, "../../README.md")
	for _, name := range []string{"mine_test.go", "mine.mjs", "mine.py"} {
		text := read(t, filepath.Join("../testdata/examples", name))
		if !strings.Contains(readme, "\n"+strings.TrimRight(text, "\n")+"\n```") {
			t.Errorf("README.md does not show cmd/testdata/examples/%s as it is", name)
		}
	}
}

// TestReadmeNamesOnlyWhatIsThere: every make target and every subcommand that
// the README names exists.
func TestReadmeNamesOnlyWhatIsThere(t *testing.T) {
	readme, makefile := read(t, "../../README.md"), read(t, "../../Makefile")
	for _, m := range regexp.MustCompile(`\bmake ([a-z][a-z-]*)`).FindAllStringSubmatch(readme, -1) {
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
			t.Errorf("README.md names make %s, which the Makefile lacks", m[1])
		}
	}
	known := map[string]bool{}
	for _, c := range newRoot().Commands() {
		known[c.Name()] = true
	}
	for _, m := range regexp.MustCompile("(?m)(?:^|[`|] ?)replyproof ([a-z]+)").FindAllStringSubmatch(readme, -1) {
		if !known[m[1]] && m[1] != "completion" {
			t.Errorf("README.md names replyproof %s, which is no subcommand", m[1])
		}
	}
}

// TestReadmeListsEveryDependency: the table has every direct requirement of
// go.mod and nothing else.
func TestReadmeListsEveryDependency(t *testing.T) {
	readme := read(t, "../../README.md")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9.-]+/[^`]+)` \\|").FindAllStringSubmatch(readme, -1) {
		listed[m[1]] = true
	}
	for line := range strings.Lines(read(t, "../../go.mod")) {
		fields := strings.Fields(line)
		if len(fields) != 2 || !strings.HasPrefix(fields[1], "v") {
			continue // indirect ones have a comment
		}
		if !listed[fields[0]] {
			t.Errorf("README.md does not list the dependency %s", fields[0])
		}
		delete(listed, fields[0])
	}
	for path := range listed {
		t.Errorf("README.md lists %s, which go.mod does not require directly", path)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
