package properties_test

import (
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
)

// BenchmarkCheckClassifier tells how many random cases are made and judged in a
// second, by construction alone and with the relations taking turns.
func BenchmarkCheckClassifier(b *testing.B) {
	const cases = 100_000
	for _, bench := range []struct {
		name    string
		options []properties.Option
	}{
		{"by-construction", []properties.Option{properties.Only(properties.ByConstruction)}},
		{"all", nil},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tally := properties.Tally{}
			options := append([]properties.Option{properties.Sampled(), properties.Corpus(), properties.Cases(cases), properties.Tallied(tally)}, bench.options...)
			trials := 0
			for b.Loop() {
				if err := properties.CheckClassifier(classifier.Classify, options...); err != nil {
					b.Fatal(err)
				}
				for _, n := range tally {
					trials += n.Times
				}
			}
			b.ReportMetric(float64(trials)/b.Elapsed().Seconds(), "trials/s")
		})
	}
	b.Run("default", func(b *testing.B) {
		for b.Loop() {
			if err := properties.CheckClassifier(classifier.Classify); err != nil {
				b.Fatal(err)
			}
		}
	})
}
