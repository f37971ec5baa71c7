package htmlreport

import (
	"encoding/json"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/cmd/internal/words"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// data is what the script of the page reads. Every text in it is fit to be seen.
type data struct {
	Clients    []clientData             `json:"clients"`
	Rows       []rowData                `json:"rows"`
	Wires      [][]exchange             `json:"wires"`
	Rules      map[string]ruleData      `json:"rules"`
	Deviations map[string]deviationData `json:"deviations"`
	Layers     []string                 `json:"layers"`
	Compare    bool                     `json:"compare,omitempty"`
}

type clientData struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Command string `json:"command,omitempty"`
}

type ruleData struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

type deviationData struct {
	Code     string `json:"code"` // two letters for a cell
	Severity string `json:"severity"`
	Meaning  string `json:"meaning"`
}

type rowData struct {
	Key    string     `json:"key"`
	Kind   string     `json:"kind"`
	Name   string     `json:"name"`
	Layer  string     `json:"layer,omitempty"`
	Rule   string     `json:"rule,omitempty"`
	Faults []string   `json:"faults,omitempty"`
	Why    string     `json:"why,omitempty"`
	Want   []string   `json:"want,omitempty"`
	Wire   *int       `json:"wire,omitempty"` // its place in Wires
	Change string     `json:"change,omitempty"`
	Worse  bool       `json:"worse,omitempty"`
	Cells  []cellData `json:"cells"`
}

// cellData is written as 0 for a client that was not asked, as what was seen for
// one that passed a case, and else as an object.
type cellData struct {
	Became    string     `json:"became"`
	Deviation string     `json:"deviation,omitempty"`
	Seen      string     `json:"seen,omitempty"`
	Text      string     `json:"text,omitempty"`
	Count     *countData `json:"count,omitempty"`
	Causes    []int      `json:"causes,omitempty"`
	Differ    bool       `json:"differ,omitempty"`
}

// MarshalJSON writes the shortest of the three forms.
func (c cellData) MarshalJSON() ([]byte, error) {
	switch {
	case c.Became == "":
		return []byte("0"), nil
	case c.Became == string(runner.Passed) && c.Count == nil && !c.Differ:
		return json.Marshal(c.Seen)
	}
	type plain cellData
	return json.Marshal(plain(c))
}

type countData struct {
	Cases      int            `json:"cases"`
	Passed     int            `json:"passed"`
	Skipped    int            `json:"skipped,omitempty"`
	Known      int            `json:"known,omitempty"`
	Ignored    int            `json:"ignored,omitempty"`
	Unrepeated int            `json:"unrepeated,omitempty"`
	Deviated   map[string]int `json:"deviated,omitempty"`
	Together   int            `json:"together,omitempty"`
	Deviating  int            `json:"deviating,omitempty"` // of those together
	Recipe     string         `json:"recipe,omitempty"`    // of the gravest
	Want       []string       `json:"want,omitempty"`      // of that recipe
	Wire       *int           `json:"wire,omitempty"`      // of that recipe
	Reproduce  string         `json:"reproduce,omitempty"`
}

// builder makes the data.
type builder struct {
	data      data
	field     *runs.Field
	catalogue *generators.Catalogue
	version   string // of the catalogue
	wires     map[string]int
}

func newData(f *runs.Field, differences []runs.Difference, ids []string) data {
	b := &builder{field: f, catalogue: generators.Default(), wires: map[string]int{}}
	b.version = b.catalogue.Version()
	b.data = data{
		Rows: []rowData{}, Wires: [][]exchange{}, Rules: map[string]ruleData{}, Deviations: map[string]deviationData{},
		Layers: runs.Layers(), Compare: differences != nil,
	}
	for i, c := range f.Clients {
		b.data.Clients = append(b.data.Clients, clientData{ids[i], visible.Text(c.Name), visible.Text(c.Edition()), visible.Text(c.Command)})
	}
	for _, r := range explanation.Rules() {
		b.data.Rules[r.Name] = ruleData{r.Title, r.Text}
	}
	for _, d := range runner.Deviations() {
		b.data.Deviations[d.String()] = deviationData{code(d), d.Severity().String(), d.Meaning()}
	}
	changes := map[string]runs.Difference{}
	for _, d := range differences {
		changes[d.Row.Key()] = d
	}
	for _, row := range f.Rows {
		r := b.row(row)
		if d, ok := changes[row.Key()]; ok {
			r.Change, r.Worse = string(d.Change), d.Worse
		}
		b.data.Rows = append(b.data.Rows, r)
	}
	return b.data
}

