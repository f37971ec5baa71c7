package runs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/properties/runner"
)

// report is the text of a report with the members that a test is about.
func report(subject, members string) string {
	return `{"format":"replyproof-report/1","ok":false,"complete":true,"seed":"7","catalogue":"190-x","cases":9,"passed":4,"skipped":1,"skips":{"no clients":1},` +
		`"subject":{"name":"` + subject + `","version":"1","kind":"classifier","tells":["SUCCESS","ERROR"]},` + members + `}`
}

func parsed(t *testing.T, text string) *Run {
	t.Helper()
	run, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return run
}

const known503 = `{"deviation":"FALSE_SUCCESS","severity":"critical","count":3,"first":"success +status=503","recipe":"success +status=503","want":["HTTP_ERROR"],` +
	`"saw":"SUCCESS","alive":true,"case":{"id":"recipe/success-status-503","rule":"1","why":"A 503.","status":503,"expect":{"layer":"transport","outcome":"HTTP_ERROR"}},` +
	`"reproduce":"replyproof check --recipe 'success +status=503'"}`

// cell is a cell as a table can hold it.
func cell(c Cell) string {
	text := c.String()
	if len(c.Causes) > 0 {
		text += ", with a cause"
	}
	if c.Differ {
		text += ", differs"
	}
	return text
}

// table is the matrix, a line for each row.
func table(f *Field) []string {
	var lines []string
	for _, row := range f.Rows {
		line := "rule " + row.Rule + " " + row.Key()
		for _, c := range row.Cells {
			line += " | " + cell(c)
		}
		lines = append(lines, line)
	}
	return lines
}

