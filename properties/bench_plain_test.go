package properties_test

import (
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties"
)

// BenchmarkPlain tells how many cases of the plain source are made, judged and
// compared with what is known of them, in a second on one core: with a judge
// that looks at nothing, which is the harness alone, and with the classifier.
func BenchmarkPlain(b *testing.B) {
	for _, bench := range []struct {
		name  string
		judge func(*classifier.Answer, classifier.Call) classifier.Outcome
	}{
		{"harness", func(a *classifier.Answer, _ classifier.Call) classifier.Outcome {
			if a.Status != 200 {
				return classifier.HTTPError
			}
			return classifier.ToolSuccess
		}},
		{"classifier", func(a *classifier.Answer, call classifier.Call) classifier.Outcome {
			return classifier.Classify(call, *a).Outcome
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			catalogue, source := generators.Default(), generators.NewPlain(1)
			d, answers := catalogue.NewRenderer(), corpus.Answers{}
			same, cases := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				c := d.Render(catalogue.Build(source))
				cases++
				if c.Status == nil || c.Notification {
					continue
				}
				a := answers.Answer(&c)
				if bench.judge(&a, classifier.Call{ID: c.RequestID}) == c.Expect.Outcome {
					same++
				}
			}
			b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
			if same == 0 {
				b.Error("no verdict was the expected one")
			}
		})
	}
}

// BenchmarkTry is the same through a property, as the bindings to libraries try it.
func BenchmarkTry(b *testing.B) {
	setup, err := properties.NewSetup(classifier.Classify, properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer))
	if err != nil {
		b.Fatal(err)
	}
	construction, _ := properties.ByName(properties.ByConstruction)
	source := generators.NewPlain(1)
	for b.Loop() {
		if f, _ := setup.Try(construction, setup.Catalogue.Build(source), 0); f != nil {
			b.Fatal(f)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cases/s")
}
