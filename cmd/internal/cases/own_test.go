package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const line = `{"id":"mine/a","rule":"1","why":"For the test.","request_id":1,"status":503,"expect":{"layer":"transport","outcome":"HTTP_ERROR"}}` + "\n"

func TestLoadOwn(t *testing.T) {
	shipped, _ := corpus.ByID("article/baseline-complete")
	copied, err := shipped.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // "" for no error
		cases int
	}{
		{"lines", map[string]string{"a.jsonl": line, "below/b.jsonl": strings.ReplaceAll(line, "mine/a", "mine/b"), "notes.txt": "no case"}, "", 2},
		{"a copy of a shipped case", map[string]string{"a.jsonl": string(copied)}, "", 1},
		{"a shipped id", map[string]string{"a.jsonl": strings.ReplaceAll(line, "mine/a", "article/baseline-complete")},
			"case article/baseline-complete: a shipped case has that id and is another; give yours an id of its own", 0},
		{"an id twice", map[string]string{"a.jsonl": line, "b.jsonl": line}, "case mine/a stands in", 0},
		{"an id twice in a file", map[string]string{"a.jsonl": line + line}, `"mine/a" is the id of another case too`, 0},
		{"an empty folder", map[string]string{"notes.txt": ""}, "no .json or .jsonl file in it", 0},
		{"a file without a case", map[string]string{"a.json": `{"format":"replyproof-cases/1","group":"mine","cases":[]}`}, "no case in it", 0},
		{"a file that is none", map[string]string{"a.json": `{"format":"replyproof-baseline/1"}`}, `a.json:1: key "format": must be "replyproof-cases/1", is "replyproof-baseline/1"`, 0},
	} {
		own, err := LoadOwn([]string{folder(t, test.files)})
		switch {
		case test.want == "" && (err != nil || len(own.Cases) != test.cases || own.Unexpecting != 0):
			t.Errorf("%s: got %d cases, %d that expect nothing, %v; want %d, 0 and no error", test.name, len(own.Cases), own.Unexpecting, err, test.cases)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q in it", test.name, err, test.want)
		}
	}
	if _, err := LoadOwn(nil); err == nil {
		t.Error("no path: got no error")
	}
}

func TestLoadOwnHasEachExchangeExpect(t *testing.T) {
	root := folder(t, map[string]string{"a.jsonl": `{"id":"mine/a","why":"For the test.","request_id":1,"status":503,"then":[{"request_id":1,"status":404}]}`})
	own, err := LoadOwn([]string{root})
	if err != nil || own.Unexpecting != 1 || len(own.Cases) != 1 {
		t.Fatalf("got %+v, %v, want one case that expects nothing", own, err)
	}
	for _, exchange := range own.Cases[0].Exchanges() {
		if exchange.Expect == nil || exchange.Expect.Outcome != classifier.HTTPError {
			t.Errorf("status %d: got %+v, want HTTP_ERROR", *exchange.Status, exchange.Expect)
		}
	}
}

// A folder may be a link, and so may the files in it; a folder that is a link
// below it may lead in a circle and is left out.
func TestLoadFollowsLinks(t *testing.T) {
	root := folder(t, map[string]string{"real/a.jsonl": line, "elsewhere/b.jsonl": strings.ReplaceAll(line, "mine/a", "mine/b")})
	for name, target := range map[string]string{"link": "real", "real/b.jsonl": "../elsewhere/b.jsonl", "real/circle": "."} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"link", "real"} {
		all, err := Load([]string{filepath.Join(root, name)})
		if err != nil || len(all) != 2 {
			t.Errorf("%s: got %d cases, %v, want 2", name, len(all), err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(root, "real", "c.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load([]string{filepath.Join(root, "link")}); err == nil || !strings.Contains(err.Error(), "c.jsonl") {
		t.Errorf("a link to nothing: got %v, want an error with its name", err)
	}
}
