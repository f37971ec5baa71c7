package rapidgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/rapidgen"
)

var catalogue = generators.Default()

func TestRecipesCanBeRendered(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		r := rapidgen.Recipes(catalogue).Draw(t, "recipe")
		if err := catalogue.Check(r); err != nil {
			t.Fatalf("%s: %v", catalogue.Format(r), err)
		}
		seen[catalogue.Render(r).Expect.Outcome.String()] = true
	})
	for _, outcome := range []string{"TOOL_SUCCESS", "HTTP_ERROR", "NO_FINAL_RESPONSE"} {
		if !seen[outcome] {
			t.Errorf("no recipe came to %s", outcome)
		}
	}
}

func TestCasesTellTheirRecipe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := rapidgen.Cases(catalogue).Draw(t, "case")
		if made.Source == "" || made.Expect == nil {
			t.Fatalf("%s: no source or no expectation", made.ID)
		}
	})
}

func TestSourceStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapidgen.Source(t)
		for _, n := range []int{1, 2, 7, 255, 256, 5000} {
			if got := src.N(n); got < 0 || got >= n {
				t.Fatalf("N(%d): got %d", n, got)
			}
		}
	})
}

func BenchmarkRecipes(b *testing.B) {
	recipes, drawn := rapidgen.Recipes(catalogue), 0
	for b.Loop() {
		rapid.Check(b, func(t *rapid.T) {
			recipes.Draw(t, "recipe")
			drawn++
		})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(drawn), "ns/recipe")
}
