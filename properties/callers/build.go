package callers

import (
	"iter"
	"slices"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
)

// maxSteps is how many different steps a random sequence has at most.
const maxSteps = 6

// lefts are the times that a caller may have; no limit comes first.
var lefts = []time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second, 40 * time.Second}

// index gives the place of a kind.
func index(name string) uint8 {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		panic("callers: no kind of answer is named " + name)
	}
	return uint8(i)
}

// going are the kinds after which a caller may go on, and which random sequences
// hold most of: what follows the others is seldom reached.
var going = []uint8{
	index("503"), index("429"), index("input"), index("input"), index("cut-stream"), index("cut"), index("500"),
	index("refused"), index("reset"), index("timeout"), index("accepted"), index("no-response"), index("rpc-internal"),
	index("version"), index("headers"), index("401"), index("307"), index("308"),
}

// Build makes a sequence by the choices of a source.
func Build(source generators.Source) Sequence {
	s := BuildFacts(source)
	for range source.N(maxSteps + 1) {
		s.Steps = append(s.Steps, BuildStep(source))
	}
	return s
}

// BuildFacts makes what a caller knows of a call, with no steps, by the choices
// of a source.
func BuildFacts(source generators.Source) Sequence {
	s := Sequence{Safety: []classifier.Safety{classifier.SafetyUnknown, classifier.SafeCall, classifier.SafeCall, classifier.UnsafeCall}[source.N(4)]}
	s.NoInputs = source.N(8) == 7
	if source.N(3) == 2 {
		s.TimeLeft = lefts[source.N(len(lefts))]
	}
	return s
}

// BuildStep makes one step by the choices of a source.
func BuildStep(source generators.Source) Step {
	var s Step
	if source.N(4) > 0 {
		s.kind = going[source.N(len(going))]
	} else {
		s.kind = uint8(source.N(len(kinds)))
	}
	for i, f := range fields {
		if !f.fits(&kinds[s.kind]) {
			continue
		}
		// A repetition is the last field, and seldom a long one.
		switch last := i == len(fields)-1; {
		case !last && source.N(2) == 1:
			*f.at(&s) = uint8(source.N(len(f.words)))
		case last && source.N(4) == 3:
			*f.at(&s) = uint8(source.N(3))
		case last && s.kind == index("input") && source.N(8) == 7:
			*f.at(&s) = uint8(len(repeats) - 1)
		}
	}
	return s
}

// Enumerate gives a fixed number of sequences: each answer as often as it can be
// repeated; each in each form, alone and after a request for input, with all
// that a caller may know of the call; and each pair of answers.
func Enumerate() iter.Seq[Sequence] {
	return func(yield func(Sequence) bool) {
		_ = eachRepeated(yield) && eachForm(yield) && eachPair(yield)
	}
}

var safeties = []classifier.Safety{classifier.SafetyUnknown, classifier.SafeCall, classifier.UnsafeCall}

func eachForm(yield func(Sequence) bool) bool {
	for k := range kinds {
		for i := -1; i < len(fields)-1; i++ {
			words := 1
			if i >= 0 {
				if !fields[i].fits(&kinds[k]) {
					continue
				}
				words = len(fields[i].words)
			}
			for word := range words {
				step := Step{kind: uint8(k)}
				if i >= 0 {
					*fields[i].at(&step) = uint8(word)
				}
				if !eachFact(step, yield) {
					return false
				}
			}
		}
	}
	return true
}

// eachFact gives a step under all that a caller may know, as far as it matters.
func eachFact(step Step, yield func(Sequence) bool) bool {
	k := &kinds[step.kind]
	for _, safety := range safeties {
		for i, left := range lefts {
			if i > 0 && (safety != classifier.SafeCall || k.leave != leaveRetry) {
				continue
			}
			s := Sequence{Safety: safety, TimeLeft: left, Steps: []Step{step}}
			if !yield(s) {
				return false
			}
			if k.leave == leaveInputs {
				s.NoInputs = true
			} else {
				s.Steps = []Step{{kind: index("input")}, step}
			}
			if !yield(s) {
				return false
			}
		}
	}
	return true
}

func eachPair(yield func(Sequence) bool) bool {
	for _, safety := range safeties {
		for first := range kinds {
			for second := range kinds {
				if !yield(Sequence{Safety: safety, Steps: []Step{{kind: uint8(first)}, {kind: uint8(second)}}}) {
					return false
				}
			}
		}
	}
	return true
}

func eachRepeated(yield func(Sequence) bool) bool {
	for k := range kinds {
		for n := range repeats {
			if !yield(Sequence{Safety: classifier.SafeCall, Steps: []Step{{kind: uint8(k), repeat: uint8(n)}}}) {
				return false
			}
		}
	}
	return true
}

// unframed is the sequence with JSON bodies in place of streams; differs tells
// whether there is a difference.
func (s Sequence) unframed() (plain Sequence, differs bool) {
	plain = s
	plain.Steps = slices.Clone(s.Steps)
	for i := range plain.Steps {
		if plain.Steps[i].frame != 0 {
			plain.Steps[i].frame, differs = 0, true
		}
	}
	return plain, differs
}
