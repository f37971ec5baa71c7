package loopback

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Scene makes the case that answers a call, once the id of the call is known.
// An error is the reason why it cannot be had for that id.
type Scene func(id classifier.ID) (corpus.Case, error)

// Frozen is the scene of a case of a corpus: see [Retarget].
func Frozen(c corpus.Case) Scene {
	return func(id classifier.ID) (corpus.Case, error) { return Retarget(c, id) }
}

var errTied = errors.New("the answer hangs on the id of its call, and cannot be carried over to another")

// Retarget is a case for a call that came with another id than the case says.
// The id is put in for {{id}}, or, in a body without it, in place of each "id"
// that equals the case's own; other integers keep their distance from it, so
// that none of them hits upon the call's. What came out is judged: it is an
// error if its verdict is no longer the expected one, as where the bytes are
// compressed or the spelling of the id is the point. Such a case is an error for
// its own id as well: whether it is played must not hang on how many calls a
// connection has seen.
func Retarget(c corpus.Case, id classifier.ID) (corpus.Case, error) {
	own, whole := c.RequestID.Int()
	if whole && c.RequestID == id {
		if _, err := retarget(c, classifier.IntID(own+1)); err != nil {
			return corpus.Case{}, err
		}
	}
	return retarget(c, id)
}

func retarget(c corpus.Case, id classifier.ID) (corpus.Case, error) {
	if c.Notification {
		return corpus.Case{}, errors.New("the answer to a notification, and a client is asked to make calls")
	}
	own := c.RequestID
	c.RequestID = id
	if own != id && !bytes.Contains(c.Body, []byte(corpus.Placeholder)) {
		moved, err := moveIDs(c, own, id)
		if err != nil {
			return corpus.Case{}, err
		}
		c = moved
	}
	if c.Expect == nil || c.Status == nil {
		return c, nil
	}
	v := c.Classify()
	if v.Outcome != c.Expect.Outcome || v.Reason == classifier.ReasonIDMismatch && rounded(v.ID, id) && len(c.AlsoAcceptable) == 0 {
		return corpus.Case{}, errTied
	}
	return c, nil
}

// rounded tells whether a number is the id once both are doubles, as they are to
// a right client too: 1e-400 is 0, and a small id is one only by its call.
func rounded(number []byte, id classifier.ID) bool {
	n, whole := id.Int()
	text := string(number)
	if !whole || text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f == float64(n)
}

// idMember is a member named id with an integer or a plain string, as any
// ordinary text of JSON spells it.
var idMember = regexp.MustCompile(`("id"[ \t\r\n]*:[ \t\r\n]*)(-?[0-9]+|"(?:[^"\\]|\\.)*")([ \t\r\n]*[,}])`)

// moveIDs puts ids in place of those of a body, and moves the offsets along.
func moveIDs(c corpus.Case, own, id classifier.ID) (corpus.Case, error) {
	raw := func(id classifier.ID) []byte {
		return corpus.Case{Body: []byte(corpus.Placeholder)}.Wire(id).Body
	}
	was, is := raw(own), raw(id)
	from, whole := own.Int()
	to, stays := id.Int()
	type patch struct {
		at, end int
		text    []byte
	}
	var patches []patch
	for _, at := range idMember.FindAllSubmatchIndex(c.Body, -1) {
		text := c.Body[at[4]:at[5]]
		switch n, err := strconv.ParseInt(string(text), 10, 64); {
		case bytes.Equal(text, was):
			patches = append(patches, patch{at[4], at[5], is})
		case err == nil && whole && stays:
			patches = append(patches, patch{at[4], at[5], strconv.AppendInt(nil, n-from+to, 10)})
		}
	}
	if len(patches) == 0 {
		return c, nil
	}
	move := func(offset int) int {
		moved := offset
		for _, p := range patches {
			if p.at >= offset {
				break
			}
			if offset < p.end {
				return moved - (offset - p.at) + min(offset-p.at, len(p.text))
			}
			moved += len(p.text) - (p.end - p.at)
		}
		return moved
	}
	var body []byte
	last := 0
	for _, p := range patches {
		body = append(append(body, c.Body[last:p.at]...), p.text...)
		last = p.end
	}
	if c.CutAfter != nil && *c.CutAfter < len(c.Body) {
		at := move(*c.CutAfter)
		c.CutAfter = &at
	}
	var splits []int
	for _, split := range c.ChunkSplits {
		if at := move(split); len(splits) == 0 || at > splits[len(splits)-1] {
			splits = append(splits, at)
		}
	}
	c.ChunkSplits = splits
	c.Body = append(body, c.Body[last:]...)
	return c, nil
}
