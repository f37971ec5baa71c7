package corpus

import (
	"net/http"
	"strings"
)

// Header is one header field line.
type Header struct{ Name, Value string }

// Headers are header field lines in order. In JSON they are an object, or a
// list of pairs where a name stands twice; both are read in order.
type Headers []Header

// HTTP is the lines as net/http would have read them: names canonical, values
// without spaces and tabs around them, a new map each time.
func (h Headers) HTTP() http.Header {
	header := make(http.Header, len(h))
	for _, line := range h {
		header.Add(line.Name, trimmed(line.Value))
	}
	return header
}

// HeadersOf is the lines of an http.Header, names in lower case and in order
// of the alphabet, the values of one name in their own order.
func HeadersOf(header http.Header) Headers {
	if header == nil {
		return nil
	}
	lines := make(Headers, 0, len(header))
	for _, name := range sortedKeys(header) {
		for _, value := range header[name] {
			lines = append(lines, Header{Name: strings.ToLower(name), Value: value})
		}
	}
	return lines
}

// Get is the value of the first line of that name, without regard to case.
func (h Headers) Get(name string) string {
	for _, line := range h {
		if strings.EqualFold(line.Name, name) {
			return line.Value
		}
	}
	return ""
}

// repeated tells whether a name stands twice, without regard to case.
func (h Headers) repeated() bool {
	seen := make(map[string]bool, len(h))
	for _, line := range h {
		name := strings.ToLower(line.Name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}
