package capture

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// parameter is one of a challenge, quoted or not, its end missing perhaps.
	parameter = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]*)(\s*=\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,"'=][^\s,"']*)`)
	// plainWords are words and what stands between them.
	plainWords = regexp.MustCompile(`[^\s,"']+`)
)

// plainParameters are the parameters of a challenge that are made to be read by
// whoever has no credentials (RFC 6750, RFC 7617, RFC 9728). What any other holds,
// error_description among them, may quote the credentials that were refused.
var plainParameters = strings.Fields("realm scope error error_uri resource_metadata resource algorithm charset qop stale max_age domain")

// challenge is a WWW-Authenticate without secrets: scheme and parameters stay,
// with the values of those that hold none.
func (k known) challenge(value string) string {
	var out strings.Builder
	from := 0
	for _, at := range parameter.FindAllStringSubmatchIndex(value, -1) {
		out.WriteString(k.scheme(value[from:at[0]]))
		name, equals, given := value[at[2]:at[3]], value[at[4]:at[5]], value[at[6]:at[7]]
		from = at[1]
		quote := ""
		if given[0] == '"' || given[0] == '\'' {
			quote = given[:1]
		}
		inner, shut := given[len(quote):], ""
		if quote != "" && strings.HasSuffix(inner, quote) {
			inner, shut = inner[:len(inner)-1], quote
		}
		clean := redacted
		switch {
		case inner == "":
			clean = ""
		case slices.Contains(plainParameters, strings.ToLower(name)) && strings.Contains(inner, "://"):
			clean = k.text(inner)
		case slices.Contains(plainParameters, strings.ToLower(name)):
			clean = withoutOpaque(k.text(inner))
		}
		out.WriteString(name + equals + quote + clean + shut)
	}
	return out.String() + k.scheme(value[from:])
}

// scheme is what stands beside parameters: the name of a scheme, and a token that
// may follow it, which is taken out.
func (k known) scheme(text string) string {
	parts := strings.Split(k.text(text), ",")
	for i, part := range parts {
		first := true
		parts[i] = plainWords.ReplaceAllStringFunc(part, func(word string) string {
			if first {
				first = false
				return word
			}
			return redacted
		})
	}
	return strings.Join(parts, ",")
}

// withoutOpaque takes out the words that look like no words.
func withoutOpaque(text string) string {
	return plainWords.ReplaceAllStringFunc(text, func(word string) string {
		if opaque(word) {
			return redacted
		}
		return word
	})
}
