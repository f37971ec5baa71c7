package loopback_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/loopback"
)

// killed are the broken judges that a case shows to be broken.
func killed(c corpus.Case, judges []broken.Judge) (names []string) {
	t := broken.NewTrial(c)
	for i := range judges {
		if t.Kills(&judges[i]) {
			names = append(names, judges[i].Name)
		}
	}
	return names
}

// What a case of the corpus shows of a client does not hang on the id that the
// client gives its call: it finds the same judges, or it is not played at all.
func TestRetargetedCasesShowTheSame(t *testing.T) {
	t.Parallel()
	judges := broken.All()
	carried := 0
	for _, whole := range corpus.All() {
		for _, c := range whole.Exchanges() {
			if c.Notification || c.Status == nil || c.Expect == nil {
				continue
			}
			want := killed(c, judges)
			if bytes.Contains(c.Body, []byte(corpus.Placeholder)) && c.RequestID != classifier.IntID(1) {
				continue // whose escapes are those of the id that is put in
			}
			for _, id := range []classifier.ID{classifier.IntID(2), classifier.IntID(1234567)} {
				got, err := loopback.Retarget(c, id)
				if err != nil {
					continue
				}
				carried++
				if names := killed(got, judges); !slices.Equal(names, want) {
					t.Errorf("%s for %v: got %s, want %s\n%q", whole.ID, id, strings.Join(names, " "), strings.Join(want, " "), got.Body)
				}
			}
		}
	}
	if carried < 2000 {
		t.Errorf("got %d cases carried over", carried)
	}
}
