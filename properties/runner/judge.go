package runner

import (
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// Judge compares what a subject saw with what the case expects or accepts, and
// gives the gravest deviation that applies, or 0. A case that the subject
// skipped, or that expects nothing, can only deviate by what the subject did.
func Judge(c corpus.Case, o subject.Observation, tells subject.Tells) Deviation {
	switch o.Fate {
	case subject.Skipped:
		return 0
	case subject.Crashed:
		return gravest(Crash, resent(o))
	case subject.Hung:
		return gravest(Hang, resent(o))
	}
	if o.Played != nil {
		c = *o.Played
	}
	worst := resent(o)
	if o.Dead && !sessionEnded(c, o) {
		worst = gravest(worst, DeadConnection)
	}
	if c.Expect == nil || o.Untold {
		return worst
	}
	told, _ := tells.Covers(o.Saw)
	worst = gravest(worst, Compare(c.Expect.Outcome, Allowed(c), told))
	if !SameCode(c.Expect.Code, o.Code) || !sameStatus(c, o.Status) {
		worst = gravest(worst, MixedLayers)
	}
	return worst
}

// Allowed is the set of outcomes that a correct third party may report: the one
// that is expected, and those that are acceptable instead.
func Allowed(c corpus.Case) subject.Outcomes {
	var set subject.Outcomes
	if c.Expect != nil {
		set = subject.SetOf(c.Expect.Outcome)
	}
	for _, name := range c.AlsoAcceptable {
		var o classifier.Outcome
		if o.UnmarshalText([]byte(name)) == nil {
			set |= subject.SetOf(o)
		}
	}
	return set
}

// Compare gives the gravest deviation of an outcome that was told, or 0. The
// told set holds more than one outcome where the subject's word covers several;
// that any of them is allowed is enough.
func Compare(expected classifier.Outcome, allowed, told subject.Outcomes) Deviation {
	if told&allowed != 0 {
		return 0
	}
	if told.Has(classifier.ToolSuccess) {
		return FalseSuccess
	}
	switch expected {
	case classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired:
		return LostResult
	}
	if told == subject.SetOf(classifier.InputRequired) {
		return FalseInput
	}
	return MixedLayers
}

func gravest(a, b Deviation) Deviation {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func resent(o subject.Observation) Deviation {
	switch o.Resent {
	case subject.Repeated:
		return RepeatedCall
	case subject.Reissued:
		return Reissued
	}
	return 0
}

// sessionEnded tells whether the answer was a 404 to a request with a session
// id: by that a session ends as it should.
func sessionEnded(c corpus.Case, o subject.Observation) bool {
	return o.SessionSent && c.Status != nil && *c.Status == http.StatusNotFound
}

// sameStatus compares a status that was told with those that were sent. One
// that was left out is not compared; 0 may stand for no answer; where more
// exchanges follow, such as after a redirect, any of theirs will do.
func sameStatus(c corpus.Case, told *int) bool {
	if told == nil {
		return true
	}
	for _, exchange := range c.Exchanges() {
		if exchange.Status == nil && *told == 0 || exchange.Status != nil && *exchange.Status == *told {
			return true
		}
	}
	return false
}

// maxDouble is the largest integer up to which a double holds every integer.
const maxDouble = 1 << 53

// SameCode compares two JSON-RPC codes given as JSON number text, by value. A
// code that either side leaves out, or that is beyond a double (outside
// ±2^53), is not compared.
func SameCode(expected, told string) bool {
	if expected == "" || told == "" {
		return true
	}
	want, ok := integer(expected)
	if !ok {
		return true
	}
	got, ok := integer(told)
	return ok && got == want
}

// integer is the exact value of a JSON number; ok is false if it is no integer
// or outside ±2^53.
func integer(text string) (n int64, ok bool) {
	mantissa, exponent, scaled := text, "", false
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa, exponent, scaled = text[:e], text[e+1:], true
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	digits := make([]byte, 0, 24)
	point := -1
	for i := range len(mantissa) {
		switch c := mantissa[i]; {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case c == '.' && point < 0:
			point = len(digits)
		default:
			return 0, false
		}
	}
	if len(digits) == 0 {
		return 0, false
	}
	scale := 0 // the value is digits · 10^scale
	if point >= 0 {
		scale = point - len(digits)
	}
	if scaled {
		e, ok := exponentOf(exponent)
		if !ok {
			return 0, false
		}
		scale += e
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		scale++
	}
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return 0, true
	}
	if scale < 0 || len(digits)+scale > 16 {
		return 0, false
	}
	for _, d := range digits {
		n = n*10 + int64(d-'0')
	}
	for range scale {
		n *= 10
	}
	if n > maxDouble {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// exponentOf reads the digits after an e; a huge one saturates.
func exponentOf(text string) (e int, ok bool) {
	negative := false
	if text != "" && (text[0] == '+' || text[0] == '-') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if text == "" {
		return 0, false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		e = min(e*10+int(text[i]-'0'), 1<<30)
	}
	if negative {
		e = -e
	}
	return e, true
}
