package loopback_test

import (
	"bytes"
	"compress/flate"
	"io"
	"net/http"
	"strings"
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

// An answer under a coding that is not written here holds the id of its call, and is
// for no call at all: not even for one that has that id by chance.
func TestRetargetTied(t *testing.T) {
	t.Parallel()
	c, ok := corpus.ByID("codings/br")
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

// What is compressed is written anew for another id, and what was wrong with it is
// wrong again: a client that does not look at a checksum finds the answer to its call.
func TestRetargetCompressed(t *testing.T) {
	t.Parallel()
	for id, reason := range map[string]classifier.Reason{
		"codings/gzip":                   classifier.ReasonToolSuccess,
		"codings/gzip-stream":            classifier.ReasonToolSuccess,
		"codings/gzip-two-members":       classifier.ReasonToolSuccess,
		"codings/deflate-zlib":           classifier.ReasonToolSuccess,
		"codings/deflate-raw":            classifier.ReasonToolSuccess,
		"codings/twenty":                 classifier.ReasonToolSuccess,
		"codings/gzip-checksum":          classifier.ReasonContentEncoding,
		"codings/gzip-length":            classifier.ReasonContentEncoding,
		"codings/zlib-checksum":          classifier.ReasonContentEncoding,
		"codings/gzip-trailing-bytes":    classifier.ReasonContentEncoding,
		"codings/two-wrong-order":        classifier.ReasonContentEncoding,
		"codings/unknown-in-list":        classifier.ReasonContentEncoding,
		"codings/gzip-ends-in-checksum":  classifier.ReasonBodyCut,
		"codings/gzip-reset-after-whole": classifier.ReasonBodyCut,
		"codings/deflate-ends-early":     classifier.ReasonBodyCut,
	} {
		c, ok := corpus.ByID(id)
		if !ok {
			t.Fatalf("%s is gone", id)
		}
		got, err := loopback.Retarget(c, classifier.IntID(420))
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if v := got.Classify(); v.Reason != reason {
			t.Errorf("%s: got %s, want %s", id, v.Reason, reason)
		}
		if text := read(got); !strings.Contains(text, `"id":420`) {
			t.Errorf("%s: got %q, want the id 420", id, text)
		}
	}
}

// read is what a client makes of a body that goes by its first bytes, as long as
// there is something to undo, and looks at no checksum.
func read(c corpus.Case) string {
	body := c.Body
	for {
		var plain []byte
		switch {
		case len(body) > 10 && body[0] == 0x1f && body[1] == 0x8b:
			plain, _ = io.ReadAll(flate.NewReader(bytes.NewReader(body[10:])))
		case len(body) > 2 && body[0] == 0x78:
			plain, _ = io.ReadAll(flate.NewReader(bytes.NewReader(body[2:])))
		case len(body) > 0 && body[0] != '{' && body[0] != 'd':
			plain, _ = io.ReadAll(flate.NewReader(bytes.NewReader(body)))
		}
		if len(plain) == 0 {
			return string(body)
		}
		body = plain
	}
}
