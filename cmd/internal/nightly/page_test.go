package nightly

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// full is a night in which everything happened that a report tells.
func full() *Report {
	return &Report{
		Format: "replyproof-nightly/1", Night: "20261130T020000.000Z", Seed: 5, Jobs: 2, Seconds: 3600, Build: 20, First: 32, Start: 1.5, Replay: 0.02, Lost: 0.031, Asleep: 60,
		Checks: []CheckResult{{Name: "corpus", Seconds: 1, Summary: "9 cases, 1 disagreement", Findings: []string{"a <case> disagrees"}}},
		Targets: []Result{
			{
				Package: "example.com/a", Target: "FuzzA", Rounds: 3, Seconds: 1000, Fuzzing: 900, Executions: 9e6, Rate: 1e4, EmptyRate: 4e4, New: 12, Edges: 640,
				Curve: []Point{{Seconds: 1, Edges: 500}, {Seconds: 300, Edges: 600}, {Seconds: 880, Edges: 640}}, Corpus: Corpus{Inputs: 40, Bytes: 20 << 10, Median: 77, Largest: 4000, Dropped: 3},
				Failures: []Failure{{
					Package: "example.com/a", Target: "FuzzA", Kind: "panic", Signature: "panic in a", Count: 4, After: 12, Output: "panic: <script>alert(1)</script>",
					InputFile: "/m/testdata/fuzz/FuzzA/1", Input: "go test fuzz v1\n[]byte(\"<b>\")\n", Size: 3, From: 90, Folder: "/night/crashers/1", Reproduce: "go test -run='^FuzzA$/^1$' example.com/a",
					Verdicts: &Verdicts{Reading: "the body of a JSON answer", Classifier: Verdict{Fault: "panics: oh"}, Model: Verdict{Outcome: "MALFORMED_JSON", Layer: "protocol", Reason: "json-syntax"}, Case: json.RawMessage(`{"id":"nightly/a-1"}`)},
				}},
			},
			{Package: "example.com/a", Target: "FuzzB", Rounds: 1, Seconds: 5, Retired: "it fails in 20 ways; mend some first", Failures: []Failure{{Kind: KindFlaky, Target: "FuzzB", InputFile: "/night/flaky/2", Count: 1}}},
		},
		Notes:  []string{"a note of the night"},
		NotRun: []string{"example.com/a FuzzC"},
		Before: []Past{{Night: "20261129T020000.000Z", Seconds: 1800, Targets: []PastTarget{{Package: "example.com/a", Target: "FuzzA", Executions: 100, Rate: 5e3, Edges: 630, Inputs: 45}}}},
	}
}

// The page is whole, needs nothing from elsewhere, shows bytes as text, and tells
// everything that is in the report.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := Page(full())
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, want := range []string{
		"<title>replyproof nightly: FAILED</title>", "replyproof nightly: <span class=\"word-critical\">FAILED</span>", "1h0m0s, 2 fuzz workers, seed 5", "of the time 2.0% went to the replay of what was kept, 3.1% neither to checks", "slept", "a note of the night", "Not run", "a &lt;case&gt; disagrees",
		"&lt;script&gt;alert(1)&lt;/script&gt;", "[]byte(&#34;&lt;b&gt;&#34;)", "3 bytes, found with 90", "met 4 times", "panics: oh", "MALFORMED_JSON (protocol, json-syntax)", "nightly/a-1",
		"10k (&#43;100%), 25% of an empty target", "640 (&#43;10)", "40 (-5), 3 dropped", "20 KiB, median 77 B, largest 4000 B", "it fails in 20 ways", "failed once and not again", "29 November 2026, 02:00 UTC", "<dd>9\u2009000\u2009000</dd>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// The rest of the page is not the night's, and refuses what it does not know.
	_, body, _ := strings.Cut(text, "<body>")
	body, _, ok := strings.Cut(body, "</main>")
	if m := regexp.MustCompile(`(?i)<script|<link|<img|<iframe|@import|url\(|src=|href=| style=| on[a-z]+=`).FindString(body); m != "" || !ok {
		t.Errorf("the page holds %q, want nothing that fetches or runs, or that the page's policy refuses", m)
	}
	if !strings.Contains(text, `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`) {
		t.Error("the page has no policy")
	}
	// Three points, the curve of the first target alone.
	if got := strings.Count(text, "<path"); got != 1 {
		t.Errorf("got %d curves, want one", got)
	}
	path := regexp.MustCompile(`<path d="([^"]*)"`).FindStringSubmatch(text)
	if want := "M0.4 56.0H106.7V18.9H312.9V4.0H320"; path == nil || path[1] != want {
		t.Errorf("got the curve %q, want %q", path, want)
	}
	dec := xml.NewDecoder(bytes.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the page's tags do not fit: %v", err)
		}
	}
}

