package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// shrink looks, through the running subjects, for the plainest recipe with the
// same deviation and the same word that the baseline does not excuse. It gives
// the recipes that deviated so, the plainest first.
func (r *run) shrink(ctx context.Context, c *cause) ([]generators.Recipe, error) {
	asks := r.o.ShrinkAsks
	if c.Deviation == Crash || c.Deviation == Hang || r.slow(c.Case) {
		asks = max(asks/10, 1)
	}
	var failed error
	client := r.result.Subject.Kind == subject.KindClient
	steps := []generators.Recipe{c.recipe}
	a := ahead{r: r}
	c.recipe = r.o.Catalogue.Shrink(c.recipe, func(plainer generators.Recipe) bool {
		if asks <= 0 || failed != nil || !r.worthAsking(c, plainer) {
			return false
		}
		got, err := a.ask(ctx, c, steps[0], plainer, asks)
		if err != nil {
			failed = err
			return false
		}
		asks--
		if client && got.took >= r.o.Deadline {
			asks -= 9 // it waited as long as it may, and is likely to do so again
		}
		if Judge(got.item.c, got.o, r.result.Subject.Tells) != c.Deviation || Word(got.o) != c.word {
			return false
		}
		c.Saw = got.o
		steps = append([]generators.Recipe{plainer}, steps...)
		a = ahead{r: r}
		return true
	})
	return steps, failed
}

// worthAsking tells whether a plainer recipe can take a cause's place.
func (r *run) worthAsking(c *cause, plainer generators.Recipe) bool {
	if r.baseline != nil && r.baseline.excuses(plainer, c.Deviation, c.word) {
		return false
	}
	return unfit(r.o.Catalogue.Render(plainer), r.result.Subject) == ""
}

// ahead is what the subjects made of recipes that are plainer than one recipe.
// While one is waited for the next are asked too, of the subjects that would be
// idle: a client may wait for most of its deadline each time. What is looked at,
// and in which order, stays as if they were asked one by one.
type ahead struct {
	r    *run
	size int // of the last group
	seen map[generators.Recipe]asked
}

// asked is what a subject made of a recipe, and how long it took.
type asked struct {
	item item
	o    subject.Observation
	took time.Duration
}

// ask gives what came of plainer, one of the recipes plainer than from. If it was
// not asked yet, it is now, together with those that come after it: eight at
// first, then twice as many each time, and no more than there are subjects.
func (a *ahead) ask(ctx context.Context, c *cause, from, plainer generators.Recipe, most int) (asked, error) {
	if got, ok := a.seen[plainer]; ok {
		return got, nil
	}
	a.size = min(max(8, 2*a.size), len(a.r.subjects), most)
	group := make([]asked, 0, a.size)
	for next := range a.r.o.Catalogue.Plainer(from) {
		if len(group) == 0 && next != plainer {
			continue
		}
		if a.r.worthAsking(c, next) {
			group = append(group, asked{item: item{c: a.r.o.Catalogue.Render(next), recipe: next, generated: true}})
		}
		if len(group) == a.size {
			break
		}
	}
	if err := a.r.together(ctx, group); err != nil {
		return asked{}, err
	}
	a.seen = make(map[generators.Recipe]asked, len(group))
	for _, g := range group {
		a.seen[g.item.recipe] = g
	}
	return a.seen[plainer], nil
}

// together asks the subjects, each for itself, until all of a group are answered.
func (r *run) together(ctx context.Context, group []asked) error {
	errs := make([]error, min(len(r.subjects), len(group)))
	var next atomic.Int64
	var wait sync.WaitGroup
	for n := range errs {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(group) && errs[n] == nil; i = int(next.Add(1)) - 1 {
				began := time.Now()
				group[i].o, errs[n] = r.ask(ctx, r.subjects[n], &group[i].item)
				group[i].took = time.Since(began)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
