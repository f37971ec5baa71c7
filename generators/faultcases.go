package generators

import (
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// The frozen cases in corpus/cases/faults.json are written by
//
//go:generate go test -run ^TestFaultCasesAreFrozen$ -update .

// FaultCases is one case for each fault of [Default], in its order: the first
// variant on the plainest base that has a place for it. Their ids are
// "fault/NAME", their tags "fault:NAME". The request's id is left to the client
// where the fault allows it. They are frozen in the corpus; go generate
// ./generators writes them anew.
func FaultCases() []corpus.Case {
	c := Default()
	cases := make([]corpus.Case, 0, c.Len())
	for i := range c.faults {
		cases = append(cases, c.FaultCase(c.faults[i].Name))
	}
	return cases
}

// FaultCase is the case that shows the fault of that name: see [FaultCases]. It
// panics if the catalogue has no such fault.
func (c *Catalogue) FaultCase(name string) corpus.Case {
	f := &c.faults[c.mustIndex(name)]
	r := c.FaultRecipe(name)
	made := c.Render(r)
	made.ID = "fault/" + slug(name)
	made.Rule = f.Rule
	made.Why = sentence(f.Doc) + " Effect on the verdict: " + f.Effect + "."
	made.Source = "made by go generate ./generators from the recipe " + c.Format(r)
	made.Tags = []string{"fault:" + name}
	return made
}

// FaultRecipe is the plainest recipe with the fault of that name. It panics if
// the catalogue has no such fault.
func (c *Catalogue) FaultRecipe(name string) Recipe {
	i := c.mustIndex(name)
	for _, id := range [...]IDKind{IDOpen, IDOne} {
		for base := range baseEnd {
			for lines := range uint8(linesLF + 1) {
				r := Recipe{Base: base, ID: id, Frame: Frame{Lines: lines}}
				if c.compatible(i, 0, r.conditions(), r.parts()) {
					r.add(Pick{Fault: uint16(i) + 1})
					return r
				}
			}
		}
	}
	panic("generators: fault " + name + " has no place on any base")
}

func (c *Catalogue) mustIndex(name string) int {
	i, ok := c.byName[name]
	if !ok {
		panic("generators: no fault " + name + " in the catalogue")
	}
	return i
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
