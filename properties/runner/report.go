package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// ReportFormat is the format word of a report.
const ReportFormat = "replyproof-report/1"

type reportSubject struct {
	Name            string   `json:"name"`
	Version         string   `json:"version"`
	Kind            string   `json:"kind"`
	ProtocolVersion string   `json:"protocol_version,omitempty"`
	Tells           []string `json:"tells"`
}

type reportCause struct {
	Deviation Deviation `json:"deviation"`
	Severity  Severity  `json:"severity"`
	Meaning   string    `json:"meaning"`
	Reproduce string    `json:"reproduce,omitempty"`
	Count     int       `json:"count"`
	// Unconfirmed is left out where it was confirmed.
	Unconfirmed bool     `json:"unconfirmed,omitempty"`
	First       string   `json:"first"`
	Recipe      string   `json:"recipe,omitempty"`
	Want        []string `json:"want"`
	Saw         string   `json:"saw"`
	// Code is text, since no number type holds every code.
	Code   string `json:"code,omitempty"`
	Status *int   `json:"status,omitempty"`
	Text   string `json:"text,omitempty"`
	Alive  bool   `json:"alive"`
	Stderr string `json:"stderr,omitempty"`
	// Posts and Trace are what a server saw of a client.
	Posts int         `json:"posts,omitempty"`
	Trace []string    `json:"trace,omitempty"`
	Case  corpus.Case `json:"case"`
}

type reportBaseline struct {
	Known     int     `json:"known"`
	Stale     []Entry `json:"stale"`
	Unmatched []Entry `json:"unmatched"`
	Expired   []Entry `json:"expired"`
}

type reportCovered struct {
	Faults  int `json:"faults"`
	All     int `json:"all_faults"`
	Classes int `json:"classes"`
	Rounds  int `json:"rounds"`
}

type report struct {
	Format     string         `json:"format"`
	OK         bool           `json:"ok"`
	Complete   bool           `json:"complete"`
	Subject    reportSubject  `json:"subject"`
	Seed       string         `json:"seed"`
	Catalogue  string         `json:"catalogue"`
	Covered    reportCovered  `json:"covered"`
	Cases      int            `json:"cases"`
	Passed     int            `json:"passed"`
	Skipped    int            `json:"skipped"`
	Skips      map[string]int `json:"skips"`
	Ignored    int            `json:"ignored"`
	Unkept     int            `json:"unkept"`
	Late       int            `json:"late_posts,omitempty"`
	Total      int            `json:"deviations"`
	ByWord     map[string]int `json:"by_deviation"`
	BySeverity map[string]int `json:"by_severity"`
	Causes     []reportCause  `json:"causes"`
	FlakyCount int            `json:"flaky_count"`
	Flaky      []Flaky        `json:"flaky"`
	Baseline   reportBaseline `json:"baseline"`
	Command    string         `json:"command,omitempty"`
	Observed   []Observed     `json:"observed"`
	Faults     []FaultCount   `json:"faults"`
}

// MarshalJSON writes the result as a report of the form replyproof-report/1. Of
// a classifier it holds no times, so that two runs with the same subject, cases
// and seed give the same text. Of a client it holds wire traces as well, with
// times and ports; the deviations, their cases and counts are still the same.
func (r Result) MarshalJSON() ([]byte, error) {
	text := report{
		Format: ReportFormat, OK: r.OK(), Complete: r.Complete,
		Subject: reportSubject{r.Subject.Name, r.Subject.Version, string(r.Subject.Kind), r.Subject.ProtocolVersion, notNil(r.Subject.Tells.Words())},
		Seed:    strconv.FormatUint(r.Seed, 10), Catalogue: r.Catalogue, Covered: reportCovered(r.Covered),
		Cases: r.Cases, Passed: r.Passed, Skipped: r.Skipped, Skips: r.Skips, Ignored: r.Ignored, Unkept: r.Unkept, Late: r.Late,
		Total: r.Deviations(), ByWord: map[string]int{}, BySeverity: map[string]int{},
		Causes: []reportCause{}, FlakyCount: r.Unrepeated, Flaky: notNil(r.Flaky),
		Baseline: reportBaseline{r.Known, notNil(r.Stale), notNil(r.Unmatched), notNil(r.Expired)},
		Command:  r.Command, Observed: notNil(r.Observed), Faults: notNil(r.Faults),
	}
	if text.Skips == nil {
		text.Skips = map[string]int{}
	}
	for _, d := range Deviations() {
		if n := r.ByDeviation[d]; n > 0 {
			text.ByWord[d.String()] = n
		}
	}
	for s := Minor; s < severityEnd; s++ {
		text.BySeverity[s.String()] = r.BySeverity(s)
	}
	for _, c := range r.Causes {
		text.Causes = append(text.Causes, reportCause{
			Deviation: c.Deviation, Severity: c.Deviation.Severity(), Meaning: c.Deviation.Meaning(), Reproduce: c.Reproduce, Count: c.Count, Unconfirmed: c.Unconfirmed,
			First: c.First, Recipe: c.Recipe, Want: c.Want(), Saw: Word(c.Saw), Code: c.Saw.Code, Status: c.Saw.Status,
			Text: clean(c.Saw.Text), Alive: c.Saw.Fate == subject.Answered && !c.Saw.Dead, Stderr: clean(c.Saw.Stderr),
			Posts: c.Saw.Posts, Trace: c.Trace(), Case: c.Case,
		})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	return out.Bytes(), nil
}

// Want is what the cause's case allows: the outcome that is expected, with the
// code that counts, then those that are acceptable instead.
func (c Cause) Want() []string {
	want := []string{}
	if e := c.Case.Expect; e != nil {
		text := e.Outcome.String()
		if e.Code != "" {
			text += " " + e.Code
		}
		want = append(want, text)
	}
	for _, also := range c.Case.AlsoAcceptable {
		if !slices.Contains(want, also) {
			want = append(want, also)
		}
	}
	return want
}

// Got is what the subject made of the cause's case, in one line: its word, or
// CRASH or HANG, with code, status and text where it gave them.
func (c Cause) Got() string { return got(c.Saw) }

func got(o subject.Observation) string {
	text := Word(o)
	if o.Code != "" {
		text += " code " + o.Code
	}
	if o.Status != nil {
		text += fmt.Sprintf(" status %d", *o.Status)
	}
	if o.Dead {
		text += ", connection dead"
	}
	if o.Text != "" {
		text += ": " + o.Text
	}
	return text
}

// Trace is what went over the wire when the cause was seen, one line an event;
// nil where it could not be seen.
func (c Cause) Trace() []string {
	if c.Saw.Wire == nil {
		return c.trace
	}
	return c.Saw.Wire.Trace()
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// clean makes text from outside fit for JSON.
func clean(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string(bytes.ToValidUTF8([]byte(text), []byte("\uFFFD")))
}
