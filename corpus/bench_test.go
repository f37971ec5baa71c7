package corpus_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// BenchmarkReadLines reads the shipped cases as JSON lines.
func BenchmarkReadLines(b *testing.B) {
	var lines bytes.Buffer
	if err := corpus.WriteLines(&lines, slices.Values(corpus.All())); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(lines.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range corpus.ReadLines(bytes.NewReader(lines.Bytes()), corpus.LineOptions{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
