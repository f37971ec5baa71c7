package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// faults --json is one array, so that jq length counts the faults. Each fault
// has a case in the corpus, with the fault's tag.
func TestFaultsAreShownByTheCorpus(t *testing.T) {
	root := newRoot()
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetArgs([]string{"faults", "--json"})
	if err := root.Execute(); err != nil {
		t.Fatalf("%v\n%s", err, errs.Bytes())
	}
	var faults []struct {
		Name, Case, Rule, Effect, Layer string
		Example                         json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &faults); err != nil {
		t.Fatal(err)
	}
	if len(faults) < 120 {
		t.Errorf("got %d faults, want at least 120", len(faults))
	}
	for _, f := range faults {
		c, ok := corpus.ByID(f.Case)
		if !ok || !slices.Contains(c.Tags, "fault:"+f.Name) {
			t.Errorf("%s: the case %q is not in the corpus, or lacks the fault's tag", f.Name, f.Case)
		}
		if f.Rule == "" || f.Effect == "" || f.Layer == "" || len(f.Example) == 0 {
			t.Errorf("%s: a field is empty", f.Name)
		}
	}
}
