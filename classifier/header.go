package classifier

import (
	"net/http"
	"slices"
)

// fields are the header fields that the rules read, by line.
type fields struct {
	contentType, contentEncoding, retryAfter, date, authenticate []string
}

// read finds the fields in one walk over the header. f must be zero; it is
// filled in place, since a copy of it would take longer than a small answer has.
func (f *fields) read(header http.Header) {
	if f.contentType = header["Content-Type"]; f.contentType != nil && len(header) == 1 {
		return
	}
	odd := false
	for name, lines := range header {
		switch name {
		case "Content-Type":
		case "Content-Encoding":
			f.contentEncoding = lines
		case "Retry-After":
			f.retryAfter = lines
		case "Date":
			f.date = lines
		case "Www-Authenticate":
			f.authenticate = lines
		default:
			switch len(name) {
			case len("Date"):
				odd = odd || equalFold(name, "Date")
			case len("Retry-After"):
				odd = odd || equalFold(name, "Retry-After")
			case len("Content-Type"):
				odd = odd || equalFold(name, "Content-Type")
			case len("Content-Encoding"): // and Www-Authenticate
				odd = odd || equalFold(name, "Content-Encoding") || equalFold(name, "Www-Authenticate")
			}
		}
	}
	if odd {
		f.contentType = headerLines(header, "Content-Type")
		f.contentEncoding = headerLines(header, "Content-Encoding")
		f.retryAfter = headerLines(header, "Retry-After")
		f.date = headerLines(header, "Date")
		f.authenticate = headerLines(header, "Www-Authenticate")
	}
}

// headerLines are the lines of a field given by its canonical name. Where that
// name is absent, other spellings of it count, in the order of their bytes.
func headerLines(header http.Header, name string) []string {
	if lines := header[name]; len(lines) > 0 {
		return lines
	}
	var spellings []string
	for other := range header {
		if equalFold(other, name) {
			spellings = append(spellings, other)
		}
	}
	slices.Sort(spellings)
	var lines []string
	for _, other := range spellings {
		lines = append(lines, header[other]...)
	}
	return lines
}

// equalFold compares as HTTP does: ASCII letters without regard to case, all
// else exactly. (strings.EqualFold takes U+017F for an s.)
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// firstLine is the first of the lines, "" if there is none.
func firstLine(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}
