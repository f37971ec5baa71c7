package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/replyproof/replyproof/classifier"
)

// Plan says what [Agree] does.
type Plan struct {
	Seed    uint64
	Answers int // how many to judge
	Workers int // goroutines; 0 stands for one for each CPU. It changes no result
	// Keep is how many disagreements with each of model, reader and making are
	// told in full; 0 stands for 10. All are counted.
	Keep int
	// Progress, if not nil, is called now and then with the number of answers
	// judged so far, from one goroutine at a time.
	Progress func(answers int)
}

// Stats is what an [Agree] saw.
type Stats struct {
	Seed          uint64
	Answers       int // judged by classifier and model both
	Calls         int // of these, answers to calls
	Notifications int // answers to notifications
	NoAnswers     int // POSTs that got no answer
	Damaged       int // answers changed at random after they were made
	Known         int // answers whose verdict was known by the making
	Read          int // answers judged once more by the reader, in pieces
	// Outcomes and Reasons count the classifier's verdicts by name. Every
	// outcome and every reason is there, if only with 0.
	Outcomes, Reasons map[string]int
	// Disagreeing counts the answers on which the classifier differs from the
	// model, the reader or the making, by that word.
	Disagreeing map[string]int
	// Disagreements are the first of these, in order.
	Disagreements []Disagreement
}

// Disagreement is one answer on which two ways of judging differ.
type Disagreement struct {
	Index   int    // which answer of the run it was, from 0
	Between string // what the classifier differs from: model, reader or making
	What    string // in what they differ
	// Sample is an answer on which they differ, in the form of [ParseSample]:
	// the smallest that was found.
	Sample string
	// Recipe is how it was made, if it was made and not damaged.
	Recipe string
}

// String is the disagreement as a few lines of text.
func (d Disagreement) String() string {
	text := fmt.Sprintf("answer %d: classifier and %s differ: %s\n%s", d.Index, d.Between, d.What, d.Sample)
	if d.Recipe != "" {
		text += "\nrecipe: " + d.Recipe
	}
	return text
}

// blockSize is how many answers follow from one seed; it is part of what a seed
// means.
const blockSize = 1000

// Agree makes plan.Answers answers, damages most of them, and lets the
// classifier, the model and the reader judge them. Whatever was not damaged
// must also be judged as it is known by its making. The answers follow from the
// seed alone, whatever the number of workers. The error is that of ctx; Stats
// then holds what was judged until then.
func Agree(ctx context.Context, plan Plan) (Stats, error) {
	workers := plan.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	keep := cmp.Or(max(plan.Keep, 0), 10)
	var (
		next  atomic.Int64
		mutex sync.Mutex
		group sync.WaitGroup
		total = tally{disagreeing: map[string]int{}}
		done  int
	)
	for range workers {
		group.Go(func() {
			w := newWorker(keep)
			for ctx.Err() == nil {
				from := (int(next.Add(1)) - 1) * blockSize
				if from >= plan.Answers {
					break
				}
				to := min(from+blockSize, plan.Answers)
				w.block(plan.Seed, from, to)
				if plan.Progress != nil {
					mutex.Lock()
					done += to - from
					plan.Progress(done)
					mutex.Unlock()
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			total.add(&w.tally)
		})
	}
	group.Wait()
	return total.stats(plan.Seed, keep), ctx.Err()
}

// tally is what a worker counts.
type tally struct {
	calls, notifications, noAnswers int
	damaged, known, read            int
	outcomes, reasons               [256]int
	disagreeing                     map[string]int
	disagreements                   []Disagreement
}

// count books one verdict.
func (t *tally) count(s *Sample, v *classifier.Verdict) {
	switch {
	case s.NoAnswer:
		t.noAnswers++
	case s.Notification:
		t.notifications++
	default:
		t.calls++
	}
	t.outcomes[v.Outcome]++
	t.reasons[v.Reason]++
}

func (t *tally) add(o *tally) {
	t.calls += o.calls
	t.notifications += o.notifications
	t.noAnswers += o.noAnswers
	t.damaged += o.damaged
	t.known += o.known
	t.read += o.read
	for i := range t.outcomes {
		t.outcomes[i] += o.outcomes[i]
		t.reasons[i] += o.reasons[i]
	}
	for between, n := range o.disagreeing {
		t.disagreeing[between] += n
	}
	t.disagreements = append(t.disagreements, o.disagreements...)
}

func (t *tally) stats(seed uint64, keep int) Stats {
	s := Stats{
		Seed: seed, Answers: t.calls + t.notifications + t.noAnswers,
		Calls: t.calls, Notifications: t.notifications, NoAnswers: t.noAnswers,
		Damaged: t.damaged, Known: t.known, Read: t.read,
		Outcomes: map[string]int{}, Reasons: map[string]int{}, Disagreeing: t.disagreeing,
	}
	for _, o := range classifier.Outcomes() {
		s.Outcomes[o.String()] = t.outcomes[o]
	}
	for i, entry := range classifier.Reasons() {
		s.Reasons[entry.Name] = t.reasons[i+1]
	}
	slices.SortFunc(t.disagreements, func(a, b Disagreement) int { return cmp.Compare(a.Index, b.Index) })
	told := map[string]int{}
	for _, d := range t.disagreements {
		if told[d.Between]++; told[d.Between] <= keep {
			s.Disagreements = append(s.Disagreements, d)
		}
	}
	return s
}
