package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzChoices(f *testing.F) {
	for _, seed := range fuzz.ChoicesSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.Choices(t, data) })
}
