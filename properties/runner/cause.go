package runner

import (
	"context"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
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
// of which everything unusual is in this case's recipe as well, whatever the
// variants of its faults; for corpus cases, one with the same rule and reason.
func (r *run) explain(it *item, d Deviation, o subject.Observation) *cause {
	word := Word(o)
	if it.generated {
		if i, ok := r.explained.find(it.recipe, d, word); ok {
			return r.causes[i]
		}
		return nil
	}
	for _, c := range r.causes {
		if c.Deviation == d && c.word == word && !c.generated && c.rule == ruleOf(it) {
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

// shrinksPerCause bounds the shrinkings of a run: so many for each cause that
// is kept at most. Most lead to a cause of their own; those that end in a known
// one make it known by their steps, so the bound is for subjects of many moods.
const shrinksPerCause = 4

func newCause(name string, it *item, d Deviation, o subject.Observation) *cause {
	c := &cause{
		Cause:     Cause{Deviation: d, Count: 1, First: name, Case: it.c, Saw: o},
		generated: it.generated, recipe: it.recipe, rule: ruleOf(it), word: Word(o),
	}
	c.accept()
	return c
}

// accept has the case say what a client might have said of the exchange that it
// got, which may be more than the case alone allows.
func (c *cause) accept() {
	if p := c.Saw.Played; p != nil && len(p.Then) == 0 && c.Case.Expect != nil && p.Expect != nil && p.Expect.Outcome == c.Case.Expect.Outcome {
		c.Case.AlsoAcceptable = p.AlsoAcceptable
	}
}

// found shrinks a confirmed deviation and keeps its cause. If the subject can no
// longer be asked, the cause is kept as plain as it has become.
func (r *run) found(ctx context.Context, it *item, d Deviation, o subject.Observation) error {
	c := newCause(r.name(it), it, d, o)
	if !it.generated {
		r.remember(it, d, o)
		r.keep(c, nil)
		return nil
	}
	r.shrinks++
	steps, err := r.shrink(ctx, c)
	r.rememberPlainest(it, c, steps)
	r.keep(c, steps)
	return err
}

// keep keeps a cause, or books it with one that is the same in its plainest
// form. The recipes that the shrinking went through deviate likewise: what has
// one of them in it needs no shrinking.
func (r *run) keep(c *cause, steps []generators.Recipe) {
	if !c.generated {
		r.causes = append(r.causes, c)
		return
	}
	at := len(r.causes)
	if i, ok := r.explained.find(c.recipe, c.Deviation, c.word); ok {
		at = i
		r.causes[i].Count++
	} else {
		c.Recipe = r.o.Catalogue.Format(c.recipe)
		c.Case = r.o.Catalogue.Render(c.recipe)
		c.accept()
		r.causes = append(r.causes, c)
	}
	for _, step := range steps {
		if _, ok := r.explained.find(step, c.Deviation, c.word); !ok {
			r.explained.add(step, c.Deviation, c.word, at)
		}
	}
}

// slow tells whether each time that the subject is asked takes the whole deadline:
// a client that waits for a server which has fallen silent.
func (r *run) slow(c corpus.Case) bool {
	return r.result.Subject.Kind == subject.KindClient && c.Wire(c.RequestID).Ended == classifier.EndedDeadline
}
