package generators

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// RenderFor makes the case of a recipe for a call that came with an id of its
// own, as the calls of a real client do: it is that id that the answer repeats,
// and wrong ids are made from it. The kind of id that the recipe names does not
// count. It is an error if the recipe cannot be had with this id: a fault brings
// one of its own, or needs an integer, or a longer id moves what the verdict hangs
// on, as a cut at an offset. The case owns its memory.
func (c *Catalogue) RenderFor(r Recipe, id classifier.ID) (corpus.Case, error) {
	r.ID = IDOne
	if err := c.Check(r); err != nil {
		return corpus.Case{}, err
	}
	own := spellingsOf(id)
	for f, v := range c.Picked(r) {
		if (f.Needs|v.Needs)&NeedIntegerID != 0 && !own.whole {
			return corpus.Case{}, fmt.Errorf("generators: fault %s needs an integer id, and the call has another", f.Name)
		}
	}
	d := c.NewRenderer()
	d.own = own
	made := d.Render(r)
	if d.plan.Req != own {
		return corpus.Case{}, errors.New("generators: a fault brings an id of its own, and the call has another")
	}
	if made.Expect.Outcome != c.Render(r).Expect.Outcome {
		return corpus.Case{}, errors.New("generators: with an id as long as the call's the recipe has another verdict")
	}
	c.describe(r, &made)
	return made, nil
}

// spellingsOf is an id with its JSON and what may be taken for it.
func spellingsOf(id classifier.ID) *RequestID {
	if n, ok := id.Int(); ok {
		text := strconv.FormatInt(n, 10)
		return &RequestID{ID: id, Raw: text, Other: `"` + text + `"`, Near: strconv.FormatInt(n+1, 10), whole: true}
	}
	text, _ := id.Text()
	s := &RequestID{ID: id, Raw: quoted(text), Other: "1", Near: quoted(text + "x")}
	if n := len(text); n > 0 && n < 16 && onlyDigits(text) && (n == 1 || text[0] != '0') {
		s.Other = text
	}
	return s
}

// quoted is a text as JSON.
func quoted(text string) string {
	raw, _ := json.Marshal(text) // a string: it cannot fail
	return string(raw)
}

func onlyDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
