package properties

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// Option changes what CheckClassifier, CheckClient and their tests do.
//
// For a client hold Seed, Cases, Sampled, Triples, For, Deadline, MaxFailures,
// Catalogue, Corpus, Recipe, Case and Tells, and Jobs, LeastSeverity and Known for
// it alone. All others are about properties or about functions: given for a
// client they are an error, as the three are for a function.
type Option func(*config)

type config struct {
	subjects  Subjects
	seed      uint64
	cases     int
	limit     time.Duration
	deadline  time.Duration
	max       int
	strict    bool
	first     bool
	sampled   bool
	triples   bool
	catalogue *generators.Catalogue
	corpus    []corpus.Case
	added     []Property
	only      []string
	without   []string
	recipe    *string
	caseID    *string
	tally     Tally
	tells     []string
	client    clientOptions
}

// Seed is the seed of the choices; by default it is 1, so that two runs do the same.
func Seed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// Cases is the number of random recipes; by default 20,000, for a client 1,000. By-construction
// gets each of them, the relations take turns.
func Cases(n int) Option { return func(c *config) { c.cases = n } }

// Sampled leaves the exhaustive enumerations out: of single faults, of pairs, of
// cuts and splits.
func Sampled() Option { return func(c *config) { c.sampled = true } }

// Triples tries every three faults together by construction, as well: some
// 45,000 recipes more. A client is asked for each of them too.
func Triples() Option { return func(c *config) { c.triples = true } }

// For ends the search after that time, whatever is left.
func For(limit time.Duration) Option { return func(c *config) { c.limit = limit } }

// Deadline is the time in which one verdict must be there; by default ten
// seconds. For a client it is half a second, with which its context ends: many
// cases are of a server that falls silent, and take all of it. A judge that takes
// longer is reported as a hang and left to itself, and the search ends.
func Deadline(limit time.Duration) Option { return func(c *config) { c.deadline = limit } }

// MaxFailures bounds how many failures are reported, of a client how many causes;
// by default 20. The rest is counted.
func MaxFailures(n int) Option { return func(c *config) { c.max = n } }

// First ends the search with the first failure.
func First() Option { return func(c *config) { c.max, c.first = 1, true } }

// Strict takes only the verdict of the law, with layer, reason, code and
// findings, and none of the alternatives that a third party has.
func Strict() Option { return func(c *config) { c.strict = true } }

// Catalogue is the catalogue of the recipes; by default generators.Default().
func Catalogue(catalogue *generators.Catalogue) Option {
	return func(c *config) { c.catalogue = catalogue }
}

// Corpus replaces the frozen cases, which by default are corpus.All(). With
// none there is no corpus.
func Corpus(cases ...corpus.Case) Option {
	return func(c *config) { c.corpus = append([]corpus.Case{}, cases...) }
}

// Add tries further properties.
func Add(more ...Property) Option { return func(c *config) { c.added = append(c.added, more...) } }

// Only tries just the properties of these names.
func Only(names ...string) Option { return func(c *config) { c.only = append(c.only, names...) } }

// Without leaves the properties of these names out.
func Without(names ...string) Option {
	return func(c *config) { c.without = append(c.without, names...) }
}

// Recipe tries one recipe and nothing else. Failures print it, with Seed and Only.
func Recipe(text string) Option { return func(c *config) { c.recipe = &text } }

// Case tries one case of the corpus and nothing else.
func Case(id string) Option { return func(c *config) { c.caseID = &id } }

// Notifications sets the function that judges the answers to notifications.
func Notifications(fn func(classifier.Answer) classifier.Verdict) Option {
	return func(c *config) { c.subjects.Notification = fn }
}

// NoAnswers sets the function that judges calls without an HTTP answer.
func NoAnswers(fn func(classifier.Ended) classifier.Verdict) Option {
	return func(c *config) { c.subjects.NoAnswer = fn }
}

// Stream sets the function that judges bodies in pieces. Without it the
// property chunking has nothing to try.
func Stream(fn StreamJudge) Option { return func(c *config) { c.subjects.Stream = fn } }

// Advice sets the function that advises; by default it is classifier.Advise.
func Advice(fn func(classifier.Verdict, classifier.Facts) classifier.Advice) Option {
	return func(c *config) { c.subjects.Advise = fn }
}

// Tells says what the judge or client can tell apart, in the words of an adapter: SUCCESS,
// TOOL_ERROR, INPUT_REQUIRED, RPC_ERROR, ERROR, any outcome by name, and several
// joined with | that it merges. A judge gives any outcome that its word stands
// for, such as HTTP_ERROR for ERROR, and by default tells every outcome apart. A
// client's reports hold the words themselves; by default they are those five.
func Tells(words ...string) Option { return func(c *config) { c.tells = words } }

// Tallied fills in how often each property was tried.
func Tallied(t Tally) Option { return func(c *config) { c.tally = t } }

// Tally is how often each property was tried, by name.
type Tally map[string]Tried

// Tried is how often a property was tried, how often it had nothing to say, and
// how often it did not hold.
type Tried struct{ Times, Skipped, Breached int }

func newConfig(fn Judge, options []Option) (*config, []Property, error) {
	c := &config{seed: 1, cases: 20000, deadline: 10 * time.Second, max: 20}
	c.subjects.Call = fn
	c.subjects.Advise = classifier.Advise
	for _, o := range options {
		o(c)
	}
	if fn == nil {
		return nil, nil, errors.New("properties: the judge is nil")
	}
	if c.client.given() {
		return nil, nil, errors.New("properties: Jobs, LeastSeverity and Known are for clients, and a function was given")
	}
	if c.catalogue == nil {
		c.catalogue = generators.Default()
	}
	if c.corpus == nil {
		c.corpus = corpus.All()
	}
	if c.tally == nil {
		c.tally = Tally{}
	}
	if c.tells != nil {
		var err error
		if c.subjects.merged, err = mergedBy(c.tells); err != nil {
			return nil, nil, err
		}
	}
	chosen, err := c.choose()
	return c, chosen, err
}

// mergedBy is what each outcome stands for in a judge that tells those words: the
// finest of them that covers it.
func mergedBy(words []string) (map[classifier.Outcome]subject.Outcomes, error) {
	tells, err := subject.ParseTells(words)
	if err != nil {
		return nil, fmt.Errorf("properties: %w", err)
	}
	merged := map[classifier.Outcome]subject.Outcomes{}
	for _, o := range classifier.Outcomes() {
		for _, word := range words {
			set, _ := tells.Covers(word)
			if known, ok := merged[o]; set.Has(o) && (!ok || bits.OnesCount32(uint32(set)) < bits.OnesCount32(uint32(known))) {
				merged[o] = set
			}
		}
	}
	return merged, nil
}

// choose gives the properties to be tried.
func (c *config) choose() ([]Property, error) {
	pool := slices.Concat(all, c.added)
	known := make(map[string]bool, len(pool))
	for _, p := range pool {
		if p.Name == "" || p.Check == nil || known[p.Name] {
			return nil, fmt.Errorf("properties: property %q has no name of its own, or no Check", p.Name)
		}
		known[p.Name] = true
	}
	for _, name := range slices.Concat(c.only, c.without) {
		if !known[name] {
			return nil, fmt.Errorf("properties: no property is named %q", name)
		}
	}
	pool = slices.DeleteFunc(pool, func(p Property) bool {
		return len(c.only) > 0 && !slices.Contains(c.only, p.Name) || slices.Contains(c.without, p.Name)
	})
	if len(pool) == 0 {
		return nil, errors.New("properties: no property is left to be tried")
	}
	return pool, nil
}
