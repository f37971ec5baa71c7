package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// tap keeps what is read of a body as it passes: all of it up to a limit, and
// beyond that its size, its digest and how it begins. It holds nothing up.
type tap struct {
	io.ReadCloser
	limit int
	// over is called once, with what was kept, when the limit is passed. What it
	// gives back takes all that follows, and is closed with the error that ends
	// the body, io.EOF if it arrived whole; nil for nobody.
	over func(kept []byte) feed

	mu     sync.Mutex // the transport may read a request still when its answer is over
	kept   []byte
	size   int64
	digest hash.Hash // nil up to the limit
	feed   feed
	err    error // that ended it; io.EOF if it arrived whole
	closed bool
}

// feed takes a body in pieces.
type feed interface {
	io.Writer
	CloseWithError(error) error
}

// Read passes on what comes.
func (t *tap) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if n > 0 && !t.closed {
		t.take(p[:n])
	}
	if err != nil && t.err == nil {
		t.err = err
	}
	return n, err
}

func (t *tap) take(p []byte) {
	t.size += int64(len(p))
	switch {
	case t.digest != nil:
		t.digest.Write(p)
	case len(t.kept)+len(p) <= t.limit:
		t.kept = append(t.kept, p...)
		return
	default:
		t.digest = sha256.New()
		t.digest.Write(t.kept)
		t.digest.Write(p)
		head := append(t.kept[:len(t.kept):len(t.kept)], p[:min(len(p), capture.HeadSeen)]...)
		if t.over != nil {
			t.feed = t.over(t.kept)
		}
		t.kept = bytes.Clone(head[:min(len(head), capture.HeadSeen)])
	}
	if t.feed != nil {
		if _, err := t.feed.Write(p); err != nil {
			t.feed = nil // it has seen enough
		}
	}
}

// seal ends the recording and tells the error with which the body ended. That is
// the given one for want of an end, or, with always, of an end but io.EOF.
func (t *tap) seal(otherwise error, always bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.err == nil || always && t.err != io.EOF {
		t.err = otherwise
	}
	if t.feed != nil {
		t.feed.CloseWithError(t.err)
		t.feed = nil
	}
	return t.err
}

// body is what was kept; unknown tells that it is not all.
func (t *tap) body(raw bool) (body []byte, unknown bool, lost capture.Lost) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.digest == nil {
		return t.kept, false, capture.Lost{}
	}
	return nil, true, capture.Lost{Size: t.size, SHA256: hex.EncodeToString(t.digest.Sum(nil)), Head: capture.Head(t.kept, raw)}
}
