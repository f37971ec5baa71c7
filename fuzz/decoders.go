package fuzz

import (
	"errors"

	"github.com/replyproof/replyproof/classifier/codings" // and makes br and zstd known to the classifier
	"github.com/replyproof/replyproof/classifier/model"
)

// decoders are those of Decoders.
var decoders = Decoders()

// Decoders gives the codings that the classifier knows here besides its own, br
// and zstd, in the form that the model takes. An early end is the model's error
// for it.
func Decoders() model.Decoders {
	return model.Decoders{"br": decoding(codings.Brotli), "zstd": decoding(codings.Zstd)}
}

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
