package htmlreport

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

// What is shown of it: bytes of a body, of a header's value or a line of a
// trace, and lines of a trace.
const (
	mostBody   = 4000
	mostHeader = 500
	mostTrace  = 200
)

// exchange is one answer as it is shown. Pieces stand for themselves at even
// places and for what cannot be seen at odd ones.
type exchange struct {
	Status  string      `json:"status"`
	Headers [][2]string `json:"headers,omitempty"`
	Body    []string    `json:"body,omitempty"` // pieces; none where there is no body
	More    string      `json:"more,omitempty"` // what of the body is not shown
	How     string      `json:"how,omitempty"`  // it was delivered
}

// wireOf is a case with the answers that follow it.
func wireOf(c corpus.Case) []exchange {
	var all []exchange
	for _, each := range c.Exchanges() {
		all = append(all, exchangeOf(each))
	}
	return all
}

func exchangeOf(c corpus.Case) exchange {
	if c.Status == nil {
		return exchange{Status: fmt.Sprintf("no HTTP answer (%s)", c.NoAnswer()), How: cases.How(c)}
	}
	e := exchange{Status: fmt.Sprintf("HTTP %d", *c.Status), How: cases.How(c)}
	for _, h := range c.Headers {
		e.Headers = append(e.Headers, [2]string{visible.Text(shorten(h.Name, mostHeader)), visible.Text(shorten(h.Value, mostHeader))})
	}
	if len(c.Body) > 0 {
		if bytes.Contains(c.Body, []byte(corpus.Placeholder)) {
			e.How = strings.TrimPrefix(e.How+", "+corpus.Placeholder+" standing for the id of the call", ", ")
		}
		shown := c.Body[:min(len(c.Body), mostBody)]
		e.Body = visible.Pieces(shown)
		if more := len(c.Body) - len(shown); more > 0 {
			e.More = count.Of(more, "byte", "more")
		}
	}
	return e
}

// shorten cuts text that is longer than most bytes, and says so.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:most] + fmt.Sprintf("… (%s)", count.Of(len(text)-most, "byte", "more"))
}
