// Package builtin judges the project's own classifier: by construction, by the
// relations, and by the model and the incremental reader, which must say the
// same.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Name is what the built-in classifier is called in reports.
const Name = "replyproof/classifier"

// Subject is the classifier as a subject.
func Subject(version string) subject.Subject {
	return subject.Reference().Subject(Name, version)
}

// agreement is the property that needs neither an expected value nor a relation.
var agreement = properties.Property{
	Name: "agrees-with-model",
	Rule: "all",
	Doc:  "The model, which shares no code with the classifier, and the reader of live responses say the same in every detail.",
	Check: func(t *properties.Trial) *properties.Breach {
		s := fuzz.SampleOf(t.Case)
		v := s.Classify()
		differ := func(want, got string) *properties.Breach {
			return &properties.Breach{
				Deviation: runner.MixedLayers, Want: want, Got: strings.ReplaceAll(strings.TrimSpace(got), "\n", ", "),
				Shown: []properties.Rendering{{Call: s.Call, Answer: s.Answer, Verdict: v}},
			}
		}
		if diff := model.Diff(v, s.Model()); diff != "" {
			return differ("what the model says", diff)
		}
		if !s.Readable() {
			return nil
		}
		if diff := model.Diff(v, s.Read(func() int { return 1 + t.N(64) })); diff != "" {
			return differ("what Read says of the same answer in pieces", diff)
		}
		return nil
	},
}

// Properties lists the properties by which the built-in classifier is judged.
func Properties() []properties.Property { return append(properties.All(), agreement) }

// Search is what a search is made of.
type Search struct {
	Seed    uint64
	Random  int           // random recipes
	For     time.Duration // 0: until all have had their turn
	Max     int           // failures to keep; 0: 20
	Recipes []string      // only these, if any or any Cases
	Cases   []string      // only these cases of the corpus
	Corpus  []corpus.Case // the frozen cases; nil: those that the project ships
	Tell    func(string)  // told how far it has come; may be nil
}

// Outcome is what a search came to.
type Outcome struct {
	Trials   int // of a property on a case
	Failures []*properties.Failure
	More     int // failures of further kinds
}

// Run searches until it is done or ctx ends; then the error is that of ctx.
func (s Search) Run(ctx context.Context) (Outcome, error) {
	var all Outcome
	tally := properties.Tally{}
	options := []properties.Option{
		properties.Strict(), properties.Seed(s.Seed), properties.Cases(s.Random), properties.Tallied(tally),
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer),
		properties.Stream(properties.InPieces), properties.Add(agreement),
	}
	if s.Corpus != nil {
		options = append(options, properties.Corpus(s.Corpus...))
	}
	if s.For > 0 {
		options = append(options, properties.For(s.For))
	}
	if s.Max > 0 {
		options = append(options, properties.MaxFailures(s.Max))
	}
	runs := [][]properties.Option{nil}
	if len(s.Recipes)+len(s.Cases) > 0 {
		runs = nil
	}
	for _, text := range s.Recipes {
		runs = append(runs, []properties.Option{properties.Recipe(text)})
	}
	for _, id := range s.Cases {
		runs = append(runs, []properties.Option{properties.Case(id)})
	}
	for _, one := range runs {
		if err := all.add(ctx, s.Tell, slices.Concat(options, one)); err != nil {
			return all, err
		}
	}
	for _, n := range tally {
		all.Trials += n.Times - n.Skipped
	}
	return all, nil
}

// add runs one search and takes down what it found.
func (o *Outcome) add(ctx context.Context, tell func(string), options []properties.Option) error {
	done := make(chan error, 1)
	go func() { done <- properties.CheckClassifier(classifier.Classify, options...) }()
	err, over := error(nil), false
	for tick := time.Tick(time.Second); !over; {
		select {
		case err = <-done:
			over = true
		case <-tick:
			if tell != nil {
				tell("searching")
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var found *properties.Failures
	if errors.As(err, &found) {
		o.Failures = append(o.Failures, found.List...)
		o.More += found.More
		return nil
	}
	if err != nil {
		return fmt.Errorf("judge the built-in classifier: %w", err)
	}
	return nil
}

// Causes are the failures as the causes of a report. What a property says
// stands in the text of what was seen.
func (o Outcome) Causes() []runner.Cause {
	var all []runner.Cause
	for _, f := range o.Failures {
		c := runner.Cause{
			Deviation: f.Deviation, Count: f.Count, First: f.Name(), Case: f.Case, Recipe: f.Recipe,
			Saw: subject.Observation{Text: fmt.Sprintf("property %s: %s; want %s", f.Property.Name, f.Got, f.Want)},
		}
		if n := len(f.Shown); n > 0 {
			seen := subject.Observe(f.Shown[n-1].Verdict)
			seen.Text = c.Saw.Text
			c.Saw = seen
		}
		all = append(all, c)
	}
	return all
}
