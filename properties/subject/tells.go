package subject

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// The coarse words. TOOL_ERROR and INPUT_REQUIRED are spelled as the outcomes
// that they stand for.
const (
	WordSuccess  = "SUCCESS"   // TOOL_SUCCESS
	WordRPCError = "RPC_ERROR" // JSONRPC_ERROR
	WordError    = "ERROR"     // any failure of transport or protocol, and what has no finer word
)

// Outcomes is a set of outcomes.
type Outcomes uint32

// SetOf is the set of these outcomes.
func SetOf(outcomes ...classifier.Outcome) Outcomes {
	var set Outcomes
	for _, o := range outcomes {
		set |= 1 << o
	}
	return set
}

// Has tells whether o is in the set.
func (s Outcomes) Has(o classifier.Outcome) bool { return s&(1<<o) != 0 }

// failures are what ERROR covers whatever a subject tells.
var failures = SetOf(classifier.MalformedJSON, classifier.InvalidEnvelope, classifier.InvalidToolResult,
	classifier.HTTPError, classifier.NoFinalResponse, classifier.UnexpectedContentType, classifier.UnexpectedReply)

// finer are what ERROR covers where a subject has no finer word for it.
var finer = []classifier.Outcome{classifier.JSONRPCError, classifier.ToolError, classifier.InputRequired}

// Tells holds the words that a subject can tell apart.
type Tells struct {
	words []string            // as given
	cover map[string]Outcomes // by word, the parts of a merged one sorted
}

// AllOutcomes is the Tells of a judge that knows every outcome of package classifier.
func AllOutcomes() Tells {
	var words []string
	for _, o := range classifier.Outcomes() {
		words = append(words, o.String())
	}
	t, _ := ParseTells(words)
	return t
}

// ParseTells reads the words of a handshake: coarse words, outcomes, and words
// merged with |, such as "MALFORMED_JSON|INVALID_ENVELOPE". A word that is none
// is an error, and so is a list by which success cannot be told from the rest.
func ParseTells(words []string) (Tells, error) {
	t := Tells{words: slices.Clone(words), cover: make(map[string]Outcomes, len(words))}
	var named Outcomes
	for _, word := range words {
		for part := range strings.SplitSeq(word, "|") {
			set, err := coverOf(part)
			if err != nil {
				return Tells{}, fmt.Errorf("tells: %w", err)
			}
			named |= set
		}
	}
	everyError := failures
	for _, o := range finer {
		if !named.Has(o) {
			everyError |= SetOf(o)
		}
	}
	success := SetOf(classifier.ToolSuccess)
	var alone, rest bool
	for _, word := range words {
		var set Outcomes
		for part := range strings.SplitSeq(word, "|") {
			if part == WordError {
				set |= everyError
				continue
			}
			one, _ := coverOf(part)
			set |= one
		}
		switch {
		case set == success:
			alone = true
		case set&success != 0:
			return Tells{}, fmt.Errorf("tells: %q merges success with something else; a subject must tell success from the rest", word)
		default:
			rest = true
		}
		t.cover[sorted(word)] = set
	}
	if !alone {
		return Tells{}, errors.New(`tells: neither "SUCCESS" nor "TOOL_SUCCESS" is there; a subject must tell success from the rest`)
	}
	if !rest {
		return Tells{}, errors.New("tells: there is no word but that for success; a subject must tell success from the rest")
	}
	return t, nil
}

// Words are the words as given.
func (t Tells) Words() []string { return slices.Clone(t.words) }

// Covers is the set of outcomes that a word stands for when this subject says
// it; ok is false if the subject does not claim to say that word. The parts of
// a merged word may stand in any order.
func (t Tells) Covers(word string) (set Outcomes, ok bool) {
	set, ok = t.cover[word]
	if !ok && strings.Contains(word, "|") {
		set, ok = t.cover[sorted(word)]
	}
	return set, ok
}

// Holds tells whether the words name o, alone or merged. A coarse word does not
// name the outcomes that it covers.
func (t Tells) Holds(o classifier.Outcome) bool {
	name := o.String()
	return slices.ContainsFunc(t.words, func(word string) bool {
		return slices.Contains(strings.Split(word, "|"), name)
	})
}

// sorted is word with the parts of a merged one in order.
func sorted(word string) string {
	parts := strings.Split(word, "|")
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), "|")
}

// coverOf is what a single word names. For ERROR that is nothing.
func coverOf(word string) (Outcomes, error) {
	switch word {
	case WordSuccess:
		return SetOf(classifier.ToolSuccess), nil
	case WordRPCError:
		return SetOf(classifier.JSONRPCError), nil
	case WordError:
		return 0, nil
	}
	var o classifier.Outcome
	if err := o.UnmarshalText([]byte(word)); err != nil {
		return 0, fmt.Errorf("unknown word %q; known are SUCCESS, RPC_ERROR, ERROR and the outcomes, such as TOOL_ERROR", word)
	}
	return SetOf(o), nil
}
