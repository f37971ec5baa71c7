package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/minimal"
)

const minimizeLong = `Make each case as small as it can be judged the same: the outcome, the reason, the
code, the findings and the advice stay, and so do the id, the why and what the
case expects. Header fields, members, elements, lines, characters and digits that
are not needed go, content codings are undone, the id becomes 1, and delays and
splits, which no verdict depends on, are dropped.

The cases go to standard output as a corpus file, or to the file of --output;
how much smaller each became is told on standard error.`

func newCorpusMinimize() *cobra.Command {
	var output string
	var only []string
	cmd := &cobra.Command{
		Use:   "minimize FILE",
		Short: "Make cases as small as they can be judged the same",
		Long:  minimizeLong,
		Example: `  replyproof corpus minimize my-cases/met.json -o my-cases/met.json
  replyproof corpus minimize my-cases/met.json --only met/id-mismatch`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return corpusMinimize(cmd, args[0], output, only) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "corpus file to write; it may be FILE itself")
	cmd.Flags().StringSliceVar(&only, "only", nil, "id of a case to make smaller; the others stay as they are; may be repeated")
	return cmd
}

func corpusMinimize(cmd *cobra.Command, name, output string, only []string) error {
	file, err := cases.OpenFile(name)
	if err != nil {
		return err
	}
	if len(file.Cases) == 0 {
		return fmt.Errorf("%s: no such file, or no case in it", name)
	}
	s := screen(cmd)
	seen := make(map[string]bool)
	smaller := 0
	for i, c := range file.Cases {
		seen[c.ID] = true
		if len(only) > 0 && !slices.Contains(only, c.ID) {
			continue
		}
		small, told := minimal.Minimize(c)
		before, after := minimal.Size(c), minimal.Size(small)
		if after > before {
			continue
		}
		if file.Cases[i] = small; after < before || told.GaveUp {
			smaller++
			s.Notef("%s: %d bytes became %d; %s", c.ID, before, after, told)
		}
	}
	for _, id := range only {
		if !seen[id] {
			return fmt.Errorf("--only %s: %s has no such case", id, name)
		}
	}
	s.Notef("%s, %d became smaller", count.Of(len(file.Cases), "case"), smaller)
	return writeCorpus(s, output, file.Group, file.Cases)
}
