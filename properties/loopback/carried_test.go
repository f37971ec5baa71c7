package loopback_test

import (
	"net/http"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// An id that is the call's as a double is one that a right client may take for
// it; the case was frozen for a call to which it is none.
func TestRetargetRounded(t *testing.T) {
	t.Parallel()
	c, ok := corpus.ByID("ids/exponent-past-64-bits-negative")
	if !ok {
		t.Fatal("the case is gone")
	}
	for id, carried := range map[int64]bool{0: false, 1: true, 7: true} {
		got, err := loopback.Retarget(c, classifier.IntID(id))
		if (err == nil) != carried {
			t.Errorf("id %d: got %v, want carried over %t", id, err, carried)
		}
		if err == nil && got.Classify().Outcome != classifier.InvalidEnvelope {
			t.Errorf("id %d: got %v, want INVALID_ENVELOPE", id, got.Classify().Outcome)
		}
	}
}

// A compressed answer holds the id of its call, and is for no call at all: not
// even for one that has that id by chance.
func TestRetargetTied(t *testing.T) {
	t.Parallel()
	c, ok := corpus.ByID("codings/gzip")
	if !ok {
		t.Fatal("the case is gone")
	}
	own, _ := c.RequestID.Int()
	for _, id := range []int64{own, own + 1, own + 5} {
		if _, err := loopback.Retarget(c, classifier.IntID(id)); err == nil {
			t.Errorf("id %d: got a case, want an error", id)
		}
	}
}

// What may be said instead is not what is expected, so that the case stands as one
// of a corpus.
func TestAcceptingSaysNothingTwice(t *testing.T) {
	t.Parallel()
	for _, c := range corpus.All() {
		if err := loopback.Accepting(c, http.Header{}).Check(); err != nil {
			t.Error(err)
		}
	}
}
