package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// lines reads the file of deviations.
func lines(t *testing.T) (all []deviation, cases []corpus.Case) {
	t.Helper()
	text, err := os.ReadFile("../deviations.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		decoder := json.NewDecoder(bytes.NewReader(scanner.Bytes()))
		decoder.DisallowUnknownFields()
		var d deviation
		if err := decoder.Decode(&d); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		var c corpus.Case
		if err := json.Unmarshal(d.Case, &c); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		if c.AlsoAcceptable == nil {
			t.Errorf("%s: has no also_acceptable", c.ID)
		}
		all, cases = append(all, d), append(cases, c)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return all, cases
}

// caseSchema is the part of the corpus's schema that is for a case.
func caseSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(corpus.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json#/$defs/case")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// Every line of deviations.jsonl is a case that is well formed, of which the
// classifier says what it expects, and a deviation by what it accepts.
func TestDeviations(t *testing.T) {
	t.Parallel()
	all, cases := lines(t)
	if len(all) == 0 {
		t.Fatal("there is none")
	}
	met := map[string]bool{}
	form := caseSchema(t)
	for i, d := range all {
		c := cases[i]
		if doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.Case)); err != nil || form.Validate(doc) != nil {
			t.Errorf("%s: %v, by the schema of a case: %v", c.ID, err, form.Validate(doc))
		}
		if text, err := c.AppendJSON(nil); err != nil || !bytes.Equal(text, d.Case) {
			t.Errorf("%s: got %s, which would be written as %s (%v)", c.ID, d.Case, text, err)
		}
		if met[c.ID] {
			t.Errorf("%s stands twice", c.ID)
		}
		met[c.ID] = true
		if err := c.Check(); err != nil {
			t.Error(err)
		}
		if c.Expect == nil || c.Rule == "" {
			t.Errorf("%s: has no rule or expects nothing", c.ID)
			continue
		}
		if !slices.ContainsFunc(clients, func(one client) bool { return one.name == d.Client && one.protocol == d.ProtocolVersion }) || d.Version == "" {
			t.Errorf("%s: no client %s %q with protocol version %s", c.ID, d.Client, d.Version, d.ProtocolVersion)
		}
		var word runner.Deviation
		if err := word.UnmarshalText([]byte(d.Deviation)); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		if word.Severity().String() != d.Severity || d.Count < 1 || d.Saw == "" {
			t.Errorf("%s: got severity %s, count %d, saw %q; want %v, one and a word", c.ID, d.Severity, d.Count, d.Saw, word.Severity())
		}
		if word == runner.FalseSuccess && (d.Saw != subject.WordSuccess || slices.Contains(c.AlsoAcceptable, "TOOL_SUCCESS")) {
			t.Errorf("%s: saw %s where %s is expected and %q acceptable", c.ID, d.Saw, c.Expect.Outcome, c.AlsoAcceptable)
		}
	}
	for _, wrong := range corpus.Verify(cases) {
		t.Errorf("%v", wrong)
	}
}

// Every critical deviation is spoken of in FINDINGS.md under its client: by its own
// name, or, of two faults together, by one of them, as `+NAME=VARIANT`.
func TestCriticalOnesAreExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../FINDINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		name, _, _ := strings.Cut(section, "\n")
		sections[name] = section
	}
	all, cases := lines(t)
	for i, d := range all {
		if d.Severity != "critical" {
			continue
		}
		name := strings.SplitN(cases[i].ID, "/", 4)[3] // see writeDeviations
		if recipe, ok := strings.CutPrefix(cases[i].Source, "recipe: "); ok {
			name = recipe
		}
		spoken := func(name string) bool { return strings.Contains(sections[d.Client], "`"+name+"`") }
		if !spoken(name) && !slices.ContainsFunc(strings.Fields(name)[1:], spoken) {
			t.Errorf("FINDINGS.md does not speak of `%s` under %s", name, d.Client)
		}
	}
}

