package htmlreport

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

func status(n int) *int { return &n }

// sample is a run with one of everything.
func sample(name string) *runs.Run {
	c := corpus.Case{
		ID: "x/y", Rule: "1", Why: "A 503 decides.", Status: status(503), Headers: corpus.Headers{{Name: "content-type", Value: "text/html"}},
		Body: []byte("<b>\r\n\x00\xff</b>\u202e"), CutAfter: status(3), ChunkSplits: []int{1}, DelayMS: 20,
		Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError}, AlsoAcceptable: []string{"JSONRPC_ERROR"},
	}
	return &runs.Run{
		Format: runner.ReportFormat, Complete: true, Subject: runs.Subject{Name: name, Version: "1.2", Kind: "client", Tells: []string{"SUCCESS", "ERROR"}},
		Seed: "7", Catalogue: "190-x", Cases: 12345, Passed: 12000, Deviations: 3, ByDeviation: map[runner.Deviation]int{runner.FalseSuccess: 3},
		Causes: []runs.Cause{{Deviation: runner.FalseSuccess, Count: 3, First: "x/first", Want: []string{"HTTP_ERROR", "JSONRPC_ERROR"}, Saw: "SUCCESS", Status: status(503),
			Text: "ok <i>", Alive: true, Stderr: "warning\n", Posts: 2, Trace: []string{"→ POST"}, Case: c, Reproduce: "replyproof check --adapter './a b' --case x/y"}},
		Command: "replyproof check --adapter './a b'",
		Observed: []runner.Observed{
			{Case: "article/jsonrpc-error", Became: runner.Passed, Saw: "ERROR"},
			{Case: "x/y", Became: runner.Deviated, Deviation: runner.FalseSuccess, Saw: "SUCCESS"},
		},
		Faults: []runner.FaultCount{{Fault: "status", Cases: 4, Passed: 1, ByDeviation: map[runner.Deviation]int{runner.FalseSuccess: 3},
			Worst: &runner.Worst{Recipe: "success +status=503", Deviation: runner.FalseSuccess, Saw: "SUCCESS"}}},
	}
}

