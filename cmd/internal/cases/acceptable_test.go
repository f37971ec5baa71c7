package cases

import (
	"slices"
	"testing"

	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// What may be said instead is never more than the catalogue and the shipped cases,
// which know it by how they were made, allow; and of most of them it is all of it.
func TestAcceptable(t *testing.T) {
	t.Parallel()
	all, some, whole := 0, 0, 0
	faults := map[string]int{}
	check := func(name string, c corpus.Case) {
		if len(c.Then) > 0 || c.Expect == nil {
			return
		}
		got := Acceptable(c, c.Classify())
		all++
		for _, word := range got {
			if !slices.Contains(c.AlsoAcceptable, word) {
				if faults[word]++; faults[word] <= 5 {
					t.Errorf("%s: got %q, want none but %q", name, got, c.AlsoAcceptable)
				}
			}
		}
		if len(c.AlsoAcceptable) > 0 {
			some++
			if len(got) == len(c.AlsoAcceptable) {
				whole++
			}
		}
	}
	for _, c := range corpus.All() {
		check(c.ID, c)
	}
	catalogue := generators.Default()
	for r := range catalogue.Singles() {
		check(catalogue.Format(r), catalogue.Render(r))
	}
	t.Logf("%d cases, %d of them with something else that may be said, of %d all of it", all, some, whole)
	if some == 0 || whole*10 < some*8 {
		t.Errorf("got all of what may be said for %d of %d cases, want four fifths", whole, some)
	}
}

// Codings are told by their whole names, in whichever field they stand.
func TestCoded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		codings []string
		want    bool
	}{
		{nil, false},
		{[]string{"gzip"}, false},
		{[]string{"Br"}, true},
		{[]string{"gzip, zstd"}, true},
		{[]string{"gzip", "br"}, true},
		{[]string{"abracadabra"}, false},
		{[]string{"x-zstd-not"}, false},
	} {
		var c corpus.Case
		for _, coding := range test.codings {
			c.Headers = append(c.Headers, corpus.Header{Name: "content-encoding", Value: coding})
		}
		if got := coded(c); got != test.want {
			t.Errorf("%q: got %t, want %t", test.codings, got, test.want)
		}
	}
}
