package runner

import (
	"slices"
	"testing"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// holding counts the recipes that hold a fault of these names.
func holding(c *generators.Catalogue, recipes []generators.Recipe, names ...string) (n int) {
	for _, r := range recipes {
		for f := range c.Picked(r) {
			if slices.Contains(names, f.Name) {
				n++
				break
			}
		}
	}
	return n
}

// learned is a steering that has seen every fault alone so often, with those of
// the names deviating.
func learned(c *generators.Catalogue, times int, deviating ...string) *steering {
	s := newSteering(c)
	for f := range c.All() {
		it := &item{generated: true, recipe: c.FaultRecipe(f.Name)}
		it.c = c.Render(it.recipe)
		for range times {
			stands := passing
			if slices.Contains(deviating, f.Name) {
				stands = settled
			}
			s.learn(it, subject.Observation{Saw: "ERROR"}, stands)
		}
	}
	return s
}

func TestSteeringGoesWhereNeighboursDeviate(t *testing.T) {
	c := generators.Default()
	draw := func(s *steering) int {
		var all []generators.Recipe
		source := generators.NewPlain(7)
		for range 8 {
			all = append(all, s.round(source)...)
		}
		return holding(c, all, "error-code-type", "id-type", "id-null")
	}
	calm, stirred := draw(learned(c, 20)), draw(learned(c, 20, "id-absent", "id-other", "id-near"))
	if stirred < calm*3/2 || calm == 0 {
		t.Errorf("got %d recipes beside what deviated, and %d where nothing did; want half as many more at least", stirred, calm)
	}
}

func TestSteeringGoesWhereLittleWasTried(t *testing.T) {
	c := generators.Default()
	s := learned(c, 50)
	for f := range s.tried {
		if c.Len()-f <= 5 {
			s.tried[f], s.fresh[f] = 0, 0
		}
	}
	var names []string
	for f := range c.All() {
		names = append(names, f.Name)
	}
	names = names[len(names)-5:]
	got := holding(c, s.round(generators.NewPlain(1)), names...)
	usual := holding(c, learned(c, 50).round(generators.NewPlain(1)), names...)
	if got <= usual {
		t.Errorf("got %d recipes with faults that were never tried, and %d where they were; want more", got, usual)
	}
}

func TestSteeringRepeatsItself(t *testing.T) {
	c := generators.Default()
	one := learned(c, 3, "status").round(generators.NewPlain(3))
	two := learned(c, 3, "status").round(generators.NewPlain(3))
	if !slices.Equal(one, two) || len(one) != roundSize {
		t.Errorf("got two rounds of %d and %d recipes that differ", len(one), len(two))
	}
	if other := learned(c, 3, "id-type").round(generators.NewPlain(3)); slices.Equal(one, other) {
		t.Error("what was learned changes nothing")
	}
}

func TestSteeringCovers(t *testing.T) {
	c := generators.Default()
	s := newSteering(c)
	if got := s.covered(); got != (Covered{All: c.Len()}) {
		t.Errorf("got %+v of nothing", got)
	}
	status := 404
	it := &item{generated: true, recipe: c.FaultRecipe("status")}
	it.c = c.Render(it.recipe)
	for _, o := range []subject.Observation{{Saw: "ERROR"}, {Saw: "ERROR"}, {Saw: "SUCCESS"}, {Saw: "ERROR", Status: &status}, {Saw: "ERROR", Posts: 2}, {Fate: subject.Hung}} {
		s.learn(it, o, passing)
	}
	s.learn(&item{c: it.c}, subject.Observation{Saw: "ERROR", Dead: true}, passing) // of a corpus
	if got, want := s.covered(), (Covered{Faults: 1, All: c.Len(), Classes: 6}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What hangs on time, and what is not settled, changes no weight: only that the
// case was tried does.
func TestSteeringGoesByWhatIsSettled(t *testing.T) {
	c := generators.Default()
	it := &item{generated: true, recipe: c.FaultRecipe("status")}
	it.c = c.Render(it.recipe)
	weights := func(results ...func(*steering)) []float64 {
		s := newSteering(c)
		for _, learn := range results {
			learn(s)
		}
		return s.weights()
	}
	result := func(o subject.Observation, stands standing) func(*steering) {
		return func(s *steering) { s.learn(it, o, stands) }
	}
	plain := result(subject.Observation{Saw: "ERROR"}, passing)
	hung := subject.Observation{Fate: subject.Hung}
	want := weights(plain, plain)
	for name, again := range map[string]func(*steering){
		"another POST":      result(subject.Observation{Saw: "ERROR", Posts: 2}, passing),
		"a dead connection": result(subject.Observation{Saw: "ERROR", Dead: true}, passing),
		"a hang":            result(hung, unsettled),
	} {
		if got := weights(plain, again); !slices.Equal(got, want) {
			t.Errorf("%s that is not settled changes the weights", name)
		}
	}
	if got := weights(plain, result(hung, settled)); slices.Equal(got, want) {
		t.Error("a hang that is settled changes nothing")
	}
}
