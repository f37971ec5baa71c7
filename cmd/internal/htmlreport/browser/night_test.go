package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/nightly"
)

// nightPage is the page of a night in which every text from outside is text.
func nightPage(t testing.TB, text string) string {
	t.Helper()
	proposed, err := json.Marshal(map[string]string{"id": "nightly/envelope-1", "body": text})
	if err != nil {
		t.Fatal(err)
	}
	r := &nightly.Report{
		Night: "20261130T020000.000Z", Seed: 5, Jobs: 2, Seconds: 3600,
		Checks:   []nightly.CheckResult{{Name: "corpus", Seconds: 1, Summary: "9 cases, 1 disagreement", Findings: []string{text}}},
		Notes:    []string{text},
		NotRun:   []string{"example.com/a " + text},
		Problems: []fuzzing.Problem{{Package: "example.com/broken", Output: text}},
		Before:   []nightly.Past{{Night: "20261129T020000.000Z", Seconds: 1800, Targets: []nightly.PastTarget{{Package: "example.com/a", Target: "FuzzEnvelope", Executions: 1e6, Edges: 500}}}},
	}
	for i, name := range []string{"FuzzEnvelope", "FuzzStream", "FuzzRetryAfter", "FuzzATargetWithANameThatIsLongerThanMostNames"} {
		n := nightly.Result{
			Package: "example.com/a", Target: name, Rounds: 3, Seconds: 900, Fuzzing: 800, Executions: int64(i+1) * 1e6, Rate: 1e4, EmptyRate: 4e4, New: 12, Edges: 640,
			Corpus: nightly.Corpus{Inputs: 40, Bytes: 20 << 10, Median: 77, Largest: 4000, Dropped: 3},
		}
		for step := range 20 {
			n.Curve = append(n.Curve, nightly.Point{Seconds: float64(step * step), Edges: 400 + step*step/(i+1)})
		}
		r.Targets = append(r.Targets, n)
	}
	r.Targets[0].Failures = []nightly.Failure{{
		Package: "example.com/a", Target: "FuzzEnvelope", Kind: fuzzing.KindPanic, Signature: text, Count: 4, After: 12, Output: "panic: " + text, Input: "go test fuzz v1\n[]byte(\"" + text + "\")\n",
		InputFile: "/m/testdata/fuzz/FuzzEnvelope/1", Size: 3, From: 90, Reproduce: "go test -run='^FuzzEnvelope$/^1$' example.com/a",
		Verdicts: &nightly.Verdicts{Reading: text, Classifier: nightly.Verdict{Fault: text}, Model: nightly.Verdict{Outcome: "MALFORMED_JSON", Layer: "protocol", Reason: "json-syntax"}, Case: proposed},
	}, {Package: "example.com/a", Target: "FuzzEnvelope", Kind: nightly.KindFlaky, Count: 1, Output: text}}
	page, err := nightly.Page(r)
	if err != nil {
		t.Fatal(err)
	}
	return kept(t, page)
}

// TestNight looks at the page of a night in both themes and on a phone: its curves
// are drawn, its theme can be chosen, it is no wider than its window, and nothing
// in it is more than text.
func TestNight(t *testing.T) {
	file := nightPage(t, attack+strings.Repeat("a long line ", 40))
	for _, w := range []struct {
		name string
		window
	}{{"light", desk}, {"dark", night}, {"phone", phone}} {
		t.Run(w.name, func(t *testing.T) {
			b := visitUntil(t, "file://"+file, w.window, "file://"+file, "[data-theme-switch]:not([hidden])")
			want(b, "scripts from outside", "document.title", "replyproof nightly: FAILED")
			want(b, "elements from outside", "document.querySelectorAll('img, iframe, object, embed, link[href*=\"/\"], script[src], [onerror]').length", 0)
			want(b, "curves drawn", "[...document.querySelectorAll('svg path')].filter((path) => path.getBoundingClientRect().height > 10).length", 4)
			want(b, "curves in the colour of the theme", "getComputedStyle(document.querySelector('svg path')).stroke !== 'none'", true)
			b.js("document.querySelectorAll('details').forEach((one) => { one.open = true })")
			b.js(settle)
			if over := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
				t.Errorf("the page is %d pixels wider than its window", over)
			}
			b.shot("night-" + w.name)
			b.js("document.querySelector('.targets').scrollIntoView()")
			b.js(settle)
			b.shot("night-" + w.name + "-targets")
			ground := "getComputedStyle(document.body).backgroundColor"
			before := eval[string](b, ground)
			b.js("document.querySelector('[data-theme-switch]').click()")
			want(b, "another theme", fmt.Sprintf("%s !== %q", ground, before), true)
		})
	}
}
