package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// caseSets are the sets that --cases may name.
var caseSets = []string{"corpus", "singles", "pairs", "cuts", "triples", "random"}

// options are what the flags ask of the runner.
func (c *checkFlags) options(cmd *cobra.Command, s *terminal.Screen, j *journal) (runner.Options, error) {
	o := runner.Options{Deadline: c.deadline, Jobs: c.jobs, For: c.length, MaxCauses: c.maxCauses, Steer: c.external()}
	if err := o.Severity.UnmarshalText([]byte(c.severity)); err != nil {
		return o, fmt.Errorf("--severity %s: must be minor, major or critical", c.severity)
	}
	if c.length > 0 && !cmd.Flags().Changed("max-deviations") {
		o.MaxCauses = 500
	}
	var err error
	if o.Recipes, err = parseRecipes(c.recipes); err != nil {
		return o, err
	}
	sets, err := c.takeOwn(s)
	if err != nil {
		return o, err
	}
	chosen := len(c.ids)+len(c.recipes) > 0
	for _, id := range c.ids {
		one, err := c.byID(id)
		if err != nil {
			return o, fmt.Errorf("--case: %w", err)
		}
		o.Corpus = append(o.Corpus, one)
	}
	if !chosen {
		o.Corpus, o.Recipes = c.own, c.made
	}
	if len(c.sets) == 0 && !chosen {
		sets = []string{"corpus", "singles", "random"}
		if !c.external() || c.length > 0 {
			sets = append(sets, "pairs")
		}
		if !c.external() {
			sets = append(sets, "cuts")
		}
	}
	for _, set := range sets {
		switch set {
		case "corpus":
			o.Corpus = joined(corpus.All(), o.Corpus)
		case "singles":
			o.Singles = true
		case "pairs":
			o.Pairs = true
		case "cuts":
			o.Cuts = true
		case "triples":
			o.Triples = true
		case "random":
			o.Random = c.random(cmd.Flags().Changed("number"))
		}
	}
	if cmd.Flags().Changed("number") && !slices.Contains(sets, "random") {
		return o, errors.New("-n counts random cases, and --cases leaves them out")
	}
	usual := freshSeed()
	if c.baseline != "" {
		usual = 1 // what the baseline was made with
	}
	if j != nil {
		if usual, err = strconv.ParseUint(j.Seed, 10, 64); err != nil {
			return o, fmt.Errorf("--resume: seed %q of %s: must be an integer; remove the file to begin anew", j.Seed, c.journalPath())
		}
	}
	o.Seed, err = chosenSeed(cmd, s, usual)
	return o, err
}

// random is the number of random cases; 0 is as many as the time allows.
func (c *checkFlags) random(given bool) int {
	switch {
	case given || c.length > 0:
		return c.number
	case c.external():
		return 1000
	}
	return 100_000
}

// loadBaseline reads the baseline; one that is to be made need not be there.
func (c *checkFlags) loadBaseline() (*runner.Baseline, error) {
	if c.baseline == "" {
		return nil, nil
	}
	b, err := runner.LoadBaseline(c.baseline)
	if c.update && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// writeBaseline rewrites the baseline by what the run found, and tells it.
func (c *checkFlags) writeBaseline(r *runner.Result) (string, error) {
	updated := r.Update(c.known)
	if err := updated.WriteFile(c.baseline); err != nil {
		return "", err
	}
	return fmt.Sprintf("baseline written %s: %s", c.baseline, count.Of(len(updated.Entries), "known deviation")), nil
}
