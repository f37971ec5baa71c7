package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/builtin"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// builtIn judges the built-in classifier: by the runner as any other subject,
// then by every property.
func (c *checkFlags) builtIn(cmd *cobra.Command, s *terminal.Screen, o runner.Options) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	search := builtin.Search{Seed: o.Seed, Random: max(o.Random, 0), Recipes: c.recipes, Cases: c.ids, Max: c.maxCauses}
	if len(c.own) > 0 {
		search.Corpus = joined(corpus.All(), c.own)
	}
	if o.For > 0 {
		o.For /= 2
		search.For = o.For
		if search.Random == 0 {
			search.Random = endless
		}
	}
	display := progress.New(s.Err(), s.Live())
	step := display.Start("construction", o.For)
	o.Progress = func(n runner.Counts) {
		step.Update(count.Of(n.Cases, "case") + ", " + count.Of(n.Deviations(), "deviation"))
	}
	r, err := runner.Run(ctx, func() subject.Subject { return builtin.Subject(version()) }, o)
	step.Done(count.Of(r.Cases, "case"))
	if err == nil {
		step = display.Start("properties", search.For)
		var found builtin.Outcome
		search.Tell = step.Update
		found, err = search.Run(ctx)
		step.Done(count.Of(found.Trials, "trial"))
		c.seeds = merge(&r, found)
	}
	display.Close()
	return c.tell(cmd, s, r, err)
}

// endless is a number of random cases that no time limit lets pass.
const endless = 1 << 40

// merge adds what the properties found to the result of the runner, and gives
// the seed of each cause by what was seen.
func merge(r *runner.Result, found builtin.Outcome) map[string]uint64 {
	seeds := make(map[string]uint64)
	for i, cause := range found.Causes() {
		known := slices.ContainsFunc(r.Causes, func(c runner.Cause) bool {
			return c.Deviation == cause.Deviation && c.Case.ID == cause.Case.ID
		})
		if known && found.Failures[i].Property.Name == properties.ByConstruction {
			continue // the runner has told it already
		}
		seeds[cause.Saw.Text] = found.Failures[i].Seed
		r.Causes = append(r.Causes, cause)
		r.ByDeviation[cause.Deviation] += cause.Count
	}
	r.Unkept += found.More
	r.ByDeviation[runner.MixedLayers] += found.More
	slices.SortStableFunc(r.Causes, func(a, b runner.Cause) int { return int(a.Deviation) - int(b.Deviation) })
	return seeds
}

// searchBuiltIn is the share of a night that the properties get.
func searchBuiltIn(ctx context.Context, d time.Duration, seed uint64, tell func(string)) (string, []string, error) {
	found, err := builtin.Search{Seed: seed, Random: endless, For: d, Tell: tell}.Run(ctx)
	var findings []string
	for _, f := range found.Failures {
		findings = append(findings, f.Error())
	}
	if found.More > 0 {
		findings = append(findings, count.Of(found.More, "failure", "of further kinds"))
	}
	return count.Of(found.Trials, "trial", "of the properties") + ", " + count.Of(len(findings), "failure"), findings, err
}
