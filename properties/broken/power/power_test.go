package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/broken"
)

// few is a run over some judges and the first recipes.
func few(t *testing.T, pattern string) *power {
	t.Helper()
	p, err := newPower(options{seeds: 2, cases: 3000, random: 1000, tries: 20, judges: pattern})
	if err != nil {
		t.Fatal(err)
	}
	p.recipes = p.recipes[:6000]
	return p
}

func steps(t *testing.T, p *power) {
	t.Helper()
	for _, step := range []func() error{p.frozen, p.exhaustive, p.agreement, p.byProperties, p.libraries} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJudgesAreKilledAndTold(t *testing.T) {
	p := few(t, "^(status-ignored|lf-only)$")
	steps(t, p)
	if err := p.verdict(); err != nil {
		t.Error(err)
	}
	text := p.report()
	for _, want := range []string{"| status-ignored | 1 | ", "| lf-only | S1 | ", "`success +status=503`", "`success +sse=crlf`", "| by-construction | 2 | all |", "| status-dominance | 1 | status-ignored |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// A judge that is sound survives, and the run fails and names it.
func TestSurvivorsFail(t *testing.T) {
	p := few(t, "^lf-only$")
	p.rows = []*row{{Judge: broken.Judge{Name: "sound", Doc: "does nothing wrong",
		Classify: classifier.Classify, Notification: classifier.ClassifyNotification, NoAnswer: classifier.ClassifyNoAnswer}}}
	steps(t, p)
	if err := p.verdict(); err == nil || !strings.Contains(err.Error(), "sound survives the exhaustive run: does nothing wrong") {
		t.Errorf("got %v", err)
	}
}

func TestNoJudgeIsAnError(t *testing.T) {
	if _, err := newPower(options{judges: "no-such-judge"}); err == nil {
		t.Error("got no error")
	}
}

// A hunt takes down what each input kills, and goes on where the file ends.
func TestHuntGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kills")
	h, err := newHunt(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	before := len(h.alive)
	for _, seed := range plainSeeds()[:2] {
		if err := h.input(seed); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.alive) != before {
		t.Errorf("plain answers killed %d judges, want none", before-len(h.alive))
	}
	answer := "id=1 503 eof\nContent-Type: application/json\n\n" + `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
	if err := h.input([]byte(answer)); err != nil {
		t.Fatal(err)
	}
	kills, err := readKills(file)
	if err != nil {
		t.Fatal(err)
	}
	if k := kills["status-ignored"]; k.Cases != 3 || string(k.Input) != answer {
		t.Errorf("got %+v, want case 3", k)
	}
	again, err := newHunt(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if again.cases != 3 || len(again.alive) != len(h.alive) {
		t.Errorf("got %d cases and %d judges alive, want 3 and %d", again.cases, len(again.alive), len(h.alive))
	}
	if err := os.WriteFile(file, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := newHunt(file, time.Now()); err == nil {
		t.Error("a spoilt file of kills is no error")
	}
}
