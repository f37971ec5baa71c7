package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

func newCorpus() *cobra.Command {
	return group("corpus", "Frozen cases: list, show, verify, add, compare, take in and give out",
		newCorpusList(), newCorpusShow(), newCorpusVerify(), newCorpusStats(), newCorpusDiff(),
		newCorpusAdd(), newCorpusMinimize(), newCorpusImport(), newCorpusExport())
}

func newCorpusList() *cobra.Command {
	var rule string
	cmd := &cobra.Command{
		Use:   "list [PATH…]",
		Short: "List the cases of files and folders, or those that the project ships",
		Example: `  replyproof corpus list
  replyproof corpus list --rule S6
  replyproof corpus list my-cases/ --json | jq -r .id`,
		RunE: func(cmd *cobra.Command, args []string) error { return corpusList(cmd, args, rule) },
	}
	cmd.Flags().StringVar(&rule, "rule", "", "only cases that show this rule")
	return cmd
}

func corpusList(cmd *cobra.Command, paths []string, rule string) error {
	all, err := cases.Load(paths)
	if err != nil {
		return err
	}
	if rule != "" && !slices.ContainsFunc(explanation.Rules(), func(r explanation.Rule) bool { return strings.EqualFold(r.Name, rule) }) &&
		!slices.ContainsFunc(all, func(c corpus.Case) bool { return shows(c, rule) }) {
		return fmt.Errorf("--rule %s: there is no such rule; the rules are %s", rule, explanation.RuleNames())
	}
	s := screen(cmd)
	var rows [][]string
	for _, c := range all {
		if rule != "" && !shows(c, rule) {
			continue
		}
		if wantsJSON(cmd) {
			if err := s.Line(c); err != nil {
				return err
			}
			continue
		}
		outcome := ""
		if c.Expect != nil {
			outcome = explanation.Tone(s, c.Expect.Outcome)
		}
		rows = append(rows, []string{c.ID, c.Rule, outcome, c.Why})
	}
	if !wantsJSON(cmd) {
		s.Table([]string{"case", "rule", "outcome", "why"}, rows)
		s.Notef("%s", count.Of(len(rows), "case"))
	}
	return s.Flush()
}

// shows tells whether rule is one of the rules that a case names.
func shows(c corpus.Case, rule string) bool {
	for name := range cases.Rules(c) {
		if strings.EqualFold(name, rule) {
			return true
		}
	}
	return false
}

func newCorpusShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID…",
		Short: "Print shipped cases as JSON; explain ID tells them in prose",
		Example: `  replyproof corpus show article/baseline-complete
  replyproof corpus show article/baseline-complete --json | replyproof classify --from jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return corpusShow(cmd, args) },
	}
}

func corpusShow(cmd *cobra.Command, ids []string) error {
	s := screen(cmd)
	for _, id := range ids {
		c, ok := corpus.ByID(id)
		if !ok {
			return errors.Join(s.Flush(), unknownCase(id, "no shipped case", corpus.All()))
		}
		line, err := c.AppendJSON(nil)
		if err != nil {
			return err
		}
		if !wantsJSON(cmd) {
			var wide bytes.Buffer
			if err := json.Indent(&wide, line, "", "  "); err != nil {
				return err
			}
			line = visible.JSON(wide.Bytes())
		}
		fmt.Fprintf(s.Out(), "%s\n", line)
	}
	return s.Flush()
}

// unknownCase says that none of the cases has an id, and which are near to it.
func unknownCase(id, none string, all []corpus.Case) error {
	var ids []string
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	err := fmt.Errorf("%s has the id %q", none, id)
	if near := explanation.Closest(id, ids); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return err
}

func newCorpusVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Load cases strictly and judge them; the shipped ones if no path is given",
		Long: `Load the cases of files and folders strictly (unknown keys, repeated ids and an
empty why are errors) and compare all that they expect with the verdict of the
classifier. Exit status 1 if they disagree, 2 if a file cannot be read.`,
		Example: `  replyproof corpus verify
  replyproof corpus verify my-cases/`,
		RunE: func(cmd *cobra.Command, args []string) error { return corpusVerify(cmd, args) },
	}
}

// verifyLine is a disagreement as one JSON object.
type verifyLine struct {
	Case     string `json:"case"`
	Exchange int    `json:"exchange"`
	Field    string `json:"field"`
	Want     string `json:"want"`
	Got      string `json:"got"`
	Text     string `json:"text"`
}

func corpusVerify(cmd *cobra.Command, paths []string) error {
	all, err := cases.Load(paths)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("no cases to verify")
	}
	s := screen(cmd)
	found := corpus.Verify(all)
	for _, d := range found {
		if !wantsJSON(cmd) {
			fmt.Fprintln(s.Out(), visible.Text(strings.TrimPrefix(d.Error(), "corpus: ")))
		} else if err := s.Line(verifyLine{d.Case.ID, d.Exchange, d.Field, d.Want, d.Got, d.Error()}); err != nil {
			return err
		}
	}
	if !wantsJSON(cmd) && len(found) == 0 {
		fmt.Fprintf(s.Out(), "%s %s, every verdict as expected\n", s.Good("OK"), count.Of(len(all), "case"))
	}
	if err := s.Flush(); err != nil {
		return err
	}
	if len(found) > 0 {
		s.Notef("%s, %s", count.Of(len(all), "case"), count.Of(len(found), "disagreement"))
		return errFindings
	}
	return nil
}
