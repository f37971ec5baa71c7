package generators

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

var update = flag.Bool("update", false, "write the frozen cases of the faults anew")

// Cases are frozen so that a change of the generators cannot change them unseen.
func TestFaultCasesAreFrozen(t *testing.T) {
	name := filepath.Join("..", "corpus", "cases", "faults.json")
	cases := FaultCases()
	if *update {
		if err := corpus.WriteFile(name, "fault", cases); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("no frozen cases (go generate ./generators writes them): %v", err)
	}
	stored, err := corpus.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	for f := range standard.All() {
		want := standard.FaultCase(f.Name)
		i := slices.IndexFunc(stored, func(c corpus.Case) bool { return c.ID == want.ID })
		if i < 0 {
			t.Errorf("fault %s has no frozen case; go generate ./generators makes one", f.Name)
			continue
		}
		if !bytes.Equal(stored[i].Body, want.Body) {
			t.Errorf("fault %s: the frozen body is %q, the fault now makes %q", f.Name, stored[i].Body, want.Body)
		}
	}
	fresh, err := corpus.AppendFile(nil, "fault", cases)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fresh, data) {
		t.Errorf("%s differs from what the faults make; if that is meant, run go generate ./generators", name)
	}
}
