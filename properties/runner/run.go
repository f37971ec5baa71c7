package runner

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// Run drives subjects made by open over the cases of o. Its result depends on
// nothing but the subject, the cases and the seed, unless For ends it early.
// With an error, such as one that matches subject.ErrBroken or that of ctx, the
// result holds what was found so far. The subjects are closed when it returns.
func Run(ctx context.Context, open func() subject.Subject, o Options) (result Result, err error) {
	o.fill()
	r := &run{o: o, open: open, witnesses: map[time.Duration]subject.Subject{}, result: Result{Seed: o.Seed, Catalogue: o.Catalogue.Version(), Skips: map[string]int{}},
		explained: newIndex(true), remembered: newIndex(false), steering: newSteering(o.Catalogue), source: generators.NewPlain(o.Seed)}
	if o.Baseline != nil {
		r.baseline = newLedger(o.Baseline.Entries, o.Today, o.Catalogue)
	}
	defer func() {
		for _, s := range slices.AppendSeq(r.subjects, maps.Values(r.witnesses)) {
			err = errors.Join(err, s.Close())
		}
		r.result.Interrupted = err != nil
		r.finish()
		result = r.result
	}()
	if err := r.start(ctx); err != nil {
		return result, err
	}
	if o.Resume != nil {
		if err := r.resume(o.Resume); err != nil {
			return result, err
		}
	}
	return result, r.drive(ctx)
}

// run is a run under way.
type run struct {
	o        Options
	open     func() subject.Subject
	subjects []subject.Subject
	// witnesses are the clients that confirm what deviated, by their deadlines.
	witnesses map[time.Duration]subject.Subject
	baseline  *ledger
	result    Result
	causes    []*cause
	random    bool // the random recipes have begun
	skip      int  // cases that an earlier run has done
	fixed     int  // cases before the random ones that are done
	drawn     int  // random recipes
	source    *generators.Plain
	round     []generators.Recipe // random ones to come
	used      time.Duration       // by an earlier run
	saved     saving
	deaf      bool // the run was stopped, or the subject broke: it cannot be asked again
	steering  *steering

	explained  *index // recipes that lead to a kept cause, with its place in causes
	remembered *index // recipes that a new baseline names
	shrinks    int
	faults     []FaultCount // by the place of the fault in the catalogue, 0 for none
}

