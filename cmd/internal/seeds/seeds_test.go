package seeds

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// answers are every shipped case and cases of random recipes.
func answers(t *testing.T) []corpus.Case {
	t.Helper()
	all := slices.Clone(corpus.All())
	c := generators.Default()
	for seed := range uint64(5) {
		source := generators.NewPlain(seed)
		for n := range 200 {
			made := c.Render(c.Build(source))
			made.ID = fmt.Sprintf("random/seed-%d-number-%d", seed, n)
			all = append(all, made)
		}
	}
	return all
}

func line(t *testing.T, c corpus.Case) string {
	t.Helper()
	text, err := c.AppendJSON(nil)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	return string(text)
}

// An archive and JSON lines hold everything: what is read back is what was written.
func TestRoundTripOfAllThatACaseIs(t *testing.T) {
	all := answers(t)
	byID := make(map[string]corpus.Case)
	for _, c := range all {
		byID[c.ID] = c
	}
	t.Run("jsonl", func(t *testing.T) {
		var file bytes.Buffer
		if err := corpus.WriteLines(&file, slices.Values(all)); err != nil {
			t.Fatal(err)
		}
		n := 0
		for c, err := range corpus.ReadLines(&file, corpus.LineOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if got, want := line(t, c), line(t, byID[c.ID]); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		if n != len(all) {
			t.Errorf("got %d cases, want %d", n, len(all))
		}
	})
	t.Run("har", func(t *testing.T) {
		var file bytes.Buffer
		if err := capture.WriteHAR(&file, slices.Values(all)); err != nil {
			t.Fatal(err)
		}
		n := 0
		in := capture.Input{Name: "har", Form: capture.Auto, IDAssumed: true}
		for x, err := range in.Exchanges(&file) {
			if err != nil {
				t.Fatal(err)
			}
			id, _, _ := strings.Cut(x.ID, "#")
			if x.Later {
				continue
			}
			n++
			for c, err := range corpus.ReadLines(bytes.NewReader(x.Frozen), corpus.LineOptions{}) {
				if err != nil {
					t.Fatal(err)
				}
				if got, want := line(t, c), line(t, byID[id]); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			}
			// The standard members alone say the same of the wire.
			plain, err := x.Case()
			if err != nil {
				t.Fatal(err)
			}
			first := byID[id].Exchanges()[0]
			if got, want := cases.WireKey(plain), cases.WireKey(first); got != want {
				t.Errorf("%s: got %s, want %s", id, got, want)
			}
			if got, want := capture.VerdictKey(capture.Judge(x).Verdict), capture.VerdictKey(first.Classify()); got != want {
				t.Errorf("%s: judged from the archive %s, want %s", id, got, want)
			}
		}
		if n != len(all) {
			t.Errorf("got %d cases, want %d", n, len(all))
		}
	})
}

// Messages hold the wire of those that HoldsHTTP lets pass, in one file.
func TestRoundTripOfMessages(t *testing.T) {
	all := answers(t)
	var file []byte
	held := make(map[string]corpus.Case)
	for _, c := range all {
		if HoldsHTTP(c) == nil {
			held[c.ID] = c
			file = capture.AppendHTTP(file, c)
		}
	}
	if len(held) < len(all)*3/4 {
		t.Errorf("messages hold %d of %d cases", len(held), len(all))
	}
	n := 0
	in := capture.Input{Name: "http", Form: capture.Auto, IDAssumed: true}
	for x, err := range in.Exchanges(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		c, err := x.Case()
		if err != nil {
			t.Fatal(err)
		}
		c.Headers = capture.WithoutFraming(c.Headers)
		if got, want := cases.WireKey(c), cases.WireKey(held[x.ID]); got != want {
			t.Errorf("%s: got %s, want %s", x.ID, got, want)
		}
	}
	if n != len(held) {
		t.Errorf("got %d exchanges, want %d", n, len(held))
	}
}

func TestHoldsHTTPNamesWhatWouldBeLost(t *testing.T) {
	for id, want := range map[string]string{
		"no-answer/connect":      "there is no answer",
		"status/204-with-result": "messages would change body",
		"streams/deadline":       "messages would change ended",
	} {
		c, ok := corpus.ByID(id)
		if !ok {
			t.Fatalf("no case %s", id)
		}
		if err := HoldsHTTP(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", id, err, want)
		}
	}
}

// Every layout gives back the parts that it holds.
func TestRoundTripOfSeeds(t *testing.T) {
	all := answers(t)
	parts := map[string]func(corpus.Case) string{
		"body":         func(c corpus.Case) string { return string(c.Answer().Body) },
		"status":       func(c corpus.Case) string { return fmt.Sprint(*c.Status) },
		"headers":      func(c corpus.Case) string { return fmt.Sprint(c.Headers) },
		"id":           func(c corpus.Case) string { return c.RequestID.String() },
		"ended":        func(c corpus.Case) string { return c.Answer().Ended.String() },
		"notification": func(c corpus.Case) string { return fmt.Sprint(c.Notification) },
		"case":         cases.WireKey,
	}
	for _, layout := range []string{
		"body", "body string", "case", "body []byte, status int", "status int32, body string, headers string, id []byte, notification bool, ended string",
	} {
		target, err := ParseTarget(layout)
		if err != nil {
			t.Fatal(err)
		}
		read := target.Reader(classifier.IntID(1))
		held := 0
		for _, c := range all {
			if c.Then != nil && layout != "case" {
				continue
			}
			values, err := target.Values(c)
			if err != nil {
				if c.Status != nil && *c.Status < 1<<31 && *c.Status > -1<<31 {
					t.Errorf("%s: %s: %v", layout, c.ID, err)
				}
				continue
			}
			held++
			forms := [][]byte{target.Native(values)}
			if target.Single() {
				forms = append(forms, textOf(values[0]))
			}
			for _, form := range forms {
				back, err := read(form)
				if err != nil {
					t.Errorf("%s: %s: %v", layout, c.ID, err)
					continue
				}
				for _, a := range target {
					if a.Name == "id" && c.Notification {
						continue
					}
					if got, want := parts[a.Name](back), parts[a.Name](c); got != want {
						t.Errorf("%s: %s: %s: got %q, want %q", layout, c.ID, a.Name, got, want)
					}
				}
			}
		}
		if held < len(all)*9/10 {
			t.Errorf("%s holds %d of %d cases", layout, held, len(all))
		}
	}
}

// The whole answer is what net/http and this project's own reader can read.
func TestAnswerSeedsAreMessages(t *testing.T) {
	target, _ := ParseTarget("answer")
	n := 0
	for _, c := range corpus.All() {
		said := c
		// How long the body is, the message says, and a case that said so need not.
		c.Headers = capture.WithoutFraming(c.Headers)
		if c.Then != nil || HoldsHTTP(c) != nil {
			continue
		}
		values, err := target.Values(said)
		if err != nil {
			t.Fatal(err)
		}
		back, err := target.Reader(c.RequestID)(textOf(values[0]))
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		back.Notification = c.Notification
		back.RequestID = c.RequestID
		if got, want := cases.WireKey(back), cases.WireKey(c); got != want {
			t.Errorf("%s: got %s, want %s", c.ID, got, want)
		}
		n++
	}
	if n < 900 {
		t.Errorf("only %d answers were read back", n)
	}
}

func TestParseTarget(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{"body", "body []byte", ""},
		{" body []byte ,status int", "body []byte, status int", ""},
		{"answer string", "answer string", ""},
		{"", "", "is no argument"},
		{"bytes []byte", "", "no part of an answer; the parts are body, answer, status"},
		{"status float64", "", "the type float64 is not known"},
		{"body int", "", "body does not go into a int"},
		{"notification []byte", "", "notification does not go into a []byte"},
		{"status bool", "", "status does not go into a bool"},
	} {
		got, err := ParseTarget(test.text)
		if test.err == "" && (err != nil || got.String() != test.want) || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: got %s, %v, want %s, %s", test.text, got, err, test.want, test.err)
		}
	}
}

