package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

func newFaults() *cobra.Command {
	return &cobra.Command{
		Use:   "faults",
		Short: "List every fault that a generated answer can have, with an example of each",
		Example: `  replyproof faults
  replyproof faults --json | jq -r '.[].name'
  replyproof generate --recipe 'success +status=503'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return faults(cmd) },
	}
}

// faultLine is a fault of the catalogue as an object of the JSON array.
type faultLine struct {
	Name     string      `json:"name"`
	Layer    string      `json:"layer"`
	Rule     string      `json:"rule"`
	Doc      string      `json:"doc"`
	Effect   string      `json:"effect"`
	Neutral  bool        `json:"neutral"`
	Variants []string    `json:"variants"`
	Recipe   string      `json:"recipe"` // of the example
	Example  corpus.Case `json:"example"`
	Case     string      `json:"case"` // the id of the corpus case that shows it
}

func faults(cmd *cobra.Command) error {
	catalogue := generators.Default()
	examples := make(map[string]generators.Recipe)
	for r := range catalogue.Singles() {
		for f := range catalogue.Picked(r) {
			if _, ok := examples[f.Name]; !ok {
				examples[f.Name] = r
			}
		}
	}
	s := screen(cmd)
	lines := []faultLine{}
	var rows [][]string
	for f := range catalogue.All() {
		recipe, ok := examples[f.Name]
		if !ok {
			return fmt.Errorf("the catalogue's fault %s has no place in any answer", f.Name)
		}
		line := faultLine{
			Name: f.Name, Layer: f.Layer.String(), Rule: f.Rule, Doc: f.Doc, Effect: f.Effect, Neutral: f.Neutral,
			Variants: []string{}, Recipe: catalogue.Format(recipe), Example: catalogue.Render(recipe), Case: catalogue.FaultCase(f.Name).ID,
		}
		for _, v := range f.Variants {
			if v.Name != "" {
				line.Variants = append(line.Variants, v.Name)
			}
		}
		lines = append(lines, line)
		outcome := line.Example.Expect.Outcome.String()
		rows = append(rows, []string{f.Name, f.Layer.String(), f.Rule, line.Recipe, outcome, variants(line.Variants), f.Doc})
	}
	if wantsJSON(cmd) {
		if err := s.Line(lines); err != nil {
			return err
		}
	} else {
		s.Table([]string{"fault", "layer", "rule", "example", "its verdict", "variants", "what it does"}, rows)
		s.Notef("%d faults; generate --recipe writes an example, explain tells more of a fault", len(rows))
	}
	return s.Flush()
}

// variants names the first few and counts the rest.
func variants(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(slices.Clone(names[:shown]), " "), len(names)-shown)
}
