package model

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// decimal is the exact value of a JSON number: digits times ten to the power of
// exponent. The digits have no zeros at either end; zero has none, and no sign.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// hugeExponent stands for every exponent beyond it: a value with digits whose
// exponent lies that far out is no integer of 64 bits, and no text is long
// enough to bring it back.
const hugeExponent = 1 << 60

// decimalOf reads a valid JSON number.
func decimalOf(text []byte) decimal {
	var d decimal
	s := string(text)
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exponent := s, ""
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		mantissa, exponent = s[:at], s[at+1:]
	}
	integer, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(integer+fraction, "0")
	if digits == "" {
		return decimal{}
	}
	d.digits = strings.TrimRight(digits, "0")
	d.exponent = exponentOf(exponent) - int64(len(fraction)) + int64(len(digits)-len(d.digits))
	return d
}

func exponentOf(s string) int64 {
	s = strings.TrimPrefix(s, "+")
	s, negative := strings.CutPrefix(s, "-")
	s = strings.TrimLeft(s, "0")
	var n int64 = hugeExponent
	switch {
	case s == "":
		n = 0
	case len(s) <= 17:
		n, _ = strconv.ParseInt(s, 10, 64)
	}
	if negative {
		return -n
	}
	return n
}

func (d decimal) isInteger() bool { return d.exponent >= 0 }

// int64 is the value if it is an integer of 64 bits.
func (d decimal) int64() (n int64, fits bool) {
	if d.exponent < 0 || int64(len(d.digits))+d.exponent > 19 {
		return 0, false
	}
	if d.digits == "" {
		return 0, true
	}
	s := d.digits + strings.Repeat("0", int(d.exponent))
	if d.negative {
		s = "-" + s
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

func isBeyondDouble(text []byte) bool {
	f, _ := strconv.ParseFloat(string(text), 64)
	return math.IsInf(f, 0)
}

// sameID is rule 7: whether n is the request's id.
func (c *judging) sameID(d *document, n int) bool {
	if c.has(IDIgnored) {
		return true
	}
	if c.has(IDArrayUnwrapped) && d.isA(n, array) && d.nodes[n].child != none && d.nodes[d.nodes[n].child].next == none {
		n = d.nodes[n].child
	}
	if text, isText := c.id.Text(); isText {
		if c.has(IDLoose) && d.isA(n, number) {
			return string(d.raw(n)) == text
		}
		return d.isA(n, str) && c.sameTextID(d, n, text)
	}
	want, _ := c.id.Int()
	if c.has(IDLoose) && d.isA(n, str) {
		return sameText(d.raw(n), strconv.FormatInt(want, 10))
	}
	if !d.isA(n, number) {
		return false
	}
	if c.has(IDAsDouble) {
		f, _ := strconv.ParseFloat(string(d.raw(n)), 64)
		return f == float64(want)
	}
	value := decimalOf(d.raw(n))
	switch {
	case c.has(IDMinusZeroRefused) && want == 0 && d.raw(n)[0] == '-', c.farExponent(d.raw(n)):
		return false
	case c.has(IDTruncated) && value.exponent < 0:
		whole := value.digits[:max(0, len(value.digits)+int(max(value.exponent, -hugeExponent)))]
		value = decimal{negative: value.negative && whole != "", digits: strings.TrimRight(whole, "0")}
		value.exponent = int64(len(whole) - len(value.digits))
	}
	got, fits := value.int64()
	return fits && (got == want || c.has(IDSignIgnored) && got == -want)
}

// sameTextID compares a string id.
func (c *judging) sameTextID(d *document, n int, want string) bool {
	switch c.Quirk {
	case IDTrimmed:
		return strings.Trim(goString(d.units(n)), " ") == strings.Trim(want, " ")
	case IDCaseIgnored:
		return strings.EqualFold(goString(d.units(n)), want)
	case IDEscapesMissed:
		raw := d.raw(n)
		return string(raw[1:len(raw)-1]) == want
	}
	return sameUnits(d.units(n), goUnits(want))
}

// farExponent is a quirk: whether a number's exponent has more than nine digits.
func (c *judging) farExponent(text []byte) bool {
	at := bytes.IndexAny(text, "eE")
	return c.has(FarExponentRefused) && at >= 0 && len(bytes.TrimLeft(text[at+1:], "+-")) > 9
}

func sameUnits(a, b []uint16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
