package goptergen_test

import (
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
)

var catalogue = generators.Default()

func parameters(tests int) *gopter.TestParameters {
	p := gopter.DefaultTestParametersWithSeed(1)
	p.MinSuccessfulTests = tests
	return p
}

func TestRecipesCanBeRendered(t *testing.T) {
	holds := prop.ForAll(func(r generators.Recipe) string {
		if err := catalogue.Check(r); err != nil {
			return goptergen.Label(catalogue, r, err.Error())
		}
		catalogue.Render(r)
		return ""
	}, goptergen.Recipes(catalogue))
	result := holds.Check(parameters(2000))
	if !result.Passed() {
		t.Errorf("got %s, want a pass", result.Status)
	}
}

// A fault among others must come out alone.
func TestShrinksToTheFault(t *testing.T) {
	fails := prop.ForAll(func(r generators.Recipe) bool {
		return !strings.Contains(catalogue.Format(r), "+media-conflict")
	}, goptergen.Recipes(catalogue))
	result := fails.Check(parameters(5000))
	if result.Passed() || len(result.Args) != 1 {
		t.Fatalf("got %v, want a failure with one argument", result.Status)
	}
	got := catalogue.Format(result.Args[0].Arg.(generators.Recipe))
	if want := "success +media-conflict=foreign-last"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkRecipes(b *testing.B) {
	gen := goptergen.Recipes(catalogue)
	p := gopter.DefaultGenParameters()
	for b.Loop() {
		gen(p)
	}
}
