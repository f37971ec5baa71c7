package model

import (
	"github.com/replyproof/replyproof/classifier"
)

// grammar is a machine that takes a JSON text (RFC 8259) one code point at a
// time and tells of each whether some JSON text goes on like that.
type grammar struct {
	quirk    Quirk
	expect   expectation
	open     []rune // the brackets open, outermost first
	isName   bool   // the string being read is a member's name
	literal  string // what is still to come of true, false or null
	hexLeft  int    // how many digits of a \u escape are still to come
	deepest  int    // the most brackets that were ever open at once
	sawValue bool   // anything but white space was there
}

// expectation is what the next code point may begin or go on with.
type expectation uint8

const (
	aValue        expectation = iota
	anItemOrEnd               // directly after [
	aNameOrEnd                // directly after {
	aName                     // after a comma in an object
	aColon                    // after a name
	aCommaOrEnd               // after a value
	moreString                // within a string
	anEscape                  // after a backslash
	aHexDigit                 // within \u
	moreLiteral               // within true, false, null
	firstDigit                // after the minus sign
	fractionOrEnd             // after a leading 0
	moreInteger               // within the digits before the point
	firstFraction             // after the point
	moreFraction              // after a digit of the fraction
	exponentSign              // after the e
	firstExponent             // after the sign of the exponent
	moreExponent              // after a digit of the exponent
)

// isComplete tells whether what was taken so far is a whole JSON text.
func (g *grammar) isComplete() bool {
	switch g.expect {
	case aCommaOrEnd, fractionOrEnd, moreInteger, moreFraction, moreExponent:
		return len(g.open) == 0
	}
	return false
}

// take tells whether a JSON text can go on with r; if not, nothing has changed
// but that a number is known to be over.
func (g *grammar) take(r rune) bool {
	switch g.expect {
	case moreString:
		switch {
		case r == '"' && g.isName:
			g.expect = aColon
		case r == '"':
			g.expect = aCommaOrEnd
		case r == '\\':
			g.expect = anEscape
		case r < ' ':
			return g.quirk == ControlsAccepted
		}
		return true
	case anEscape:
		switch r {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			g.expect = moreString
		case 'u':
			g.expect, g.hexLeft = aHexDigit, 4
		default:
			return false
		}
		return true
	case aHexDigit:
		if !isDigit(r) && !('a' <= r && r <= 'f') && !('A' <= r && r <= 'F') {
			return false
		}
		if g.hexLeft--; g.hexLeft == 0 {
			g.expect = moreString
		}
		return true
	case moreLiteral:
		if r != rune(g.literal[0]) {
			return false
		}
		if g.literal = g.literal[1:]; g.literal == "" {
			g.expect = aCommaOrEnd
		}
		return true
	case firstDigit, fractionOrEnd, moreInteger, firstFraction, moreFraction, exponentSign, firstExponent, moreExponent:
		if g.takeInNumber(r) {
			return true
		}
		switch g.expect {
		case fractionOrEnd, moreInteger, moreFraction, moreExponent:
			g.expect = aCommaOrEnd
			return g.takeBetween(r)
		}
		return false
	}
	return g.takeBetween(r)
}

// takeInNumber takes what belongs to a number that has begun.
func (g *grammar) takeInNumber(r rune) bool {
	switch g.expect {
	case firstDigit:
		return g.on(r == '0', fractionOrEnd) || g.on('1' <= r && r <= '9', moreInteger)
	case fractionOrEnd:
		return g.on(r == '.', firstFraction) || g.on(r == 'e' || r == 'E', exponentSign) ||
			g.quirk == LeadingZerosAccepted && g.on(isDigit(r), moreInteger)
	case moreInteger:
		return isDigit(r) || g.on(r == '.', firstFraction) || g.on(r == 'e' || r == 'E', exponentSign)
	case firstFraction:
		return g.on(isDigit(r), moreFraction)
	case moreFraction:
		return isDigit(r) || g.on(r == 'e' || r == 'E', exponentSign)
	case exponentSign:
		return g.on(r == '+' || r == '-', firstExponent) || g.on(isDigit(r), moreExponent)
	case firstExponent:
		return g.on(isDigit(r), moreExponent)
	}
	return isDigit(r) // moreExponent
}

