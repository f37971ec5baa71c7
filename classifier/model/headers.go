package model

import (
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// lines are the field lines of that canonical name, in order. Where the
// canonical name is absent, another spelling of it counts.
func lines(h http.Header, name string) []string {
	if values, ok := h[name]; ok {
		return values
	}
	var spellings []string
	for other := range h {
		if len(other) == len(name) && strings.EqualFold(other, name) {
			spellings = append(spellings, other)
		}
	}
	slices.Sort(spellings)
	var values []string
	for _, spelling := range spellings {
		values = append(values, h[spelling]...)
	}
	return values
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// trim drops the white space that HTTP allows around a value.
func trim(s string) string { return strings.Trim(s, " \t") }

// lower changes the letters A to Z only.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for k, ch := range b {
				if 'A' <= ch && ch <= 'Z' {
					b[k] = ch - 'A' + 'a'
				}
			}
			return string(b)
		}
	}
	return s
}

type media uint8

const (
	jsonText media = iota
	eventStream
)

// mediaType is rule 2's first half: which of the two media types the headers
// name, or why the answer is refused.
func (c *judging) mediaType() (media, classifier.Reason) {
	values := lines(c.answer.Header, "Content-Type")
	if len(values) == 0 {
		if c.has(MediaTypeRequired) {
			return 0, classifier.ReasonContentTypeEmpty
		}
		c.find(classifier.FindingContentTypeMissing)
		return c.mediaByBody(jsonText), 0
	}
	switch c.Quirk {
	case MediaTypeFirstLine:
		values = values[:1]
	case MediaTypeLinesJoined:
		values = []string{strings.Join(values, ", ")}
	}
	essence := c.essence(values[0])
	for _, value := range values[1:] {
		if c.essence(value) != essence {
			return 0, classifier.ReasonContentTypeConflict
		}
	}
	if c.has(MediaTypePrefix) {
		for _, known := range []string{"application/json", "text/event-stream"} {
			if strings.HasPrefix(essence, known) {
				essence = known
			}
		}
	}
	m := jsonText
	switch {
	case essence == "":
		return 0, classifier.ReasonContentTypeEmpty
	case strings.Contains(essence, ","):
		return 0, classifier.ReasonContentTypeList
	case essence == "application/json":
	case essence == "text/event-stream":
		m = eventStream
	case c.has(MediaTypeForeignAsJSON):
	default:
		return 0, classifier.ReasonContentTypeForeign
	}
	for _, value := range values {
		if _, parameters, has := strings.Cut(value, ";"); has && !parametersFine(parameters) {
			c.find(classifier.FindingContentTypeParameter)
		}
	}
	return c.mediaByBody(m), 0
}

// essence is what precedes the first semicolon, trimmed and in lower case.
func (c *judging) essence(value string) string {
	if c.has(MediaTypeExact) {
		return value
	}
	before, _, _ := strings.Cut(value, ";")
	switch c.Quirk {
	case MediaTypeCaseSensitive:
		return trim(before)
	case MediaTypeUnicodeFold:
		for _, known := range []string{"application/json", "text/event-stream"} {
			if strings.EqualFold(trim(before), known) {
				return known
			}
		}
	case MediaTypeUnicodeTrim:
		before = strings.TrimSpace(before)
	}
	return lower(trim(before))
}

// mediaByBody lets two quirks overrule the header by what the body looks like.
func (c *judging) mediaByBody(m media) media {
	switch {
	case c.has(StreamReadAsJSON) && m == eventStream && isJSON(c.body.plain):
		return jsonText
	case c.has(JSONReadAsStream) && m == jsonText && strings.HasPrefix(string(c.body.plain), "data:"):
		return eventStream
	}
	return m
}

// parametersFine tells whether what follows the first semicolon of a
// Content-Type is a list of parameters of RFC 9110, section 5.6.6, empty ones allowed.
func parametersFine(s string) bool {
	for {
		s = strings.TrimLeft(s, " \t")
		if s != "" && s[0] != ';' {
			n := tokenLength(s)
			if n == 0 || n == len(s) || s[n] != '=' {
				return false
			}
			s = s[n+1:]
			if n = tokenLength(s); n == 0 {
				n = quotedLength(s)
			}
			if n == 0 {
				return false
			}
			s = strings.TrimLeft(s[n:], " \t")
		}
		if s == "" {
			return true
		}
		if s[0] != ';' {
			return false
		}
		s = s[1:]
	}
}

// tokenLength is how many bytes at the beginning of s make a token.
func tokenLength(s string) int {
	n := 0
	for n < len(s) && isTokenByte(s[n]) {
		n++
	}
	return n
}

func isTokenByte(b byte) bool {
	switch {
	case '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return true
	}
	return b < 0x80 && b > ' ' && strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0
}

// quotedLength is how many bytes at the beginning of s make a quoted string; 0 if none.
func quotedLength(s string) int {
	if s == "" || s[0] != '"' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch b := s[i]; {
		case b == '"':
			return i + 1
		case b == '\\':
			i++
			if i == len(s) || !isQuotable(s[i]) {
				return 0
			}
		case !isQuotable(b):
			return 0
		}
	}
	return 0
}

func isQuotable(b byte) bool { return b == '\t' || b >= ' ' && b != 0x7F }

// retryAfter is the one valid value of the lines, or "" when there are none;
// valid is false when they differ, or say neither seconds nor a date.
func retryAfter(values []string) (value string, valid bool) {
	if len(values) == 0 {
		return "", true
	}
	value = trim(values[0])
	for _, other := range values[1:] {
		if trim(other) != value {
			return "", false
		}
	}
	if value == "" {
		return "", false
	}
	if strings.Trim(value, "0123456789") == "" {
		return value, true
	}
	if _, err := http.ParseTime(value); err != nil {
		return "", false
	}
	return value, true
}
