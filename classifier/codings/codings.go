// Package codings teaches the classifier the content codings br and zstd. It is
// apart because it needs two compression libraries, and the classifier the
// standard library alone. Importing it is enough:
//
//	import _ "github.com/replyproof/replyproof/classifier/codings"
//
// [Brotli] and [Zstd] undo a whole body at once, for judges other than the
// classifier.
//
// What the two libraries are made to tell, and what they cannot:
//
//   - br (RFC 7932): an early end, damage and bytes after the end are told
//     apart at every byte. The decoder gives what it has decoded whenever it
//     wants more input, but loses it when it meets damage; so what came before
//     damage is found by feeding it byte by byte. There is no checksum. Large
//     windows (RFC 9841) are damage.
//   - zstd (RFC 8878): frames may follow each other, skippable ones among them.
//     Where a frame ends is read here, since the decoder takes up to three
//     other bytes after a frame for its end or an early end. It decodes block by block, so nothing
//     of a block that is cut is given. A window above 8 MiB is damage, as RFC
//     9659 rules for the coding, and so is a frame that wants a dictionary.
package codings

import (
	"errors"
	"io"

	"github.com/replyproof/replyproof/classifier"
)

// ErrEarlyEnd is the error of [Brotli] and [Zstd] for data that ends before its
// coding does; every other error is damage, bytes after the end included.
var ErrEarlyEnd = errors.New("codings: the data ends early")

var errTrailing = errors.New("codings: bytes after the end")

func init() {
	classifier.RegisterCoding("br", openBrotli)
	classifier.RegisterCoding("zstd", openZstd)
}

// readAll is what r gives, at most limit bytes, and its error, nil at the end.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	plain, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(plain)) > limit {
		return plain[:limit], errLimit
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrEarlyEnd
	}
	return plain, err
}

var errLimit = errors.New("codings: the data decodes to more than classifier.DefaultDecodedLimit")
