package scan

import (
	"bytes"
	"math"
	"strconv"
)

// number passes the number whose first byte is at i. end is the offset of the
// byte that spoils it if it is none.
func number(b []byte, i int) (end int, ok bool) {
	if b[i] == '-' {
		i++
		if i >= len(b) {
			return i, false
		}
	}
	switch c := b[i]; {
	case c == '0':
		i++
	case c-'1' < 9:
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
		}
	default:
		return i, false
	}
	return fraction(b, i)
}

// fraction passes what may follow the digits of an integer at i.
func fraction(b []byte, i int) (end int, ok bool) {
	if i < len(b) && b[i] == '.' {
		i++
		if i >= len(b) || b[i]-'0' >= 10 {
			return i, false
		}
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i >= len(b) || b[i]-'0' >= 10 {
			return i, false
		}
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
		}
	}
	return i, true
}

// Integer is the exact value of a JSON number. integer tells whether it is
// one, however it is spelled and however large; fits whether it fits n.
func Integer(raw []byte) (n int64, fits, integer bool) {
	if n, ok := small(raw); ok {
		return n, true, true
	}
	d := split(raw)
	if len(d.digits) == 0 {
		return 0, true, true
	}
	// The value is 0.DIGITS times ten to the power of point + exponent, with
	// neither zero outside, so it is an integer if that power is no less than
	// the number of digits, and cannot fit if it is above 19.
	power, exact := d.power()
	if !exact {
		return 0, false, d.exponent[0] != '-'
	}
	if power < int64(d.count) {
		return 0, false, false
	}
	if power > 19 {
		return 0, false, true
	}
	var u uint64
	seen := int64(0)
	for _, c := range d.digits {
		if c == '.' {
			continue
		}
		// 19 digits cannot overflow 64 bits without a sign.
		u = u*10 + uint64(c-'0')
		seen++
	}
	for ; seen < power; seen++ {
		u *= 10
	}
	switch {
	case !d.negative && u <= math.MaxInt64:
		return int64(u), true, true
	case d.negative && u <= math.MaxInt64+1:
		return -int64(u), true, true
	}
	return 0, false, true
}

// small is the value of a number that is nothing but at most 18 digits.
func small(raw []byte) (n int64, ok bool) {
	digits := raw
	if len(raw) > 0 && raw[0] == '-' {
		digits = raw[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c-'0' >= 10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(raw) {
		n = -n
	}
	return n, true
}

// decimal is a number taken apart, nothing expanded.
type decimal struct {
	negative bool
	digits   []byte // from the first to the last that is not zero, perhaps with a point among them; empty for zero
	count    int    // how many digits that is
	point    int    // where the point is, counted from the first of these digits
	exponent []byte // with its sign, as written; nil if there is none
}

var (
	minus     = []byte{'-'}
	dot       = []byte{'.'}
	exponents = [...][]byte{{'e'}, {'E'}}
)

func split(raw []byte) (d decimal) {
	raw, d.negative = bytes.CutPrefix(raw, minus)
	mantissa := raw
	for _, e := range exponents {
		if before, after, found := bytes.Cut(raw, e); found {
			mantissa, d.exponent = before, after
		}
	}
	const nothing = "0." // of what stands outside
	whole, _, _ := bytes.Cut(mantissa, dot)
	digits := bytes.TrimLeft(mantissa, nothing)
	before := mantissa[:len(mantissa)-len(digits)]
	d.digits = bytes.TrimRight(digits, nothing)
	d.count = len(d.digits) - bytes.Count(d.digits, dot)
	d.point = len(whole) - len(before) + bytes.Count(before, dot)
	return d
}

// power is point plus exponent. exact is false if the exponent is beyond any
// sum that could matter; then its sign alone decides.
func (d *decimal) power() (power int64, exact bool) {
	if d.exponent == nil {
		return int64(d.point), true
	}
	e, err := strconv.ParseInt(string(d.exponent), 10, 62)
	return int64(d.point) + e, err == nil
}