func TestPageOfAnEmptyNight(t *testing.T) {
	t.Parallel()
	page, err := Page(&Report{Interrupted: true})
	if err != nil || !strings.Contains(string(page), `<span class="word-major">STOPPED</span>`) {
		t.Errorf("got %v and %s", err, page)
	}
}

// A night that found nothing is headed by what it did not do.
func TestHeading(t *testing.T) {
	t.Parallel()
	ran := Result{Target: "FuzzA", Rounds: 1, Executions: 1}
	short := Result{Target: "FuzzB", Rounds: 1}
	flaky := Result{Target: "FuzzC", Rounds: 1, Executions: 1, Failures: []Failure{{Kind: KindFlaky}}}
	for _, test := range []struct {
		name       string
		r          Report
		want, word string
	}{
		{"good", Report{Targets: []Result{ran}}, "as expected", "good"},
		{"one without time", Report{Targets: []Result{ran, short}}, "nothing found, but 1 of 2 fuzz targets had no time to fuzz", "major"},
		{"flaky", Report{Targets: []Result{ran, flaky, short}}, "nothing found, but 1 of 3 fuzz targets had no time to fuzz, and 1 failure did not repeat", "major"},
		{"stopped", Report{Targets: []Result{short}, Interrupted: true}, "STOPPED", "major"},
		{"failed", Report{Targets: []Result{short}, Problems: []fuzzing.Problem{{}}}, "FAILED", "critical"},
	} {
		page, err := Page(&test.r)
		if want := `<h1>replyproof nightly: <span class="word-` + test.word + `">` + test.want + "</span></h1>"; err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%s: got %v and %s, want %s", test.name, err, page, want)
		}
		if got := string(Markdown(&test.r)); !strings.HasPrefix(got, "# replyproof nightly: "+test.want+"\n") {
			t.Errorf("%s: got %s, want it headed %s", test.name, got, test.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	got := string(Markdown(full()))
	for _, want := range []string{
		"# replyproof nightly: FAILED\n", "| corpus | 1s | 9 cases, 1 disagreement |\n",
		"| FuzzA | 16m40s | 9000000 | 10k (+100%) | 25% | 12 | 640 (+10) | 40 (-5) | 3 | 1 |\n", "\n## Failed: example.com/a FuzzA (met 4 times)\n",
		"    classifier: panics: oh\n", "reproduce: go test -run='^FuzzA$/^1$' example.com/a\n", "- a note of the night\n", "| 20261129T020000.000Z | 30m0s | 100 | 0 | 630 | 0 |\n", "Not run: example.com/a FuzzC\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
}

// A path, or what a check says, ends no line of the page.
func TestMarkdownKeepsItsLines(t *testing.T) {
	t.Parallel()
	got := string(Markdown(&Report{
		Checks:  []CheckResult{{Name: "own", Findings: []string{"one\n\ttwo\r# three"}}},
		Targets: []Result{{Target: "FuzzA", Failures: []Failure{{Package: "p", Target: "FuzzA", InputFile: "a\n# b", Reproduce: "cd 'a\r# b'"}}}},
		Notes:   []string{"c\n# d"}, NotRun: []string{"e\n# f"},
	}))
	for _, want := range []string{"    one\n    \ttwo\\r# three\n", "    input a\\n# b", "    reproduce: cd 'a\\r# b'\n", "- c\\n# d\n", "Not run: e\\n# f\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
}

func TestLastLineTellsOfTargetsWithoutTime(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := &Report{Targets: []Result{{Target: "FuzzA", Rounds: 1}, {Target: "FuzzB", Rounds: 1, Executions: 1}, {Target: "FuzzC", Rounds: 1}}}
	s := terminal.New(&out, &out)
	Text(s, r)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = "\nOK, but 2 of 3 fuzz targets had no time to fuzz (FuzzA, FuzzC); give them more time; 3 fuzz targets and 0 checks in 0s, seed 0\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

func TestFindingsOfAChecksFailTheNight(t *testing.T) {
	t.Parallel()
	r := &Report{Checks: []CheckResult{{Name: "corpus", Findings: []string{"a case disagrees"}}}}
	if !r.Failed() {
		t.Error("got a good night, want a failed one")
	}
}
