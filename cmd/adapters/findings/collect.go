package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/properties/runner"
)

// record is a report of check with the command line that made it.
type record struct {
	Command string
	Report  *runs.Run
}

// same tells whether two causes are one in their plainest form. How many cases are
// put down to each of several that a case may be put down to hangs on which of them
// is met first.
func same(c, d runs.Cause) bool {
	return c.Deviation == d.Deviation && c.Saw == d.Saw && c.Case.ID == d.Case.ID
}

func readRecord(name string) (record, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return record{}, err
	}
	var written struct {
		Command string
		Report  json.RawMessage
	}
	if err := json.Unmarshal(text, &written); err != nil {
		return record{}, fmt.Errorf("read report %s: %w", name, err)
	}
	report, err := runs.Parse(written.Report)
	if err != nil {
		return record{}, fmt.Errorf("read report %s: %w", name, err)
	}
	if !report.Complete || report.Unkept > 0 {
		return record{}, fmt.Errorf("read report %s: it is not of all cases and causes; remove it", name)
	}
	return record{written.Command, report}, nil
}

// found is what the runs of a client found, of all stages.
type found struct {
	client  client
	version string
	catalog string
	cases   int
	skipped int
	counts  map[string]int                // of cases, by deviation
	ran     []string                      // which stages, and whether twice
	by      []string                      // the command lines
	least   string                        // severity that was looked for in some stage, if not all were
	causes  []runs.Cause                  // of both runs, where there were two
	alone   int                           // causes of one of two runs alone
	credits map[classifier.Outcome]credit // of the corpus; nil if it was not run
}

// add adds what one or two runs of a stage found. A cause that an earlier stage
// has come to as well is one. What the client's user can tell apart is told by the
// first run of the corpus.
func (f *found) add(cases string, made []record) error {
	r, again := made[0].Report, made[len(made)-1].Report
	f.by = append(f.by, made[0].Command)
	if _, least, ok := strings.Cut(made[0].Command, "--severity "); ok {
		f.least, _, _ = strings.Cut(least, " ")
	}
	f.ran = append(f.ran, strings.ReplaceAll(cases, ",", ", ")+" "+[]string{"once", "twice"}[len(made)-1])
	f.version, f.catalog = r.Subject.Version, r.Catalogue
	f.cases += r.Cases
	f.skipped += r.Skipped
	if f.counts == nil {
		f.counts = map[string]int{}
	}
	for d, n := range r.ByDeviation {
		f.counts[d.String()] += n
	}
	both := 0
	for _, one := range r.Causes {
		if !slices.ContainsFunc(again.Causes, func(other runs.Cause) bool { return same(one, other) }) {
			continue
		}
		both++
		if at := slices.IndexFunc(f.causes, func(other runs.Cause) bool { return same(one, other) }); at >= 0 {
			f.causes[at].Count += one.Count
			continue
		}
		f.causes = append(f.causes, one)
	}
	f.alone += len(r.Causes) + len(again.Causes) - 2*both
	if f.credits != nil || !slices.Contains(strings.Split(cases, ","), "corpus") {
		return nil
	}
	var err error
	f.credits, err = credits(r)
	return err
}

// bySeverity is the number of cases.
func (f *found) bySeverity(s runner.Severity) (n int) {
	for _, d := range runner.Deviations() {
		if d.Severity() == s {
			n += f.counts[d.String()]
		}
	}
	return n
}

// deviation is a line of deviations.jsonl.
type deviation struct {
	Client          string          `json:"client"`
	Version         string          `json:"version"`
	ProtocolVersion string          `json:"protocol_version"`
	Deviation       string          `json:"deviation"`
	Severity        string          `json:"severity"`
	Saw             string          `json:"saw"`
	Count           int             `json:"count"`
	Case            json.RawMessage `json:"case"`
}

// deviationLines has every cause as a line. A case has an id of its own,
// made of the client, the protocol version, the deviation and its own id, and
// says what is acceptable besides even where nothing is.
func deviationLines(all []found) ([]byte, error) {
	var out bytes.Buffer
	for _, f := range all {
		for _, c := range f.causes {
			one := c.Case
			one.ID = strings.Join([]string{f.client.key(), kebab(c.Deviation.String()), kebab(c.Saw), one.ID}, "/")
			if one.AlsoAcceptable == nil {
				one.AlsoAcceptable = []string{}
			}
			text, err := one.AppendJSON(nil)
			if err != nil {
				return nil, err
			}
			line, err := marshal(deviation{
				f.client.name, f.version, f.client.protocol, c.Deviation.String(), c.Deviation.Severity().String(), c.Saw, c.Count, text,
			})
			if err != nil {
				return nil, err
			}
			out.Write(line)
		}
	}
	return out.Bytes(), nil
}

// marshal writes a line of JSON that leaves <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return out.Bytes(), err
}

// kebab spells a word, or merged ones, as a part of an id.
func kebab(word string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", "|", "-or-").Replace(word))
}