// takeBetween takes what stands between the insides of strings, literals and numbers.
func (g *grammar) takeBetween(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r':
		return true
	case '\f':
		if g.quirk == FormFeedIsSpace {
			return true
		}
	}
	g.sawValue = true
	switch g.expect {
	case aValue, anItemOrEnd:
		return g.beginValue(r) || g.expect == anItemOrEnd && r == ']' && g.shut()
	case aNameOrEnd, aName:
		if r == '"' {
			g.expect, g.isName = moreString, true
			return true
		}
		return g.expect == aNameOrEnd && r == '}' && g.shut()
	case aColon:
		return g.on(r == ':', aValue)
	}
	// After a value.
	if len(g.open) == 0 {
		return false
	}
	inObject := g.open[len(g.open)-1] == '{'
	switch {
	case r == ',' && inObject:
		return g.on(true, aName) && (g.quirk != TrailingCommaAccepted || g.on(true, aNameOrEnd))
	case r == ',':
		return g.on(true, aValue) && (g.quirk != TrailingCommaAccepted || g.on(true, anItemOrEnd))
	case r == '}' && inObject, r == ']' && !inObject:
		return g.shut()
	}
	return false
}

func (g *grammar) beginValue(r rune) bool {
	switch {
	case r == '{' || r == '[':
		g.open = append(g.open, r)
		g.deepest = max(g.deepest, len(g.open))
		g.expect = anItemOrEnd
		if r == '{' {
			g.expect = aNameOrEnd
		}
		return true
	case r == '"':
		g.isName = false
		return g.on(true, moreString)
	case r == 't':
		return g.beginLiteral("true")
	case r == 'f':
		return g.beginLiteral("false")
	case r == 'n':
		return g.beginLiteral("null")
	case r == 'N' && g.quirk == NaNAccepted:
		return g.beginLiteral("NaN")
	}
	return g.on(r == '-', firstDigit) || g.on(r == '0', fractionOrEnd) || g.on('1' <= r && r <= '9', moreInteger)
}

func (g *grammar) beginLiteral(word string) bool {
	g.literal = word[1:]
	return g.on(true, moreLiteral)
}

// shut closes the innermost bracket, which is known to match.
func (g *grammar) shut() bool {
	g.open = g.open[:len(g.open)-1]
	return g.on(true, aCommaOrEnd)
}

// on moves to the next expectation if the condition holds, and tells whether it did.
func (g *grammar) on(condition bool, next expectation) bool {
	if condition {
		g.expect = next
	}
	return condition
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// fault is how a text fails rule 5; the zero fault is none.
type fault struct {
	reason classifier.Reason
	offset int // the length of the longest prefix that some JSON text begins with
}

// check tries a text, from which a byte order mark has been dropped, against
// the grammar. deepest counts the most arrays and objects open at once.
func check(text []byte, quirk Quirk) (f fault, deepest int) {
	g := grammar{quirk: quirk, open: make([]rune, 0, 16)}
	at := 0
	for at < len(text) {
		r, size, _ := codePoint(text[at:])
		if !g.take(r) {
			break
		}
		at += size
	}
	switch {
	case at == len(text) && g.isComplete():
		return fault{}, g.deepest
	case at == len(text) && !g.sawValue:
		return fault{classifier.ReasonJSONEmpty, at}, g.deepest
	case at < len(text) && g.isComplete():
		return fault{classifier.ReasonJSONTrailing, at}, g.deepest
	}
	return fault{classifier.ReasonJSONSyntax, at}, g.deepest
}

// isJSON tells whether a body is one JSON text.
func isJSON(body []byte) bool {
	text, _ := cutBOM(body)
	f, _ := check(text, 0)
	return f.reason == 0
}
