package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzBatch(f *testing.F) {
	for _, seed := range fuzz.BatchSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.Batch(t, data) })
}
