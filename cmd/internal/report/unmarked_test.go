package report

import (
	"os"
	"path/filepath"
	"testing"
)

// A text from outside is shown in a page of Markdown and obeyed nowhere: it makes no
// column, no link, no picture, and no markup.
func TestCell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"my-client 1.2.3":               "my-client 1.2.3",
		"a|b":                           `a\|b`,
		`a\|b`:                          `a\\\|b`,
		"![x](http://example.com/p)":    `!\[x\](http:\//example.com/p)`,
		"see www.example.com, @someone": `see www\.example.com, \@someone`,
		"<script>&lt;":                  "&lt;script>&amp;lt;",
		"*a* _b_ `c` ~d~ $e$":           "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$",
		"one\r\n| two |":                `one\\r\\n\| two \|`,
		"\x1b[2J\u202e":                 `\\u001B\[2J\\u202E`,
	} {
		if got := cell(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// A file that cannot be written keeps no other from being written.
func TestFilesEachForItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := Files(dir, map[string][]byte{"a": []byte("1"), "b": []byte("2"), "b/x/y": []byte("3"), "c": []byte("4")})
	if err == nil {
		t.Error("got no error, want that b is a folder")
	}
	for name, want := range map[string]string{"a": "1", "b/x/y": "3", "c": "4"} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
