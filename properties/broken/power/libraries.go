package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/generators/goptergen"
	"github.com/replyproof/replyproof/generators/rapidgen"
	"github.com/replyproof/replyproof/properties"
)

// libraries searches for each judge with rapid and with gopter. Rapid's flags
// belong to the process, so rapid has one processor and gopter another.
func (p *power) libraries() error {
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(p.cases), "rapid.nofailfile": "true", "rapid.shrinktime": "0s"} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	byGopter := make(chan error, 1)
	go func() { byGopter <- p.searchEach((*power).byGopter, func(r *row) *[]found { return &r.gopter }) }()
	err := p.searchEach((*power).byRapid, func(r *row) *[]found { return &r.rapid })
	return errors.Join(err, <-byGopter)
}

// searcher looks for a judge's first failure and gives the recipe of it.
type searcher func(p *power, setup *properties.Setup, seed int) (found, generators.Recipe)

func (p *power) searchEach(search searcher, into func(*row) *[]found) error {
	for _, r := range p.rows {
		setup, err := p.setup(&r.Judge)
		if err != nil {
			return err
		}
		for seed := 1; seed <= p.seeds; seed++ {
			f, recipe := search(p, setup, seed)
			*into(r) = append(*into(r), f)
			if f.ok && into(r) == &r.rapid && r.bytes == 0 {
				r.shrunk = setup.Plainest(construction(), recipe, 0)
				r.bytes = len(p.catalogue.Render(r.shrunk).Body)
			}
		}
	}
	return nil
}

// byRapid is a search with rapid, one draw a choice, until the first failure.
func (p *power) byRapid(setup *properties.Setup, seed int) (f found, first generators.Recipe) {
	if err := flag.Set("rapid.seed", strconv.Itoa(seed)); err != nil {
		panic(err) // the flag is rapid's, and the value a number
	}
	recipes := rapidgen.Recipes(p.catalogue)
	began := time.Now()
	defer func() {
		if caught := recover(); caught != nil && caught != any(over{}) {
			panic(caught)
		}
	}()
	rapid.Check(&quiet{}, func(t *rapid.T) {
		recipe := recipes.Draw(t, "recipe")
		if f.ok {
			t.Fatal("found before")
		}
		f.cases++
		if failure, _ := setup.Try(construction(), recipe, 0); failure != nil {
			f.after, f.ok, first = time.Since(began), true, recipe
			t.Fatal("found")
		}
	})
	return f, first
}

// over is the panic by which a check that failed ends.
type over struct{}

// quiet is what rapid reports to.
type quiet struct {
	rapid.TB
	failed bool
}

func (q *quiet) Helper()               {}
func (q *quiet) Name() string          { return "power" }
func (q *quiet) Failed() bool          { return q.failed }
func (q *quiet) Log(...any)            {}
func (q *quiet) Logf(string, ...any)   {}
func (q *quiet) Error(...any)          { q.failed = true }
func (q *quiet) Errorf(string, ...any) { q.failed = true }
func (q *quiet) Fail()                 { q.failed = true }
func (q *quiet) FailNow()              { panic(over{}) }
func (q *quiet) Fatal(...any)          { q.FailNow() }
func (q *quiet) Fatalf(string, ...any) { q.FailNow() }

// byGopter is a search with gopter until the first failure.
func (p *power) byGopter(setup *properties.Setup, seed int) (f found, first generators.Recipe) {
	parameters := gopter.DefaultTestParametersWithSeed(int64(seed))
	parameters.MinSuccessfulTests = p.cases
	began := time.Now()
	result := prop.ForAllNoShrink(func(recipe generators.Recipe) bool {
		f.cases++
		if failure, _ := setup.Try(construction(), recipe, 0); failure != nil {
			f.after, f.ok, first = time.Since(began), true, recipe
			return false
		}
		return true
	}, goptergen.Recipes(p.catalogue)).Check(parameters)
	if result.Passed() == f.ok {
		panic(fmt.Sprintf("power: gopter says %v of a search that found %v", result.Status, f.ok))
	}
	return f, first
}
