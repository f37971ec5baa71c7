package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/htmlreport"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// draw is a small generator of numbers, so that the pages are the same each time.
type draw uint32

func (d *draw) below(n int) int {
	*d = *d*1664525 + 1013904223
	return int(uint32(*d)>>8) % n
}

// invented is a run of a client over cases that deviates now and then.
func invented(name, version string, cases []corpus.Case, seed uint32) *runs.Run {
	d := draw(seed)
	r := &runs.Run{
		Format: runner.ReportFormat, Complete: true, Subject: runs.Subject{Name: name, Version: version, Kind: "client", Tells: []string{"SUCCESS", "RPC_ERROR", "ERROR"}},
		Seed: "1", Catalogue: "190-x", Cases: len(cases), ByDeviation: map[runner.Deviation]int{}, Command: "replyproof check --adapter ./" + name,
		Skips: map[string]int{},
	}
	kinds := []runner.Deviation{runner.FalseSuccess, runner.LostResult, runner.MixedLayers, runner.MixedLayers}
	words := map[runner.Deviation]string{runner.FalseSuccess: "SUCCESS", runner.LostResult: "ERROR", runner.MixedLayers: "RPC_ERROR"}
	for _, c := range cases {
		seen := runner.Observed{Case: c.ID, Became: runner.Passed, Saw: "ERROR"}
		switch n := d.below(12); {
		case n < 2:
			k := kinds[d.below(len(kinds))]
			seen.Became, seen.Deviation, seen.Saw = runner.Deviated, k, words[k]
			r.ByDeviation[k]++
			r.Deviations++
			if len(r.Causes) < 12 {
				r.Causes = append(r.Causes, runs.Cause{
					Deviation: k, Count: 1 + d.below(9), First: c.ID, Want: runner.Cause{Case: c}.Want(), Saw: seen.Saw, Alive: true, Case: c,
					Reproduce: r.Command + " --case " + c.ID,
				})
			}
		case n == 2:
			seen.Became, seen.Saw, seen.Text = runner.Skipped, "", "no notifications"
			r.Skipped++
			r.Skips["no notifications"]++
		default:
			r.Passed++
		}
		r.Observed = append(r.Observed, seen)
	}
	return r
}

// ordinary is a page of five clients over the corpus.
func ordinary(t testing.TB) string {
	t.Helper()
	cases := corpus.All()
	var all []*runs.Run
	for i, name := range []string{"alpha-sdk", "beta-client", "gamma", "delta-mcp-client", "epsilon"} {
		all = append(all, invented(name, fmt.Sprintf("1.%d.0", i), cases, uint32(i+1)))
	}
	return written(t, runs.Merge(runs.ByClient(all)))
}

// huge is a page of at least 10,000 cells.
func huge(t testing.TB) string {
	t.Helper()
	cases := corpus.All()
	var all []*runs.Run
	for i := range 10_000/len(cases) + 1 {
		all = append(all, invented(fmt.Sprintf("client-%d", i), "1.0", cases, uint32(i+1)))
	}
	return written(t, runs.Merge(runs.ByClient(all)))
}

// attack is text that would do something where it is taken for more than text.
const attack = "</script></style></title><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>{{.}}<!--\u202e\u2066\x00\x1b[31m"

// hostile is a page in which every text from outside attacks it, with a body of
// a megabyte.
func hostile(t testing.TB) string {
	t.Helper()
	status := 200
	c := corpus.Case{
		ID: "x/" + attack, Rule: attack, Why: attack, Status: &status, Headers: corpus.Headers{{Name: attack, Value: attack}},
		Body: bytes.Repeat([]byte(attack+"\xff"), 1<<20/len(attack)), Tags: []string{"fault:" + attack},
		Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError}, AlsoAcceptable: []string{attack},
	}
	r := invented("name "+attack, attack, corpus.All()[:20], 1)
	r.Subject.Tells, r.Subject.ProtocolVersion, r.Subject.Kind, r.Seed, r.Catalogue, r.Command = []string{attack}, attack, attack, attack, attack, attack
	r.Skips[attack] = 1
	r.Flaky = []runs.Flaky{{Case: attack, Deviation: runner.Hang, Saw: attack, Then: attack}}
	r.Baseline.Stale = []runner.Entry{{Case: attack, Saw: attack, Reason: attack}}
	r.Observed = append(r.Observed, runner.Observed{Case: c.ID, Became: runner.Deviated, Deviation: runner.FalseSuccess, Saw: attack, Code: attack, Text: attack})
	r.Causes = append([]runs.Cause{{
		Deviation: runner.FalseSuccess, Count: 2, First: attack, Want: []string{attack, attack}, Saw: attack, Code: attack, Text: attack, Stderr: attack, Posts: 2, Trace: []string{attack},
		Case: c, Reproduce: attack,
	}}, r.Causes...)
	r.Faults = []runner.FaultCount{{Fault: attack, Cases: 1, ByDeviation: map[runner.Deviation]int{runner.Crash: 1},
		Worst: &runner.Worst{Recipe: attack, Deviation: runner.Crash, Saw: attack}}}
	return written(t, runs.Merge([][]*runs.Run{{r}, {invented("other", "1", corpus.All()[:20], 2)}}))
}

func written(t testing.TB, f *runs.Field) string {
	t.Helper()
	var page bytes.Buffer
	if err := htmlreport.Write(&page, f); err != nil {
		t.Fatal(err)
	}
	return kept(t, page.Bytes())
}

func kept(t testing.TB, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
