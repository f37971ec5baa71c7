package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range fuzz.RetryAfterSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.RetryAfter(t, data) })
}
