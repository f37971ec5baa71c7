package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/answers"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain WORD",
		Short: "Tell what a rule, reason, finding, outcome, advice, deviation, property, fault or case means",
		Example: `  replyproof explain 6
  replyproof explain id-mismatch
  replyproof explain NO_FINAL_RESPONSE
  replyproof explain article/baseline --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return explain(cmd, args[0]) },
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
	found := explanation.Find(word)
	if f, ok := generators.Default().Lookup(strings.ToLower(word)); ok {
		found = append(found, explanation.Entry{
			Word: f.Name, Kind: "fault", Rule: f.Rule, Text: fmt.Sprintf("A fault of generated answers: %s. What it makes of the verdict: %s.", f.Doc, f.Effect),
		})
	}
	if len(found) == 0 {
		return unknownWord(word)
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

// explainCase tells a case: what it shows, what arrives, and what is made of it.
func explainCase(s *terminal.Screen, c corpus.Case) error {
	fmt.Fprintf(s.Out(), "%s  case, rule %s\n\n", s.Bold(c.ID), c.Rule)
	for _, line := range s.Wrap(2, c.Why) {
		fmt.Fprintf(s.Out(), "  %s\n", line)
	}
	if c.Source != "" {
		fmt.Fprintf(s.Out(), "  source: %s\n", c.Source)
	}
	for _, exchange := range c.Exchanges() {
		fmt.Fprintf(s.Out(), "\n  %s\n\n", strings.Join(report.Wire(exchange), "\n  "))
		a := answers.FromCase(exchange)
		a.Call.ID = c.RequestID
		j := judge(a)
		if err := explanation.Verdict(s, j.verdict, a.Call, a.Wire, j.advice); err != nil {
			return err
		}
		if len(exchange.AlsoAcceptable) > 0 {
			fmt.Fprintf(s.Out(), "\n  another judge may also say %s\n", strings.Join(exchange.AlsoAcceptable, " or "))
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
	err := fmt.Errorf("explain %q: no rule, reason, finding, outcome, advice, deviation, property, fault or case of that name", word)
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
