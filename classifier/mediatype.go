package classifier

import "strings"

// media is what rule 2 makes of Content-Type.
type media uint8

const (
	mediaJSON media = iota + 1
	mediaStream
)

const (
	typeJSON   = "application/json"
	typeStream = "text/event-stream"
)

// mediaOf is the media type that the Content-Type lines name, or the reason
// why it is none of the two that can be read.
func mediaOf(lines []string) (media, Reason) {
	if len(lines) == 0 {
		return mediaJSON, 0
	}
	essence := essenceOf(lines[0])
	if len(lines) == 1 && essence == typeJSON {
		return mediaJSON, 0
	}
	for _, line := range lines[1:] {
		if !equalFold(essenceOf(line), essence) {
			return 0, ReasonContentTypeConflict
		}
	}
	switch {
	case equalFold(essence, typeJSON):
		return mediaJSON, 0
	case equalFold(essence, typeStream):
		return mediaStream, 0
	case essence == "":
		return 0, ReasonContentTypeEmpty
	case strings.IndexByte(essence, ',') >= 0:
		return 0, ReasonContentTypeList
	}
	return 0, ReasonContentTypeForeign
}

// essenceOf is what precedes the first semicolon, trimmed.
func essenceOf(line string) string {
	essence, _, _ := strings.Cut(line, ";")
	return strings.Trim(essence, " \t")
}

// badParameters tells whether any line has a parameter that RFC 9110, section
// 5.6.6, does not allow.
func badParameters(lines []string) bool {
	for _, line := range lines {
		if _, parameters, found := strings.Cut(line, ";"); found && !parametersOK(parameters) {
			return true
		}
	}
	return false
}

// parametersOK reads what follows a first semicolon.
func parametersOK(s string) bool {
	s = strings.TrimRight(s, " \t")
	for {
		s = strings.TrimLeft(s, " \t")
		if s != "" && s[0] != ';' {
			var ok bool
			if s, ok = cutParameter(s); !ok {
				return false
			}
			s = strings.TrimLeft(s, " \t")
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

// cutParameter is what follows the parameter that s begins with.
func cutParameter(s string) (rest string, ok bool) {
	n := tokenLen(s)
	if n == 0 || n == len(s) || s[n] != '=' {
		return s, false
	}
	s = s[n+1:]
	if s == "" || s[0] != '"' {
		n = tokenLen(s)
		return s[n:], n > 0
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[i+1:], true
		case c == '\\':
			i++
			if i == len(s) || !quotable(s[i]) {
				return s, false
			}
		case !quotable(c):
			return s, false
		}
	}
	return s, false
}

// quotable is a byte that may stand inside a quoted string, after a backslash at least.
func quotable(c byte) bool { return c == '\t' || c >= ' ' && c != 0x7F }

func tokenLen(s string) int {
	for i := 0; i < len(s); i++ {
		if !tokenByte[s[i]] {
			return i
		}
	}
	return len(s)
}

var tokenByte = func() (is [256]bool) {
	for c := '0'; c <= '9'; c++ {
		is[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		is[c], is[c-'a'+'A'] = true, true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		is[c] = true
	}
	return is
}()
