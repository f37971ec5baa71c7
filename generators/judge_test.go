package generators_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

var catalogue = generators.Default()

// disagreements lists what the classifier says otherwise.
func disagreements(c corpus.Case) string {
	var all []string
	for _, d := range corpus.Verify([]corpus.Case{c}) {
		all = append(all, d.Error())
	}
	return strings.Join(all, "; ")
}

// agree compares the classifier with the expectation of recipes. It lists what
// differs by kind, with the shortest recipes that show it.
func agree(t *testing.T, recipes iter.Seq[generators.Recipe]) {
	t.Helper()
	renderer := catalogue.NewRenderer()
	wrong := map[string][]string{}
	for r := range recipes {
		made := renderer.Render(r)
		made.ID, made.Why = "made/case", "Made."
		if said := disagreements(made); said != "" {
			wrong[said] = append(wrong[said], catalogue.Format(r))
		}
	}
	for said, texts := range wrong {
		slices.SortFunc(texts, func(a, b string) int { return len(a) - len(b) })
		t.Errorf("%d recipes: %s\n\t%s", len(texts), said, strings.Join(texts[:min(3, len(texts))], "\n\t"))
	}
}

func TestClassifierAgreesOnSingles(t *testing.T) { t.Parallel(); agree(t, catalogue.Singles()) }

func TestClassifierAgreesOnPairs(t *testing.T) { t.Parallel(); agree(t, catalogue.Pairs()) }

func TestClassifierAgreesOnCuts(t *testing.T) { t.Parallel(); agree(t, catalogue.Cuts()) }

func TestClassifierAgreesOnRandomRecipes(t *testing.T) {
	t.Parallel()
	src := generators.NewPlain(1)
	agree(t, func(yield func(generators.Recipe) bool) {
		for range 200000 {
			if r := catalogue.Build(src); !yield(r) {
				return
			}
		}
	})
}

// A recipe whose id is left to the client comes to the same verdict.
func TestClassifierAgreesOnOpenRecipes(t *testing.T) {
	t.Parallel()
	src := generators.NewPlain(2)
	agree(t, func(yield func(generators.Recipe) bool) {
		for range 50000 {
			if !yield(catalogue.Open(catalogue.Build(src))) {
				return
			}
		}
	})
}