// code is a deviation in two letters: the first of its words, or the first two
// of its only one.
func code(d runner.Deviation) string {
	parts := strings.Split(d.String(), "_")
	if len(parts) == 1 {
		return parts[0][:2]
	}
	return parts[0][:1] + parts[1][:1]
}

func (b *builder) row(row runs.Row) rowData {
	r := rowData{
		Key: visible.Text(row.Key()), Kind: string(row.Kind), Name: visible.Text(row.Name), Layer: row.Layer, Rule: visible.Text(row.Rule),
		Why: visible.Text(row.Why), Want: seeAll(row.Want), Faults: seeAll(row.Faults),
	}
	if row.Kind == runs.OfFault && row.Name == "" {
		r.Name = "no fault"
	}
	if row.Case != nil {
		r.Wire = b.wire(wireOf(*row.Case))
	}
	for i, cell := range row.Cells {
		r.Cells = append(r.Cells, b.cell(b.field.Clients[i], cell))
	}
	return r
}

func (b *builder) cell(client runs.Client, c runs.Cell) cellData {
	d := cellData{
		Became: string(c.Became), Seen: runs.Seen(c.Saw, c.Code, c.Status), Text: visible.Text(c.Text),
		Causes: c.Causes, Differ: c.Differ,
	}
	if c.Became == "" {
		return cellData{}
	}
	if c.Deviation != 0 {
		d.Deviation = c.Deviation.String()
	}
	if c.Count != nil {
		d.Count = b.count(client, c)
	}
	return d
}

func (b *builder) count(client runs.Client, c runs.Cell) *countData {
	n := c.Count
	d := &countData{
		Cases: n.Cases, Passed: n.Passed, Skipped: n.Skipped, Known: n.Known, Ignored: n.Ignored, Unrepeated: n.Unrepeated,
		Together: n.Together, Deviating: n.TogetherDeviated,
	}
	if len(n.ByDeviation) > 0 {
		d.Deviated = map[string]int{}
	}
	for deviation, k := range n.ByDeviation {
		d.Deviated[deviation.String()] = k
	}
	if n.Worst == nil || len(c.Causes) > 0 {
		return d // causes tell more
	}
	d.Recipe = visible.Text(n.Worst.Recipe)
	if client.Command != "" {
		d.Reproduce = visible.Text(client.Command + " --recipe " + words.Quote(n.Worst.Recipe))
	}
	// The bytes of a recipe are the same within one version of the catalogue.
	if recipe, err := b.catalogue.Parse(n.Worst.Recipe); err == nil && len(b.field.Catalogues) == 1 && b.field.Catalogues[0] == b.version {
		rendered := b.catalogue.Render(recipe)
		d.Wire = b.wire(wireOf(rendered))
		d.Want = seeAll(runner.Cause{Case: rendered}.Want())
	}
	return d
}

// wire gives the place of a wire among all, each of which is kept once.
func (b *builder) wire(w []exchange) *int {
	text, _ := json.Marshal(w) // strings and no more: it cannot fail
	key := string(text)
	i, ok := b.wires[key]
	if !ok {
		i = len(b.data.Wires)
		b.wires[key] = i
		b.data.Wires = append(b.data.Wires, w)
	}
	return &i
}

func seeAll(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, visible.Text(text))
	}
	return all
}
