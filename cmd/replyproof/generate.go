package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/generators"
)

// generateLong explains recipes by what the code knows of them.
func generateLong() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Write random cases as JSON lines, each with the verdict that follows from how it
was made. --recipe writes the case of a recipe instead, and may be repeated.

A recipe is the plan of an answer: a base, then what differs from the plain
answer, in any order, each with a plus sign:

  BASE             %s
  +FAULT=VARIANT   what is wrong, at most %d of them; replyproof faults lists
                   them with their variants; without =VARIANT the first
  +FIELD=VALUE     how the answer is written, right or wrong

The fields, the usual value first; those marked with * need a stream, +sse=lf:

`, strings.Join(generators.Bases(), " "), generators.MaxFaults)
	for _, f := range generators.Fields() {
		values := "a number"
		if len(f.Values) > 0 {
			values = strings.Join(f.Values, " ")
		}
		mark := " "
		if f.Stream {
			mark = "*"
		}
		fmt.Fprintf(&b, "  +%-14s%s %s\n", f.Name, mark, values)
	}
	return strings.TrimRight(b.String(), "\n")
}

func newGenerate() *cobra.Command {
	var n int
	var recipes []string
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write cases with what is expected of them, as JSON lines",
		Long:  generateLong(),
		Example: `  replyproof generate -n 1000 --seed 1 > cases.jsonl
  replyproof generate --recipe 'success +status=503'
  replyproof generate --recipe 'tool-error +sse=crlf +split=20 +comments=short'
  replyproof generate -n 5 | replyproof classify --from jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return generate(cmd, n, recipes) },
	}
	cmd.Flags().IntVarP(&n, "number", "n", 10, "how many cases")
	cmd.Flags().StringArrayVar(&recipes, "recipe", nil, "write the case of this recipe")
	seedFlag(cmd)
	return cmd
}

func generate(cmd *cobra.Command, n int, texts []string) error {
	if n < 0 {
		return fmt.Errorf("-n %d: must not be negative", n)
	}
	recipes, err := parseRecipes(texts)
	if err != nil {
		return err
	}
	s := screen(cmd)
	catalogue := generators.Default()
	var line []byte
	write := func(r generators.Recipe) error {
		if line, err = catalogue.Render(r).AppendJSON(line[:0]); err != nil {
			return err
		}
		if _, err := s.Out().Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
		return nil
	}
	if len(recipes) > 0 {
		for _, r := range recipes {
			if err := write(r); err != nil {
				return err
			}
		}
		return s.Flush()
	}
	seed, err := chosenSeed(cmd, s, freshSeed())
	if err != nil {
		return err
	}
	source := generators.NewPlain(seed)
	for range n {
		if err := write(catalogue.Build(source)); err != nil {
			return err
		}
	}
	return s.Flush()
}
