package properties

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// CheckClassifier tries the properties on fn: on every case of the corpus, on
// every fault of the catalogue alone, by construction on every pair of faults
// and on short answers cut and split at every byte, and on random recipes. It returns nil, an error about the options, or
// [*Failures] with every failure found, up to a bound, each in its plainest form.
func CheckClassifier(fn Judge, options ...Option) error {
	c, chosen, err := newConfig(fn, options)
	if err != nil {
		return err
	}
	s := newSearch(c, chosen)
	done := make(chan error, 1)
	go func() { done <- s.run() }()
	if err := s.watch(done); err != nil {
		return err
	}
	for _, p := range chosen {
		n := s.tallies[p.Name]
		c.tally[p.Name] = *n
		// What was asked for by name and has had nothing to say has not passed.
		if len(c.only) > 0 && n.Times == n.Skipped {
			return fmt.Errorf("properties: %s had nothing to say of any case that it was given", p.Name)
		}
	}
	if len(s.failures.List) == 0 {
		return nil
	}
	slices.SortStableFunc(s.failures.List, func(a, b *Failure) int { return int(a.Deviation) - int(b.Deviation) })
	return s.failures
}

// TB is what TestClassifier needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// TestClassifier is [CheckClassifier] that reports each failure to t.
func TestClassifier(t TB, fn Judge, options ...Option) {
	t.Helper()
	switch err := CheckClassifier(fn, options...).(type) {
	case nil:
	case *Failures:
		for _, f := range err.List {
			t.Errorf("%v", f)
		}
		if err.More > 0 {
			t.Errorf("%s", err.summary())
		}
	default:
		t.Errorf("%v", err)
	}
}

// search is a CheckClassifier under way.
type search struct {
	*config
	chosen       []*Property
	relations    []*Property
	construction *Property // nil if it is not chosen
	tallies      map[string]*Tried
	renderer     *generators.Renderer
	failures     *Failures
	byKey        map[key]*Failure
	trial        Trial // the current one, used again
	answers      corpus.Answers
	property     *Property     // the current one
	at           origin        // of the current trial
	beat         atomic.Uint64 // grows with each call of a function under test
	start        time.Time
	trials       int
	over         bool
}

func newSearch(c *config, chosen []Property) *search {
	s := &search{config: c, renderer: c.catalogue.NewRenderer(), failures: &Failures{Seed: c.seed},
		byKey: map[key]*Failure{}, tallies: make(map[string]*Tried)}
	for i := range chosen {
		p := &chosen[i]
		s.tallies[p.Name] = &Tried{}
		s.chosen = append(s.chosen, p)
		if p.Name == ByConstruction {
			s.construction = p
		} else {
			s.relations = append(s.relations, p)
		}
	}
	return s
}

// origin is where a trial's case comes from, and the seed of its choices.
type origin struct {
	recipe    generators.Recipe
	generated bool
	id        string // of a corpus case
	seed      uint64
}

// key is what failures of one kind have in common.
type key struct {
	property  string
	deviation runner.Deviation
	expected  string
	got       string
}

// watch waits for the search and ends it when a function under test hangs.
func (s *search) watch(done chan error) error {
	for {
		before := s.beat.Load()
		select {
		case err := <-done:
			return err
		case <-time.After(s.deadline):
		}
		if s.beat.Load() != before || before == 0 {
			continue
		}
		select {
		case err := <-done:
			return err
		default:
		}
		// The goroutine is inside the function, and will not be waited for.
		f := &Failure{Property: *s.property, Count: 1, Seed: s.at.seed, Breach: Breach{Deviation: runner.Hang,
			Want: fmt.Sprintf("a verdict within %v", s.deadline), Got: "none", Shown: slices.Clone(s.trial.shown)}}
		s.place(f, s.at)
		return &Failures{List: append(slices.Clone(s.failures.List), f), More: s.failures.More, Seed: s.config.seed}
	}
}

// run tries everything.
func (s *search) run() error {
	s.start = time.Now()
	switch {
	case s.recipe != nil:
		return s.runRecipe(*s.recipe)
	case s.caseID != nil:
		return s.runCase(*s.caseID)
	}
	seed := s.seed
	for _, c := range s.corpus {
		for _, exchange := range c.Exchanges() {
			seed++
			s.tryAll(exchange, origin{id: c.ID, seed: seed})
		}
	}
	if !s.sampled {
		for r := range s.until(s.catalogue.Singles()) {
			seed++
			s.tryAll(s.renderer.Render(r), origin{recipe: r, generated: true, seed: seed})
		}
	}
	if !s.sampled && s.construction != nil {
		for r := range s.until(s.catalogue.Pairs()) {
			s.construct(r)
		}
		for r := range s.until(s.catalogue.Cuts()) {
			s.construct(r)
		}
	}
	if s.triples && s.construction != nil {
		for r := range s.until(s.catalogue.Triples()) {
			s.construct(r)
		}
	}
	source := generators.NewPlain(s.seed)
	for i := 0; i < s.cases && !s.over; i++ {
		r := s.catalogue.Build(source)
		if s.construction != nil {
			s.construct(r)
		}
		if len(s.relations) > 0 {
			seed++
			s.load(s.renderer.Render(r))
			s.try(s.relations[i%len(s.relations)], origin{recipe: r, generated: true, seed: seed})
		}
	}
	return nil
}

