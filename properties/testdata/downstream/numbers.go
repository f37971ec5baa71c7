package downstream

import (
	"encoding/json"
	"math/big"
	"strings"
)

// sameID tells whether two ids, raw JSON, are the same string or number.
func sameID(want string, got json.RawMessage) bool {
	if len(got) == 0 {
		return false
	}
	if want[0] == '"' || got[0] == '"' {
		return want[0] == got[0] && text(json.RawMessage(want)) == text(got) && replaced(want) == replaced(string(got))
	}
	a, first := number(want)
	b, second := number(string(got))
	return first && second && a.Cmp(b) == 0
}

// replaced counts the U+FFFD that a JSON string holds by itself: encoding/json puts
// one in for each half of a surrogate pair, too.
func replaced(raw string) int {
	return strings.Count(raw, "\ufffd") + strings.Count(strings.ToLower(raw), `\ufffd`)
}

func integer(raw json.RawMessage) bool {
	n, ok := number(string(raw))
	return ok && n.IsInt()
}

// number is the exact value of a JSON number. One whose exponent is absurd is
// taken for none.
func number(text string) (*big.Rat, bool) {
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(digits, "-0.") == "" && digits != "" {
		return new(big.Rat), true
	}
	if len(strings.TrimLeft(exponent, "+-0")) > 4 || text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
