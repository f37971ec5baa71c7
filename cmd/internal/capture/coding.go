package capture

import (
	"bytes"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
)

// Decoded is the body of an answer with its content codings undone, as the
// classifier undoes them; decoded is false, and the body as it was, where there is
// nothing to undo or where that fails.
func Decoded(a *Answer) (body []byte, decoded bool) {
	plain, ok := classifier.Decode(a.Headers.HTTP(), a.Body, classifier.DefaultDecodedLimit)
	if !ok || bytes.Equal(plain, a.Body) {
		return a.Body, false
	}
	return plain, true
}
