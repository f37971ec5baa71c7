package corpus_test

import (
	"errors"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/corpus"
)

// decoder tells an early end as the model names it.
func decoder(undo func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		plain, err := undo(data)
		if errors.Is(err, codings.ErrEarlyEnd) {
			err = model.ErrEarlyEnd
		}
		return plain, err
	}
}

// The second judge, which shares no code with the first, agrees as well.
func TestModelJudgesShippedCasesAsTheyExpect(t *testing.T) {
	t.Parallel()
	j := model.Judge{Decoders: model.Decoders{"br": decoder(codings.Brotli), "zstd": decoder(codings.Zstd)}}
	for _, d := range corpus.VerifyWith(corpus.All(), func(c corpus.Case) classifier.Verdict {
		switch {
		case c.Status == nil:
			return j.NoAnswer(c.NoAnswer())
		case c.Notification:
			return j.Notification(c.Answer())
		}
		return j.Classify(classifier.Call{ID: c.RequestID}, c.Answer())
	}) {
		t.Error(d.Error())
	}
}
