package fuzz

import (
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// recipes are those of a batch.
func recipes(data []byte) []generators.Recipe {
	src := generators.NewPlain(digest(data))
	all := make([]generators.Recipe, BatchSize)
	for i := range all {
		all[i] = catalogue.Build(src)
	}
	return all
}

// The sample of a batch in which all is well is its first answer, byte by byte.
func TestBatchedIsTheFirst(t *testing.T) {
	for _, seed := range BatchSeeds() {
		got, want := batched(seed), SampleOf(catalogue.Render(recipes(seed)[0]))
		if got.String() != want.String() {
			t.Errorf("seed %q: got %q, want %q", seed, got, want)
		}
	}
}

// Of a batch in which one answer is misjudged that one is the sample, the last
// of all as well.
func TestBatchedFindsEach(t *testing.T) {
	seed := []byte("seed")
	all := recipes(seed)
	for _, at := range []int{0, 1, 500, BatchSize - 1} {
		n := 0
		got := firstWrong(seed, func(*corpus.Expect, *classifier.Verdict) string {
			if n++; n == at+1 {
				return "wrong"
			}
			return ""
		})
		if want := SampleOf(catalogue.Render(all[at])); got.String() != want.String() {
			t.Errorf("answer %d: got %q, want %q", at, got, want)
		}
	}
}
