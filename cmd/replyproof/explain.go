package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [WORD]",
		Short: "Tell what a word means: of a verdict, of a report, of a recipe",
		Long: `Tell what a word means: a rule, layer, outcome, reason, finding, advice,
deviation, severity, property or fault, a word that a subject says, a case of the corpus,
or the text of a recipe. Without a word it lists them.`,
		Example: `  replyproof explain 6
  replyproof explain id-mismatch
  replyproof explain NO_FINAL_RESPONSE
  replyproof explain article/baseline-complete --json
  replyproof explain 'success +status=503'
  replyproof explain`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return explainWords(cmd)
			}
			return explain(cmd, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explainable(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func explain(cmd *cobra.Command, word string) error {
	s := screen(cmd)
	if c, ok := corpus.ByID(word); ok {
		if wantsJSON(cmd) {
			return writeAll(s, s.Line(c))
		}
		return writeAll(s, explainCase(s, c))
	}
	catalogue := generators.Default()
	found := explanation.Find(word)
	if f, ok := catalogue.Lookup(strings.ToLower(word)); ok {
		found = append(found, explanation.Entry{
			Word: f.Name, Kind: "fault", Rule: f.Rule, Text: fmt.Sprintf("A fault of generated answers: %s. What it makes of the verdict: %s.", f.Doc, f.Effect),
		})
	}
	if len(found) == 0 {
		return explainRecipe(cmd, s, catalogue, word)
	}
	for i, e := range found {
		if wantsJSON(cmd) {
			if err := s.Line(e); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(s.Out())
		}
		head := e.Kind
		if e.Rule != "" && e.Kind != "rule" && e.Rule != "advice" {
			head += ", rule " + e.Rule
		}
		fmt.Fprintf(s.Out(), "%s  %s\n\n", s.Bold(e.Word), head)
		for _, line := range s.Wrap(2, e.Text) {
			fmt.Fprintf(s.Out(), "  %s\n", line)
		}
	}
	return s.Flush()
}

// explainRecipe tells the case of a recipe, if the word is the text of one.
func explainRecipe(cmd *cobra.Command, s *terminal.Screen, catalogue *generators.Catalogue, word string) error {
	r, err := catalogue.Parse(word)
	switch {
	case err == nil && wantsJSON(cmd):
		return writeAll(s, s.Line(catalogue.Render(r)))
	case err == nil:
		c := catalogue.Render(r)
		c.Source = ""
		return writeAll(s, explainCase(s, c))
	case strings.ContainsAny(word, " +"):
		return fmt.Errorf("explain: %w", helpful(err))
	}
	return unknownWord(word)
}

// explainWords lists the words that explain knows.
func explainWords(cmd *cobra.Command) error {
	s := screen(cmd)
	if wantsJSON(cmd) {
		for _, e := range explanation.Entries() {
			if err := s.Line(e); err != nil {
				return err
			}
		}
		return s.Flush()
	}
	kinds, words := explanation.Kinds()
	row := func(kind, text string) {
		for i, line := range s.Wrap(20, text) {
			if i > 0 {
				kind = ""
			}
			fmt.Fprintf(s.Out(), "  %s %s\n", s.Faint(fmt.Sprintf("%-17s", kind)), line)
		}
	}
	fmt.Fprintf(s.Out(), "%s\n\n", s.Bold("The words that explain tells"))
	for _, kind := range kinds {
		row(kind, strings.Join(words[kind], " "))
	}
	row("fault", fmt.Sprintf("%d of them, see replyproof faults", generators.Default().Len()))
	row("case", fmt.Sprintf("%d of them, see replyproof corpus list", len(corpus.All())))
	row("recipe", "such as 'success +status=503', see replyproof generate --help")
	return s.Flush()
}

// explainCase tells a case: what it shows, what arrives, and what is made of it.
func explainCase(s *terminal.Screen, c corpus.Case) error {
	fmt.Fprintf(s.Out(), "%s  case, rule %s\n\n", s.Bold(visible.Text(c.ID)), visible.Text(c.Rule))
	for _, line := range s.Wrap(2, visible.Text(c.Why)) {
		fmt.Fprintf(s.Out(), "  %s\n", line)
	}
	if c.Source != "" {
		fmt.Fprintf(s.Out(), "  source: %s\n", visible.Text(c.Source))
	}
	for _, exchange := range c.Exchanges() {
		fmt.Fprintf(s.Out(), "\n  %s\n\n", strings.Join(report.Wire(exchange), "\n  "))
		x := capture.FromCase(exchange)
		if x.RPC.Kind == capture.Call {
			x.RPC.ID = c.RequestID
		}
		j := capture.Judge(x)
		j.Settle(capture.Step{Attempt: 1})
		if err := tellOne(s, &j); err != nil {
			return err
		}
		if len(exchange.AlsoAcceptable) > 0 {
			fmt.Fprintf(s.Out(), "\n  another judge may also say %s\n", visible.Text(strings.Join(exchange.AlsoAcceptable, " or ")))
		}
	}
	return nil
}

// explainable are the words that explain knows.
func explainable() []string {
	var words []string
	for _, e := range explanation.Entries() {
		words = append(words, e.Word)
	}
	for f := range generators.Default().All() {
		words = append(words, f.Name)
	}
	for _, c := range corpus.All() {
		words = append(words, c.ID)
	}
	return words
}

func unknownWord(word string) error {
	err := fmt.Errorf("explain %q: no rule, reason, finding, outcome, advice, deviation, property, fault, case or other word of that name; explain without a word lists them", word)
	if near := explanation.Closest(word, explainable()); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return err
}

// writeAll flushes unless something went wrong before.
func writeAll(s *terminal.Screen, err error) error {
	if err != nil {
		return err
	}
	return s.Flush()
}
