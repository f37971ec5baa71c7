package runs

import (
	"fmt"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/properties/runner"
)

// Seen is what a subject said, in one line that is fit to be seen.
func Seen(saw, code string, status *int) string {
	text := visible.Text(saw)
	if code != "" {
		text += " code " + visible.Text(code)
	}
	if status != nil {
		text += fmt.Sprintf(" status %d", *status)
	}
	return text
}

// String tells the cell in one line.
func (c Cell) String() string {
	switch {
	case c.Became == "":
		return "not asked"
	case c.Deviation != 0 && c.Count != nil && len(c.Count.ByDeviation) > 0:
		return fmt.Sprintf("%s in %d of %s", c.Deviation, sumOf(c.Count.ByDeviation), count.Of(c.Count.Cases, "case"))
	case c.Deviation != 0:
		text := fmt.Sprintf("%s, saw %s", c.Deviation, Seen(c.Saw, c.Code, c.Status))
		if c.Became != runner.Deviated {
			text += fmt.Sprintf(" (%s)", c.Became)
		}
		return text
	}
	return string(c.Became)
}
