package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzContentType(f *testing.F) {
	for _, seed := range fuzz.ContentTypeSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.ContentType(t, data) })
}
