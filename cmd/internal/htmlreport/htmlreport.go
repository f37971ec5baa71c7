// Package htmlreport writes runs as one self-contained page: the matrix of
// clients by cases with its filters, what stands behind each cell, and a part
// for each client with the causes of its deviations.
//
//	err := htmlreport.Write(w, runs.Merge(runs.ByClient(all)))
//
// The parts of the clients are plain HTML from html/template, which escapes by
// the place in which a value stands and needs no step that generates code; they
// can be read and printed without the script. The matrix is drawn by the script,
// a window of it at a time.
package htmlreport

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/page"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/properties/runner"
)

//go:embed report.css
var style string

//go:embed state.js
var stateScript string

//go:embed grid.js
var gridScript string

//go:embed panel.js
var panelScript string

//go:embed routes.js
var routesScript string

//go:embed report.gohtml
var bodyText string

var bodyTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"pieces": pieces, "of": of, "number": count.Grouped[int],
}).Parse(bodyText))

// Write writes the page of a matrix.
func Write(w io.Writer, f *runs.Field) error {
	return write(w, f, nil)
}

// WriteComparison writes the page of a comparison.
func WriteComparison(w io.Writer, c runs.Comparison) error {
	differences := c.Differences
	if differences == nil {
		differences = []runs.Difference{}
	}
	return write(w, c.Field, differences)
}

func write(w io.Writer, f *runs.Field, differences []runs.Difference) error {
	ids := Anchors(f.Clients)
	v := newView(f, differences, ids)
	var body bytes.Buffer
	if err := bodyTemplate.Execute(&body, v); err != nil {
		return fmt.Errorf("write report page: %w", err)
	}
	return page.Write(w, page.Page{
		Title: v.Title + " · replyproof", Body: template.HTML(body.String()), Styles: []string{style},
		Scripts: []string{stateScript, gridScript, panelScript, routesScript}, Data: newData(f, differences, ids),
	})
}

func of(n int, noun string) string {
	_, after, _ := strings.Cut(count.Of(n, noun), " ")
	return count.Grouped(n) + " " + after
}

// piece is a part of a text from outside: as it is, or an escape for what
// cannot be seen.
type piece struct {
	Text    string
	Escaped bool
}

func pieces(texts []string) []piece {
	var all []piece
	for i, text := range texts {
		all = append(all, piece{text, i%2 == 1})
	}
	return all
}

// view is what the template shows.
type view struct {
	Title      string
	Lead       string
	Single     bool // one client alone
	Compare    bool
	Severities []runner.Severity
	Clients    []clientView
	Changes    []changeView
	Note       string
	Rows       int
	Catalogues []string
}

type clientView struct {
	ID         string
	Title      string
	Name       string
	Version    string
	Kind       string
	Protocol   string
	Tells      []string
	State      string // as expected, deviations, stopped
	Severities []severityView
	Facts      []string
	Causes     []causeView
	Unkept     int
	Skips      []string
	Flaky      []string
	Baseline   []string
	Seeds      string
}

type severityView struct {
	Name   string
	Causes int
	Cases  int
}

type causeView struct {
	ID        string
	Deviation string
	Severity  string
	Meaning   string
	Count     int
	Name      string
	First     string
	Wire      []exchange
	Want      string
	Also      []string
	Seen      string
	Text      string
	Stderr    []string
	Posts     int
	Trace     []string
	Rule      string
	RuleTitle string
	RuleText  string
	Why       string
	Reproduce string
}

type changeView struct {
	Change   string
	Word     string // as it is shown
	Severity string
	Key      string
	Kind     string
	Name     string
	Before   string
	After    string
}

func newView(f *runs.Field, differences []runs.Difference, ids []string) view {
	v := view{
		Single: len(f.Clients) == 1, Compare: differences != nil, Rows: len(f.Rows), Catalogues: seeAll(f.Catalogues),
		Severities: []runner.Severity{runner.Critical, runner.Major, runner.Minor},
	}
	cases, most := 0, 0
	for i, c := range f.Clients {
		v.Clients = append(v.Clients, newClientView(c, ids[i]))
		cases += c.Cases
		most = max(most, c.Cases)
	}
	switch {
	case v.Compare:
		v.Title = fmt.Sprintf("%s: %s against %s", v.Clients[0].Name, cmp.Or(v.Clients[1].Version, "new"), cmp.Or(v.Clients[0].Version, "old"))
		v.Lead = "What changed from one version to the other, over all that both were asked."
	case v.Single:
		v.Title = v.Clients[0].Title
		v.Lead = fmt.Sprintf("What it made of %s whose right verdict is known.", of(cases, "answer"))
	default:
		v.Title = fmt.Sprintf("%s, up to %s", count.Of(len(f.Clients), "client"), of(most, "answer")+" each")
		v.Lead = "What each made of answers to MCP tool calls whose right verdict is known."
	}
	if len(f.Catalogues) > 1 {
		v.Note = "The runs were made with different versions of the catalogue (" + strings.Join(v.Catalogues, ", ") +
			"): rows of faults count different cases."
	}
	for _, d := range differences {
		v.Changes = append(v.Changes, newChangeView(d))
	}
	slices.SortStableFunc(v.Changes, func(a, b changeView) int { return changeOrder[a.Change] - changeOrder[b.Change] })
	return v
}

var changeOrder = map[string]int{string(runs.New): 0, string(runs.Changed): 1, string(runs.Gone): 2, string(runs.Unasked): 3}

