package generators_test

import (
	"errors"
	"testing"

	"github.com/replyproof/replyproof/generators"
)

// TestBasesAndFieldsParse: each base and each value of a field that is told to
// people is one that a recipe's text may hold.
func TestBasesAndFieldsParse(t *testing.T) {
	c := generators.Default()
	for _, base := range generators.Bases() {
		if _, err := c.Parse(base); err != nil {
			t.Error(err)
		}
	}
	for _, f := range generators.Fields() {
		values := f.Values
		if len(values) == 0 {
			values = []string{"1"}
		}
		for _, v := range values {
			text := "success +" + f.Name + "=" + v
			switch {
			case f.Stream:
				text += " +sse=lf"
			case f.Name == "chunk-at":
				text += " +chunks=at"
			case f.Name == "chunks" && v == "at":
				continue
			}
			if _, err := c.Parse(text); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := c.Parse("success +no-such-word"); !errors.Is(err, generators.ErrUnknownWord) {
		t.Errorf("got %v", err)
	}
}
