package runs

import (
	"encoding/json"

	"github.com/replyproof/replyproof/properties/runner"
)

// The format words of what report --json writes.
const (
	FieldFormat      = "replyproof-matrix/1"
	ComparisonFormat = "replyproof-comparison/1"
)

type jsonClient struct {
	Name        string                   `json:"name"`
	Version     string                   `json:"version"`
	Kind        string                   `json:"kind"`
	Tells       []string                 `json:"tells"`
	Runs        int                      `json:"runs"`
	OK          bool                     `json:"ok"`
	Complete    bool                     `json:"complete"`
	Cases       int                      `json:"cases"`
	Passed      int                      `json:"passed"`
	Skipped     int                      `json:"skipped"`
	Known       int                      `json:"known"`
	Ignored     int                      `json:"ignored"`
	Deviations  int                      `json:"deviations"`
	ByDeviation map[runner.Deviation]int `json:"by_deviation"`
	Causes      map[string]int           `json:"causes"` // by severity
}

type jsonRow struct {
	Kind   Kind       `json:"kind"`
	Name   string     `json:"name"`
	Layer  string     `json:"layer,omitempty"`
	Rule   string     `json:"rule,omitempty"`
	Faults []string   `json:"faults,omitempty"`
	Want   []string   `json:"want,omitempty"`
	Cells  []jsonCell `json:"cells"`
}

type jsonCell struct {
	Became      runner.Became            `json:"became,omitempty"` // absent: not asked
	Deviation   runner.Deviation         `json:"deviation,omitempty"`
	Saw         string                   `json:"saw,omitempty"`
	Code        string                   `json:"code,omitempty"`
	Status      *int                     `json:"status,omitempty"`
	Cases       int                      `json:"cases,omitempty"` // of a fault
	Passed      int                      `json:"passed,omitempty"`
	ByDeviation map[runner.Deviation]int `json:"by_deviation,omitempty"`
	Differ      bool                     `json:"differ,omitempty"`
}

func (c Client) json() jsonClient {
	j := jsonClient{
		Name: c.Name, Version: c.Version, Kind: c.Kind, Tells: notNil(c.Tells), Runs: c.Runs, OK: c.OK, Complete: c.Complete,
		Cases: c.Cases, Passed: c.Passed, Skipped: c.Skipped, Known: c.Known, Ignored: c.Ignored,
		Deviations: c.Deviations, ByDeviation: c.ByDeviation, Causes: map[string]int{},
	}
	for _, cause := range c.Causes {
		j.Causes[cause.Deviation.Severity().String()]++
	}
	return j
}

func (c Cell) json() jsonCell {
	j := jsonCell{Became: c.Became, Deviation: c.Deviation, Saw: c.Saw, Code: c.Code, Status: c.Status, Differ: c.Differ}
	if c.Count != nil {
		j.Cases, j.Passed, j.ByDeviation = c.Count.Cases, c.Count.Passed, c.Count.ByDeviation
	}
	return j
}

func (r Row) json() jsonRow {
	j := jsonRow{Kind: r.Kind, Name: r.Name, Layer: r.Layer, Rule: r.Rule, Faults: r.Faults, Want: r.Want, Cells: []jsonCell{}}
	for _, cell := range r.Cells {
		j.Cells = append(j.Cells, cell.json())
	}
	return j
}

// MarshalJSON writes the matrix in the form replyproof-matrix/1: the clients,
// and for each row a cell for each of them, in the same order.
func (f *Field) MarshalJSON() ([]byte, error) {
	text := struct {
		Format     string       `json:"format"`
		Catalogues []string     `json:"catalogues"`
		Clients    []jsonClient `json:"clients"`
		Rows       []jsonRow    `json:"rows"`
	}{FieldFormat, notNil(f.Catalogues), []jsonClient{}, []jsonRow{}}
	for _, c := range f.Clients {
		text.Clients = append(text.Clients, c.json())
	}
	for _, r := range f.Rows {
		text.Rows = append(text.Rows, r.json())
	}
	return json.Marshal(text)
}

type jsonDifference struct {
	Change Change   `json:"change"`
	Worse  bool     `json:"worse"`
	Asked  bool     `json:"asked"` // the old version was
	Kind   Kind     `json:"kind"`
	Name   string   `json:"name"`
	Rule   string   `json:"rule,omitempty"`
	Want   []string `json:"want,omitempty"`
	Before jsonCell `json:"before"`
	After  jsonCell `json:"after"`
}

// MarshalJSON writes the comparison in the form replyproof-comparison/1.
func (c Comparison) MarshalJSON() ([]byte, error) {
	text := struct {
		Format      string           `json:"format"`
		Worse       bool             `json:"worse"`
		Before      jsonClient       `json:"before"`
		After       jsonClient       `json:"after"`
		New         int              `json:"new"`
		Gone        int              `json:"gone"`
		Changed     int              `json:"changed"`
		Unasked     int              `json:"unasked"`
		Differences []jsonDifference `json:"differences"`
	}{
		ComparisonFormat, c.Worse(), c.Field.Clients[0].json(), c.Field.Clients[1].json(),
		c.Count(New), c.Count(Gone), c.Count(Changed), c.Count(Unasked), []jsonDifference{},
	}
	for _, d := range c.Differences {
		text.Differences = append(text.Differences, jsonDifference{
			d.Change, d.Worse, d.Asked, d.Row.Kind, d.Row.Name, d.Row.Rule, d.Row.Want, d.Before().json(), d.After().json(),
		})
	}
	return json.Marshal(text)
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
