package fuzz

import "github.com/replyproof/replyproof/generators"

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
func batched(data []byte) Sample {
	src := generators.NewPlain(digest(data))
	render := catalogue.NewRenderer()
	first := render.Render(catalogue.Build(src))
	for c, i := first, 1; i < BatchSize; i++ {
		s := SampleOf(c)
		if v := s.Classify(); unexpected(c.Expect, &v) != "" {
			return s
		}
		c = render.Render(catalogue.Build(src))
	}
	return SampleOf(first)
}

// BatchSeeds are a few inputs; any others serve as well.
func BatchSeeds() [][]byte { return [][]byte{{}, {0}, {1}, []byte("seed")} }
