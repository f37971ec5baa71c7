// Package rapidprop holds the properties of package properties in the idiom of
// pgregory.net/rapid: recipes are drawn choice by choice, so that rapid shrinks
// them and replays them from its fail files. A failure is told in its plainest
// form: rapid's shrinking lowers draws, and what it leaves is made plainer as a
// recipe.
//
//	func TestJudge(t *testing.T) { rapidprop.Check(t, mine.Judge) }
//
// rapid's default of 100 checks is far too few for rare faults: run it with
// -rapid.checks=20000. The judge must give the same verdict for the same
// answer, else rapid calls a failure flaky.
package rapidprop

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/generators/rapidgen"
	"github.com/replyproof/replyproof/properties"
)

// attempts is how many recipes are drawn for a check until the property has
// something to say of one.
const attempts = 24

// Check tries each property in a subtest of its own. Options that say how
// properties.CheckClassifier searches have no meaning here: how many checks
// there are, and their seed, is for rapid's flags to say.
func Check(t *testing.T, fn properties.Judge, options ...properties.Option) {
	t.Helper()
	setup, err := properties.NewSetup(fn, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range setup.Properties {
		t.Run(p.Name, func(t *testing.T) { rapid.Check(t, property(setup, p)) })
	}
}

// Property is one property for rapid.Check or rapid.MakeFuzz. Bad options fail
// every check.
func Property(p properties.Property, fn properties.Judge, options ...properties.Option) func(*rapid.T) {
	setup, err := properties.NewSetup(fn, options...)
	if err != nil {
		return func(t *rapid.T) { t.Fatal(err) }
	}
	return property(setup, p)
}

func property(setup *properties.Setup, p properties.Property) func(*rapid.T) {
	recipes := rapidgen.Recipes(setup.Catalogue)
	seeds := rapid.Uint64Range(0, 1<<16)
	plain := &plainest{setup: setup, property: p, known: map[trial]*properties.Failure{}}
	return func(t *rapid.T) {
		for range attempts {
			r := recipes.Draw(t, "recipe")
			seed := uint64(0)
			if p.Name != properties.ByConstruction {
				seed = seeds.Draw(t, "seed")
			}
			failure, skipped := setup.Try(p, r, seed)
			if failure != nil {
				t.Fatalf("%v", plain.of(trial{r, seed}, failure))
			}
			if !skipped {
				return
			}
		}
	}
}
