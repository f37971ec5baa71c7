package properties

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// Setup is what options come to, for bindings to other libraries: which
// properties of which functions are tried with recipes of which catalogue.
type Setup struct {
	Properties []Property
	Catalogue  *generators.Catalogue
	Subjects   Subjects
	Strict     bool

	benches sync.Pool // of *bench
}

// bench is what one try after the other uses again.
type bench struct {
	renderer *generators.Renderer
	trial    Trial
	answers  corpus.Answers
}

// NewSetup reads options. Those that say how CheckClassifier searches have no
// meaning for it. Errors are those of CheckClassifier.
func NewSetup(fn Judge, options ...Option) (*Setup, error) {
	c, chosen, err := newConfig(fn, options)
	if err != nil {
		return nil, err
	}
	return &Setup{Properties: chosen, Catalogue: c.catalogue, Subjects: c.subjects, Strict: c.strict}, nil
}

// Try tries a property on a recipe, with choices from a seed. It gives nil where
// the property holds; skipped tells that it had nothing to say. A panic of the
// function under test is a failure.
//
// It panics on a recipe that the catalogue's Check refuses.
func (s *Setup) Try(p Property, r generators.Recipe, seed uint64) (f *Failure, skipped bool) {
	fails, skipped := s.fails(&p, r, seed)
	if !fails {
		return nil, skipped
	}
	t := &Trial{Case: s.Catalogue.Render(r), Strict: s.Strict, subjects: &s.Subjects, seed: seed}
	b := p.guarded(t)
	if b == nil {
		b = &Breach{Deviation: runner.MixedLayers, Want: "the same verdict of the same answer each time", Got: "a failure that does not repeat", Shown: t.shown}
	}
	return &Failure{Property: p, Breach: *b, Case: t.Case, Recipe: s.Catalogue.Format(r), Seed: seed, Count: 1}, false
}

// fails tries a property in memory that is used again.
func (s *Setup) fails(p *Property, r generators.Recipe, seed uint64) (fails, skipped bool) {
	if err := s.Catalogue.Check(r); err != nil {
		panic(err.Error())
	}
	w, ok := s.benches.Get().(*bench)
	if !ok {
		w = &bench{renderer: s.Catalogue.NewRenderer()}
	}
	defer s.benches.Put(w)
	w.trial = Trial{Case: w.renderer.Render(r), Strict: s.Strict, subjects: &s.Subjects, seed: seed, shown: w.trial.shown[:0], maker: &w.answers}
	return p.guarded(&w.trial) != nil, w.trial.skipped
}

// Shrink is a plainer recipe for which a property still fails, with choices from
// the same seed. See [generators.Catalogue.Shrink].
func (s *Setup) Shrink(p Property, r generators.Recipe, seed uint64) generators.Recipe {
	return s.Catalogue.Shrink(r, s.failing(&p, seed))
}

// Plainest is the plainest recipe for which a property fails, with choices from the same seed. See [generators.Catalogue.Plainest].
func (s *Setup) Plainest(p Property, r generators.Recipe, seed uint64) generators.Recipe {
	return s.Catalogue.Plainest(r, s.failing(&p, seed))
}

func (s *Setup) failing(p *Property, seed uint64) func(generators.Recipe) bool {
	return func(r generators.Recipe) bool {
		fails, _ := s.fails(p, r, seed)
		return fails
	}
}

// guarded is Check. A panic is a breach.
func (p *Property) guarded(t *Trial) (b *Breach) {
	defer func() {
		if caught := recover(); caught != nil {
			b = &Breach{Deviation: runner.Crash, Want: "a verdict", Got: fmt.Sprintf("panic: %v\n%s", caught, stack()), Shown: slices.Clone(t.shown)}
		}
	}()
	return p.Check(t)
}

// stack is the part of the stack that belongs to whoever panicked.
func stack() string {
	_, text, _ := strings.Cut(string(debug.Stack()), "panic(")
	lines := strings.Split(text, "\n")
	return strings.Join(lines[min(2, len(lines)):min(8, len(lines))], "\n")
}
