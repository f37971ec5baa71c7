package cases

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Whatever a third party may say of a shipped case by right, it may say of the same
// answer as an evolved one: nobody is blamed for more. A success that is none is
// still one, but where the rules let some take it for one.
func TestEvolvedToleratesWhatTheCorpusDoes(t *testing.T) {
	t.Parallel()
	strict, lenient := 0, 0
	for _, c := range corpus.All() {
		if c.Notification || len(c.Then) > 0 || c.Expect == nil {
			continue
		}
		e, ok := evolvedCase("FuzzAnswer", fuzz.SampleOf(c))
		if !ok {
			continue
		}
		if e.Expect.Outcome != c.Expect.Outcome {
			t.Errorf("%s: got %s, want %s", c.ID, e.Expect.Outcome, c.Expect.Outcome)
		}
		for _, word := range c.AlsoAcceptable {
			if !slices.Contains(e.AlsoAcceptable, word) {
				t.Errorf("%s (%s, %s): got %v, want %s among them", c.ID, c.Expect.Outcome, c.Expect.Reason, e.AlsoAcceptable, word)
			}
		}
		told, _ := subject.AllOutcomes().Covers("TOOL_SUCCESS")
		if runner.Compare(c.Expect.Outcome, runner.Allowed(c), told) == runner.FalseSuccess {
			if runner.Compare(e.Expect.Outcome, runner.Allowed(e), told) == runner.FalseSuccess {
				strict++
			} else {
				lenient++
			}
		}
	}
	if strict < 500 || lenient > strict/10 {
		t.Errorf("got %d false successes that are still told and %d that are not, want nearly all told", strict, lenient)
	}
}

// Of a folder that holds more than can be held, a part is taken and the rest is told.
func TestLoadEvolvedIsBounded(t *testing.T) { // not beside others, which need the usual bound
	defer func(usual int) { mostBytes = usual }(mostBytes)
	mostBytes = 100
	dir := filepath.Join(t.TempDir(), "FuzzEnvelope")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		input := []byte(`{"` + strings.Repeat(name, 38) + `":1}`) // 44 bytes
		if err := os.WriteFile(filepath.Join(dir, name), corpus.AppendSeed(nil, corpus.SeedText("[]byte", input)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := LoadEvolved(filepath.Dir(dir))
	if err != nil || len(found.Cases) != 2 || found.Left != 2 {
		t.Errorf("got %d cases and %d left out, %v; want 2 and 2", len(found.Cases), found.Left, err)
	}
}

func TestLoadEvolved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range fuzz.Targets() {
		for _, blob := range corpus.FuzzSeeds(target.Seeds()[:3]) {
			put("inputs/a/"+target.Name+"/"+blob.Name, string(blob.Data))
			put("testdata/fuzz/"+target.Name+"/"+blob.Name, string(blob.Data)) // once more
		}
	}
	put("inputs/a/FuzzEnvelope/large", string(corpus.FuzzSeed(make([]byte, largestInput+1))))
	put("inputs/a/FuzzEnvelope/.half.part", "go te")
	put("inputs/a/FuzzEnvelope/two", "go test fuzz v1\nint(1)\nint(2)\n")
	put("crashers/a/FuzzEnvelope/one", string(corpus.FuzzSeed([]byte("{}"))))
	got, err := LoadEvolved(dir)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]int{}
	for _, c := range got.Cases {
		group, _, _ := strings.Cut(strings.TrimPrefix(c.ID, "evolved/"), "-")
		groups[group]++
		if err := c.Check(); err != nil || c.Expect == nil {
			t.Errorf("%s: got %v, expecting %v; want a sound case", c.ID, err, c.Expect)
		}
	}
	for _, group := range []string{"envelope", "stream", "contenttype", "retryafter", "coding", "answer"} {
		if groups[group] == 0 || groups[group] > 3 {
			t.Errorf("%s: got %d cases, want one to three", group, groups[group])
		}
	}
	if len(groups) != 6 || len(got.Recipes) == 0 || len(got.Recipes) > 3 || got.Left < 2 {
		t.Errorf("got groups %v, %d recipes, %d left out", groups, len(got.Recipes), got.Left)
	}
	nowhere := filepath.Join(dir, "nowhere")
	if _, err := LoadEvolved(nowhere); err == nil || !strings.HasPrefix(err.Error(), nowhere+": ") {
		t.Errorf("of a folder that is not there: %v", err)
	}
	if _, err := LoadEvolved(filepath.Join(dir, "inputs", "a", "FuzzBatch")); err == nil {
		t.Error("of a folder without an input: got no error")
	}
}
