package cases

import (
	"fmt"
	"iter"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/corpus"
)

// Rules are the rules that a case names.
func Rules(c corpus.Case) iter.Seq[string] {
	return strings.FieldsFuncSeq(c.Rule, func(r rune) bool { return r == ',' || r == ' ' })
}

// How tells how the answer of a case was delivered, the answers that follow it
// left out; "" if nothing about it is out of the ordinary. A cut that takes
// nothing away is none, and how a case without an answer ended is what it is.
func How(c corpus.Case) string {
	var parts []string
	if c.CutAfter != nil && *c.CutAfter < len(c.Body) {
		parts = append(parts, fmt.Sprintf("cut after %d of %s", *c.CutAfter, count.Of(len(c.Body), "byte")))
	}
	if c.Ended != nil && c.Status != nil {
		parts = append(parts, "ended: "+c.Ended.String())
	}
	if len(c.ChunkSplits) > 0 {
		parts = append(parts, "in "+count.Of(len(c.ChunkSplits)+1, "write"))
	}
	if c.DelayMS > 0 {
		parts = append(parts, fmt.Sprintf("after %d ms", c.DelayMS))
	}
	if c.Notification {
		parts = append(parts, "in reply to a notification")
	}
	return strings.Join(parts, ", ")
}
