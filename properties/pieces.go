package properties

import (
	"net/http"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// InPieces is the classifier's judge of streams as a [StreamJudge]: it is fed
// the pieces one after another. What is no plain stream it judges whole.
func InPieces(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
	if a.Header.Get("Content-Type") != "text/event-stream" || a.Status != http.StatusOK || a.Header.Get("Content-Encoding") != "" {
		return classifier.Classify(call, a)
	}
	s := classifier.NewStream(call)
	from := 0
	for _, to := range append(slices.Clip(splits), len(a.Body)) {
		if _, err := s.Write(a.Body[from:to]); err != nil {
			break
		}
		from = to
	}
	return s.Close(a.Ended)
}