func text(t *testing.T, f *runs.Field) string {
	t.Helper()
	var page bytes.Buffer
	if err := Write(&page, f); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// embedded is the data that the script of a page reads.
func embedded(t *testing.T, page string) map[string]any {
	t.Helper()
	_, after, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	inside, _, ok := strings.Cut(after, "</script>")
	var data map[string]any
	if err := json.Unmarshal([]byte(inside), &data); !ok || err != nil {
		t.Fatalf("the data of the page: %v", err)
	}
	return data
}

func TestPageOfOneClient(t *testing.T) {
	t.Parallel()
	page := text(t, runs.Merge([][]*runs.Run{{sample("solo")}}))
	for _, want := range []string{
		"<title>solo 1.2 · replyproof</title>", "12,345 cases", "FALSE_SUCCESS", "told success, though there was none", "In 3 cases.",
		`first met as <code>x/first</code>`, `<p class="wire-status">HTTP 503</p>`,
		`&lt;b&gt;<span class="escape">\r\n</span>` + "\n" + `<span class="escape">\u0000\xFF</span>&lt;/b&gt;<span class="escape">\u202E</span></pre>`,
		"cut after 3 of 14 bytes, in 2 writes, after 20 ms", "<code>HTTP_ERROR</code>", "also acceptable: <code>JSONRPC_ERROR</code>",
		">SUCCESS status 503</code>", "ok &lt;i&gt;", "1. A status outside 200 to 299 is an HTTP error", "A 503 decides.", `warning`, "2 times", "→ POST",
		"<pre>replyproof check --adapter &#39;./a b&#39; --case x/y</pre>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, `class="clients"`) {
		t.Error("the page of one client has a table of clients")
	}
}

// Two clients, the cells of their rows: 0 for one that was not asked, the word
// for one that passed, an object for what deviates.
func TestDataOfTheMatrix(t *testing.T) {
	t.Parallel()
	other := sample("other")
	other.Observed, other.Faults, other.Causes = other.Observed[:1], nil, nil
	data := embedded(t, text(t, runs.Merge([][]*runs.Run{{sample("solo")}, {other}})))
	var got []string
	for _, row := range data["rows"].([]any) {
		row := row.(map[string]any)
		cells, _ := json.Marshal(row["cells"])
		got = append(got, row["key"].(string)+" "+string(cells))
	}
	want := []string{
		`fault:status [{"became":"deviated","count":{"cases":4,"deviated":{"FALSE_SUCCESS":3},"passed":1,"recipe":"success +status=503","reproduce":"replyproof check --adapter './a b' --recipe 'success +status=503'"},"deviation":"FALSE_SUCCESS","seen":"SUCCESS"},0]`,
		`case:x/y [{"became":"deviated","causes":[0],"deviation":"FALSE_SUCCESS","seen":"SUCCESS"},0]`,
		`case:article/jsonrpc-error ["ERROR","ERROR"]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var ids []string
	for _, c := range data["clients"].([]any) {
		ids = append(ids, c.(map[string]any)["id"].(string))
	}
	if want := []string{"solo-1.2", "other-1.2"}; !slices.Equal(ids, want) {
		t.Errorf("got ids %q, want %q", ids, want)
	}
}

// The bytes of a fault's gravest recipe are there if the run was made with this
// version's catalogue: another one might have rendered others.
func TestRecipesOfTheSameCatalogueAreRendered(t *testing.T) {
	t.Parallel()
	run := sample("solo")
	f := runs.Merge([][]*runs.Run{{run}})
	if d := newData(f, nil, []string{"solo"}); d.Rows[0].Cells[0].Count.Wire != nil {
		t.Error("got bytes of a recipe of another catalogue")
	}
	run.Catalogue = generators.Default().Version()
	f = runs.Merge([][]*runs.Run{{run}})
	d := newData(f, nil, []string{"solo"})
	count := d.Rows[0].Cells[0].Count
	if count.Wire == nil {
		t.Fatal("got no bytes of a recipe of this catalogue")
	}
	if e := d.Wires[*count.Wire][0]; e.Status != "HTTP 503" || !slices.Equal(count.Want, []string{"HTTP_ERROR"}) {
		t.Errorf("got %+v, want %v", e, count.Want)
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	before, after := sample("a"), sample("a")
	before.Subject.Version, after.Subject.Version = "1.0", "2.0"
	before.Observed[1].Became, before.Observed[1].Deviation, before.Causes = runner.Passed, 0, nil
	c, err := runs.Compare(before, after)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := WriteComparison(&page, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>a: 2.0 against 1.0 · replyproof</title>", `<span class="change new">new</span>`, `<a href="#/row/case%3ax%2fy">`, "<option value=\"changed\">", "FALSE_SUCCESS, saw SUCCESS"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if c, err = runs.Compare(before, before); err != nil {
		t.Fatal(err)
	}
	page.Reset()
	if err := WriteComparison(&page, c); err != nil || !strings.Contains(page.String(), "Nothing.") {
		t.Errorf("got %v, want a page that says that nothing changed", err)
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	client := func(name, version string) runs.Client {
		return runs.Client{Subject: runs.Subject{Name: name, Version: version}}
	}
	got := Anchors([]runs.Client{client("Go SDK", "1.0"), client("go-sdk", "1.0"), client("…", ""), client("@scope/name", "")})
	if want := []string{"go-sdk-1.0", "go-sdk-1.0-2", "client", "scope-name"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The script makes elements and sets text; it never reads text as markup, nor
// asks for anything.
func TestScriptsSetTextOnly(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"state": stateScript, "grid": gridScript, "panel": panelScript, "routes": routesScript} {
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "XMLHttpRequest", "import(", "http"} {
			if strings.Contains(script, word) {
				t.Errorf("%s.js holds %q", name, word)
			}
		}
	}
	if at := regexp.MustCompile(`(?i)\sstyle=|\son[a-z]+=`).FindString(bodyText); at != "" {
		t.Errorf("the template holds %q, which the page's policy refuses", at)
	}
}
