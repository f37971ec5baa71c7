package capture

import (
	"regexp"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// state is a requestState in a text that is not read as JSON, cut ones too.
var state = regexp.MustCompile(`(\\*"requestState\\*"\s*:\s*\\*")(?:[^"\\]|\\.)+`)

// CleanText is a text without secrets and personal data in the usual places.
func CleanText(text string) string {
	text = withoutOpened(text)
	if strings.Contains(text, "requestState") {
		text = state.ReplaceAllString(text, "${1}"+redacted)
	}
	return withoutPersonal(classifier.Redact(text))
}

// withoutOpened takes out the objects and arrays that are the values of members
// with the names of secrets, up to their end or that of the text, where it is not
// read as JSON: a text cut short, or a JSON text inside a string.
func withoutOpened(text string) string {
	var out strings.Builder
	for from := 0; ; {
		at := strings.IndexAny(text[from:], "{[")
		if at < 0 {
			return out.String() + text
		}
		at += from
		name, escapes := opener(text[:at])
		if name == "" || !classifier.IsSecretName(name, false) {
			from = at + 1
			continue
		}
		quote := strings.Repeat(`\`, escapes) + `"`
		out.WriteString(text[:at] + quote + redacted + quote)
		text = text[at+1+closing(text[at+1:], escapes):]
		from = 0
	}
}

// opener is the name of the member whose value begins after text, "" if none
// does, and how many backslashes stand before its quotes.
func opener(text string) (name string, escapes int) {
	const white, longest = " \t\r\n", 200
	text, ok := strings.CutSuffix(strings.TrimRight(text, white), ":")
	if !ok {
		return "", 0
	}
	if text, ok = strings.CutSuffix(strings.TrimRight(text, white), `"`); !ok {
		return "", 0
	}
	end := len(text)
	for end > 0 && text[end-1] == '\\' {
		end--
	}
	start := strings.LastIndexAny(text[max(0, end-longest):end], `"\`) + 1 + max(0, end-longest)
	return text[start:end], len(text) - end
}

// closing is the length of what follows the opening of an object or array up to
// its end, or all of it. Quotes have that many backslashes before them.
func closing(text string, escapes int) int {
	depth, quoted, run := 1, false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\\':
			run++
			continue
		case c == '"' && run == escapes:
			quoted = !quoted
		case !quoted && (c == '{' || c == '['):
			depth++
		case !quoted && (c == '}' || c == ']'):
			if depth--; depth == 0 {
				return i + 1
			}
		}
		run = 0
	}
	return len(text)
}