// until is seq, which ends when the time is over.
func (s *search) until(seq iter.Seq[generators.Recipe]) iter.Seq[generators.Recipe] {
	return func(yield func(generators.Recipe) bool) {
		for r := range seq {
			if s.over || !yield(r) {
				return
			}
		}
	}
}

func (s *search) runRecipe(text string) error {
	r, err := s.catalogue.Parse(text)
	if err != nil {
		return err
	}
	s.tryAll(s.catalogue.Render(r), origin{recipe: r, generated: true, seed: s.seed})
	return nil
}

func (s *search) runCase(id string) error {
	for _, c := range s.corpus {
		if c.ID != id {
			continue
		}
		for _, exchange := range c.Exchanges() {
			s.tryAll(exchange, origin{id: c.ID, seed: s.seed})
		}
		return nil
	}
	return fmt.Errorf("properties: no case has the id %q", id)
}

func (s *search) tryAll(c corpus.Case, from origin) {
	if !from.generated {
		c.Body = bytes.Clone(c.Body) // a judge that writes to it must not spoil the corpus
	}
	s.load(c)
	for _, p := range s.chosen {
		s.try(p, from)
	}
}

// load makes c the case of the trials that follow.
func (s *search) load(c corpus.Case) {
	s.trial = Trial{Case: c, Strict: s.strict, subjects: &s.subjects, shown: s.trial.shown[:0], beat: &s.beat, maker: &s.answers}
}

// construct tries by-construction, which makes no choices.
func (s *search) construct(r generators.Recipe) {
	s.load(s.renderer.Render(r))
	s.try(s.construction, origin{recipe: r, generated: true, seed: s.seed})
}

// try tries a property on the case that is loaded and takes down what comes of it.
func (s *search) try(p *Property, from origin) {
	if s.trials++; s.trials%256 == 0 && s.limit > 0 && time.Since(s.start) >= s.limit {
		s.over = true
	}
	if s.over {
		return
	}
	b := s.once(p, from)
	n := s.tallies[p.Name]
	n.Times++
	switch {
	case b != nil:
		n.Breached++
	case s.trial.skipped:
		n.Skipped++
	}
	if b != nil {
		s.fail(p, b, from)
	}
}

// once is one trial.
func (s *search) once(p *Property, from origin) *Breach {
	s.property, s.at = p, from
	s.trial.again(from.seed)
	return p.guarded(&s.trial)
}

func (s *search) keyOf(p *Property, b *Breach) key {
	c := &s.trial.Case
	k := key{property: p.Name, deviation: b.Deviation}
	if c.Expect != nil && p.Name == ByConstruction {
		k.expected = c.Expect.Outcome.String()
	}
	if n := len(b.Shown); n > 0 && b.Deviation != runner.Crash {
		k.got = b.Shown[n-1].Verdict.Outcome.String()
	}
	return k
}

// fail books a breach: with a failure of its kind that is known, or as a new
// one in its plainest form.
func (s *search) fail(p *Property, b *Breach, from origin) {
	k := s.keyOf(p, b)
	if known := s.byKey[k]; known != nil {
		known.Count++
		return
	}
	if len(s.failures.List) >= s.max {
		s.failures.More++
		return
	}
	b = b.own()
	if from.generated {
		attempts := maxShrink
		from.recipe = s.catalogue.Shrink(from.recipe, func(plainer generators.Recipe) bool {
			if attempts--; attempts < 0 {
				return false
			}
			try := from
			try.recipe = plainer
			s.load(s.renderer.Render(plainer))
			found := s.once(p, try)
			return found != nil && s.keyOf(p, found) == k
		})
		s.load(s.catalogue.Render(from.recipe))
	}
	s.trial.maker = nil // what is shown is kept
	plainest := s.once(p, from)
	if plainest == nil || s.keyOf(p, plainest) != k {
		plainest = b // it does not repeat: a judge that remembers
	}
	f := &Failure{Property: *p, Case: s.trial.Case, Breach: *plainest, Seed: from.seed, Count: 1}
	f.Shown = slices.Clone(f.Shown)
	s.place(f, from)
	s.byKey[k] = f
	s.failures.List = append(s.failures.List, f)
	s.over = s.over || s.first
}

// maxShrink bounds how many plainer recipes are tried for one failure.
const maxShrink = 2000

// place tells a failure where its case comes from.
func (s *search) place(f *Failure, from origin) {
	if from.generated {
		f.Recipe = s.catalogue.Format(from.recipe)
		f.Case = s.catalogue.Render(from.recipe)
		return
	}
	f.CaseID = from.id
}
