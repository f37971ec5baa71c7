package runner

import (
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// Covered tells what a run has tried, and how many kinds of observation it met.
type Covered struct {
	// Faults of the catalogue that were played, alone or with others, of All.
	Faults, All int
	// Classes of observation: what was expected and why, what was told, with
	// which kind of status, after how many POSTs, with the connection alive or not.
	Classes int
	// Rounds of steered random recipes.
	Rounds int
}

// class is a kind of observation.
type class struct {
	outcome, reason, word string
	status                int // hundreds; -1 if it was not told
	posts                 int // 3 stands for more
	dead                  bool
}

func classOf(it *item, o subject.Observation) class {
	k := class{word: Word(o), status: -1, posts: min(o.Posts, 3), dead: o.Dead}
	if e := it.c.Expect; e != nil {
		k.outcome, k.reason = e.Outcome.String(), e.Reason
	}
	if o.Status != nil {
		k.status = *o.Status / 100
	}
	return k
}

// timeless is the class without what hangs on when something was seen: how many
// POSTs had come by then, and whether the connection was dead already.
func (k class) timeless() class {
	k.posts, k.dead = 0, false
	return k
}

// standing is how much a result counts in the search.
type standing uint8

const (
	unsettled standing = iota // it deviated, and that may come of a busy machine
	passing                   // it did what it should
	settled                   // it deviated, and again when it was run alone, or as a cause or a baseline has it
)

// alike is how much a deviation counts that was not run again: a hang may come of
// a busy machine, and all else is taken to be there again.
func alike(d Deviation) standing {
	if d == Hang {
		return unsettled
	}
	return settled
}

// roundSize is how many recipes are drawn with the same weights. It is fixed, and
// the results of all earlier rounds are taken in the order of their cases before
// the next is drawn, so that a seed draws the same recipes however many subjects
// are asked, and in whatever order they answer. What did not repeat when it was run
// alone counts as what it was then, since what comes of a busy machine is there in
// one run and not in the next. That a case was tried counts whatever became of it,
// and what a baseline excuses counts as what is found.
//
// What is not repeatable is a client that differs from run to run: in what it says
// of a case that it passes, in a deviation that it shows twice in one run and not
// in another, or in which cases it can be given. Nor is where a run ends that has
// only so much time, nor how many deviations were found, if some did not repeat.
const roundSize = 256

// steering takes down what the faults of a catalogue led to, and draws random
// recipes by it.
type steering struct {
	catalogue *generators.Catalogue
	rules     []string
	tried     []int // by fault
	fresh     []int // settled results of a class that had not been seen, but for its time
	deviated  []int // settled
	seen      map[class]bool
	classes   map[class]bool // of all observations, to be told; the search does not go by them
	rounds    int
}

func newSteering(catalogue *generators.Catalogue) *steering {
	n := catalogue.Len()
	s := &steering{catalogue: catalogue, tried: make([]int, n), fresh: make([]int, n), deviated: make([]int, n),
		seen: make(map[class]bool), classes: make(map[class]bool)}
	for f := range catalogue.All() {
		s.rules = append(s.rules, f.Rule)
	}
	return s
}

// learn takes down a result.
func (s *steering) learn(it *item, o subject.Observation, stands standing) {
	k := classOf(it, o)
	s.classes[k] = true
	k = k.timeless()
	fresh := stands != unsettled && !s.seen[k]
	if fresh {
		s.seen[k] = true
	}
	if !it.generated {
		return
	}
	for _, pick := range it.recipe.Picks() {
		f := pick.Fault - 1
		s.tried[f]++
		if fresh {
			s.fresh[f]++
		}
		if stands == settled {
			s.deviated[f]++
		}
	}
}

func (s *steering) covered() Covered {
	c := Covered{All: len(s.tried), Classes: len(s.classes), Rounds: s.rounds}
	for _, n := range s.tried {
		if n > 0 {
			c.Faults++
		}
	}
	return c
}

// neighbours are how far a fault's neighbours stand from it in the catalogue.
const neighbours = 3

// weights are what the faults promise: a fault that was tried little, one that
// led to observations not yet seen, and one whose neighbours deviated, which are
// those of the same rule that stand beside it.
func (s *steering) weights() []float64 {
	w := make([]float64, len(s.tried))
	share := func(n, of int) float64 { return float64(n) / float64(1+of) }
	for f := range w {
		w[f] = share(1, s.tried[f]) + 4*share(s.fresh[f], s.tried[f])
		for g := max(f-neighbours, 0); g <= min(f+neighbours, len(w)-1); g++ {
			if g != f && s.rules[g] == s.rules[f] {
				w[f] += share(s.deviated[g], s.tried[g])
			}
		}
	}
	return w
}

// candidates are how many recipes are drawn for one that is played.
const candidates = 4

// round draws the recipes of one round. Every fourth is as it comes, so that
// nothing is left out for good; of the others the most promising of a few.
func (s *steering) round(source generators.Source) []generators.Recipe {
	s.rounds++
	w := s.weights()
	recipes := make([]generators.Recipe, 0, roundSize)
	for i := range roundSize {
		best := s.catalogue.Build(source)
		if i%4 != 0 {
			for range candidates - 1 {
				if other := s.catalogue.Build(source); promise(w, other) > promise(w, best) {
					best = other
				}
			}
		}
		recipes = append(recipes, best)
	}
	return recipes
}

// promise is the mean weight of a recipe's faults.
func promise(w []float64, r generators.Recipe) float64 {
	picks := r.Picks()
	if len(picks) == 0 {
		return 0
	}
	sum := 0.0
	for _, pick := range picks {
		sum += w[pick.Fault-1]
	}
	return sum / float64(len(picks))
}
