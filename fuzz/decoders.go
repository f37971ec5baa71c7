package fuzz

import (
	"errors"

	"github.com/replyproof/replyproof/classifier/codings" // and makes br and zstd known to the classifier
	"github.com/replyproof/replyproof/classifier/model"
)

// decoders are the codings that the model knows besides its own.
var decoders = model.Decoders{"br": decoding(codings.Brotli), "zstd": decoding(codings.Zstd)}

// decoding is decode with the model's error for an early end.
func decoding(decode func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		plain, err := decode(data)
		if errors.Is(err, codings.ErrEarlyEnd) {
			err = model.ErrEarlyEnd
		}
		return plain, err
	}
}
