package codings

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/replyproof/replyproof/classifier"
)

// maxWindow is the largest window of the coding zstd in HTTP (RFC 9659).
const maxWindow = 8 << 20

// Zstd undoes zstd. plain is what was decoded before the error, which is nil,
// [ErrEarlyEnd], or anything else for damage, other bytes after a frame, or
// more than [classifier.DefaultDecodedLimit] bytes. No data at all is an empty
// text.
func Zstd(data []byte) (plain []byte, err error) {
	r, err := openZstd(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return readAll(r, classifier.DefaultDecodedLimit)
}

// decoders keeps the windows of decoders that are done. They run without
// goroutines, so one that is dropped needs no closing.
var decoders sync.Pool // of *zstd.Decoder

func openZstd(src io.Reader) (io.Reader, error) {
	z := &zstdReader{frames: frames{src: src}}
	if kept, ok := decoders.Get().(*zstd.Decoder); ok {
		z.r = kept
		return z, kept.Reset(&z.frames)
	}
	var err error
	z.r, err = zstd.NewReader(&z.frames, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	return z, err
}

// zstdReader tells from the frames, not from the decoder's errors, how the data ended.
type zstdReader struct {
	frames frames
	r      *zstd.Decoder
	err    error
}

func (z *zstdReader) Read(p []byte) (int, error) {
	if z.err == nil {
		n, err := z.r.Read(p)
		if err == nil {
			return n, nil
		}
		switch frames := z.frames.err; {
		case frames != nil && frames != io.EOF:
			z.err = frames
		case frames == io.EOF && err == io.EOF:
			z.err = io.EOF
		default:
			// The source was good for more: a block is damaged, though the
			// decoder calls some such blocks an unexpected end.
			z.err = fmt.Errorf("codings: zstd: %v", err)
		}
		return n, nil // the error comes with the next read
	}
	if z.r == nil {
		return 0, z.err
	}
	// The decoder holds back a last block whose checksum is missing or wrong
	// until it is asked again.
	if n, _ := z.r.Read(p); n > 0 {
		return n, nil
	}
	// Only a closed decoder cannot be reset, and none is closed.
	_ = z.r.Reset(nil)
	decoders.Put(z.r)
	z.r = nil
	return 0, z.err
}
