package gopterprop_test

import (
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/gopterprop"
)

// BenchmarkGopter tells how many cases gopter makes and has judged in a second.
func BenchmarkGopter(b *testing.B) {
	construction, _ := properties.ByName(properties.ByConstruction)
	property := gopterprop.Prop(construction, classifier.Classify,
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer))
	const batch = 1000
	cases := 0
	for b.Loop() {
		if result := property.Check(parameters(batch)); !result.Passed() {
			b.Fatal(result.Status)
		}
		cases += batch
	}
	b.ReportMetric(float64(cases)/b.Elapsed().Seconds(), "cases/s")
}
