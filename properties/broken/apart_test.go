package broken_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/broken"
)

// Two faults that exercise one rule, have one effect and kill the same judges
// are one fault, or a judge is missing that tells them apart.
func TestFaultsAreApart(t *testing.T) {
	t.Parallel()
	catalogue, judges := generators.Default(), broken.All()
	plain := generators.IDOne
	var recipes []generators.Recipe
	for r := range catalogue.Singles() {
		if r.ID == plain && (!r.Frame.Stream() || catalogue.Format(generators.Recipe{Frame: generators.Frame{Lines: r.Frame.Lines}}) == "success +sse=lf") {
			recipes = append(recipes, r)
		}
	}
	killed := killsOf(catalogue, judges, recipes)
	alone := map[generators.Recipe]map[string]bool{} // of recipes with no fault
	for i, r := range recipes {
		if len(r.Picks()) == 0 {
			alone[r] = killed[i]
		}
	}
	sets := map[string]map[string]bool{}
	for i, r := range recipes {
		for f := range catalogue.Picked(r) {
			bare := r
			bare.Faults = [generators.MaxFaults]generators.Pick{}
			if sets[f.Name] == nil {
				sets[f.Name] = map[string]bool{}
			}
			for name := range killed[i] {
				if !alone[bare][name] {
					sets[f.Name][name] = true
				}
			}
		}
	}
	same := map[string]string{}
	for f := range catalogue.All() {
		names := make([]string, 0, len(sets[f.Name]))
		for name := range sets[f.Name] {
			names = append(names, name)
		}
		slices.Sort(names)
		kind := fmt.Sprintf("rule %s, effect %q, kills [%s]", f.Rule, f.Effect, strings.Join(names, " "))
		if other, ok := same[kind]; ok {
			t.Errorf("faults %s and %s are not apart: %s", other, f.Name, kind)
		}
		same[kind] = f.Name
	}
}

// killsOf tells for each recipe the names of the judges that it kills.
func killsOf(c *generators.Catalogue, judges []broken.Judge, recipes []generators.Recipe) []map[string]bool {
	killed := make([]map[string]bool, len(recipes))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			d := c.NewRenderer()
			for i := w; i < len(recipes); i += workers {
				trial := broken.NewTrial(d.Render(recipes[i]))
				killed[i] = map[string]bool{}
				for j := range judges {
					if trial.Kills(&judges[j]) {
						killed[i][judges[j].Name] = true
					}
				}
			}
		})
	}
	group.Wait()
	return killed
}

// The judges err rarely enough to prove something, and each on its own cases:
// on a sample, since the whole is measured by make power.
func TestJudgesErrRarely(t *testing.T) {
	t.Parallel()
	const sample = 4000
	catalogue, judges := generators.Default(), broken.All()
	source := generators.NewPlain(1)
	recipes := make([]generators.Recipe, sample)
	for i := range recipes {
		recipes[i] = catalogue.Build(source)
	}
	count := map[string]int{}
	for _, names := range killsOf(catalogue, judges, recipes) {
		for name := range names {
			count[name]++
		}
	}
	for _, j := range judges {
		if n := count[j.Name]; n > sample/20 {
			t.Errorf("%s is killed by %d of %d random cases, want at most one in twenty", j.Name, n, sample)
		}
	}
}
