package callers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// Sequence is what a caller is put through in one call: what it knows of the
// call, and the answers to its POSTs in order. POSTs beyond the last step get a
// plain success, so that a call that was sent once too often is seen to work.
// The zero value is a call of which nothing is known and that succeeds at once.
type Sequence struct {
	Safety classifier.Safety
	// NoInputs is set where the caller cannot answer requests for input.
	NoInputs bool
	// TimeLeft is how long the caller has; 0 is no limit.
	TimeLeft time.Duration
	Steps    []Step
}

// Step is one answer, or the same several times. Its text, as in that of a
// sequence, is the only way to write one by hand.
type Step struct {
	kind   uint8 // index of kinds
	after  uint8 // the Retry-After of a status outside 200 to 299
	keys   uint8 // the inputRequests of input
	state  uint8 // the requestState of input
	frame  uint8 // JSON or a stream, and the notifications before the response
	repeat uint8 // how often the step is repeated
}

// fields are the parts of a step with words of their own; the ordinary choice
// comes first and is not written.
var fields = []struct {
	name  string // before the =, "" for a bare word
	words []string
	at    func(*Step) *uint8
	fits  func(k *kind) bool
}{
	{"after", afterWords(), func(s *Step) *uint8 { return &s.after }, func(k *kind) bool { return k.status != 0 && k.status/100 != 2 && !k.redirects() }},
	{"keys", keyWords(), func(s *Step) *uint8 { return &s.keys }, func(k *kind) bool { return k.leave == leaveInputs }},
	{"state", stateWords(), func(s *Step) *uint8 { return &s.state }, func(k *kind) bool { return k.leave == leaveInputs }},
	{"", []string{"json", "sse", "sse+1", "sse+3"}, func(s *Step) *uint8 { return &s.frame }, (*kind).framed},
	{"", repeatWords(), func(s *Step) *uint8 { return &s.repeat }, func(*kind) bool { return true }},
}

// repeats is how often a step can stand in a sequence: up to more often than
// inputs may be asked for, and then more often than a call is answered.
var repeats = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, maxPosts + 10}

func repeatWords() []string {
	words := make([]string, len(repeats))
	for i, n := range repeats {
		words[i] = "x" + strconv.Itoa(n)
	}
	return words
}

func (s *Step) times() int { return repeats[s.repeat] }

// plain takes the fields that do not fit the kind away.
func (s Step) plain() Step {
	for _, f := range fields {
		if !f.fits(&kinds[s.kind]) {
			*f.at(&s) = 0
		}
	}
	return s
}

// separator stands between the steps of a sequence.
const separator = " > "

// String is the sequence as [Parse] reads it, such as
// "safe left=1s > 503 after=2 > input keys=two state=none x3".
func (s Sequence) String() string {
	facts := []string{safetyWords[s.Safety]}
	if s.NoInputs {
		facts = append(facts, "no-inputs")
	}
	if s.TimeLeft > 0 {
		facts = append(facts, "left="+s.TimeLeft.String())
	}
	parts := []string{strings.Join(facts, " ")}
	for _, step := range s.Steps {
		parts = append(parts, step.String())
	}
	return strings.Join(parts, separator)
}

// String is the step's text, such as "503 after=2".
func (s Step) String() string {
	words := []string{kinds[s.kind].name}
	for _, f := range fields {
		n := *f.at(&s)
		switch {
		case n == 0:
		case f.name == "":
			words = append(words, f.words[n])
		default:
			words = append(words, f.name+"="+f.words[n])
		}
	}
	return strings.Join(words, " ")
}

var safetyWords = []string{classifier.SafetyUnknown: "unknown", classifier.SafeCall: "safe", classifier.UnsafeCall: "unsafe"}

// Parse reads the text of a sequence. Errors name the word that is wrong.
func Parse(text string) (Sequence, error) {
	var s Sequence
	parts := strings.Split(text, strings.TrimSpace(separator))
	for i, word := range strings.Fields(parts[0]) {
		left, timed := strings.CutPrefix(word, "left=")
		safety := slices.Index(safetyWords, word)
		var err error
		switch {
		case i == 0 && safety >= 0:
			s.Safety = classifier.Safety(safety)
		case word == "no-inputs":
			s.NoInputs = true
		case timed:
			if s.TimeLeft, err = time.ParseDuration(left); err != nil || s.TimeLeft <= 0 {
				return s, fmt.Errorf("callers: sequence %q: %q is no time left, such as left=1s", text, word)
			}
		default:
			return s, fmt.Errorf("callers: sequence %q: %q is none of unknown, safe, unsafe (first), no-inputs, left=…", text, word)
		}
	}
	for _, part := range parts[1:] {
		step, err := parseStep(part)
		if err != nil {
			return s, fmt.Errorf("callers: sequence %q: %w", text, err)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}

func parseStep(text string) (Step, error) {
	var s Step
	words := strings.Fields(text)
	if len(words) == 0 {
		return s, fmt.Errorf("a step is empty")
	}
	k := slices.IndexFunc(kinds, func(k kind) bool { return k.name == words[0] })
	if k < 0 {
		return s, fmt.Errorf("no answer is named %q; known are %s", words[0], strings.Join(answerWords(), ", "))
	}
	s.kind = uint8(k)
	for _, word := range words[1:] {
		name, value, named := strings.Cut(word, "=")
		if !named {
			name, value = "", word
		}
		known := false
		for _, f := range fields {
			if i := slices.Index(f.words, value); f.name == name && i >= 0 && f.fits(&kinds[k]) {
				*f.at(&s), known = uint8(i), true
			}
		}
		if !known {
			return s, fmt.Errorf("%q does not fit %s", word, words[0])
		}
	}
	return s, nil
}

// answerWords are the words for the kinds of answers.
func answerWords() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}
