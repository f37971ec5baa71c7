package broken

import (
	"testing"

	"github.com/replyproof/replyproof/classifier/model"
)

// Each judge breaks a rule of its own: no two are the same switch.
func TestQuirksStandOnce(t *testing.T) {
	seen := map[model.Quirk]string{}
	for _, group := range [][]entry{transport, text, envelope, result, stream, others} {
		for _, e := range group {
			if e.quirk == 0 || seen[e.quirk] != "" {
				t.Errorf("%s: quirk %d is also that of %q", e.name, e.quirk, seen[e.quirk])
			}
			seen[e.quirk] = e.name
		}
	}
}
