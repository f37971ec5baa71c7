package runner

import (
	"context"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// cause is a cause that is kept, and what makes another case belong to it.
type cause struct {
	Cause
	generated bool
	recipe    generators.Recipe
	rule      string // of a corpus case, with the reason that it expects
	word      string
}

// explain gives the kept cause to which a deviation is put down without being
// run again: one with the same deviation and the same word, and with a recipe
// of which everything unusual is in this case's recipe as well; for corpus
// cases, one with the same rule and reason.
func (r *run) explain(it *item, d Deviation, o subject.Observation) *cause {
	word := Word(o)
	for _, c := range r.causes {
		if c.Deviation != d || c.word != word || c.generated != it.generated {
			continue
		}
		if it.generated && within(c.recipe, it.recipe) || !it.generated && c.rule == ruleOf(it) {
			return c
		}
	}
	return nil
}

func ruleOf(it *item) string {
	if it.c.Expect == nil {
		return it.c.Rule
	}
	return it.c.Rule + " " + it.c.Expect.Reason
}

// within tells whether everything unusual in part is in whole as well.
func within(part, whole generators.Recipe) bool {
	for _, pick := range part.Faults {
		if pick.Fault == 0 {
			continue
		}
		found := false
		for _, other := range whole.Faults {
			found = found || other == pick
		}
		if !found {
			return false
		}
	}
	same := func(p, w uint8) bool { return p == 0 || p == w }
	ps, ws, pf, wf := part.Style, whole.Style, part.Frame, whole.Frame
	return same(uint8(part.Base), uint8(whole.Base)) && same(uint8(part.ID), uint8(whole.ID)) &&
		same(ps.Space, ws.Space) && same(ps.Order, ws.Order) && same(ps.Escape, ws.Escape) &&
		same(ps.Number, ws.Number) && same(ps.Extra, ws.Extra) &&
		same(pf.Lines, wf.Lines) && same(pf.Space, wf.Space) && same(pf.Comments, wf.Comments) &&
		same(pf.EventID, wf.EventID) && same(pf.Retry, wf.Retry) && same(pf.EventName, wf.EventName) &&
		same(pf.Notifications, wf.Notifications) && same(pf.After, wf.After) &&
		(pf.SplitAt == 0 || wf.SplitAt != 0) &&
		same(part.Chunks.Kind, whole.Chunks.Kind) &&
		(part.Cut == 0 || whole.Cut != 0)
}

func newCause(name string, it *item, d Deviation, o subject.Observation) *cause {
	return &cause{
		Cause:     Cause{Deviation: d, Count: 1, First: name, Case: it.c, Saw: o},
		generated: it.generated, recipe: it.recipe, rule: ruleOf(it), word: Word(o),
	}
}

// found shrinks a confirmed deviation and keeps its cause. If the subject can no
// longer be asked, the cause is kept as plain as it has become.
func (r *run) found(ctx context.Context, it *item, d Deviation, o subject.Observation) error {
	c := newCause(r.name(it), it, d, o)
	var err error
	if it.generated {
		err = r.shrink(ctx, c)
	}
	r.keep(c)
	return err
}

// keep keeps a cause, or books it with one that is the same in its plainest form.
func (r *run) keep(c *cause) {
	if c.generated {
		for _, other := range r.causes {
			if other.generated && other.Deviation == c.Deviation && other.word == c.word && other.recipe == c.recipe {
				other.Count++
				return
			}
		}
		c.Recipe = r.o.Catalogue.Format(c.recipe)
		c.Case = r.o.Catalogue.Render(c.recipe)
	}
	r.causes = append(r.causes, c)
}

// shrink looks, through the running subject, for the plainest recipe with the
// same deviation and the same word.
func (r *run) shrink(ctx context.Context, c *cause) error {
	asks := r.o.ShrinkAsks
	if c.Deviation == Crash || c.Deviation == Hang {
		asks = max(asks/10, 1)
	}
	var failed error
	s := r.subjects[0]
	c.recipe = r.o.Catalogue.Shrink(c.recipe, func(plainer generators.Recipe) bool {
		if asks == 0 || failed != nil {
			return false
		}
		candidate := r.o.Catalogue.Render(plainer)
		if unfit(candidate, r.result.Subject) != "" {
			return false
		}
		asks--
		o, err := s.Ask(ctx, candidate)
		if err != nil {
			failed = err
			return false
		}
		if Judge(candidate, o, r.result.Subject.Tells) != c.Deviation || Word(o) != c.word {
			return false
		}
		c.Saw = o
		return true
	})
	return failed
}
