package nightly

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/page"
)

//go:embed page.gohtml
var bodyText string

//go:embed page.css
var style string

var bodyTemplate = template.Must(template.New("night").Funcs(template.FuncMap{
	"seconds": seconds, "short": count.Short, "curve": curve, "change": change, "percent": percent, "share": share100,
	"notes": notes, "rates": rates, "state": (*Report).state, "doubts": doubts, "head": head,
	"bytes": bytesText, "when": when, "grouped": grouped, "last": func(r *Report, t Result) PastTarget { p, _ := r.Last(t); return p },
	"known": func(r *Report, t Result) bool { _, ok := r.Last(t); return ok },
	"nights": func(r *Report) []Past {
		if len(r.Before) == 0 {
			return nil
		}
		return append([]Past{r.past()}, r.Before...)
	},
	"executions": func(p Past) int64 { n, _, _ := p.sums(); return n },
	"fresh":      func(p Past) int64 { _, n, _ := p.sums(); return n },
	"edges":      func(p Past) int { _, _, n := p.sums(); return n },
}).Parse(bodyText))

// Page is what a night came to as one page of HTML that needs nothing besides.
func Page(r *Report) ([]byte, error) {
	var body, whole bytes.Buffer
	if err := bodyTemplate.Execute(&body, r); err != nil {
		return nil, err
	}
	err := page.Write(&whole, page.Page{Title: "replyproof nightly: " + r.state(), Body: template.HTML(body.String()), Styles: []string{style}})
	return whole.Bytes(), err
}

// The size of a curve's drawing, in its own units.
const (
	curveWidth  = 320
	curveHeight = 72
	curveLabel  = 12 // room for the axis below
)

// curve draws what was covered over the time in which the target was searched:
// steps, since it stays until something is found.
func curve(t Result) template.HTML {
	if len(t.Curve) == 0 || t.Fuzzing <= 0 {
		return ""
	}
	low, high := t.Curve[0].Edges, t.Curve[len(t.Curve)-1].Edges
	span := math.Max(float64(high-low), 1)
	bottom := float64(curveHeight - curveLabel)
	x := func(s float64) float64 { return math.Min(s/t.Fuzzing, 1) * curveWidth }
	y := func(edges int) float64 { return bottom - 4 - (bottom-8)*float64(edges-low)/span }
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", x(t.Curve[0].Seconds), y(low))
	for _, p := range t.Curve[1:] {
		fmt.Fprintf(&path, "H%.1fV%.1f", x(p.Seconds), y(p.Edges))
	}
	fmt.Fprintf(&path, "H%d", curveWidth)
	// Numbers alone are put into the text.
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %d %d" role="img" aria-label="covered: from %d to %d in %s"><title>from %d to %d in %s</title>`+
		`<line class="axis" x1="0" y1="%.0f" x2="%d" y2="%.0f"/><path d="%s"/>`+
		`<text x="0" y="%d">%d</text><text class="end" x="%d" y="%d">%d after %s</text></svg>`,
		curveWidth, curveHeight, low, high, seconds(t.Fuzzing), low, high, seconds(t.Fuzzing),
		bottom, curveWidth, bottom, path.String(), curveHeight-1, low, curveWidth, curveHeight-1, high, seconds(t.Fuzzing)))
}

// when is the name of a night as a time for people.
func when(night string) string {
	t, err := time.Parse(nightLayout, night)
	if err != nil {
		return night
	}
	return t.Format("2 January 2006, 15:04 UTC")
}

// grouped is a number with its digits in threes.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u2009" + text[i:]
	}
	return text
}

// bytesText is a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
