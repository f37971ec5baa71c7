package codings

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/andybalholm/brotli"

	"github.com/replyproof/replyproof/classifier"
)

// Brotli undoes br. plain is what was decoded before the error, which is nil,
// [ErrEarlyEnd], or anything else for damage, bytes after the end, or more
// than [classifier.DefaultDecodedLimit] bytes. No data at all is an empty text.
func Brotli(data []byte) (plain []byte, err error) {
	if len(data) == 0 {
		return nil, nil
	}
	plain, err = readAll(newBrotli(bytes.NewReader(data)), classifier.DefaultDecodedLimit)
	switch {
	case err == nil, errors.Is(err, ErrEarlyEnd), errors.Is(err, errLimit):
		return plain, err
	}
	return readAll(newBrotli(oneByte{bytes.NewReader(data)}), classifier.DefaultDecodedLimit)
}

// oneByte hands out one byte a read, so that the decoder gives what it has
// decoded before it meets damage.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func openBrotli(src io.Reader) (io.Reader, error) { return newBrotli(src), nil }

// excessive is the library's error for bytes after the end. It has no exported
// name, so it is provoked once: 0x06 is a whole empty stream.
var excessive = sync.OnceValue(func() error {
	_, err := brotli.NewReader(bytes.NewReader([]byte{0x06, 0x00})).Read(make([]byte, 1))
	return err
})

// brotliReader mends one fault of the library's Reader: where the last bytes of
// the data arrive in a read of their own, it sometimes reports bytes after the
// end that are not there.
type brotliReader struct {
	r       *brotli.Reader
	suspect bool // bytes after the end were reported
}

func newBrotli(src io.Reader) *brotliReader { return &brotliReader{r: brotli.NewReader(src)} }

func (b *brotliReader) Read(p []byte) (int, error) {
	if !b.suspect {
		n, err := b.r.Read(p)
		if err != excessive() {
			return n, err
		}
		b.suspect = true
		return n, nil
	}
	// All output has been given. If bytes really follow, the library says so
	// again, at once or after the next read; if not, it meets the source's end.
	_, err := b.r.Read(p)
	if err == nil || err == excessive() {
		err = errTrailing
	}
	return 0, err
}
