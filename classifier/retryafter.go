package classifier

import (
	"net/http"
	"strings"
)

// retryAfter is the Retry-After of a non-2xx without the spaces and tabs around
// it, if it is all ASCII digits or an HTTP-date. Lines that are equal are one.
// odd is the finding: lines that differ, an empty value, or anything else.
func retryAfter(header http.Header) (value string, odd bool) {
	lines := headerLines(header, "Retry-After")
	for i, line := range lines {
		line = strings.Trim(line, " \t")
		if i > 0 && line != value {
			return "", true
		}
		value = line
	}
	switch {
	case len(lines) == 0:
		return "", false
	case value == "":
		return "", true
	case isDigits(value):
		return value, false
	}
	if _, err := http.ParseTime(value); err != nil {
		return "", true
	}
	return value, false
}

// isDigits tells whether s is digits only; an empty s is.
func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
