package runner

import (
	"iter"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// item is one case to be run.
type item struct {
	c         corpus.Case
	id        string // of the case; for a recipe its text, made when it is needed
	recipe    generators.Recipe
	generated bool
	apart     bool // nothing is learned from it
	barrier   bool // no case: what came before is to be booked first
}

// name is the case's id, or the recipe's text.
func (r *run) name(it *item) string {
	if it.generated && it.id == "" {
		it.id = r.o.Catalogue.Format(it.recipe)
	}
	return it.id
}

// trial is the item as it is put to a subject.
func (r *run) trial(it *item) subject.Trial {
	t := subject.Trial{Case: it.c}
	if it.generated {
		recipe := it.recipe
		t.For = func(id classifier.ID) (corpus.Case, error) { return r.o.Catalogue.RenderFor(recipe, id) }
	}
	return t
}

// items yields the cases in their order. The recipes of the baseline are always
// among them: whether an entry still deviates must not hang on what is drawn.
func (r *run) items() iter.Seq[item] {
	return func(play func(item) bool) {
		// What an earlier run has done is passed over.
		fixed := func(it func() item) bool {
			if r.skip > 0 {
				r.skip--
				return true
			}
			r.fixed++
			return play(it())
		}
		for _, c := range r.o.Corpus {
			if !fixed(func() item { return item{c: c, id: c.ID} }) {
				return
			}
		}
		apart := false
		client := r.result.Subject.Kind == subject.KindClient
		made := func(recipe generators.Recipe) item {
			if client {
				recipe.ID = generators.IDOne // its calls have ids of their own
			}
			return item{c: r.o.Catalogue.Render(recipe), recipe: recipe, generated: true, apart: apart}
		}
		generate := func(recipe generators.Recipe) bool { return fixed(func() item { return made(recipe) }) }
		known := map[generators.Recipe]bool{}
		if r.baseline != nil {
			for _, recipe := range r.baseline.recipes {
				// What is drawn must not hang on the baseline: where the search is
				// steered such a recipe is played apart, and again in its turn.
				known[recipe] = !r.o.Steer
				apart = r.o.Steer
				if !generate(recipe) {
					return
				}
			}
		}
		apart = false
		once := func(recipe generators.Recipe) bool { return known[recipe] || generate(recipe) }
		each := func(recipe generators.Recipe) bool { return client && recipe.ID != generators.IDOne || once(recipe) }
		for _, recipe := range r.o.Recipes {
			if !once(recipe) {
				return
			}
		}
		for _, enumeration := range r.o.enumerations() {
			for recipe := range enumeration {
				if !each(recipe) {
					return
				}
			}
		}
		r.random = true
		for r.drawn < r.o.Random || r.o.Random <= 0 && r.o.For > 0 {
			var next generators.Recipe
			if r.o.Steer {
				if len(r.round) == 0 {
					if !play(item{barrier: true}) {
						return
					}
					r.round = r.steering.round(r.source)
				}
				next, r.round = r.round[0], r.round[1:]
			} else {
				next = r.o.Catalogue.Build(r.source)
			}
			r.drawn++
			if !play(made(next)) {
				return
			}
		}
	}
}

// enumerations are those that are asked for.
func (o *Options) enumerations() (all []iter.Seq[generators.Recipe]) {
	c := o.Catalogue
	if o.Singles {
		all = append(all, c.Singles())
	}
	if o.Pairs {
		all = append(all, c.Pairs())
	}
	if o.Cuts {
		all = append(all, c.Cuts())
	}
	if o.Triples {
		all = append(all, c.Triples())
	}
	return all
}
