package properties

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// clientOptions are the options that have a meaning for clients alone.
type clientOptions struct {
	told     subject.Tells
	jobs     int
	severity runner.Severity
	known    *runner.Baseline
}

func (o clientOptions) given() bool {
	return o.jobs != 0 || o.severity != 0 || o.known != nil
}

// Jobs is how many clients are asked at once, each with a server of its own; by
// default four. For clients alone.
func Jobs(n int) Option { return func(c *config) { c.client.jobs = n } }

// LeastSeverity is the least severity that is reported; by default all are. For
// clients alone.
func LeastSeverity(s runner.Severity) Option { return func(c *config) { c.client.severity = s } }

// Known names deviations that do not fail the test; see [runner.LoadBaseline].
// For clients alone.
func Known(b *runner.Baseline) Option { return func(c *config) { c.client.known = b } }

// newClientConfig are the options of a client, and what they ask of the runner.
func newClientConfig(options []Option) (*config, runner.Options, error) {
	c := &config{seed: 1, cases: 1000, deadline: 500 * time.Millisecond, max: 20}
	c.client.jobs = 4
	c.tells = []string{"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "ERROR"}
	for _, o := range options {
		o(c)
	}
	o := runner.Options{Corpus: c.corpus, Singles: !c.sampled, Triples: c.triples, Random: c.cases, Seed: c.seed, Jobs: c.client.jobs, MaxCauses: c.max, For: c.limit,
		Deadline: c.deadline, Catalogue: c.catalogue, Severity: c.client.severity, Baseline: c.client.known, Steer: true}
	if names := c.forFunctions(); len(names) > 0 {
		return nil, o, fmt.Errorf("properties: %s: about properties or functions, and a client was given", strings.Join(names, ", "))
	}
	var err error
	if c.client.told, err = subject.ParseTells(c.tells); err != nil {
		return nil, o, fmt.Errorf("properties: %w", err)
	}
	if o.Corpus == nil {
		o.Corpus = corpus.All()
	}
	if o.Catalogue == nil {
		o.Catalogue = generators.Default()
	}
	if c.recipe == nil && c.caseID == nil {
		return c, o, nil
	}
	known := o.Corpus
	o.Corpus, o.Singles, o.Triples, o.Random = nil, false, false, 0
	if c.recipe != nil {
		r, err := o.Catalogue.Parse(*c.recipe)
		if err != nil {
			return nil, o, err
		}
		o.Recipes = append(o.Recipes, r)
	}
	if c.caseID != nil {
		i := slices.IndexFunc(known, func(one corpus.Case) bool { return one.ID == *c.caseID })
		if i < 0 {
			return nil, o, fmt.Errorf("properties: no case has the id %q", *c.caseID)
		}
		o.Corpus = append(o.Corpus, known[i])
	}
	return c, o, nil
}

// forFunctions names the options that were given and have no meaning for a client.
func (c *config) forFunctions() (names []string) {
	s := &c.subjects
	for _, option := range []struct {
		name  string
		given bool
	}{
		{"First", c.first}, {"Strict", c.strict}, {"Add", len(c.added) > 0}, {"Only", len(c.only) > 0}, {"Without", len(c.without) > 0},
		{"Notifications", s.Notification != nil}, {"NoAnswers", s.NoAnswer != nil}, {"Stream", s.Stream != nil}, {"Advice", s.Advise != nil},
		{"Tallied", c.tally != nil},
	} {
		if option.given {
			names = append(names, option.name)
		}
	}
	return names
}

// CheckClient gives a client answers over a real socket on 127.0.0.1 and
// compares what it tells of each with what the rules say: every case of the
// corpus that a server can play, every fault of the catalogue alone, and random
// recipes, a thousand of them unless Cases says otherwise. It returns nil, an
// error that matches [subject.ErrBroken] if the client does not even see a plain
// success, an error about the options, or [*ClientFailures] with every deviation,
// each confirmed alone and in its plainest form. A check that an error ends after
// it has found something returns them with that error, which they match.
//
// open makes a client with a connection of its own: at first, for each job, and
// whenever a connection has to be made anew. Deviations that do not repeat are in
// the failures too, and alone make none.
//
// [Option] says which options hold for clients; the others are an error here.
func CheckClient(open func() (subject.Caller, error), options ...Option) error {
	c, o, err := newClientConfig(options)
	if err != nil {
		return err
	}
	if open == nil {
		return errors.New("properties: the factory of the client is nil")
	}
	result, err := runner.Run(context.Background(), func() subject.Subject {
		return &subject.Client{About: subject.Info{Name: "client", Tells: c.client.told}, Open: open}
	}, o)
	switch {
	case err != nil && !result.Failed():
		return err
	case err == nil && result.Cases == result.Skipped:
		return errors.New("properties: no case could be played to the client: what is not observed is not passed")
	case !result.Failed():
		return nil
	}
	failures := &ClientFailures{Result: result, Err: err}
	for i := range result.Causes {
		failures.List = append(failures.List, &ClientFailure{result.Causes[i]})
	}
	return failures
}

// TestClient is [CheckClient] that reports each failure to t.
func TestClient(t TB, open func() (subject.Caller, error), options ...Option) {
	t.Helper()
	switch err := CheckClient(open, options...).(type) {
	case nil:
	case *ClientFailures:
		for _, f := range err.List {
			t.Errorf("%v", f)
		}
		if more := err.more(); more != "" {
			t.Errorf("%s", more)
		}
	default:
		t.Errorf("%v", err)
	}
}
