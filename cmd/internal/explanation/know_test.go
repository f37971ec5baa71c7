package explanation

import (
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

// TestNoAnswerIsNoStatus: what is told where no answer came speaks of none.
func TestNoAnswerIsNoStatus(t *testing.T) {
	const none, cut = "no HTTP answer came, not even a status (0 in a HAR file says no more)", "the final response never arrived; a status of 200 does not stand for it"
	const ran, sent = "whether the tool ran, and with which effects", "whether the connection failed before the call was sent; if so, this attempt of it did not run"
	for _, test := range []struct {
		name           string
		answer         classifier.Answer
		known, unknown string
	}{
		{"refused", classifier.Answer{Ended: classifier.EndedConnect}, none, sent},
		{"no TLS", classifier.Answer{Ended: classifier.EndedTLS}, none, sent},
		{"reset", classifier.Answer{Ended: classifier.EndedReset}, none, ran},
		{"a body cut", classifier.Answer{Status: 200, Ended: classifier.EndedReset}, cut, ran},
	} {
		v := classifier.Classify(classifier.Call{ID: classifier.IntID(1)}, test.answer)
		if test.answer.Status == 0 {
			v = classifier.ClassifyNoAnswer(test.answer.Ended)
		}
		if k := knowOf(v); k.known != test.known || k.unknown != test.unknown {
			t.Errorf("%s: got %q, %q, want %q, %q", test.name, k.known, k.unknown, test.known, test.unknown)
		}
	}
}
