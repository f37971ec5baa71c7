package properties

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

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
func (s *Setup) Try(p Property, r generators.Recipe, seed uint64) (f *Failure, skipped bool) {
	t := &Trial{Case: s.Catalogue.Render(r), Strict: s.Strict, subjects: &s.Subjects, seed: seed}
	b := p.guarded(t)
	if b == nil {
		return nil, t.skipped
	}
	return &Failure{Property: p, Breach: *b, Case: t.Case, Recipe: s.Catalogue.Format(r), Seed: seed, Count: 1}, false
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
