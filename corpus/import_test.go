package corpus_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func TestImportFolder(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"c/0":          {Data: []byte("{}")},
		"c/1-3":        {Data: []byte("{}")},
		"c/deep/2":     {Data: []byte("\xff\x00")},
		"c/big":        {Data: []byte(strings.Repeat("x", 500))},
		"c/.git/x":     {Data: []byte("x")},
		"c/seed":       {Data: corpus.FuzzSeed([]byte("\xff\x00"))},
		"c/seed2":      {Data: []byte("go test fuzz v1\nstring(\"a\\tb\")\n")},
		"c/empty":      {Data: nil},
		"elsewhere/no": {Data: []byte("no")},
	}
	cases, report, err := corpus.ImportFolder(files, "c", corpus.ImportOptions{
		Prefix: "fuzz/json", Rule: "5", Source: "owner/name", Tags: []string{"imported"}, MaxSize: 20, RequestID: classifier.IntID(3),
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `4 kept, 4 skipped
c/.git: hidden
c/1-3: the same as c/0
c/big: 500 bytes are more than the limit of 20
c/seed: the same as c/deep/2`
	if report.String() != want {
		t.Errorf("got %s\nwant %s", report, want)
	}
	// The digest of {} begins so.
	c := cases[0]
	if c.ID != "fuzz/json/44136fa355b3678a" || c.Rule != "5" || c.Why != "An input taken over from 0." || c.Source != "owner/name" ||
		len(c.Tags) != 1 || *c.Status != 200 || string(c.Body) != "{}" || c.RequestID != classifier.IntID(3) || c.Expect != nil {
		t.Errorf("got %+v, want the case of {}", c)
	}
	if got := corpus.Bodies(cases); len(got) != 4 || string(got[1]) != "\xff\x00" || string(got[3]) != "a\tb" || len(got[2]) != 0 {
		t.Errorf("got bodies %q, want those of 0, deep/2, empty and seed2", got)
	}
	if _, _, err := corpus.ImportFolder(files, "nowhere", corpus.ImportOptions{}); err == nil {
		t.Error("got no error for a folder that is not there")
	}
}

func TestImportFolderWithAnAnswer(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"1": {Data: []byte("5")}, "2": {Data: []byte("6")}}
	cases, report, err := corpus.ImportFolder(files, ".", corpus.ImportOptions{Answer: func(input []byte) corpus.Case {
		if string(input) == "5" {
			return corpus.Case{DelayMS: -1}
		}
		return corpus.Case{Status: ptr(503), Body: input, Why: "Says why itself."}
	}})
	if err != nil || len(cases) != 1 || cases[0].Why != "Says why itself." || !strings.HasPrefix(cases[0].ID, "import/") {
		t.Fatalf("got %+v, %v, want the second input", cases, err)
	}
	if len(report.Skipped) != 1 || report.Skipped[0].Name != "1" || !strings.Contains(report.Skipped[0].Why, "delay_ms") {
		t.Errorf("got %s, want the first skipped for its delay", report)
	}
}

