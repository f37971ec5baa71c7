package loopback

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// kinship is what an id in an answer has in common with that of the call, such
// that a client that compares loosely takes the one for the other.
type kinship uint16

const (
	kinSame    kinship = 1 << iota // the same value
	kinText                        // the same text as another type
	kinDouble                      // the same double
	kinTrunc                       // the same integer once the fraction is dropped
	kinRound                       // the same integer once it is rounded
	kinNegated                     // the other sign
	kinWrap32                      // the same in 32 bits
	kinWrap64                      // the same in 64 bits
	kinPrefix                      // one begins with the other, and nothing else
	kinArray                       // an array of one that has something of this
	kinString                      // both are strings, and not the same
)

// rawID is an id as JSON.
func rawID(id classifier.ID) string {
	return string(corpus.Case{Body: []byte(corpus.Placeholder)}.Wire(id).Body)
}

// plainText is an id as text, with no quotes.
func plainText(id classifier.ID) string {
	if n, whole := id.Int(); whole {
		return strconv.FormatInt(n, 10)
	}
	text, _ := id.Text()
	return text
}

// kin is the kinship of a JSON text with an id.
func kin(id classifier.ID, raw string) kinship {
	own, text := rawID(id), plainText(id)
	n, whole := id.Int()
	switch {
	case raw == own:
		return kinSame
	case raw[0] == '[':
		if inner := kin(id, strings.TrimSpace(raw[1:len(raw)-1])); inner != 0 {
			return inner | kinArray
		}
		return 0
	case raw[0] == '"' && !whole:
		return kinString
	case raw[0] == '"':
		var s string
		if json.Unmarshal([]byte(raw), &s) != nil {
			return 0
		}
		if strings.TrimSpace(s) == text {
			return kinText
		}
		if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && f == float64(n) {
			return kinDouble
		}
		return 0
	case !whole && raw == text:
		return kinText
	case !whole:
		return 0
	}
	return kinOfNumbers(n, text, raw)
}

// kinOfNumbers is the kinship of a number that is not spelled as the id is.
func kinOfNumbers(n int64, text, raw string) (k kinship) {
	own := big.NewInt(n)
	if sameNumber(own, raw) {
		k |= kinSame
	}
	if f, err := strconv.ParseFloat(raw, 64); err == nil {
		mine := float64(n)
		for bit, is := range map[kinship]bool{
			kinDouble: f == mine, kinTrunc: math.Trunc(f) == mine, kinRound: math.Round(f) == mine, kinNegated: f == -mine && n != 0,
		} {
			if is {
				k |= bit
			}
		}
	}
	if i, ok := new(big.Int).SetString(raw, 10); ok {
		apart := i.Sub(i, own)
		for bit, width := range map[kinship]uint{kinWrap32: 32, kinWrap64: 64} {
			if apart.Sign() != 0 && apart.TrailingZeroBits() >= width {
				k |= bit
			}
		}
	}
	if k == 0 && (strings.HasPrefix(raw, text) || strings.HasPrefix(text, raw)) {
		return kinPrefix
	}
	return k
}

// sameNumber tells whether a number has the value of an integer. Of an exponent
// too large to be written out only zero is known.
func sameNumber(own *big.Int, raw string) bool {
	digits, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	if strings.Trim(digits, "-0.") == "" {
		return own.Sign() == 0
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e > 1000 || e < -1000) {
		return false
	}
	r, ok := new(big.Rat).SetString(raw)
	return ok && r.IsInt() && r.Num().Cmp(own) == 0
}

// movedID is the id of an answer for a call with another id: of the texts that can
// stand in its place the first that has the same kinship with the new id as it had
// with the old one. It is not ok, and stays as it is, if there is none.
func movedID(own, id classifier.ID, raw string) (moved string, ok bool) {
	want := kin(own, raw)
	for _, text := range inPlaceOf(own, id, raw) {
		if kin(id, text) == want && want != kinString {
			return text, true
		}
	}
	return raw, false
}

// inPlaceOf are the texts that can stand in the place of an id.
func inPlaceOf(own, id classifier.ID, raw string) (all []string) {
	was, is := plainText(own), plainText(id)
	from, fromWhole := own.Int()
	to, toWhole := id.Int()
	quoted := rawID(classifier.StringID(is))
	switch {
	case raw == rawID(own):
		return []string{rawID(id)}
	case raw[0] == '[':
		for _, inner := range inPlaceOf(own, id, strings.TrimSpace(raw[1:len(raw)-1])) {
			all = append(all, "["+inner+"]")
		}
		return all
	case raw == "0":
		all = append(all, raw) // which may pass for none
	case raw[0] == '"' && fromWhole && toWhole:
		all = append(all, strings.Replace(raw, was, is, 1))
	case raw[0] == '"' && fromWhole, raw == was && !toWhole:
		all = append(all, is) // a number in place of a string, if it is one
		if _, err := strconv.ParseInt(is, 10, 64); err != nil {
			all = nil
		}
	case raw == was:
		all = append(all, quoted)
	}
	if raw[0] != '"' && fromWhole && toWhole {
		all = append(all, shifted(raw, to-from), strconv.FormatInt(-to, 10))
		if rest, ok := strings.CutPrefix(raw, was); ok {
			all = append(all, is+rest)
		}
	}
	return append(all, raw)
}

// shifted is a number with an integer added, if it is spelled without an exponent
// and stays as far from zero as its fraction wants it; otherwise the number itself.
func shifted(raw string, by int64) string {
	integer, fraction, broken := strings.Cut(raw, ".")
	n, ok := new(big.Int).SetString(integer, 10)
	if !ok || broken && (raw[0] == '-' || strings.ContainsAny(fraction, "eE")) {
		return raw
	}
	n.Add(n, big.NewInt(by))
	switch {
	case !broken:
		return n.String()
	case n.Sign() < 0:
		return raw
	}
	return n.String() + "." + fraction
}