func TestParseNative(t *testing.T) {
	target, _ := ParseTarget("body []byte, status int16, notification bool, id uint8")
	got, err := target.ParseNative([]byte("go test fuzz v1\r\nstring(`a\"b`)\r\nint16(-5)\r\nbool(true)\r\nbyte('\\x07')\r\n"))
	if want := "[[97 34 98] -5 true 7]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	for text, want := range map[string]string{
		"x":                                "does not begin",
		"go test fuzz v1\n[]byte(\"a\")\n": "has 1 arguments, and the target",
		"go test fuzz v1\n[]byte(\"a\")\nint(1)\nbool(true)\nbyte(1)\n":            "is no int16",
		"go test fuzz v1\n[]byte(\"a\")\nint16(70000)\nbool(true)\nbyte(1)\n":      "does not go into a int16",
		"go test fuzz v1\n[]byte(\"a\nint16(1)\nbool(true)\nbyte(1)\n":             "is not of the form type(value)",
		"go test fuzz v1\n[]byte(oops)\nint16(1)\nbool(true)\nbyte(1)\n":           "invalid syntax",
		"go test fuzz v1\n[]byte(\"a\")\nint16(1)\nbool(true)\nbyte(1)\nint8(1)\n": "has 5 arguments",
	} {
		if got, err := target.ParseNative([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

// Go itself takes the seeds: a fuzz function of the layout is run on them.
func TestGoTakesTheSeeds(t *testing.T) {
	target, _ := ParseTarget("body []byte, status int, content_type string")
	blobs, _, err := Native.Blobs(corpus.All(), target)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "testdata", "fuzz", "FuzzIt")
	if err := corpus.WriteBlobs(folder, blobs); err != nil {
		t.Fatal(err)
	}
	source, err := format.Source([]byte(`package it
import "testing"
func FuzzIt(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte, status int, contentType string) {})
}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte("module it\n\ngo 1.26\n"), "it_test.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-run", "FuzzIt", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if ran := bytes.Count(out, []byte("--- PASS: FuzzIt/")); err != nil || ran != len(blobs) {
		t.Errorf("%v, ran %d of %d seeds\n%.2000s", err, ran, len(blobs), out)
	}
}
