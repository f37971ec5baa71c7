package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzCoding(f *testing.F) {
	for _, seed := range fuzz.CodingSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.Coding(t, data) })
}
