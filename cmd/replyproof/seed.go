package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/generators"
)

// seedFlag adds --seed. Without it every run has a seed of its own, which is
// told so that the run can be repeated.
func seedFlag(cmd *cobra.Command) {
	cmd.Flags().String("seed", "", "seed of what is random, an integer from 0; told on standard error if it is not given")
}

func freshSeed() uint64 { return uint64(rand.Uint32()) }

// chosenSeed is the seed of a run, usual if none is given. It is told on
// standard error with the version of the catalogue within which it holds.
func chosenSeed(cmd *cobra.Command, s *terminal.Screen, usual uint64) (uint64, error) {
	text, _ := cmd.Flags().GetString("seed")
	seed := usual
	if text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return 0, fmt.Errorf("--seed %s: must be an integer from 0 to 2^64-1", text)
		}
	}
	s.Notef("seed %d, catalogue %s", seed, generators.Default().Version())
	return seed, nil
}

// parseRecipes reads the texts of --recipe.
func parseRecipes(texts []string) ([]generators.Recipe, error) {
	var recipes []generators.Recipe
	for _, text := range texts {
		r, err := generators.Default().Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--recipe: %w", helpful(err))
		}
		recipes = append(recipes, r)
	}
	return recipes, nil
}

// helpful adds to the error of a recipe's text what was probably meant.
func helpful(err error) error {
	var wrong *generators.ParseError
	if !errors.As(err, &wrong) || !errors.Is(err, generators.ErrUnknownWord) {
		return err
	}
	var names []string
	for f := range generators.Default().All() {
		names = append(names, f.Name)
	}
	for _, f := range generators.Fields() {
		names = append(names, f.Name)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(wrong.Word, "+"), "=")
	if near := explanation.Closest(name, names); len(near) > 0 {
		return fmt.Errorf("%w; did you mean +%s?", err, strings.Join(near, " or +"))
	}
	return fmt.Errorf("%w; replyproof faults lists the faults, generate --help the fields", err)
}
