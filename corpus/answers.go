package corpus

import (
	"net/http"
	"net/textproto"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Answers makes answers of cases as [Case.Answer] does, in memory that it uses
// again: an answer holds until the next one is made. It is for loops over many
// cases whose judge keeps nothing. It is not safe for concurrent use.
type Answers struct {
	header http.Header
	lines  Headers  // those of which header was made
	values []string // their values; the slices in header point here
	plain  bool     // no name stands twice in lines
}

// Answer is the answer of a case with a status.
func (m *Answers) Answer(c *Case) classifier.Answer {
	m.fill(c.Headers)
	a := classifier.Answer{Status: *c.Status, Header: m.header}
	wire, _ := c.wire(c.RequestID)
	a.Body, a.Ended = wire.Delivered(), wire.Ended
	return a
}

// fill makes the header. Most cases in a row have the same names, so that only
// the values change.
func (m *Answers) fill(lines Headers) {
	if m.sameNames(lines) {
		for i := range lines {
			m.values[i] = trimmed(lines[i].Value)
		}
		return
	}
	if m.header == nil {
		m.header = http.Header{}
	}
	clear(m.header)
	m.lines = append(m.lines[:0], lines...)
	m.values = m.values[:0]
	for i := range lines {
		m.values = append(m.values, trimmed(lines[i].Value))
	}
	m.plain = true
	for i := range lines {
		name := textproto.CanonicalMIMEHeaderKey(lines[i].Name)
		before, again := m.header[name]
		if again {
			m.plain = false
			m.header[name] = append(before[:len(before):len(before)], m.values[i])
		} else {
			m.header[name] = m.values[i : i+1 : i+1]
		}
	}
}

func (m *Answers) sameNames(lines Headers) bool {
	if m.header == nil || !m.plain || len(lines) != len(m.lines) {
		return false
	}
	for i := range lines {
		if lines[i].Name != m.lines[i].Name {
			return false
		}
	}
	return true
}

// trimmed is a value as net/http has it, without spaces and tabs around it.
func trimmed(value string) string {
	if n := len(value); n > 0 && (value[0] <= ' ' || value[n-1] <= ' ') {
		return strings.Trim(value, " \t")
	}
	return value
}
