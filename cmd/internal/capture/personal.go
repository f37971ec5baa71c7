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
	text = mail.ReplaceAllString(text, redacted)
	text = iban.ReplaceAllStringFunc(text, func(s string) string {
		if ibanHolds(s) {
			return redacted
		}
		return s
	})
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
