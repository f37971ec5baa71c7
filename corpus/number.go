package corpus

import (
	"math/big"
	"strings"
)

// SameNumber tells whether two JSON numbers have the same exact value, such as
// -32602 and -3.2602e4. A text that is no JSON number equals nothing, itself
// included.
func SameNumber(a, b string) bool {
	x, ok1 := parseDecimal(a)
	y, ok2 := parseDecimal(b)
	return ok1 && ok2 && x.digits == y.digits && (x.digits == "" || x.negative == y.negative && x.exponent.Cmp(y.exponent) == 0)
}

// decimal is 0.digits · 10^exponent; digits neither begin nor end with 0, and
// are empty for zero. It is never expanded.
type decimal struct {
	negative bool
	digits   string
	exponent *big.Int
}

func parseDecimal(text string) (d decimal, ok bool) {
	text, d.negative = strings.CutPrefix(text, "-")
	whole, rest := leadingDigits(text)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return d, false
	}
	fraction := ""
	if after, found := strings.CutPrefix(rest, "."); found {
		if fraction, rest = leadingDigits(after); fraction == "" {
			return d, false
		}
	}
	d.exponent = new(big.Int)
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		sign := strings.TrimLeft(rest[1:], "+-")
		exponent, tail := leadingDigits(sign)
		if len(rest)-1-len(sign) > 1 || exponent == "" || tail != "" {
			return d, false
		}
		d.exponent.SetString(exponent, 10)
		if rest[1] == '-' {
			d.exponent.Neg(d.exponent)
		}
		rest = ""
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	d.exponent.Add(d.exponent, big.NewInt(int64(len(whole)-(len(whole)+len(fraction)-len(digits)))))
	d.digits = strings.TrimRight(digits, "0")
	return d, rest == ""
}

func leadingDigits(text string) (digits, rest string) {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end], text[end:]
}
