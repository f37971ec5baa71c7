package report

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	shown "github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

// mostBody is how much of a body is shown.
const mostBody = 600

// Wire is a case's answer as lines for people: the status, the headers, the
// body with what cannot be seen escaped, and how it was delivered.
func Wire(c corpus.Case) []string {
	lines := answer(c)
	var how []string
	if told := cases.How(c); told != "" {
		how = append(how, told)
	}
	if len(c.Then) > 0 {
		how = append(how, "and "+count.Of(len(c.Then), "further answer"))
	}
	if len(how) > 0 {
		lines = append(lines, "("+strings.Join(how, ", ")+")")
	}
	return lines
}

// answer is the answer without how it was delivered.
func answer(c corpus.Case) []string {
	if c.Status == nil {
		return []string{fmt.Sprintf("no HTTP answer (%s)", c.NoAnswer())}
	}
	lines := []string{fmt.Sprintf("HTTP %d", *c.Status)}
	for _, h := range c.Headers {
		lines = append(lines, visible(h.Name+": "+h.Value))
	}
	if len(c.Body) == 0 {
		return append(lines, "(no body)")
	}
	return append(lines, body(c.Body)...)
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
