package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzEnvelope(f *testing.F) {
	for _, seed := range fuzz.EnvelopeSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.Envelope(t, data) })
}
