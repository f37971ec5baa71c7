package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

func newCorpusStats() *cobra.Command {
	return &cobra.Command{
		Use:   "stats [PATH…]",
		Short: "Count what cases show: rules, outcomes, reasons, findings, faults, advice",
		Long: `Count which of the rules, outcomes, reasons, findings, kinds of advice and faults
of the catalogue the cases show, and name those that none does. Rules and faults
are those that a case names (its rule, its tags fault:NAME); the rest is what it
expects, or, where it expects nothing, what the classifier says. Of a long list
of what no case shows the first dozen are named; --json has all.`,
		Example: `  replyproof corpus stats
  replyproof corpus stats my-cases/ --json | jq .reasons.missing`,
		RunE: func(cmd *cobra.Command, args []string) error { return corpusStats(cmd, args) },
	}
}

// coverage is how often each word of a closed list was met.
type coverage struct {
	Of      int            `json:"of"`
	Covered int            `json:"covered"`
	Missing []string       `json:"missing"`
	Counts  map[string]int `json:"counts"`
	words   []string
}

func coverageOf(words []string) *coverage {
	return &coverage{Of: len(words), words: words, Counts: make(map[string]int), Missing: []string{}}
}

// end works out what is missing.
func (c *coverage) end() {
	for _, word := range c.words {
		if c.Counts[word] == 0 {
			c.Missing = append(c.Missing, word)
		}
	}
	c.Covered = c.Of - len(c.Missing)
}

// corpusFigures are the figures of a list of cases.
type corpusFigures struct {
	Cases     int       `json:"cases"`
	Answers   int       `json:"answers"`
	Bytes     int       `json:"bytes"` // of bodies
	Twins     []string  `json:"twins"` // cases whose answer another has too
	Rules     *coverage `json:"rules"`
	Outcomes  *coverage `json:"outcomes"`
	Reasons   *coverage `json:"reasons"`
	Findings  *coverage `json:"findings"`
	Advice    *coverage `json:"advice"`
	Faults    *coverage `json:"faults"`
	wireSeen  map[string]string
	dimension []namedCoverage
}

type namedCoverage struct {
	name string
	of   *coverage
}

func newFigures() *corpusFigures {
	names := func(entries []classifier.Entry) (all []string) {
		for _, e := range entries {
			all = append(all, e.Name)
		}
		return all
	}
	var rules, outcomes, faults []string
	for _, r := range explanation.Rules() {
		if r.Name != "advice" {
			rules = append(rules, r.Name)
		}
	}
	for _, o := range classifier.Outcomes() {
		outcomes = append(outcomes, o.String())
	}
	for f := range generators.Default().All() {
		faults = append(faults, f.Name)
	}
	f := &corpusFigures{
		Rules: coverageOf(rules), Outcomes: coverageOf(outcomes), Reasons: coverageOf(names(classifier.Reasons())),
		Findings: coverageOf(names(classifier.Findings())), Advice: coverageOf(corpus.AdviceWords()), Faults: coverageOf(faults),
		Twins: []string{}, wireSeen: make(map[string]string),
	}
	f.dimension = []namedCoverage{{"rules", f.Rules}, {"outcomes", f.Outcomes}, {"reasons", f.Reasons}, {"findings", f.Findings}, {"advice", f.Advice}, {"faults", f.Faults}}
	return f
}

func (f *corpusFigures) add(c corpus.Case) {
	f.Cases++
	key := cases.WireKey(c)
	if first, ok := f.wireSeen[key]; ok {
		f.Twins = append(f.Twins, c.ID+" = "+first)
	} else {
		f.wireSeen[key] = c.ID
	}
	for rule := range cases.Rules(c) {
		f.Rules.Counts[rule]++
	}
	for _, tag := range c.Tags {
		if name, ok := strings.CutPrefix(tag, "fault:"); ok {
			f.Faults.Counts[name]++
		}
	}
	for _, exchange := range c.Exchanges() {
		f.Answers++
		f.Bytes += len(exchange.Body)
		v := exchange.Classify()
		seen := exchange.Expecting(v).Expect
		seen.Advice = classifier.Advise(v, classifier.Facts{}).Action.String()
		if e := exchange.Expect; e != nil {
			seen = fill(*e, *seen)
		}
		f.Outcomes.Counts[seen.Outcome.String()]++
		f.Reasons.Counts[seen.Reason]++
		f.Advice.Counts[seen.Advice]++
		for _, name := range seen.Findings {
			f.Findings.Counts[name]++
		}
	}
}

// fill is what a case expects, with what it leaves open filled in from a verdict.
func fill(expect, seen corpus.Expect) *corpus.Expect {
	if expect.Reason == "" {
		expect.Reason = seen.Reason
	}
	if expect.Findings == nil {
		expect.Findings = seen.Findings
	}
	if expect.Advice == "" {
		expect.Advice = seen.Advice
	}
	return &expect
}

func corpusStats(cmd *cobra.Command, paths []string) error {
	all, err := cases.Load(paths)
	if err != nil {
		return err
	}
	f := newFigures()
	for _, c := range all {
		f.add(c)
	}
	for _, d := range f.dimension {
		d.of.end()
	}
	s := screen(cmd)
	if wantsJSON(cmd) {
		if err := s.Line(f); err != nil {
			return err
		}
		return s.Flush()
	}
	fmt.Fprintf(s.Out(), "%s, %s, %s of bodies\n\n", count.Of(f.Cases, "case"), count.Of(f.Answers, "answer"), count.Of(f.Bytes, "byte"))
	var rows [][]string
	for _, d := range f.dimension {
		rows = append(rows, []string{d.name, fmt.Sprint(d.of.Covered), fmt.Sprint(d.of.Of), some(d.of.Missing)})
	}
	s.Table([]string{"what", "shown", "of", "shown by no case"}, rows)
	for _, d := range f.dimension[1:3] {
		rows = rows[:0]
		for _, word := range count.Words(d.of.Counts) {
			rows = append(rows, []string{word, fmt.Sprint(d.of.Counts[word])})
		}
		fmt.Fprintln(s.Out())
		s.Table([]string{d.name, "answers"}, rows)
	}
	if n := len(f.Twins); n > 0 {
		s.Notef("%s whose answer another has too, delays and splits apart; --json names them", count.Of(n, "case"))
	}
	return s.Flush()
}

// some are the first words of a list, and how many more there are.
func some(words []string) string {
	const shown = 12
	if len(words) <= shown {
		return strings.Join(words, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], " "), len(words)-shown)
}

// members are the members of a case as the format writes them.
func members(c corpus.Case) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	text, _ := c.AppendJSON(nil)
	_ = json.Unmarshal(text, &m)
	return m
}
