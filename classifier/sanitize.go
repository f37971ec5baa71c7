package classifier

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sanitizeText makes text from a server fit for a log: control and formatting
// characters are dropped, white space becomes single spaces, secrets in the
// usual places are replaced, and at most limit bytes are kept, an ellipsis
// included. It errs on the side of taking out too much.
func sanitizeText(s string, limit int) string {
	// A secret that the limit would cut in two must be seen whole first.
	const beyond = 4096
	cut := len(s) > limit+beyond
	if cut {
		s = s[:limit+beyond]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = mapPrintable(s)
	s = redact(s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit && !cut {
		return s
	}
	end := min(max(limit-len("…"), 0), len(s))
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func mapPrintable(s string) string { return strings.Map(printable, s) }

// printable drops what would act on a terminal or hide text, so that nothing
// can split a secret unseen. Line ends stay for the rules that look at lines.
func printable(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r == '\n', r == '\r', r == '\u2028', r == '\u2029':
		return '\n'
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}
