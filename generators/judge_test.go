package generators_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// disagreements lists what the classifier says otherwise.
func disagreements(c corpus.Case) string {
	var all []string
	for _, d := range corpus.Verify([]corpus.Case{c}) {
		all = append(all, d.Error())
	}
	return strings.Join(all, "; ")
}

// agree compares the classifier with the expectation of recipes.
func agree(t *testing.T, catalogue *generators.Catalogue, recipes func(yield func(generators.Recipe) bool)) {
	t.Helper()
	renderer := catalogue.NewRenderer()
	wrong := map[string][]string{}
	n, bad := 0, 0
	for r := range recipes {
		n++
		made := renderer.Render(r)
		made.ID, made.Why = "made/case", "made."
		if said := disagreements(made); said != "" {
			bad++
			text := catalogue.Format(r)
			wrong[said] = append(wrong[said], text)
		}
	}
	keys := make([]string, 0, len(wrong))
	for k := range wrong {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return len(wrong[keys[i]]) > len(wrong[keys[j]]) })
	for _, k := range keys[:min(len(keys), 25)] {
		w := wrong[k]
		sort.Slice(w, func(i, j int) bool { return len(w[i]) < len(w[j]) })
		t.Errorf("%d: %s\n   %s", len(w), k, strings.Join(w[:min(3, len(w))], "\n   "))
	}
	t.Log(fmt.Sprintf("%d recipes, %d disagreements", n, bad))
}

func TestClassifierOnSingles(t *testing.T) {
	c := generators.Default()
	agree(t, c, c.Singles())
}

func TestClassifierOnPairs(t *testing.T) {
	c := generators.Default()
	agree(t, c, c.Pairs())
}

func TestClassifierOnCuts(t *testing.T) {
	c := generators.Default()
	agree(t, c, c.Cuts())
}

func TestClassifierOnRandomRecipes(t *testing.T) {
	c := generators.Default()
	src := generators.NewPlain(2)
	agree(t, c, func(yield func(generators.Recipe) bool) {
		for range 1000000 {
			if !yield(c.Build(src)) {
				return
			}
		}
	})
}
