package loopback

import (
	"bytes"
	"errors"
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
// that equals the case's own; one that only resembles it, as the string 1 does
// the number 1, resembles the call's afterwards; other integers keep their
// distance from it, so that none of them hits upon the call's. What gzip or
// deflate hides is written anew, with the damage that it had.
//
// It is an error if the resemblance cannot be had with this id, if the answer is
// under a coding that is not written here, or if the verdict of what came out is
// no longer the expected one, as where the spelling of the id is the point. Such a
// case is an error for its own id as well: whether it is played must not hang on
// how many calls a connection has seen.
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
