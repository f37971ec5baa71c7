package report

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	shown "github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

// mostBody is how much of a body is shown.
const mostBody = 600

// Wire is a case's answer as lines for people: the status, the headers, the
// body with what cannot be seen escaped, and how it was delivered.
func Wire(c corpus.Case) []string {
	if c.Status == nil {
		return []string{fmt.Sprintf("no HTTP answer (%s)", c.NoAnswer())}
	}
	lines := []string{fmt.Sprintf("HTTP %d", *c.Status)}
	for _, h := range c.Headers {
		lines = append(lines, visible(h.Name+": "+h.Value))
	}
	if len(c.Body) == 0 {
		lines = append(lines, "(no body)")
	} else {
		lines = append(lines, body(c.Body)...)
	}
	var how []string
	if c.CutAfter != nil {
		how = append(how, fmt.Sprintf("cut after %d of %s", *c.CutAfter, count.Of(len(c.Body), "byte")))
	}
	if c.Ended != nil {
		how = append(how, "ended: "+c.Ended.String())
	}
	if len(c.ChunkSplits) > 0 {
		how = append(how, "in "+count.Of(len(c.ChunkSplits)+1, "write"))
	}
	if c.DelayMS > 0 {
		how = append(how, fmt.Sprintf("after %d ms", c.DelayMS))
	}
	if c.Notification {
		how = append(how, "in reply to a notification")
	}
	if len(c.Then) > 0 {
		how = append(how, "and "+count.Of(len(c.Then), "further answer"))
	}
	if len(how) > 0 {
		lines = append(lines, "("+strings.Join(how, ", ")+")")
	}
	return lines
}

// body shows a body, one line for each of its own, and how much more there is.
func body(b []byte) []string {
	first := b[:min(len(b), mostBody)]
	text := strings.TrimSuffix(string(first), "\n")
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = visible(lines[i])
	}
	if more := len(b) - len(first); more > 0 {
		lines = append(lines, fmt.Sprintf("… (%s more)", count.Of(more, "byte")))
	}
	return lines
}

// visible escapes what a terminal would not show, or would obey.
func visible(text string) string { return shown.Text(text) }
