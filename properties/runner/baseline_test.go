package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/properties/runner"
)

func TestBaselineRefused(t *testing.T) {
	const head = `{"format":"replyproof-baseline/1","subject":"s","entries":[`
	for _, test := range []struct{ name, text, want string }{
		{"format", `{"format":"replyproof-baseline/2","entries":[]}`, `its format is "replyproof-baseline/2"`},
		{"unknown key", head + `{"case":"a","saw":"ERROR","reason":"r","why":"w"}]}`, `unknown field "why"`},
		{"no case", head + `{"saw":"ERROR","reason":"r"}]}`, "entry 1 (\"\"): case is empty"},
		{"no saw", head + `{"case":"a","reason":"r"}]}`, "entry 1 (\"a\"): saw is empty"},
		{"no reason", head + `{"case":"a","saw":"ERROR","reason":" "}]}`, "entry 1 (\"a\"): reason is empty"},
		{"no day", head + `{"case":"a","saw":"ERROR","reason":"r","until":"soon"}]}`, `until is "soon"`},
		{"twice", head + `{"case":"a","saw":"ERROR","reason":"r"},{"case":"a","saw":"ERROR","reason":"q"}]}`, "entry 2 (\"a\"): another entry has the same case and saw"},
		{"trailing", head + `]} x`, "something follows"},
		{"syntax", `{`, "unexpected EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := runner.ParseBaseline([]byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestBaselineFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "known.json")
	if _, err := runner.LoadBaseline(path); err == nil || !strings.Contains(err.Error(), "load baseline") {
		t.Errorf("a file that is not there: got %v", err)
	}
	b := &runner.Baseline{Subject: "acme", Entries: []runner.Entry{{Case: "success +status=*", Saw: "SUCCESS", Reason: "a < b", Until: "2027-03-01"}}}
	if err := b.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "format": "replyproof-baseline/1",
  "subject": "acme",
  "entries": [
    {
      "case": "success +status=*",
      "saw": "SUCCESS",
      "reason": "a < b",
      "until": "2027-03-01"
    }
  ]
}
`
	if string(text) != want {
		t.Errorf("got %s", text)
	}
	back, err := runner.LoadBaseline(path)
	if err != nil || back.Subject != "acme" || len(back.Entries) != 1 || back.Entries[0] != b.Entries[0] {
		t.Errorf("got %+v, %v", back, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := b.WriteFile(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("written into a folder that is not there")
	}
}
