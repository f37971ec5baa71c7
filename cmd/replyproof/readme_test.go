package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
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

// TestReadmeLayoutIsTheTree: the rows of the layout are the folders at the top, and
// each names the folders in its own but internal ones, test data and hidden ones.
func TestReadmeLayoutIsTheTree(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "../../README.md"), "\n| folder | what is in it |\n| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		for folder := range strings.SplitSeq(cells[1], ",") {
			rows[strings.Trim(folder, " `")] = line
		}
	}
	made := regexp.MustCompile(`^(\.git|bin|night|report|node_modules|data)$`)
	folders := func(path string) (names []string) {
		entries, err := os.ReadDir(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() && !made.MatchString(e.Name()) {
				names = append(names, e.Name())
			}
		}
		return names
	}
	there := map[string]bool{}
	for _, folder := range folders("../..") {
		there[folder] = true
		row, ok := rows[folder]
		if strings.HasPrefix(folder, ".") {
			continue // some are an editor's; those of the table are looked for below
		}
		if !ok {
			t.Errorf("README.md's layout has no row for %s", folder)
			continue
		}
		for _, below := range folders(filepath.Join("../..", folder)) {
			if below != "testdata" && (below != "internal" || folder == "cmd") && !strings.Contains(row, "`"+below+"`") {
				t.Errorf("README.md's layout does not name %s/%s", folder, below)
			}
		}
	}
	for folder := range rows {
		if !there[folder] {
			t.Errorf("README.md's layout names %s, which is not there", folder)
		}
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

// TestAdapterProtocolIsTold: cmd/adapters/README.md tells every key of a case as
// an adapter gets it, and no other.
func TestAdapterProtocolIsTold(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "../adapters/README.md"), "| key of the case |")
	table, _, _ = strings.Cut(table, "\n\n")
	told := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\|").FindAllStringSubmatch(table, -1) {
		told[m[1]] = true
	}
	given := map[string]bool{}
	take := func(c corpus.Case) {
		line, err := subject.Delivered(c).AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatal(err)
		}
		for key := range members {
			if given[key] = true; !told[key] {
				t.Errorf("cmd/adapters/README.md does not tell the key %s of %s", key, line)
			}
		}
	}
	for _, c := range corpus.All() {
		take(c)
	}
	catalogue := generators.Default()
	for r := range catalogue.Singles() {
		take(catalogue.Render(r))
	}
	for key := range told {
		if !given[key] {
			t.Errorf("cmd/adapters/README.md tells the key %s, which no case has", key)
		}
	}
}
