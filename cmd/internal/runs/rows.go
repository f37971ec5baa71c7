package runs

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// faultTag marks the fault that a case of the corpus shows.
const faultTag = "fault:"

func (b *builder) row(kind Kind, name string, fill func(*Row)) *Row {
	row := &Row{Kind: kind, Name: name}
	if old, ok := b.rows[row.Key()]; ok {
		return old
	}
	row.Cells = make([]Cell, b.columns)
	fill(row)
	b.rows[row.Key()] = row
	b.keys = append(b.keys, row.Key())
	return row
}

// caseRow is the row of a case. One that this version's corpus lacks is taken
// from the report, if it is there.
func (b *builder) caseRow(id string, reported *corpus.Case) *Row {
	row := b.row(OfCase, id, func(*Row) {})
	if row.Case == nil {
		c := b.cases[id]
		if c == nil {
			c = reported
		}
		if c != nil {
			row.take(c)
		}
	}
	return row
}

func (row *Row) take(c *corpus.Case) {
	row.Case, row.Rule, row.Why = c, c.Rule, c.Why
	row.Want = runner.Cause{Case: *c}.Want()
	if c.Expect != nil {
		row.Layer = c.Expect.Layer.String()
	}
	row.Faults = faultsTagged(*c)
}

func faultsTagged(c corpus.Case) (faults []string) {
	for _, tag := range c.Tags {
		if name, ok := strings.CutPrefix(tag, faultTag); ok {
			faults = append(faults, name)
		}
	}
	return faults
}

// faultRow is the row of a fault, "" for none. The case beside it is that of the
// corpus that shows the fault.
func (b *builder) faultRow(name string) *Row {
	return b.row(OfFault, name, func(row *Row) {
		if name == "" {
			row.Why = "Answers without a fault, in every style, framing and manner of delivery."
			return
		}
		row.Faults = []string{name}
		fault, ok := b.catalogue.Lookup(name)
		if !ok {
			return
		}
		row.Layer, row.Rule = fault.Layer.String(), fault.Rule
		row.Why = sentence(fault.Doc) + " Its effect: " + fault.Effect + "."
		row.Case = b.shows[name]
	})
}

func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (b *builder) recipeRow(c Cause, faults []string) *Row {
	return b.row(OfRecipe, c.Recipe, func(row *Row) {
		row.take(&c.Case)
		row.Faults = faults
	})
}

// ruleOrder is the order in which rules decide; rows of no rule come last.
var ruleOrder = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "N", "T", "advice", ""}

// RulePlace is the place of a rule in the order in which rules decide; one that
// is not known comes last.
func RulePlace(rule string) int {
	if i := slices.Index(ruleOrder, rule); i >= 0 {
		return i
	}
	return len(ruleOrder)
}

// Layers are the layers in the order of the table of outcomes, from the outside.
func Layers() []string {
	return []string{classifier.Transport.String(), classifier.Protocol.String(), classifier.Interaction.String(), classifier.Application.String()}
}

// sorted gives the rows by rule; within a rule the faults, in the catalogue's
// order, then the recipes as they were met, then the cases in the corpus' order.
func (b *builder) sorted() []Row {
	kinds := []Kind{OfFault, OfRecipe, OfCase}
	place := func(row *Row) int {
		if i, ok := b.order[row.Key()]; ok {
			return i
		}
		if row.Kind == OfFault && row.Name == "" {
			return 0
		}
		return len(b.order) // unknown here: after those that are known, as they were met
	}
	var rows []Row
	for _, key := range b.keys {
		rows = append(rows, *b.rows[key])
	}
	slices.SortStableFunc(rows, func(x, y Row) int {
		for _, n := range []int{
			RulePlace(x.Rule) - RulePlace(y.Rule),
			strings.Compare(x.Rule, y.Rule),
			slices.Index(kinds, x.Kind) - slices.Index(kinds, y.Kind),
			place(&x) - place(&y),
		} {
			if n != 0 {
				return n
			}
		}
		return 0
	})
	return rows
}
