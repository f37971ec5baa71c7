package fuzz

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// BatchSize is how many answers one input of [Batch] makes.
const BatchSize = 1000

// modelEvery is how many answers of a batch go by for each one that the model
// judges too; it is many times slower than all the rest.
const modelEvery = 32

// Batch takes of data only a seed, from which it makes a thousand answers. The
// classifier must judge each as it is known by its making; some of them the
// model judges too.
func Batch(t T, data []byte) {
	t.Helper()
	src := generators.NewPlain(digest(data))
	render := catalogue.NewRenderer()
	var fill filler
	for i := range BatchSize {
		recipe := catalogue.Build(src)
		made := render.Render(recipe)
		s := fill.sampleOf(&made)
		v := s.Classify()
		if d := unexpected(made.Expect, &v); d != "" {
			t.Errorf("recipe %s: %s\n%s", catalogue.Format(recipe), d, s)
		}
		if i%modelEvery > 0 {
			continue
		}
		if m := s.Model(); !same(&m, &v) {
			t.Errorf("recipe %s: model and classifier differ: %s\n%s", catalogue.Format(recipe), differences(&m, &v), s)
		}
	}
}

// batched is the first answer of a batch that is not judged as it was made, or
// the first of all.
func batched(data []byte) Sample { return firstWrong(data, unexpected) }

// firstWrong is batched with any sense of what is not as it was made. What is
// rendered changes with the next call, so that the first is a copy.
func firstWrong(data []byte, wrong func(*corpus.Expect, *classifier.Verdict) string) Sample {
	src := generators.NewPlain(digest(data))
	render := catalogue.NewRenderer()
	var first Sample
	for i := range BatchSize {
		c := render.Render(catalogue.Build(src))
		s := SampleOf(c)
		if v := s.Classify(); wrong(c.Expect, &v) != "" {
			return s
		}
		if i == 0 {
			first = s.clone()
		}
	}
	return first
}

// BatchSeeds are a few inputs; any others serve as well.
func BatchSeeds() [][]byte { return [][]byte{{}, {0}, {1}, []byte("seed")} }