// Two revisions of one version of one client are two columns, and told apart.
func TestRevisionsStandApart(t *testing.T) {
	t.Parallel()
	of := func(name, protocol string) *Run {
		run := parsed(t, report(name, `"deviations":0`))
		run.Subject.ProtocolVersion = protocol
		return run
	}
	groups := ByClient([]*Run{of("alpha", "2025-11-25"), of("alpha", "2026-07-28"), of("beta", "2026-07-28"), of("alpha", "2025-11-25")})
	var got []string
	for _, c := range Merge(groups).Clients {
		got = append(got, fmt.Sprintf("%s: %d", c.Title(), c.Runs))
	}
	want := []string{"alpha 1 (2025-11-25): 2", "alpha 1 (2026-07-28): 1", "beta 1: 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	alpha := parsed(t, report("alpha", `"command":"replyproof check --adapter ./alpha","deviations":5,"by_deviation":{"FALSE_SUCCESS":4,"MIXED_LAYERS":1},"causes":[`+known503+`],
		"observed":[
			{"case":"article/jsonrpc-error","became":"passed","saw":"ERROR"},
			{"case":"article/transport-precedence","became":"deviated","deviation":"FALSE_SUCCESS","saw":"SUCCESS","status":500},
			{"case":"mine/unknown-here","became":"skipped","text":"no clients"}],
		"faults":[
			{"fault":"","cases":2,"passed":2},
			{"fault":"status","cases":3,"passed":1,"by_deviation":{"FALSE_SUCCESS":2},"worst":{"recipe":"success +status=503","deviation":"FALSE_SUCCESS","saw":"SUCCESS"},"together":4,"together_deviated":1},
			{"fault":"id-absent","cases":1,"passed":0,"known":1,"by_deviation":{"MIXED_LAYERS":1},"worst":{"recipe":"success +id-absent","deviation":"MIXED_LAYERS","saw":"ERROR"}}]`))
	again := parsed(t, report("alpha", `"deviations":1,"by_deviation":{"MIXED_LAYERS":1},"causes":[`+known503+`],
		"observed":[
			{"case":"article/jsonrpc-error","became":"deviated","deviation":"MIXED_LAYERS","saw":"TOOL_ERROR"},
			{"case":"article/transport-precedence","became":"passed","saw":"ERROR"}],
		"faults":[{"fault":"status","cases":2,"passed":1,"by_deviation":{"CRASH":1},"worst":{"recipe":"success +status=500","deviation":"CRASH","saw":"CRASH"}}]`))
	beta := parsed(t, report("beta", `"deviations":0,"causes":[{"deviation":"HANG","count":1,"first":"x","recipe":"success +status=503 +id-absent","want":["HTTP_ERROR"],"saw":"HANG",`+
		`"case":{"id":"recipe/two","rule":"1","why":"Two.","status":503,"expect":{"layer":"transport","outcome":"HTTP_ERROR"}}}],
		"observed":[{"case":"article/transport-precedence","became":"unrepeated","deviation":"HANG","saw":"HANG"}],"faults":[]`))

	groups := ByClient([]*Run{alpha, beta, again})
	if len(groups) != 2 || len(groups[0]) != 2 || len(groups[1]) != 1 {
		t.Fatalf("got groups %v, want two runs of alpha and one of beta", groups)
	}
	f := Merge(groups)
	want := []string{
		"rule 1 fault:status | FALSE_SUCCESS in 3 of 5 cases, with a cause | not asked",
		"rule 1 recipe:success +status=503 +id-absent | not asked | HANG, saw HANG, with a cause",
		"rule 1 case:article/transport-precedence | FALSE_SUCCESS, saw SUCCESS status 500, differs | HANG, saw HANG (unrepeated)",
		"rule 7 fault:id-absent | MIXED_LAYERS in 1 of 1 case | not asked",
		"rule 8 case:article/jsonrpc-error | MIXED_LAYERS, saw TOOL_ERROR, differs | not asked",
		"rule  fault: | passed | not asked",
		"rule  case:mine/unknown-here | skipped | not asked",
	}
	if got := table(f); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c := f.Clients[0]
	if c.Runs != 2 || c.Cases != 18 || c.Passed != 8 || c.Skipped != 2 || c.Deviations != 6 || c.Skips["no clients"] != 2 ||
		c.CasesOf(runner.Critical) != 4 || c.CasesOf(runner.Minor) != 2 || c.Command != "replyproof check --adapter ./alpha" {
		t.Errorf("got %+v, want the sums of both runs", c)
	}
	if len(c.Causes) != 1 || c.Causes[0].Count != 6 || c.CausesOf(runner.Critical) != 1 {
		t.Errorf("got causes %+v, want one of 6 cases", c.Causes)
	}
	if status := f.Rows[0]; status.Layer != "transport" || status.Case == nil || status.Case.ID != "fault/status" || !slices.Equal(status.Faults, []string{"status"}) {
		t.Errorf("got %+v, want the fault with the case that shows it", status)
	}
	if known := f.Rows[3].Cells[0]; known.Became != runner.Known || !known.Deviates() {
		t.Errorf("got %+v, want a deviation that is known", known)
	}
	if one := f.Only(1); len(one.Clients) != 1 || len(one.Rows) != 2 || len(one.Rows[0].Cells) != 1 {
		t.Errorf("got %v, want beta and its two rows", table(one))
	}
}

// A report of a version that did not tell of every case shows its causes.
func TestMergeWithoutObserved(t *testing.T) {
	t.Parallel()
	f := Merge([][]*Run{{parsed(t, report("old", `"causes":[`+known503+`]`))}})
	want := []string{"rule 1 fault:status | FALSE_SUCCESS, saw SUCCESS, with a cause"}
	if got := table(f); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	observed := func(case_, became, deviation, saw string) string {
		text := `{"case":"` + case_ + `","became":"` + became + `","saw":"` + saw + `"`
		if deviation != "" {
			text += `,"deviation":"` + deviation + `"`
		}
		return text + "}"
	}
	fault := func(cases, deviating, word string) string {
		return `{"fault":"status","cases":` + cases + `,"passed":1,"by_deviation":{"` + word + `":` + deviating + `},"worst":{"recipe":"success +status=503","deviation":"` + word + `","saw":"SUCCESS"}}`
	}
	two := `{"deviation":"MIXED_LAYERS","count":1,"first":"x","recipe":"success +status=503 +id-absent","want":["HTTP_ERROR"],"saw":"ERROR","case":{"id":"recipe/two","rule":"1","why":"Two.","status":503}}`
	const id = "article/jsonrpc-error"
	run := func(observed, faults, causes string) string {
		return report("a", `"observed":[`+observed+`],"faults":[`+faults+`],"causes":[`+causes+`]`)
	}
	passed, minor, critical := observed(id, "passed", "", "ERROR"), observed(id, "deviated", "MIXED_LAYERS", "ERROR"), observed(id, "deviated", "FALSE_SUCCESS", "SUCCESS")
	other := observed(id, "deviated", "MIXED_LAYERS", "TOOL_ERROR")
	known, flaky, skipped := observed(id, "known", "MIXED_LAYERS", "ERROR"), observed(id, "unrepeated", "MIXED_LAYERS", "ERROR"), observed(id, "skipped", "", "")
	for _, test := range []struct {
		name, before, after string
		want                string
		worse               bool
	}{
		{"the same", run(minor, "", ""), run(minor, "", ""), "", false},
		{"new", run(passed, "", ""), run(minor, "", ""), "new", true},
		{"new where it was not asked", run("", "", ""), run(minor, "", ""), "new, not asked before", true},
		{"new where it was skipped", run(skipped, "", ""), run(minor, "", ""), "new, not asked before", true},
		{"gone", run(minor, "", ""), run(passed, "", ""), "gone", false},
		{"not asked any more", run(minor, "", ""), run("", "", ""), "unasked", false},
		{"skipped now", run(minor, "", ""), run(skipped, "", ""), "unasked", false},
		{"no longer repeated", run(minor, "", ""), run(flaky, "", ""), "unasked", false},
		{"excused by a baseline, and still there", run(minor, "", ""), run(known, "", ""), "", false},
		{"excused by a baseline, and new", run(passed, "", ""), run(known, "", ""), "new", true},
		{"changed to something graver", run(minor, "", ""), run(critical, "", ""), "changed, worse", true},
		{"changed to something less grave", run(critical, "", ""), run(minor, "", ""), "changed", false},
		{"changed in its word", run(minor, "", ""), run(other, "", ""), "changed", false},
		{"the same fault", run("", fault("9", "2", "MIXED_LAYERS"), ""), run("", fault("9", "2", "MIXED_LAYERS"), ""), "", false},
		{"more cases of a fault", run("", fault("9", "2", "MIXED_LAYERS"), ""), run("", fault("9", "3", "MIXED_LAYERS"), ""), "changed, worse", true},
		{"fewer cases of a fault", run("", fault("9", "3", "MIXED_LAYERS"), ""), run("", fault("9", "2", "MIXED_LAYERS"), ""), "changed", false},
		{"more of more cases tells nothing", run("", fault("9", "2", "MIXED_LAYERS"), ""), run("", fault("90", "20", "MIXED_LAYERS"), ""), "", false},
		{"a fault's other deviation", run("", fault("9", "2", "MIXED_LAYERS"), ""), run("", fault("9", "2", "FALSE_SUCCESS"), ""), "changed, worse", true},
		{"a combination is new", run("", "", ""), run("", "", two), "new", true},
		{"a combination is gone", run("", "", two), run("", "", ""), "gone", false},
	} {
		c, err := Compare(parsed(t, test.before), parsed(t, test.after))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for _, d := range c.Differences {
			text := string(d.Change)
			if d.Worse {
				text += ", worse"
			}
			if d.Change == New && !d.Asked {
				text += ", not asked before"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, "; "); text != test.want || c.Worse() != test.worse {
			t.Errorf("%s: got %q, worse %t, want %q, %t", test.name, text, c.Worse(), test.want, test.worse)
		}
	}
}

// A combination that only one run has cannot be told from one that the other
// did not come to, unless both were asked the same.
func TestCompareCombinationOfOtherSeeds(t *testing.T) {
	t.Parallel()
	two := `"causes":[{"deviation":"MIXED_LAYERS","count":1,"first":"x","recipe":"success +status=503 +id-absent","want":["HTTP_ERROR"],"saw":"ERROR","case":{"id":"recipe/two","rule":"1","why":"Two.","status":503}}]`
	with := parsed(t, report("a", two))
	without := parsed(t, strings.Replace(report("a", `"causes":[]`), `"seed":"7"`, `"seed":"8"`, 1))
	c, err := Compare(with, without)
	if err != nil || c.Count(Unasked) != 1 || c.Worse() {
		t.Errorf("got %+v, %v, want a combination that was not asked for", c.Differences, err)
	}
	c, err = Compare(without, with)
	if err != nil || c.Count(New) != 1 || c.Differences[0].Asked || !c.Worse() {
		t.Errorf("got %+v, %v, want a new one that was not asked for before", c.Differences, err)
	}
}

func TestCompareOfTwoClients(t *testing.T) {
	t.Parallel()
	_, err := Compare(parsed(t, report("a", `"causes":[]`)), parsed(t, report("b", `"causes":[]`)))
	if err == nil || !strings.Contains(err.Error(), `"a"`) || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("got %v, want an error that names both", err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", "<html>", "no JSON object"},
		{"a list", "[]", "no JSON object"},
		{"no format", "{}", "it has no format"},
		{"another format", `{"format":"replyproof-cases/1"}`, `"replyproof-cases/1", not "replyproof-report/1"`},
		{"no name", `{"format":"replyproof-report/1"}`, "no name"},
		{"an unknown deviation", report("a", `"by_deviation":{"ODD":1}`), "ODD"},
		{"a number of the wrong kind", report("a", `"unkept":"many"`), "unkept"},
	} {
		if _, err := Parse([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q in it", test.name, err, test.want)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(report("a", `"causes":[]`)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "report.json")} {
		if run, err := Load(path); err != nil || run.Subject.Title() != "a 1" {
			t.Errorf("%s: got %+v, %v, want the report of a 1", path, run, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "not-there.json")); err == nil || !strings.Contains(err.Error(), "not-there.json") {
		t.Errorf("got %v, want an error that names the file", err)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	run := parsed(t, report("a", `"causes":[`+known503+`],"observed":[{"case":"article/jsonrpc-error","became":"passed","saw":"ERROR"}]`))
	text, err := json.Marshal(Merge([][]*Run{{run}}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"format":"replyproof-matrix/1","catalogues":["190-x"],"clients":[{"name":"a","version":"1","kind":"classifier","tells":["SUCCESS","ERROR"],"runs":1,"ok":false,"complete":true,` +
		`"cases":9,"passed":4,"skipped":1,"known":0,"ignored":0,"deviations":0,"by_deviation":{},"causes":{"critical":1}}],"rows":[` +
		`{"kind":"fault","name":"status","layer":"transport","rule":"1","faults":["status"],"cells":[{"became":"deviated","deviation":"FALSE_SUCCESS","saw":"SUCCESS"}]},` +
		`{"kind":"case","name":"article/jsonrpc-error","layer":"protocol","rule":"8","want":["JSONRPC_ERROR -32602"],"cells":[{"became":"passed","saw":"ERROR"}]}]}`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	c, err := Compare(run, run)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(c); err != nil || !strings.HasPrefix(string(text), `{"format":"replyproof-comparison/1","worse":false,"before":{"name":"a",`) ||
		!strings.HasSuffix(string(text), `"new":0,"gone":0,"changed":0,"unasked":0,"differences":[]}`) {
		t.Errorf("got %s, %v", text, err)
	}
}
