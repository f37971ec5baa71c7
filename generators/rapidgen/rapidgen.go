// Package rapidgen draws recipes from pgregory.net/rapid, one draw a choice, so
// that rapid can shrink them and replay them from its fail files.
//
//	rapid.Check(t, func(t *rapid.T) {
//		r := rapidgen.Recipes(catalogue).Draw(t, "recipe")
//		t.Log(catalogue.Format(r))
//		answer := catalogue.Render(r)
//		…
//	})
//
// rapid's default of 100 checks is far too few for rare faults: run it with
// -rapid.checks=20000.
package rapidgen

import (
	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// source is a source of choices that draws from a rapid test.
type source struct{ t *rapid.T }

// small are the generators of the choices that occur; making one allocates.
var small = func() (all [256]*rapid.Generator[int]) {
	for n := range all {
		all[n] = rapid.IntRange(0, max(n-1, 0))
	}
	return all
}()

// N is one draw.
func (s source) N(n int) int {
	if n < 2 {
		return 0
	}
	if n < len(small) {
		return small[n].Draw(s.t, "choice")
	}
	return rapid.IntRange(0, n-1).Draw(s.t, "choice")
}

// Source is a source whose every choice is a draw of t. Its draws show in the
// log of a failing test; those of [Recipes] do not.
func Source(t *rapid.T) generators.Source { return source{t} }

// Recipes generates recipes of the catalogue as its Build makes them.
func Recipes(c *generators.Catalogue) *rapid.Generator[generators.Recipe] {
	return rapid.Custom(func(t *rapid.T) generators.Recipe { return c.Build(source{t}) })
}

// Cases generates rendered recipes: answers with what is expected of a judge.
// The recipe's text is the case's Source.
func Cases(c *generators.Catalogue) *rapid.Generator[corpus.Case] {
	return rapid.Custom(func(t *rapid.T) corpus.Case { return c.Render(c.Build(source{t})) })
}