func newChangeView(d runs.Difference) changeView {
	c := changeView{Change: string(d.Change), Word: string(d.Change), Key: visible.Text(d.Row.Key()), Kind: string(d.Row.Kind), Name: visible.Text(d.Row.Name)}
	if d.Worse {
		c.Word = "worse"
	}
	if d.Change == runs.New && !d.Asked {
		c.Word = "new, not asked before"
	}
	c.Before, c.After = d.Before().String(), d.After().String()
	worst := d.After()
	if worst.Deviation == 0 {
		worst = d.Before()
	}
	c.Severity = worst.Deviation.Severity().String()
	if d.Row.Kind == runs.OfFault && d.Row.Name == "" {
		c.Name = "no fault"
	}
	return c
}

func newClientView(c runs.Client, id string) clientView {
	v := clientView{
		ID: id, Title: visible.Text(c.Title()), Name: visible.Text(c.Name), Version: visible.Text(c.Edition()), Kind: visible.Text(c.Kind),
		Protocol: visible.Text(c.ProtocolVersion), Tells: seeAll(c.Tells), Unkept: c.Unkept, Seeds: visible.Text(strings.Join(c.Seeds, ", ")),
	}
	switch {
	case c.OK:
		v.State = "as expected"
	case c.Deviations > 0 || len(c.BaselineFaults) > 0:
		v.State = "deviates"
	default:
		v.State = "stopped"
	}
	for _, s := range []runner.Severity{runner.Critical, runner.Major, runner.Minor} {
		v.Severities = append(v.Severities, severityView{s.String(), c.CausesOf(s), c.CasesOf(s)})
	}
	fact := func(n int, text string) {
		if n > 0 {
			v.Facts = append(v.Facts, count.Grouped(n)+" "+text)
		}
	}
	v.Facts = append(v.Facts, of(c.Cases, "case"))
	fact(c.Passed, "passed")
	fact(c.Deviations, "deviating")
	fact(c.Skipped, "skipped")
	fact(c.Known, "known to the baseline")
	fact(c.Ignored, "below the severity that counts")
	fact(c.FlakyCount, "not repeated")
	if c.Runs > 1 {
		v.Facts = append(v.Facts, count.Of(c.Runs, "run"))
	}
	if !c.Complete {
		v.Facts = append(v.Facts, "stopped before all cases had their turn")
	}
	for i, cause := range c.Causes {
		v.Causes = append(v.Causes, newCauseView(cause, fmt.Sprintf("cause-%s-%d", id, i)))
	}
	for _, why := range count.Words(c.Skips) {
		v.Skips = append(v.Skips, fmt.Sprintf("%d: %s", c.Skips[why], visible.Text(why)))
	}
	for _, f := range c.Flaky {
		got, again := f.Both()
		v.Flaky = append(v.Flaky, fmt.Sprintf("%s: %s, saw %s; then %s", visible.Text(f.Case), f.Deviation, visible.Text(got), visible.Text(again)))
	}
	for _, e := range c.BaselineFaults {
		v.Baseline = append(v.Baseline, fmt.Sprintf("%s, saw %s: %s", visible.Text(e.Case), visible.Text(e.Saw), visible.Text(e.Reason)))
	}
	return v
}

func newCauseView(c runs.Cause, id string) causeView {
	v := causeView{
		ID: id, Deviation: c.Deviation.String(), Severity: c.Deviation.Severity().String(), Meaning: c.Deviation.Meaning(), Count: c.Count,
		Name: visible.Text(c.Name()), Wire: wireOf(c.Case), Seen: runs.Seen(c.Saw, c.Code, c.Status),
		Text: visible.Text(shorten(c.Text, mostBody)), Rule: visible.Text(c.Case.Rule), Why: visible.Text(c.Case.Why), Reproduce: visible.Text(c.Reproduce),
	}
	if !c.Alive && c.Deviation == runner.DeadConnection {
		v.Seen += ", connection dead"
	}
	if c.Unconfirmed {
		v.Seen += ", once: the run ended before it could be run again alone"
	}
	if c.First != c.Name() {
		v.First = visible.Text(c.First)
	}
	if want := seeAll(c.Want); len(want) > 0 {
		v.Want, v.Also = want[0], want[1:]
	}
	if c.Posts > 1 {
		v.Posts = c.Posts
	}
	for _, line := range c.Trace[:min(len(c.Trace), mostTrace)] {
		v.Trace = append(v.Trace, visible.Text(shorten(line, mostHeader)))
	}
	if more := len(c.Trace) - mostTrace; more > 0 {
		v.Trace = append(v.Trace, "… "+count.Of(more, "line", "more"))
	}
	if text := strings.TrimSpace(c.Stderr); text != "" {
		v.Stderr = visible.Pieces([]byte(shorten(text, mostBody)))
	}
	for _, r := range explanation.Rules() {
		if r.Name == c.Case.Rule {
			v.RuleTitle, v.RuleText = r.Title, r.Text
		}
	}
	return v
}

// Anchors gives each client a name for addresses within the page.
func Anchors(clients []runs.Client) []string {
	taken := map[string]bool{}
	var all []string
	for _, c := range clients {
		plain := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.':
				return r
			case r >= 'A' && r <= 'Z':
				return r + 'a' - 'A'
			}
			return '-'
		}, c.Title())
		plain = cmp.Or(strings.Trim(plain, "-."), "client")
		plain = plain[:min(len(plain), 60)]
		id := plain
		for n := 2; taken[id]; n++ {
			id = fmt.Sprintf("%s-%d", plain, n)
		}
		taken[id] = true
		all = append(all, id)
	}
	return all
}
