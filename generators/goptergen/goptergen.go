// Package goptergen generates recipes for github.com/leanovate/gopter.
//
//	properties.Property("…", prop.ForAll(func(r generators.Recipe) bool {
//		answer := catalogue.Render(r)
//		…
//	}, goptergen.Recipes(catalogue)))
//
// Failing recipes are shrunk as recipes: faults are dropped, variants lowered,
// style and framing made plainer. Do not put Map over the generator, which
// would lose the shrinker. gopter prints a recipe with the numbers of its
// faults; Catalogue.Format gives the text to keep, [Label] puts it into the
// report.
package goptergen

import (
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/leanovate/gopter"

	"github.com/replyproof/replyproof/generators"
)

// Recipes generates recipes of the catalogue as its Build makes them, each from
// one number of gopter's generator.
func Recipes(c *generators.Catalogue) gopter.Gen {
	shrinker := Shrinker(c)
	kind := reflect.TypeFor[generators.Recipe]()
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return &gopter.GenResult{
			Result:     c.Build(generators.NewPlain(p.Rng.Uint64())),
			ResultType: kind,
			Shrinker:   shrinker,
		}
	}
}

// Shrinker offers the recipes that are plainer than a failing one in one
// respect, the boldest first.
func Shrinker(c *generators.Catalogue) gopter.Shrinker {
	return func(value any) gopter.Shrink {
		r, ok := value.(generators.Recipe)
		if !ok {
			return gopter.NoShrinker(value)
		}
		return Offer(c.Plainer(r))
	}
}

// Offer is a shrink that offers what all yields, in its order. It begins with
// all when it is asked for the first value.
func Offer[V any](all iter.Seq[V]) gopter.Shrink {
	var left []V
	begun := false
	return func() (any, bool) {
		if !begun {
			left, begun = slices.Collect(all), true
		}
		if len(left) == 0 {
			return nil, false
		}
		next := left[0]
		left = left[1:]
		return next, true
	}
}

// PlainestShrinker offers what [Shrinker] does and, once nothing of that fails,
// the recipes of [generators.Catalogue.Simpler], for half a minute at most. So
// what it comes to hardly depends on where it began. It is for properties of
// functions that answer at once.
func PlainestShrinker(c *generators.Catalogue) gopter.Shrinker {
	first := Shrinker(c)
	return func(value any) gopter.Shrink {
		r, ok := value.(generators.Recipe)
		if !ok {
			return gopter.NoShrinker(value)
		}
		simpler := Offer(c.Simpler(r))
		var until time.Time
		return gopter.ConcatShrinks(first(value), func() (any, bool) {
			if until.IsZero() {
				until = time.Now().Add(patience)
			}
			if time.Now().After(until) {
				return nil, false
			}
			return simpler()
		})
	}
}

// patience is how long recipes of Simpler are offered for one recipe.
const patience = 30 * time.Second

// Label is what a property returns for a recipe: "" where it holds, which
// gopter takes for success, and the recipe's text with what is wrong where it
// does not.
func Label(c *generators.Catalogue, r generators.Recipe, wrong string) string {
	if wrong == "" {
		return ""
	}
	return c.Format(r) + ": " + wrong
}
