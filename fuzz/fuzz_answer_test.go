package fuzz_test

import (
	"testing"

	"github.com/replyproof/replyproof/fuzz"
)

func FuzzAnswer(f *testing.F) {
	for _, seed := range fuzz.AnswerSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzz.Answer(t, data) })
}
