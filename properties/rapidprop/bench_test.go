package rapidprop_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

// BenchmarkRapid tells how many cases rapid draws and has judged in a second.
func BenchmarkRapid(b *testing.B) {
	construction, _ := properties.ByName(properties.ByConstruction)
	property := rapidprop.Property(construction, classifier.Classify,
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer))
	cases := 0
	for b.Loop() {
		rapid.Check(b, func(t *rapid.T) {
			property(t)
			cases++
		})
	}
	b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
}