// start starts the subjects. What the first says of itself goes for all; of the others
// as many start at once as there are processors, for starting one is mostly their work.
func (r *run) start(ctx context.Context) (err error) {
	for range r.o.Jobs {
		r.subjects = append(r.subjects, r.open())
	}
	if r.result.Subject, err = r.subjects[0].Start(ctx, r.o.Deadline); err != nil {
		return err
	}
	errs := make([]error, len(r.subjects))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := int(next.Add(1)); i < len(errs); i = int(next.Add(1)) {
				if errs[i] = r.restart(ctx, r.subjects[i], r.o.Deadline); errs[i] != nil {
					next.Store(int64(len(errs))) // no other needs to start
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// restart starts a subject of a kind that has started before.
func (r *run) restart(ctx context.Context, s subject.Subject, deadline time.Duration) error {
	return subject.Again(func() error {
		_, err := s.Start(ctx, deadline)
		return err
	})
}

// drive runs the cases in batches: a batch is asked by all subjects at once,
// and then booked in order, so that the result does not depend on their speed.
func (r *run) drive(ctx context.Context) error {
	start := time.Now().Add(-r.used)
	spent := func() bool { return r.o.For > 0 && time.Since(start) >= r.o.For }
	size := 32 * r.o.Jobs
	batch := make([]item, 0, size)
	over := r.o.Resume != nil && spent()
	var failed error
	flush := func() bool {
		failed = r.batch(ctx, batch)
		batch = batch[:0]
		if r.o.Progress != nil {
			r.o.Progress(r.result.Counts)
		}
		if failed == nil {
			failed = r.save(time.Since(start), false)
		}
		return failed == nil
	}
	for it := range r.items() {
		if over {
			break
		}
		if !it.barrier {
			batch = append(batch, it)
		}
		if len(batch) < size && !it.barrier {
			continue
		}
		if len(batch) > 0 && !flush() {
			return failed
		}
		if over = spent(); over {
			break
		}
	}
	if len(batch) > 0 && !flush() {
		return failed
	}
	r.result.Complete = !over || r.random && r.o.Random <= 0
	return r.save(time.Since(start), true)
}

// batch asks and books. What was seen before an error is booked all the same.
func (r *run) batch(ctx context.Context, items []item) error {
	seen := make([]subject.Observation, len(items))
	done := make([]bool, len(items))
	errs := make([]error, len(r.subjects))
	var next atomic.Int64
	var wait sync.WaitGroup
	for n, s := range r.subjects {
		wait.Go(func() {
			for errs[n] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				if why := unfit(items[i].c, r.result.Subject); why != "" {
					seen[i] = subject.Observation{Fate: subject.Skipped, Text: why}
				} else {
					seen[i], errs[n] = r.ask(ctx, s, &items[i])
				}
				done[i] = errs[n] == nil
			}
		})
	}
	wait.Wait()
	failed := errors.Join(errs...)
	for i := range items {
		if !done[i] {
			continue
		}
		became, d, err := r.book(ctx, &items[i], &seen[i])
		r.observe(&items[i], seen[i], became, d)
		if err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// ask asks a subject. What it says when the run is being stopped may come of that
// and not of the case: it counts for nothing.
func (r *run) ask(ctx context.Context, s subject.Subject, it *item) (subject.Observation, error) {
	o, err := s.Ask(ctx, r.trial(it))
	if err == nil {
		err = ctx.Err()
	}
	return o, err
}

// book takes down what became of a case, and tells it with its deviation and, in
// seen, what it goes by. What a case did beside others and does not do alone may
// come of a busy machine: it counts as what it does alone, if it does that twice.
func (r *run) book(ctx context.Context, it *item, seen *subject.Observation) (Became, Deviation, error) {
	first := *seen
	count := &r.result.Counts
	count.Cases++
	count.Late += first.Late
	if first.Fate == subject.Skipped {
		return r.passedOver(first.Text)
	}
	if r.baseline != nil {
		r.baseline.ran(r.name(it))
	}
	deviation := Judge(it.c, first, r.result.Subject.Tells)
	if unplayed(deviation, first, r.o.Deadline) {
		return r.passedOver(tooSlow)
	}
	if deviation == 0 {
		count.Passed++
		r.learn(it, first, passing)
		return Passed, 0, nil
	}
	for firstly := deviation; ; {
		if became := r.settled(it, deviation, *seen); became != "" {
			return became, deviation, nil
		}
		again, err := r.confirm(ctx, it, deviation)
		if err != nil {
			r.deaf = true
			r.unconfirmed(it, deviation, *seen)
			return Deviated, deviation, err
		}
		if again.Fate == subject.Skipped {
			return r.passedOver(again.Text)
		}
		alone := Judge(it.c, again, r.result.Subject.Tells)
		switch {
		case alone == deviation:
			count.ByDeviation[deviation]++
			r.learn(it, again, settled)
			err = r.found(ctx, it, deviation, again)
			r.deaf = err != nil
			return Deviated, deviation, err
		case alone == 0 || deviation != firstly:
			stands := passing
			if alone != 0 {
				stands = alike(alone)
			}
			r.learn(it, again, stands)
			count.Unrepeated++
			if len(r.result.Flaky) < r.o.MaxCauses {
				r.result.Flaky = append(r.result.Flaky, newFlaky(r.name(it), firstly, first, again))
			}
			*seen = first
			return Unrepeated, firstly, nil
		}
		deviation, *seen = alone, again
	}
}

// settled takes down a deviation that needs no confirmation: it is not asked for,
// it is known, its cause is, or there is no room for it. It tells nothing of any other.
func (r *run) settled(it *item, deviation Deviation, o subject.Observation) Became {
	count := &r.result.Counts
	known := r.baseline != nil && r.baseline.covers(r.name(it), it, deviation, Word(o))
	switch {
	case deviation.Severity() < r.o.Severity:
		count.Ignored++
		r.learn(it, o, alike(deviation))
		return Ignored
	case known:
		count.Known++
		r.learn(it, o, settled)
		return Known
	}
	if c := r.explain(it, deviation, o); c != nil {
		r.learn(it, o, settled)
		c.Count++
		count.ByDeviation[deviation]++
		r.remember(it, deviation, o)
		return Deviated
	}
	if len(r.causes) >= r.o.MaxCauses || r.shrinks >= shrinksPerCause*r.o.MaxCauses {
		count.Unkept++
		r.learn(it, o, alike(deviation))
		count.ByDeviation[deviation]++
		r.remember(it, deviation, o)
		return Deviated
	}
	if r.deaf {
		r.unconfirmed(it, deviation, o)
		return Deviated
	}
	return ""
}

// learn takes down what becomes of a case, for the search and for what it covered.
// Of what did not repeat it is the observation that was made alone.
func (r *run) learn(it *item, o subject.Observation, stands standing) {
	if !it.apart {
		r.steering.learn(it, o, stands)
	}
}

// unconfirmed keeps a deviation as it was seen, since the run was stopped or the
// adapter has broken, and the case cannot be run again.
func (r *run) unconfirmed(it *item, d Deviation, o subject.Observation) {
	r.result.ByDeviation[d]++
	c := newCause(r.name(it), it, d, o)
	c.Unconfirmed = true
	r.keep(c, []generators.Recipe{it.recipe})
}

// confirm runs a case once more alone. A hang gets ten times the deadline. So
// that a busy machine does not make deviations, a client gets three times of it
// where it is not the deadline that it waits for.
func (r *run) confirm(ctx context.Context, it *item, d Deviation) (subject.Observation, error) {
	if err := ctx.Err(); err != nil {
		return subject.Observation{}, err
	}
	deadline := r.o.Deadline
	client := r.result.Subject.Kind == subject.KindClient
	switch {
	case d == Hang:
		deadline *= 10
	case client && !r.slow(it.c):
		deadline *= 3
	}
	if client {
		return r.witnessed(ctx, it, deadline)
	}
	s := r.subjects[0]
	if err := r.restart(ctx, s, deadline); err != nil {
		return subject.Observation{}, err
	}
	o, err := r.ask(ctx, s, it)
	if err == nil && deadline != r.o.Deadline {
		err = r.restart(ctx, s, r.o.Deadline)
	}
	return o, err
}

// witnessed runs a case on a client that is kept for the purpose, since starting
// one may take as long as a thousand calls. Each case gets a connection of its own.
func (r *run) witnessed(ctx context.Context, it *item, deadline time.Duration) (subject.Observation, error) {
	s, ok := r.witnesses[deadline]
	if !ok {
		s = r.open()
		r.witnesses[deadline] = s
		if err := r.restart(ctx, s, deadline); err != nil {
			return subject.Observation{}, err
		}
	} else if s, ok := s.(subject.Renewer); ok {
		s.Renew()
	}
	o, err := r.ask(ctx, s, it)
	if err == nil && unplayed(Judge(it.c, o, r.result.Subject.Tells), o, deadline) {
		o.Fate, o.Text = subject.Skipped, tooSlow
	}
	return o, err
}

const tooSlow = "the machine was too slow to play the answer within the deadline"

// unplayed tells whether a client gave up an answer which it had waited for and
// which was still being written to it: that says nothing of the client. What it
// makes of a part, a success or a second call, it has to answer for.
func unplayed(d Deviation, o subject.Observation, deadline time.Duration) bool {
	return (d == DeadConnection || d == LostResult || d == MixedLayers) &&
		o.Wire != nil && o.Wire.Took >= deadline/2 && o.Wire.Unfinished()
}

// passedOver books a case that says nothing of the subject.
func (r *run) passedOver(why string) (Became, Deviation, error) {
	r.result.Counts.Skipped++
	r.skipped(why)
	return Skipped, 0, nil
}

// maxSkips is how many reasons for skipping are told apart.
const maxSkips = 20

func (r *run) skipped(why string) {
	if _, ok := r.result.Skips[why]; !ok && len(r.result.Skips) >= maxSkips {
		why = "other reasons"
	}
	r.result.Skips[why]++
}

// maxRemembered bounds what a new baseline can hold.
const maxRemembered = 100_000

// remember takes down a new deviation for a baseline. Of recipes only those
// count of which no plainer one is taken down already: an entry excuses what has
// everything unusual of its recipe in it.
func (r *run) remember(it *item, d Deviation, o subject.Observation) {
	if len(r.result.deviating) >= maxRemembered {
		return
	}
	if it.generated {
		if _, ok := r.remembered.find(it.recipe, d, Word(o)); ok {
			return
		}
		r.remembered.add(it.recipe, d, Word(o), 0)
	}
	r.result.deviating = append(r.result.deviating, known{r.name(it), Word(o), describe(d, it.c), d, it.generated})
}

// rememberPlainest takes down what a shrinking came to: the plainest recipe,
// and, if a case's own is not excused by it, the plainest step that excuses it.
func (r *run) rememberPlainest(it *item, c *cause, steps []generators.Recipe) {
	for _, step := range steps {
		if step != c.recipe && !within(step, it.recipe, false) {
			continue
		}
		r.remember(&item{c: r.o.Catalogue.Render(step), recipe: step, generated: true}, c.Deviation, c.Saw)
		if within(step, it.recipe, false) {
			return
		}
	}
}

func (r *run) finish() {
	r.result.Covered = r.steering.covered()
	for _, c := range r.causes {
		r.result.Causes = append(r.result.Causes, c.Cause)
	}
	slices.SortStableFunc(r.result.Causes, func(a, b Cause) int { return int(a.Deviation) - int(b.Deviation) })
	r.result.Faults = r.countedFaults()
	if r.baseline != nil {
		r.result.Stale, r.result.Unmatched, r.result.Expired = r.baseline.close(r.result.Complete)
	}
}

func describe(d Deviation, c corpus.Case) string {
	text := d.String()
	if c.Expect != nil {
		text += ": expected " + c.Expect.Outcome.String()
	}
	if c.Rule != "" {
		text += " by rule " + c.Rule
	}
	return text
}
