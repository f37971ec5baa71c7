package properties_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
)

// The caller's splits stay as they are, what stands behind them in their array too.
func TestInPiecesLeavesTheSplits(t *testing.T) {
	a := classifier.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte("data: 1\n\n")}
	all := []int{3, 5, 7}
	properties.InPieces(classifier.Call{ID: classifier.IntID(1)}, a, all[:1])
	if want := []int{3, 5, 7}; !slices.Equal(all, want) {
		t.Errorf("got %v, want %v", all, want)
	}
}
