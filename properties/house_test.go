package properties_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The top level holds these and nothing else, but for names that begin with a dot.
var house = []string{"LICENSE", "Makefile", "README.md", "classifier", "cmd", "corpus", "fuzz", "generators", "go.mod", "go.sum", "properties"}

// passing are what make leaves at the top level; git ignores them.
var passing = []string{"bin", "night", "report"}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(passing, name) {
			found = append(found, name)
		}
	}
	if !slices.Equal(found, house) {
		t.Errorf("got %q, want %q", found, house)
	}
}

// The main module has no replace, so that it can be installed by its path; a
// module inside it that requires it takes it from this checkout.
func TestReplace(t *testing.T) {
	t.Parallel()
	replace := regexp.MustCompile(`(?m)^replace .*$`)
	requires := regexp.MustCompile(`(?m)^(require)?\s+github\.com/replyproof/replyproof v`)
	modules := 0
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == "node_modules" || name == "testdata" || name != ".." && strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if e.Name() != "go.mod" {
			return nil
		}
		modules++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var want []string
		up, err := filepath.Rel(filepath.Dir(path), "..")
		if err != nil {
			return err
		}
		if up != "." && requires.Match(text) {
			want = []string{"replace github.com/replyproof/replyproof => " + filepath.ToSlash(up)}
		}
		if got := replace.FindAllString(string(text), -1); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if modules < 3 {
		t.Errorf("found %d modules, want the main one and those inside it", modules)
	}
}