func add(t *testing.T, f *found, cases string, made []record) {
	t.Helper()
	for _, r := range made {
		if r.Report.Subject.Tells == nil {
			r.Report.Subject.Tells = []string{"SUCCESS", "ERROR"}
		}
	}
	if err := f.add(cases, made); err != nil {
		t.Fatal(err)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	one := func(deviation runner.Deviation, saw, id string, count int) runs.Cause {
		return runs.Cause{Deviation: deviation, Saw: saw, Count: count, Case: corpus.Case{ID: id}}
	}
	made := func(command string, reports ...runs.Run) (all []record) {
		for _, r := range reports {
			all = append(all, record{command, &r})
		}
		return all
	}
	var f found
	add(t, &f, "corpus,random", made("replyproof check --cases corpus,random",
		runs.Run{Cases: 10, Skipped: 1, ByDeviation: map[runner.Deviation]int{runner.Crash: 2, runner.Hang: 1}, Causes: []runs.Cause{one(runner.Crash, "CRASH", "a", 2), one(runner.Hang, "HANG", "b", 1)}},
		runs.Run{Cases: 10, Causes: []runs.Cause{one(runner.Crash, "CRASH", "a", 1), one(runner.Hang, "HANG", "c", 1)}}))
	add(t, &f, "pairs", made("replyproof check --cases pairs",
		runs.Run{Cases: 5, ByDeviation: map[runner.Deviation]int{runner.Crash: 3}, Causes: []runs.Cause{one(runner.Crash, "CRASH", "a", 3)}},
		runs.Run{Cases: 5, Causes: []runs.Cause{one(runner.Crash, "CRASH", "a", 3)}}))
	if got := f.sought(runner.Major); got != "1" {
		t.Errorf("major: got %s, want 1", got)
	}
	if len(f.causes) != 1 || f.causes[0].Count != 5 || f.alone != 2 || f.cases != 15 || f.skipped != 1 {
		t.Errorf("got %+v", f)
	}
	add(t, &f, "singles", made("replyproof check --severity critical --json", runs.Run{Causes: []runs.Cause{one(runner.Hang, "HANG", "d", 1)}}))
	if got := f.sought(runner.Major); got != "–" {
		t.Errorf("major, where it was not sought: got %s, want a dash", got)
	}
	if len(f.causes) != 2 || f.alone != 2 || !slices.Equal(f.ran, []string{"corpus, random twice", "pairs twice", "singles once"}) {
		t.Errorf("after a single run: got %+v", f)
	}
	if got := f.bySeverity(runner.Critical); got != 5 {
		t.Errorf("critical: got %d, want 5", got)
	}
	if got := f.bySeverity(runner.Major); got != 1 {
		t.Errorf("major: got %d, want 1", got)
	}
}

func TestDeviationLines(t *testing.T) {
	t.Parallel()
	c, ok := corpus.ByID("article/transport-precedence")
	if !ok || c.AlsoAcceptable != nil {
		t.Fatalf("the case has %v acceptable, want none for this test", c.AlsoAcceptable)
	}
	cause := runs.Cause{Deviation: runner.FalseSuccess, Saw: "SUCCESS", Count: 3, Case: c}
	text, err := deviationLines([]found{{client: client{name: "mine", protocol: "2026-07-28"}, version: "1", causes: []runs.Cause{cause}}})
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"client":"mine","version":"1","protocol_version":"2026-07-28","deviation":"FALSE_SUCCESS","severity":"critical","saw":"SUCCESS","count":3,` +
		`"case":{"id":"mine-2026-07-28/false-success/success/article/transport-precedence","rule":"1",`
	if got := string(text); !strings.HasPrefix(got, head) || !strings.HasSuffix(got, `,"also_acceptable":[]}}`+"\n") {
		t.Errorf("got %s, want it to begin with %s and to end with an empty also_acceptable", got, head)
	}
}

func TestKebab(t *testing.T) {
	t.Parallel()
	if got := kebab("NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE"); got != "no-final-response-or-unexpected-content-type" {
		t.Errorf("got %s", got)
	}
}

func TestReadRecord(t *testing.T) {
	t.Parallel()
	const head = `{"command":"replyproof check --json","report":{"format":"replyproof-report/1","subject":{"name":"mine"},`
	for _, test := range []struct{ name, text, want string }{
		{"whole", head + `"complete":true,"by_deviation":{"HANG":2},"causes":[{"deviation":"HANG","count":2,"saw":"HANG"}]}}`, ""},
		{"stopped", head + `"complete":false}}`, "it is not of all cases and causes; remove it"},
		{"with causes left out", head + `"complete":true,"unkept":1}}`, "it is not of all cases and causes; remove it"},
		{"of another form", `{"command":"x","report":{"complete":true}}`, "it has no format"},
		{"half written", head, "unexpected end"},
	} {
		name := filepath.Join(t.TempDir(), "report.json")
		if err := os.WriteFile(name, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := readRecord(name)
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: got %v, want %q with the file's name", test.name, err, test.want)
			}
			continue
		}
		if err != nil || r.Command != "replyproof check --json" || r.Report.ByDeviation[runner.Hang] != 2 || len(r.Report.Causes) != 1 {
			t.Errorf("%s: got %+v, %v, want the report with its cause", test.name, r, err)
		}
	}
}
