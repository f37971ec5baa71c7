package generators

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

var standard = Default()

// everything is the recipes of all enumerations and some random ones.
func everything(random int) func(yield func(Recipe) bool) {
	return func(yield func(Recipe) bool) {
		for _, all := range []func(func(Recipe) bool){standard.Singles(), standard.Pairs(), standard.Cuts()} {
			for r := range all {
				if !yield(r) {
					return
				}
			}
		}
		src := NewPlain(3)
		for range random {
			if r := standard.Build(src); !yield(r) || !yield(standard.Open(r)) {
				return
			}
		}
	}
}

func TestTextParsesBack(t *testing.T) {
	t.Parallel()
	for r := range everything(20000) {
		text := standard.Format(r)
		back, err := standard.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if back != r {
			t.Fatalf("%s: got %+v, want %+v", text, back, r)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"success", "success"},
		{"success  +sse=crlf\n+status=503", "success +status=503 +sse=crlf"},
		{"rpc-error +cut=0 +id=text", "rpc-error +id=text +cut=0"},
		{"tool-error +status", "tool-error +status=503"},
		{"success +chunks=at +chunk-at=9 +cut=117", "success +chunks=at +chunk-at=9 +cut=117"},
		{"success +space=none +sse=lf +split=0 +comments=none", "success +sse=lf +split=0"},
	}
	for _, test := range tests {
		r, err := standard.Parse(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := standard.Format(r); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestParseErrorsSayWhatAndWhere(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, word string
		offset     int
		says       string
	}{
		{"", "", 0, "empty"},
		{"  ", "", 2, "empty"},
		{"succes", "succes", 0, "the bases are success"},
		{"success status=503", "status=503", 8, "plus sign"},
		{"success +staus=503", "+staus=503", 8, "neither a fault"},
		{"success +sse=lf +status=200", "+status=200", 16, "the variants are 503"},
		{"success +sse=LF", "+sse=LF", 8, "the values are none, lf"},
		{"success +cut=-1", "+cut=-1", 8, "a number from 0"},
		{"success +cut=70000", "+cut=70000", 8, "a number from 0"},
		{"success +status=503 +status=500", "+status=500", 20, "stands twice"},
		{"success +sse=lf +sse=cr", "+sse=cr", 16, "stands twice"},
		{"success +code=one", "success +code=one", 0, "fault code needs base rpc-error"},
		{"success +status=503 +no-body", "success +status=503 +no-body", 0, "fault no-body writes what another"},
		{"success +sse-mark", "success +sse-mark", 0, "an event stream"},
		{"success +retry=digits", "success +retry=digits", 0, "add +sse=lf"},
		{"success +split=3", "success +split=3", 0, "split needs a stream"},
		{"success +chunks=at", "success +chunks=at", 0, "go together"},
		{"success +id=open +coding-gzip", "success +id=open +coding-gzip", 0, "coding-gzip"},
	}
	for _, test := range tests {
		_, err := standard.Parse(test.text)
		var wrong *ParseError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: got %v, want a *ParseError", test.text, err)
			continue
		}
		if wrong.Word != test.word || wrong.Offset != test.offset || !strings.Contains(wrong.Error(), test.says) {
			t.Errorf("%q: got %v, want the word %q at %d and %q", test.text, wrong, test.word, test.offset, test.says)
		}
	}
}

// Recipes that Check accepts render to cases that corpus accepts.
func TestCasesAreWellFormed(t *testing.T) {
	t.Parallel()
	d := standard.NewRenderer()
	for r := range everything(20000) {
		if err := standard.Check(r); err != nil {
			t.Fatalf("%s: %v", standard.Format(r), err)
		}
		made := d.Render(r)
		made.ID, made.Why = "made/case", "Made."
		if err := made.Check(); err != nil {
			t.Fatalf("%s: %v", standard.Format(r), err)
		}
	}
}

func TestRenderTwiceIsTheSame(t *testing.T) {
	t.Parallel()
	src := NewPlain(11)
	d := standard.NewRenderer()
	for range 3000 {
		r := standard.Build(src)
		first := standard.Render(r)
		d.Render(standard.Build(src))
		second := d.Render(r)
		second.ID, second.Why, second.Rule, second.Source, second.Tags = first.ID, first.Why, first.Rule, first.Source, first.Tags
		if !sameCase(t, first, second) {
			t.Fatalf("%s: got %+v, want %+v", standard.Format(r), second, first)
		}
	}
}

func sameCase(t *testing.T, a, b corpus.Case) bool {
	t.Helper()
	x, errX := a.AppendJSON(nil)
	y, errY := b.AppendJSON(nil)
	if err := errors.Join(errX, errY); err != nil {
		t.Error(err)
	}
	return string(x) == string(y)
}

func TestRenderedCaseDescribesItself(t *testing.T) {
	t.Parallel()
	r, err := standard.Parse("rpc-error +status=400 +sse=cr +id=text")
	if err != nil {
		t.Fatal(err)
	}
	got := standard.Render(r)
	if got.ID != "recipe/rpc-error-status-400-id-text-sse-cr" || got.Source != "recipe: rpc-error +status=400 +id=text +sse=cr" || got.Rule != "1" {
		t.Errorf("got %s, %q, rule %s", got.ID, got.Source, got.Rule)
	}
	if !reflect.DeepEqual(got.Tags, []string{"fault:status"}) {
		t.Errorf("got the tags %v", got.Tags)
	}
	if id, ok := got.RequestID.Text(); !ok || id != "call-1" {
		t.Errorf("got the request id %s, want the string call-1", got.RequestID)
	}
}

// Every verdict of the rules can be met.
func TestRandomRecipesComeToEveryReasonAndFinding(t *testing.T) {
	t.Parallel()
	src, d := NewPlain(5), standard.NewRenderer()
	reasons, kinds, faults := map[string]int{}, map[string]int{}, map[string]int{}
	for range 200000 {
		r := standard.Build(src)
		made := d.Render(r)
		reasons[made.Expect.Reason]++
		for _, kind := range made.Expect.Findings {
			kinds[kind]++
		}
		for f, v := range standard.Picked(r) {
			faults[f.Name+"="+v.Name]++
		}
	}
	for _, e := range classifier.Reasons() {
		if reasons[e.Name] < 20 {
			t.Errorf("reason %s: got %d in 200000, want at least 20", e.Name, reasons[e.Name])
		}
	}
	for _, e := range classifier.Findings() {
		if kinds[e.Name] < 20 {
			t.Errorf("finding %s: got %d in 200000, want at least 20", e.Name, kinds[e.Name])
		}
	}
	for f := range standard.All() {
		for _, v := range f.Variants {
			if faults[f.Name+"="+v.Name] == 0 {
				t.Errorf("fault %s=%s is never drawn", f.Name, v.Name)
			}
		}
	}
}

// The counts are part of what the enumerations promise: a change shows here.
func TestEnumerationsHaveTheirSize(t *testing.T) {
	t.Parallel()
	count := func(all func(func(Recipe) bool)) (n int) {
		seen := map[Recipe]bool{}
		for r := range all {
			if seen[r] {
				t.Errorf("%s stands twice", standard.Format(r))
			}
			seen[r] = true
			n++
		}
		return n
	}
	if got := standard.Len(); got != 199 {
		t.Errorf("faults: got %d, want 199", got)
	}
	if got := count(standard.Singles()); got != 23383 {
		t.Errorf("singles: got %d, want 23383", got)
	}
	if got := count(standard.Pairs()); got != 61950 {
		t.Errorf("pairs: got %d, want 61950", got)
	}
	if got := count(standard.Cuts()); got != 14646 {
		t.Errorf("cuts: got %d, want 14646", got)
	}
	all := 0
	for range standard.Exhaustive() {
		all++
	}
	if all != 99979 {
		t.Errorf("all of these: got %d, want 99979", all)
	}
}

func TestOpenLeavesTheIDToTheClient(t *testing.T) {
	t.Parallel()
	r, err := standard.Parse("success +status=503 +coding-gzip +id=text +sse=lf +split=4")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := standard.Format(standard.Open(r)), "success +status=503 +id=open +sse=lf"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	body := string(standard.Render(standard.Open(Recipe{})).Body)
	if !strings.Contains(body, `"id":{{id}},`) {
		t.Errorf("got %s, want the placeholder as id", body)
	}
}

func BenchmarkBuild(b *testing.B) {
	src := NewPlain(1)
	for b.Loop() {
		standard.Build(src)
	}
}

func BenchmarkBuildRender(b *testing.B) {
	src, d := NewPlain(1), standard.NewRenderer()
	b.ReportAllocs()
	for b.Loop() {
		d.Render(standard.Build(src))
	}
}
