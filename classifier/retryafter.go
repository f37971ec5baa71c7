package classifier

import (
	"net/http"
	"strings"
)

func retryAfter(header http.Header) (value string, odd bool) {
	for k, line := range headerLines(header, "Retry-After") {
		line = strings.Trim(line, " \t")
		if k > 0 && line != value {
			return "", true
		}
		value = line
	}
	if value == "" {
		return "", len(headerLines(header, "Retry-After")) > 0
	}
	if strings.Trim(value, "0123456789") == "" {
		return value, false
	}
	if _, err := http.ParseTime(value); err != nil {
		return "", true
	}
	return value, false
}
