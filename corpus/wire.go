package corpus

import (
	"bytes"

	"github.com/replyproof/replyproof/classifier"
)

// Placeholder in a body stands for the request's id, written as JSON.
const Placeholder = "{{id}}"

// Wire is the body of a case as it goes over the wire for a given request id.
type Wire struct {
	Body  []byte           // whole, not yet cut; not to be changed
	Cut   int              // bytes that are delivered; len(Body) if the body is not cut
	Split []int            // where it is split into writes, ascending, each below Cut
	Ended classifier.Ended // how the delivery ends
}

// Delivered is the part of the body that arrives.
func (w Wire) Delivered() []byte { return w.Body[:w.Cut:w.Cut] }

// Wire puts id in for {{id}} and works out where the body is split and cut.
// The offsets of a case count its body as written, so they are moved along with
// the text after a placeholder whose length changed; one inside a placeholder
// stays as far into the id, or at its end. The body is that of the case itself
// where it holds no placeholder.
//
// A case whose body is cut and that says nothing of its end, or eof, ends in a
// reset: a part of a body is never the whole of one.
func (c Case) Wire(id classifier.ID) Wire {
	w, length := c.wire(id)
	for _, split := range c.ChunkSplits {
		if at := movedOffset(c.Body, length, split); at > 0 && at < w.Cut {
			w.Split = append(w.Split, at)
		}
	}
	return w
}

// wire is Wire without the splits, and how long a placeholder has become.
func (c *Case) wire(id classifier.ID) (w Wire, length int) {
	w.Body, length = c.Body, len(Placeholder)
	if bytes.Contains(c.Body, []byte(Placeholder)) {
		text := appendID(nil, id)
		w.Body, length = bytes.ReplaceAll(c.Body, []byte(Placeholder), text), len(text)
	}
	w.Cut = len(w.Body)
	cut := c.CutAfter != nil && *c.CutAfter < len(c.Body)
	if cut {
		w.Cut = movedOffset(c.Body, length, max(*c.CutAfter, 0))
	}
	switch {
	case c.Status == nil:
		w.Ended = c.NoAnswer()
	case c.Ended != nil && !(cut && *c.Ended == classifier.EndedEOF):
		w.Ended = *c.Ended
	case cut:
		w.Ended = classifier.EndedReset
	}
	return w, length
}

// movedOffset is where offset of body lies once each placeholder has the given length.
func movedOffset(body []byte, length, offset int) int {
	if length == len(Placeholder) {
		return offset
	}
	moved, at := offset, 0
	for {
		next := bytes.Index(body[at:], []byte(Placeholder))
		if next < 0 || at+next >= offset {
			return moved
		}
		start := at + next
		end := start + len(Placeholder)
		if offset < end {
			return moved - (offset - start) + min(offset-start, length)
		}
		moved += length - len(Placeholder)
		at = end
	}
}
