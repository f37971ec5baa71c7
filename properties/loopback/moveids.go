package loopback

import (
	"regexp"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// idMember is a member named id, in capitals or with escapes too, with a number, a
// plain string, or an array of one of them, as a text of JSON spells it.
var idMember = regexp.MustCompile(`("(?:[iI]|\\u00[46]9)(?:[dD]|\\u00[46]4)"[ \t\r\n]*:[ \t\r\n]*)(` + idScalar + `|\[[ \t\r\n]*` + idScalar + `[ \t\r\n]*\])([ \t\r\n]*[,}])`)

const idScalar = `(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|"(?:[^"\\]|\\.)*")`

// patch is bytes that take the place of others.
type patch struct {
	at, end int
	text    string
}

// mover moves the ids of bodies from one call to another.
type mover struct {
	own, id classifier.ID
	// exact is whether an id that cannot be moved is an error.
	exact bool
	tied  bool // there was one
}

// patches are what is to be changed in a text that is not compressed.
func (m *mover) patches(body []byte) (all []patch) {
	for _, at := range idMember.FindAllSubmatchIndex(body, -1) {
		was := string(body[at[4]:at[5]])
		is, ok := movedID(m.own, m.id, was)
		m.tied = m.tied || !ok && m.exact
		if ok && is != was {
			all = append(all, patch{at[4], at[5], is})
		}
	}
	return all
}

// plain is a text that is not compressed with its ids moved; body itself if it
// has none.
func (m *mover) plain(body []byte) []byte {
	return applied(body, m.patches(body))
}

func applied(body []byte, patches []patch) []byte {
	if len(patches) == 0 {
		return body
	}
	var moved []byte
	last := 0
	for _, p := range patches {
		moved = append(append(moved, body[last:p.at]...), p.text...)
		last = p.end
	}
	return append(moved, body[last:]...)
}

// moveIDs moves the ids of a body, and the offsets along with them.
func moveIDs(c corpus.Case, own, id classifier.ID) (corpus.Case, error) {
	m := mover{own: own, id: id, exact: c.Expect != nil && c.Expect.Outcome != classifier.HTTPError}
	_, number := id.Int()
	escaped := number && strings.Contains(rawID(own), `\`) // and its escapes are the point
	if m.exact && len(c.Body) > 0 && (escaped || codedOtherwise(c)) {
		return corpus.Case{}, errTied
	}
	var move func(offset int) int
	body, coded := m.coded(c.Body, c.HTTPHeader())
	if coded {
		was, is := len(c.Body), len(body)
		move = func(offset int) int { return movedInside(offset, was, is) }
	} else {
		patches := m.patches(c.Body)
		body = applied(c.Body, patches)
		move = func(offset int) int { return movedAlong(offset, patches) }
	}
	if m.tied {
		return corpus.Case{}, errTied
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
	c.Body = body
	return c, nil
}

// movedAlong is where an offset lies once the patches are made; one inside what is
// replaced stays as far in, or at the end.
func movedAlong(offset int, patches []patch) int {
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

// movedInside is where an offset lies in a compressed body that was written anew:
// as far from the nearer end, where headers and checksums stand.
func movedInside(offset, was, is int) int {
	if offset > was/2 {
		return max(is-(was-offset), 0)
	}
	return min(offset, is)
}
