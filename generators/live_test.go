package generators_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
)

// A recipe that is made for an id of the client's own comes to the verdict that
// it says, whatever the id.
func TestJudgesAgreeOnRecipesForAnyID(t *testing.T) {
	t.Parallel()
	ids := []classifier.ID{classifier.IntID(0), classifier.IntID(99), classifier.IntID(-3), classifier.IntID(1 << 40),
		classifier.StringID("99"), classifier.StringID(""), classifier.StringID(`a"b<é`), classifier.StringID("01")}
	src := generators.NewPlain(4)
	made, refused := 0, 0
	try := func(r generators.Recipe, id classifier.ID) {
		c, err := catalogue.RenderFor(r, id)
		if err != nil {
			refused++
			return
		}
		made++
		if c.RequestID != id {
			t.Fatalf("got the id %v, want %v", c.RequestID, id)
		}
		for name, judge := range judges {
			if said := disagreements(c, judge); said != "" {
				t.Errorf("%s for %v: %s: %s", catalogue.Format(r), id, name, said)
			}
		}
	}
	for r := range catalogue.Singles() {
		try(r, ids[made%len(ids)])
	}
	for range 10000 {
		try(catalogue.Build(src), ids[made%len(ids)])
	}
	// Half of the ids are strings, and a dozen faults are about numbers.
	if made < 20000 || refused > made/10 {
		t.Errorf("got %d cases, %d refused", made, refused)
	}
}

func TestRenderForRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		recipe string
		id     classifier.ID
		want   string // "" if it can be had
	}{
		{"success +id-spelling=point", classifier.IntID(7), ""},
		{"success +id-spelling=point", classifier.StringID("7"), "needs an integer id"},
		{"success +id-beyond-double=fraction", classifier.IntID(7), "brings an id of its own"},
		{"success +coding-gzip", classifier.StringID("x"), ""},
		{"success +cut=55 +sse=lf", classifier.StringID("x"), ""},
		{"success +cut=110 +sse=lf", classifier.StringID("longer"), "another verdict"},
		{"input-required +deadline=last-byte +sse=mixed", classifier.StringID("30f970f7-1"), "another verdict"}, // the final line end becomes CRLF
	}
	for _, test := range tests {
		r, err := catalogue.Parse(test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		_, err = catalogue.RenderFor(r, test.id)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %v: got %v, want %q", test.recipe, test.id, err, test.want)
		}
	}
	if _, err := catalogue.RenderFor(generators.Recipe{Base: 200}, classifier.IntID(1)); err == nil {
		t.Error("got no error for a recipe that is none")
	}
	r, _ := catalogue.Parse("success +id-near")
	if c, err := catalogue.RenderFor(r, classifier.IntID(41)); err != nil || !strings.Contains(string(c.Body), `"id":42,`) {
		t.Errorf("got %s, %v, want the id beside the call's", c.Body, err)
	}
}
