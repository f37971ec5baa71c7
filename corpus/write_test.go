package corpus_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name := filepath.Join(folder, "mine.json")
	c, _ := corpus.ByID("article/explicit-http-503-then-200")
	if err := corpus.WriteFile(name, "mine", []corpus.Case{c, everyField()}); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := corpus.Load(os.DirFS(folder), "*.json")
	if err != nil || len(cases) != 2 || cases[1].ID != "group/every-field" {
		t.Fatalf("got %+v, %v, want the two cases back", cases, err)
	}
	// A case that is wrong, and one that cannot be written, leave the file alone.
	for _, bad := range []corpus.Case{{ID: "x"}, {ID: "x", Why: "\xff"}} {
		if err := corpus.WriteFile(name, "mine", []corpus.Case{bad}); err == nil {
			t.Errorf("got no error for %+v", bad)
		}
	}
	if now, _ := os.ReadFile(name); string(now) != string(first) {
		t.Errorf("the file was changed by a write that failed")
	}
	if err := corpus.WriteFile(filepath.Join(folder, "none", "x.json"), "mine", nil); err == nil {
		t.Error("got no error for a folder that is not there")
	}
	if err := corpus.WriteLinesFile(filepath.Join(folder, "x.jsonl"), cases); err != nil {
		t.Error(err)
	}
	if err := corpus.WriteLinesFile(filepath.Join(folder, "y.jsonl"), []corpus.Case{{Why: "\xff"}}); err == nil {
		t.Error("got no error for a case that cannot be written")
	}
	entries, _ := os.ReadDir(folder)
	if len(entries) != 2 {
		t.Errorf("got %v, want mine.json and x.jsonl and no temporary file", entries)
	}
}

func TestAppendFileIsEmptyButWhole(t *testing.T) {
	t.Parallel()
	got, err := corpus.AppendFile(nil, "none", nil)
	const want = "{\n  \"format\": \"replyproof-cases/1\",\n  \"group\": \"none\",\n  \"cases\": []\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestWriteBlobs(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a", "b")
	blobs := []corpus.Blob{{Name: "one", Data: []byte("1")}, {Name: "two", Data: nil}}
	for range 2 {
		if err := corpus.WriteBlobs(folder, blobs); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(folder, "one")); err != nil || string(got) != "1" {
		t.Errorf("got %q, %v, want 1", got, err)
	}
	for _, name := range []string{"../x", "a/b", "", ".."} {
		err := corpus.WriteBlobs(folder, []corpus.Blob{{Name: name}})
		if err == nil || !strings.Contains(err.Error(), "no plain file name") {
			t.Errorf("%q: got %v, want an error", name, err)
		}
	}
}

func TestWriteWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name, link := filepath.Join(folder, "file"), filepath.Join(folder, "links", "link")
	write := func(name, text string) error {
		return corpus.WriteWhole(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	holds := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", filepath.Base(name), got, err, want)
		}
	}
	if err := write(name, "one"); err != nil {
		t.Fatal(err)
	}
	holds(name, "one")
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o644 {
		t.Errorf("got %v, %v, want mode 0644", info.Mode(), err)
	}
	// A fault of fill is given as it is, and the file stays.
	broken := errors.New("broken")
	err := corpus.WriteWhole(name, func(w io.Writer) error { io.WriteString(w, "two"); return broken })
	if err != broken {
		t.Errorf("got %v, want the error of fill", err)
	}
	holds(name, "one")
	if err := write(folder, "two"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("got %v for a folder, want that it is no regular file", err)
	}
	if err := os.Mkdir(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "file"), link); err != nil {
		t.Skipf("symbolic links: %v", err)
	}
	if err := write(link, "three"); err != nil {
		t.Fatal(err)
	}
	holds(name, "three")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("got %v, %v, want that the link is one still", info, err)
	}
	for _, each := range []string{folder, filepath.Dir(link)} {
		if left, _ := filepath.Glob(filepath.Join(each, ".*-*")); len(left) > 0 {
			t.Errorf("got %q left behind, want nothing", left)
		}
	}
}
