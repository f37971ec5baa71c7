package callers

import (
	"iter"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// shrink gives the plainest sequence that still fails, as far as one step after
// the other leads there. fails is asked of plainer ones only.
func shrink(s Sequence, fails func(Sequence) bool) Sequence {
	for {
		shrunk := false
		for plainer := range Plainer(s) {
			if fails(plainer) {
				s, shrunk = plainer, true
				break
			}
		}
		if !shrunk {
			return s
		}
	}
}

// Plainer gives the sequences that are one step plainer, the boldest first:
// fewer steps, fewer repetitions, plainer facts, plainer fields, plainer answers.
func Plainer(s Sequence) iter.Seq[Sequence] {
	return func(yield func(Sequence) bool) {
		_ = fewerSteps(s, yield) && plainerFacts(s, yield) && plainerSteps(s, yield)
	}
}

func fewerSteps(s Sequence, yield func(Sequence) bool) bool {
	for n := len(s.Steps) / 2; n > 0; n /= 2 {
		for from := 0; from+n <= len(s.Steps); from++ {
			plainer := s
			plainer.Steps = slices.Delete(slices.Clone(s.Steps), from, from+n)
			if !yield(plainer) {
				return false
			}
		}
	}
	if len(s.Steps) == 1 {
		plainer := s
		plainer.Steps = nil
		return yield(plainer)
	}
	return true
}

func plainerFacts(s Sequence, yield func(Sequence) bool) bool {
	if s.Safety != classifier.SafetyUnknown {
		plainer := s
		plainer.Safety = classifier.SafetyUnknown
		if !yield(plainer) {
			return false
		}
	}
	if s.NoInputs {
		plainer := s
		plainer.NoInputs = false
		if !yield(plainer) {
			return false
		}
	}
	if s.TimeLeft > 0 {
		plainer := s
		plainer.TimeLeft = 0
		return yield(plainer)
	}
	return true
}

func plainerSteps(s Sequence, yield func(Sequence) bool) bool {
	try := func(i int, step Step) bool {
		plainer := s
		plainer.Steps = slices.Clone(s.Steps)
		plainer.Steps[i] = step.plain()
		return yield(plainer)
	}
	for i, step := range s.Steps {
		for _, f := range fields {
			n := *f.at(&step)
			lower := []uint8{0, n / 2, n - 1}
			for j, to := range lower {
				if n == 0 || slices.Contains(lower[:j], to) {
					continue
				}
				plainer := step
				*f.at(&plainer) = to
				if !try(i, plainer) {
					return false
				}
			}
		}
		for k := range step.kind {
			plainer := step
			plainer.kind = k
			if !try(i, plainer) {
				return false
			}
		}
	}
	return true
}
