package capture

import (
	"regexp"
	"strings"
)

var (
	mail = regexp.MustCompile(`[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}\b`)
	// digits are runs that may be the number of a card or a telephone.
	digits = regexp.MustCompile(`\+?\d(?:[ ()-]{0,2}\d){7,18}`)
	iban   = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`)
)

// withoutPersonal takes out what names a person or an account wherever it
// stands: addresses of e-mail, numbers of cards, accounts (IBAN) and telephones
// in international form. A name or a street it cannot know.
func withoutPersonal(text string) string {
	if strings.IndexByte(text, '@') >= 0 {
		text = inRuns(text, mailBytes, 4, func(run string) string { return mail.ReplaceAllString(run, redacted) })
	}
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	text = inRuns(text, ibanBytes, 15, func(run string) string {
		return iban.ReplaceAllStringFunc(run, func(s string) string {
			if ibanHolds(s) {
				return redacted
			}
			return s
		})
	})
	return inRuns(text, digitBytes, 8, withoutNumbers)
}

// The bytes of which addresses, numbers of accounts and other numbers consist.
var (
	mailBytes  = byteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-@")
	ibanBytes  = byteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")
	digitBytes = byteSet("0123456789+ ()-")
)

func byteSet(all string) (set [256]bool) {
	for i := range len(all) {
		set[all[i]] = true
	}
	return set
}

// inRuns replaces within each run of bytes of the set that is at least so long:
// expressions that match such bytes alone are slow, and most texts hold few. A
// run comes with the byte before and after it, by which an expression sees
// whether a word goes on there.
func inRuns(text string, set [256]bool, least int, replace func(string) string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && set[text[i]] {
			i++
		}
		if i-start >= least {
			from, to := max(start-1, done), min(i+1, len(text))
			if clean := replace(text[from:to]); clean != text[from:to] {
				out.WriteString(text[done:from])
				out.WriteString(clean[:len(clean)-(to-i)])
				done = i
			}
		}
		i++
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// withoutNumbers takes out the numbers of cards and telephones.
func withoutNumbers(text string) string {
	return digits.ReplaceAllStringFunc(text, func(s string) string {
		plain := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, s)
		if s[0] == '+' && len(plain) >= 8 && len(plain) <= 15 || len(plain) >= 13 && len(plain) <= 19 && cardHolds(plain) {
			return redacted
		}
		return s
	})
}

// cardHolds tells whether the last digit is the check digit of the others, and
// the first that of a network of cards.
func cardHolds(number string) bool {
	if number[0] < '2' || number[0] > '6' || strings.Count(number, number[:1]) == len(number) {
		return false
	}
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// ibanHolds tells whether the check digits of an account number are right.
func ibanHolds(text string) bool {
	text = strings.ReplaceAll(text, " ", "")
	if len(text) < 15 || len(text) > 34 {
		return false
	}
	rest := 0
	for _, c := range text[4:] + text[:4] {
		n := int(c - '0')
		if c >= 'A' {
			rest = rest*10 + (int(c-'A')+10)/10
			n = (int(c-'A') + 10) % 10
		}
		rest = (rest*10 + n) % 97
	}
	return rest == 1
}
