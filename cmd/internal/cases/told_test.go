package cases

import (
	"slices"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func TestHow(t *testing.T) {
	reset, connect := classifier.EndedReset, classifier.EndedConnect
	for _, test := range []struct {
		name string
		c    corpus.Case
		want string
	}{
		{"plain", corpus.Case{Status: new(200), Body: []byte("abc")}, ""},
		{"cut", corpus.Case{Status: new(200), Body: []byte("abc"), CutAfter: new(1)}, "cut after 1 of 3 bytes"},
		{"cut at the end", corpus.Case{Status: new(200), Body: []byte("abc"), CutAfter: new(3)}, ""},
		{"reset, in writes, late, for a notification", corpus.Case{Status: new(200), Body: []byte("abc"), Ended: &reset, ChunkSplits: []int{1}, DelayMS: 5, Notification: true},
			"ended: reset, in 2 writes, after 5 ms, in reply to a notification"},
		{"no answer", corpus.Case{Ended: &connect}, ""},
		{"no answer after a while", corpus.Case{Ended: &connect, DelayMS: 7}, "after 7 ms"},
	} {
		if got := How(test.c); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRules(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "6": {"6"}, "6, 7": {"6", "7"}, "S1,S2  T": {"S1", "S2", "T"}} {
		if got := slices.Collect(Rules(corpus.Case{Rule: text})); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
