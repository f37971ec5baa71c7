// Package runner drives a subject over many cases and tells what it did that no
// rule allows: it asks, compares, runs each new deviation once more alone,
// shrinks it through the running subject, books deviations of one cause
// together, and holds the result against a baseline.
//
// It is for the command and for tests of clients; to test a Go function by the
// relations as well, use package properties. Most people need one call:
//
//	result, err := runner.Run(ctx, func() subject.Subject { return &subject.Process{Command: command} },
//		runner.Options{Corpus: corpus.All(), Singles: true, Pairs: true, Random: 20000, Seed: 1})
//
// An error that matches subject.ErrBroken says that the adapter is at fault.
// Everything else that a subject does is in the result.
package runner

import (
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// Options say which cases a subject gets and what is made of its deviations.
type Options struct {
	// Deadline is the time for one case; zero is one second.
	Deadline time.Duration
	// Jobs is how many subjects are asked at once; below 2 it is one.
	Jobs int

	// Corpus holds frozen cases; they come first.
	Corpus []corpus.Case
	// Catalogue is that of the recipes; nil is generators.Default().
	Catalogue *generators.Catalogue
	// Recipes are run after the corpus.
	Recipes []generators.Recipe
	// Singles, Pairs, Cuts and Triples ask for the catalogue's enumerations of
	// these names.
	Singles, Pairs, Cuts, Triples bool
	// Random is the number of random recipes; they come last. With For and no
	// number they go on until the time is over.
	Random int
	// Steer draws the random recipes in rounds, each weighted by what those before
	// it found: for subjects that are too slow for many.
	Steer bool
	// Seed is that of the random recipes.
	Seed uint64
	// For ends the run after that time, whatever is left; zero is no limit.
	For time.Duration

	// Severity is the least that counts; below it deviations are only counted
	// as ignored. Zero is Minor.
	Severity Severity
	// MaxCauses is how many causes are kept; further ones are only counted.
	// Zero is 50.
	MaxCauses int
	// ShrinkAsks is how often the subject is asked for one shrinking at most;
	// zero is 400. A crash or hang gets a tenth of it, and so does a
	// case for which a client waits in vain.
	ShrinkAsks int

	// Baseline holds the deviations that are known; nil is none.
	Baseline *Baseline
	// Today is the day on which the baseline's entries are judged; zero is now.
	Today time.Time

	// Save, if set, is given the state of the run between two batches of cases, and
	// when the run has come to its end or its time is over. The state is good until
	// Save returns; an error ends the run.
	Save func(*State) error
	// SaveEvery is the least time between two states, the first of which is given
	// after the first batch; it is longer where Save takes long. Zero gives one after
	// each batch.
	SaveEvery time.Duration
	// Resume is the state of an earlier run of the same subject with the same
	// cases, catalogue, seed and baseline, to be gone on with. The time of For is
	// that of both together.
	Resume *State

	// Progress, if set, is called now and then from the goroutine that runs.
	Progress func(Counts)
}

func (o *Options) fill() {
	if o.Deadline <= 0 {
		o.Deadline = time.Second
	}
	o.Jobs = max(o.Jobs, 1)
	if o.Catalogue == nil {
		o.Catalogue = generators.Default()
	}
	if o.Severity == 0 {
		o.Severity = Minor
	}
	if o.MaxCauses <= 0 {
		o.MaxCauses = 50
	}
	if o.ShrinkAsks <= 0 {
		o.ShrinkAsks = 400
	}
	if o.Today.IsZero() {
		o.Today = time.Now()
	}
}
