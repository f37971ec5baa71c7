package callers

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/replyproof/replyproof/properties/subject"
)

// Option changes what [Check] and [Test] do.
type Option func(*Setup)

// Setup is what a maker and options come to: which properties of which caller
// are tried. Bindings to other libraries start from it.
type Setup struct {
	maker      Maker
	properties []Property
	added      []Property
	only       []string
	without    []string
	seed       uint64
	cases      int
	max        int
	first      bool
	sampled    bool
	deadline   time.Duration
	sequence   *string
	words      []string
	tells      subject.Tells
}

// Seed is the seed of the random sequences; by default it is 1.
func Seed(seed uint64) Option { return func(s *Setup) { s.seed = seed } }

// Cases is the number of random sequences; by default 5,000.
func Cases(n int) Option { return func(s *Setup) { s.cases = n } }

// Sampled leaves the enumerations out: each answer in each form, and each pair.
func Sampled() Option { return func(s *Setup) { s.sampled = true } }

// MaxFailures bounds how many failures are reported; by default 20.
func MaxFailures(n int) Option { return func(s *Setup) { s.max = n } }

// First ends the search with the first failure.
func First() Option { return func(s *Setup) { s.max, s.first = 1, true } }

// Deadline is how long a call may take beyond the waits that its answers ask
// for; by default ten seconds. One that takes longer is reported as a hang.
func Deadline(limit time.Duration) Option { return func(s *Setup) { s.deadline = limit } }

// Add tries further properties.
func Add(more ...Property) Option { return func(s *Setup) { s.added = append(s.added, more...) } }

// Only tries just the properties of these names.
func Only(names ...string) Option { return func(s *Setup) { s.only = append(s.only, names...) } }

// Without leaves the properties of these names out.
func Without(names ...string) Option {
	return func(s *Setup) { s.without = append(s.without, names...) }
}

// Tells says what the caller can tell apart, in the words of [Told]; ERROR covers
// JSON-RPC errors, tool errors and requests for input where there is no finer
// word for them. By default it tells all of them.
func Tells(words ...string) Option { return func(s *Setup) { s.words = words } }

// Play tries one sequence, given as its text, and nothing else. Failures print it.
func Play(sequence string) Option { return func(s *Setup) { s.sequence = &sequence } }

// NewSetup reads options. Errors name what is wrong with them.
func NewSetup(maker Maker, options ...Option) (*Setup, error) {
	s := &Setup{maker: maker, seed: 1, cases: 5000, max: 20, deadline: 10 * time.Second}
	for _, o := range options {
		o(s)
	}
	if maker == nil {
		return nil, errors.New("callers: the maker is nil")
	}
	s.tells = everyWord
	if s.words != nil {
		var err error
		if s.tells, err = subject.ParseTells(s.words); err != nil {
			return nil, fmt.Errorf("callers: %w", err)
		}
	}
	pool := slices.Concat(all, s.added)
	known := make(map[string]bool, len(pool))
	for _, p := range pool {
		if p.Name == "" || p.Check == nil || known[p.Name] {
			return nil, fmt.Errorf("callers: property %q has no name of its own, or no Check", p.Name)
		}
		known[p.Name] = true
	}
	for _, name := range slices.Concat(s.only, s.without) {
		if !known[name] {
			return nil, fmt.Errorf("callers: no property is named %q", name)
		}
	}
	s.properties = slices.DeleteFunc(pool, func(p Property) bool {
		return len(s.only) > 0 && !slices.Contains(s.only, p.Name) || slices.Contains(s.without, p.Name)
	})
	if len(s.properties) == 0 {
		return nil, errors.New("callers: no property is left to be tried")
	}
	return s, nil
}

func (s *Setup) has(name string) bool {
	return slices.ContainsFunc(s.properties, func(p Property) bool { return p.Name == name })
}

// Try puts a new caller through a sequence and gives the first failure of the
// properties, or nil.
func (s *Setup) Try(sequence Sequence) *Failure {
	for _, f := range s.try(sequence) {
		return f
	}
	return nil
}

func (s *Setup) try(sequence Sequence) []*Failure {
	session := s.NewSession()
	defer session.Close()
	return session.play(sequence)
}
