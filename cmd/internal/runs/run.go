// Package runs reads the reports of runs and puts them side by side: the matrix
// of clients by cases, and the comparison of two versions of one client.
//
//	run, err := runs.Load("report.json")
//	field := runs.Merge(runs.ByClient([]*runs.Run{run}))
//
// schema.json beside this file is the JSON Schema of a report. Of a run of many
// thousand cases it holds those of the corpus one by one, the causes of the
// deviations with their bytes, and the numbers of generated cases by fault.
package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// Run is a report of the form replyproof-report/1, as runner.Result writes it.
type Run struct {
	Format      string                   `json:"format"`
	OK          bool                     `json:"ok"`
	Complete    bool                     `json:"complete"`
	Subject     Subject                  `json:"subject"`
	Seed        string                   `json:"seed"`
	Catalogue   string                   `json:"catalogue"`
	Cases       int                      `json:"cases"`
	Passed      int                      `json:"passed"`
	Skipped     int                      `json:"skipped"`
	Skips       map[string]int           `json:"skips"`
	Ignored     int                      `json:"ignored"`
	Unkept      int                      `json:"unkept"`
	Deviations  int                      `json:"deviations"`
	ByDeviation map[runner.Deviation]int `json:"by_deviation"`
	Causes      []Cause                  `json:"causes"`
	FlakyCount  int                      `json:"flaky_count"`
	Flaky       []Flaky                  `json:"flaky"`
	Baseline    struct {
		Known     int            `json:"known"`
		Stale     []runner.Entry `json:"stale"`
		Unmatched []runner.Entry `json:"unmatched"`
		Expired   []runner.Entry `json:"expired"`
	} `json:"baseline"`
	Command  string              `json:"command"`
	Observed []runner.Observed   `json:"observed"`
	Faults   []runner.FaultCount `json:"faults"`
}

// Subject is what was judged.
type Subject struct {
	Name            string   `json:"name"`
	Version         string   `json:"version"`
	Kind            string   `json:"kind"`
	ProtocolVersion string   `json:"protocol_version"`
	Tells           []string `json:"tells"`
}

// Title is the name with the version.
func (s Subject) Title() string {
	if s.Version == "" {
		return s.Name
	}
	return s.Name + " " + s.Version
}

// Cause is a deviation in its plainest form.
type Cause struct {
	Deviation runner.Deviation `json:"deviation"`
	Count     int              `json:"count"`
	First     string           `json:"first"`
	Recipe    string           `json:"recipe"`
	Want      []string         `json:"want"`
	Saw       string           `json:"saw"`
	Code      string           `json:"code"`
	Status    *int             `json:"status"`
	Text      string           `json:"text"`
	Alive     bool             `json:"alive"`
	Stderr    string           `json:"stderr"`
	Posts     int              `json:"posts"` // of the call, where they could be seen
	Trace     []string         `json:"trace"` // what went over the wire, a line an event
	Case      corpus.Case      `json:"case"`
	Reproduce string           `json:"reproduce"`
	// Unconfirmed is set where it was seen once and could not be run again.
	Unconfirmed bool `json:"unconfirmed"`
}

// Name is the recipe of a generated case, and the id of one of a corpus.
func (c Cause) Name() string {
	if c.Recipe != "" {
		return c.Recipe
	}
	return c.Case.ID
}

// Flaky is a deviation that did not repeat.
type Flaky = runner.Flaky

// File is the name of the file that [Load] reads: path, or report.json in it if
// it is a folder.
func File(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "report.json")
	}
	return path
}

// Load reads a report from a file, or from report.json in a folder.
func Load(path string) (*Run, error) {
	path = File(path)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	run, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read report %s: %w", path, err)
	}
	return run, nil
}

// Parse reads a report from its text. Members that it does not know are ignored:
// a later version may write more.
func Parse(text []byte) (*Run, error) {
	var run Run
	var head struct {
		Format *string `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("it is no JSON object of a report: %w", err)
	}
	switch {
	case head.Format == nil:
		return nil, fmt.Errorf("it has no format; a report that check --report-dir wrote says %q", runner.ReportFormat)
	case *head.Format != runner.ReportFormat:
		return nil, fmt.Errorf("its format is %q, not %q", *head.Format, runner.ReportFormat)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&run); err != nil {
		return nil, err
	}
	if run.Subject.Name == "" {
		return nil, errors.New("its subject has no name")
	}
	return &run, nil
}