func TestImportLines(t *testing.T) {
	t.Parallel()
	const input = `{"status":200,"body":"a"}
{"status":200,"body":"a","id":"kept/not"}
{"status":500,"id":"kept/yes","why":"Its own."}
{"status":501,"id":"kept/yes"}
broken
{"status":503,"chunk_splits":[9]}
{"status":503,"id":"Not Kebab"}
`
	cases, report, err := corpus.ImportLines(strings.NewReader(input), corpus.LineOptions{DefaultID: classifier.IntID(1)}, corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Kept != 4 || len(cases) != 4 || len(report.Skipped) != 3 {
		t.Fatalf("got %s, want 4 kept and 3 skipped", report)
	}
	if cases[1].ID != "kept/yes" || cases[1].Why != "Its own." {
		t.Errorf("got %+v, want the second case as it was", cases[1])
	}
	for _, i := range []int{0, 2, 3} {
		if !strings.HasPrefix(cases[i].ID, "import/") || cases[i].Why == "" || !corpus.ValidID(cases[i].ID) {
			t.Errorf("got %+v, want an id of its digest and a why", cases[i])
		}
	}
	for i, want := range []string{"kept/not: the same as line-1", "line 5: ", "line-6: "} {
		got := report.Skipped[i].Name + ": " + report.Skipped[i].Why
		if !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestParseSeed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, file string
		want       []corpus.SeedArg
		fault      string // in the error; "" for none
	}{
		{"several", "go test fuzz v1\nstring(\"a)(b\")\nint(-3)\nrune('\\'')\n", []corpus.SeedArg{{"string", `"a)(b"`}, {"int", "-3"}, {"rune", `'\''`}}, ""},
		{"CRLF, empty lines and white space", "go test fuzz v1\r\n\r\n  []byte( `x` )\t\r\n\n", []corpus.SeedArg{{"[]byte", "`x`"}}, ""},
		{"a function of package math", "go test fuzz v1\nmath.Float64frombits(0x7ff8000000000001)", []corpus.SeedArg{{"math.Float64frombits", "0x7ff8000000000001"}}, ""},
		{"no argument", "go test fuzz v1\n", nil, ""},
		{"another version", "go test fuzz v2\nint(1)\n", nil, `does not begin with "go test fuzz v1"`},
		{"nothing", "", nil, `does not begin with "go test fuzz v1"`},
		{"no parentheses", "go test fuzz v1\nint 1\n", nil, `the line "int 1" is not of the form type(value)`},
		{"not closed", "go test fuzz v1\n[]byte(\"a\n", nil, `is not of the form type(value)`},
	} {
		got, err := corpus.ParseSeed([]byte(test.file))
		if test.fault != "" {
			if err == nil || !strings.Contains(err.Error(), test.fault) {
				t.Errorf("%s: got %v, %v, want %q in the error", test.name, got, err, test.fault)
			}
			continue
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	const want = "go test fuzz v1\nstring(\"\\x00\")\nint(5)\n"
	if got := string(corpus.AppendSeed(nil, corpus.SeedText("string", []byte{0}), corpus.SeedArg{Type: "int", Value: "5"})); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, err := (corpus.SeedArg{Type: "string", Value: "oops"}).Text(); err == nil {
		t.Errorf("got %q for what is not quoted, want an error", got)
	}
}

func TestFuzzSeeds(t *testing.T) {
	t.Parallel()
	// What go test writes for these bytes.
	if got := string(corpus.FuzzSeed([]byte("a\"\n\xff\x00é"))); got != "go test fuzz v1\n[]byte(\"a\\\"\\n\\xff\\x00é\")\n" {
		t.Errorf("got %q", got)
	}
	for _, input := range []string{"", "a", "\xff\x00\"\\\n", "é\u2028"} {
		got, ok := corpus.ParseFuzzSeed(corpus.FuzzSeed([]byte(input)))
		if !ok || string(got) != input {
			t.Errorf("%q: got %q, %t back", input, got, ok)
		}
	}
	for _, file := range []string{"", "{}", "go test fuzz v1", "go test fuzz v1\nint(5)\n", "go test fuzz v1\n[]byte(\"a\")\n[]byte(\"b\")\n", "go test fuzz v2\n[]byte(\"a\")\n"} {
		if got, ok := corpus.ParseFuzzSeed([]byte(file)); ok {
			t.Errorf("%q: got %q, want no seed of one text", file, got)
		}
	}
	inputs := [][]byte{[]byte("{}"), []byte("x"), []byte("{}")}
	raw := corpus.RawSeeds(inputs)
	if len(raw) != 2 || raw[0].Name != "44136fa355b3678a" || string(raw[0].Data) != "{}" {
		t.Errorf("RawSeeds: got %v, want two files, the first named by its digest", raw)
	}
	seeds := corpus.FuzzSeeds(inputs)
	if len(seeds) != 2 || string(seeds[1].Data) != "go test fuzz v1\n[]byte(\"x\")\n" || len(seeds[1].Name) != 16 {
		t.Errorf("FuzzSeeds: got %q, want two seed files", seeds)
	}
}
