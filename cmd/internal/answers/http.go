package answers

import (
	"bytes"
	"fmt"
	"net/http"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// The reading of HTTP messages here is more patient than net/http.ReadResponse,
// which cannot take what people really have: "HTTP/2 200" as curl -i prints it,
// a status of any size, 1xx messages before the answer, several answers in one
// file, a body that curl has unchunked but whose headers still say chunked, a
// 204 that is followed by bytes, or a head that breaks off. A body that is
// shorter than its framing says is an answer that was cut, not an error.

var statusLine = regexp.MustCompile(`^HTTP/\d+(?:\.\d+)?[ \t]+(-?\d{1,9})(?:[ \t]+(.*))?$`)

// tunnel is the reason phrase of a proxy's answer to CONNECT, which curl prints
// before the answer that came through the proxy.
var tunnel = regexp.MustCompile(`(?i)^(connection|tunnel) established[ \t]*$`)

// message is one HTTP response message.
type message struct {
	status  int
	phrase  string
	header  http.Header
	body    []byte
	ended   classifier.Ended
	noBlank bool // the head breaks off: there was no answer
}

// http yields every response message of data.
func (in Input) http(data []byte, yield func(Answer) error) error {
	p := parser{in: in, rest: data, line: 1}
	for n := 1; ; n++ {
		m, err := p.next()
		if err != nil {
			return err
		}
		a := Answer{ID: strconv.Itoa(n), Call: classifier.Call{ID: in.ID}, IDAssumed: in.IDAssumed}
		if m.noBlank {
			a.NoAnswer = classifier.EndedReset
		} else {
			a.Answered = true
			a.Wire = classifier.Answer{Status: m.status, Header: m.header, Body: m.body, Ended: m.ended}
		}
		if err := yield(a); err != nil {
			return err
		}
		if len(p.rest) == 0 {
			return nil
		}
	}
}

type parser struct {
	in   Input
	rest []byte
	line int
}

func (p *parser) note(format string, args ...any) {
	p.in.Note("%s: "+format, append([]any{p.in.Name}, args...)...)
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: line %d: %s", p.in.Name, p.line, fmt.Sprintf(format, args...))
}

// cut takes the next line, without its end; ok is false if it has none.
func (p *parser) cut() (line string, ok bool) {
	text, after, ok := bytes.Cut(p.rest, []byte("\n"))
	p.rest = after
	p.line++
	return string(bytes.TrimSuffix(text, []byte("\r"))), ok
}

// next reads one message, and before it the 1xx messages and what a proxy said
// when it had made the connection.
func (p *parser) next() (message, error) {
	p.rest = bytes.TrimLeft(p.rest, "\r\n")
	for {
		m, err := p.head()
		if err != nil || m.noBlank {
			return m, err
		}
		follows := bytes.HasPrefix(p.rest, []byte("HTTP/"))
		if m.status >= 100 && m.status < 200 && m.status != http.StatusSwitchingProtocols && follows {
			p.note("a %d before the answer is passed over", m.status)
			continue
		}
		if m.status/100 == 2 && tunnel.MatchString(m.phrase) && follows {
			p.note("a proxy's %d %s before the answer is passed over", m.status, m.phrase)
			continue
		}
		if err := p.body(&m); err != nil {
			return m, err
		}
		return m, nil
	}
}

// head reads the status line and the header lines.
func (p *parser) head() (message, error) {
	m := message{header: make(http.Header)}
	line, ok := p.cut()
	match := statusLine.FindStringSubmatch(line)
	if match == nil {
		p.line--
		return m, p.errorf("%s is no status line, such as HTTP/1.1 200 OK", clip(line))
	}
	m.status, _ = strconv.Atoi(match[1])
	m.phrase = match[2]
	last := ""
	for ok {
		if line, ok = p.cut(); line == "" || !ok {
			break
		}
		if (line[0] == ' ' || line[0] == '\t') && last != "" {
			lines := m.header[last]
			lines[len(lines)-1] += " " + strings.Trim(line, " \t")
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found || !token(name) {
			p.line--
			return m, p.errorf("%s is no header line, such as content-type: application/json", clip(line))
		}
		last = textproto.CanonicalMIMEHeaderKey(name)
		m.header[last] = append(m.header[last], strings.Trim(value, " \t"))
	}
	if !ok {
		m.noBlank = true
		p.rest = nil
		p.note("the head breaks off with no empty line after it: no answer arrived")
	}
	return m, nil
}

// body takes the body that the head announces.
func (p *parser) body(m *message) error {
	codings := strings.ToLower(strings.Join(m.header["Transfer-Encoding"], ","))
	lengths := m.header["Content-Length"]
	switch {
	case m.status >= 100 && m.status < 200, m.status == http.StatusNoContent, m.status == http.StatusNotModified:
		p.rest = p.leftOver(p.rest, fmt.Sprintf("the head of a %d, which has no body,", m.status))
	case strings.HasSuffix(strings.TrimRight(codings, " \t,"), "chunked"):
		p.chunked(m)
	case len(lengths) > 0:
		return p.counted(m, lengths)
	case bytes.HasPrefix(p.rest, []byte("HTTP/")):
		// A proxy's answer to CONNECT, or a redirect that curl -L followed.
	default:
		m.body, p.rest = p.rest, nil
	}
	return nil
}

// counted takes as many bytes as Content-Length says.
func (p *parser) counted(m *message, lengths []string) error {
	for _, l := range lengths[1:] {
		if l != lengths[0] {
			return p.errorf("the Content-Length lines differ: %s and %s", lengths[0], l)
		}
	}
	n, err := strconv.ParseUint(lengths[0], 10, 62)
	if err != nil {
		return p.errorf("Content-Length %s is no length", clip(lengths[0]))
	}
	if have := uint64(len(p.rest)); have < n {
		m.body, p.rest, m.ended = p.rest, nil, classifier.EndedReset
		p.note("%d bytes of the %d that Content-Length announces: the body was cut", have, n)
		return nil
	}
	m.body, p.rest = p.rest[:n:n], p.leftOver(p.rest[n:], fmt.Sprintf("the %d that Content-Length announces", n))
	return nil
}

// chunked undoes the chunking. Chunks that break off or are malformed end the
// body where they do, as a client's reader would.
func (p *parser) chunked(m *message) {
	whole := p.rest
	for first := true; ; first = false {
		line, _ := p.cut()
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 62)
		switch {
		case err != nil && first && len(whole) > 0:
			m.body, p.rest = whole, nil
			p.note("the headers say chunked, the body is not: taken as unchunked already, as curl -i saves it")
			return
		case err != nil:
			p.broken(m, "a chunk size is missing or malformed")
			return
		case n == 0:
			p.trailers()
			return
		case uint64(len(p.rest)) < n:
			m.body = append(m.body, p.rest...)
			p.broken(m, "the last chunk breaks off")
			return
		}
		m.body = append(m.body, p.rest[:n]...)
		p.rest = p.rest[n:]
		if line, ok := p.cut(); !ok || line != "" {
			p.broken(m, "a chunk is not followed by a line end")
			return
		}
	}
}

func (p *parser) broken(m *message, why string) {
	m.ended, p.rest = classifier.EndedReset, nil
	p.note("%s: the body was cut", why)
}

// trailers passes over what stands between the last chunk and the empty line.
func (p *parser) trailers() {
	for len(p.rest) > 0 {
		if line, _ := p.cut(); line == "" {
			break
		}
	}
	p.rest = p.leftOver(p.rest, "the last chunk")
}

// leftOver is what follows a message: another one, or bytes that are none and
// are passed over. A line end that an editor has added is not worth a note.
func (p *parser) leftOver(rest []byte, after string) []byte {
	trimmed := bytes.TrimLeft(rest, "\r\n")
	if len(trimmed) == 0 || bytes.HasPrefix(trimmed, []byte("HTTP/")) {
		return trimmed
	}
	p.note("%d bytes after %s are passed over", len(rest), after)
	return nil
}

// token tells whether name is a field name of RFC 9110.
func token(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		alnum := c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) || c >= 0x80 {
			return false
		}
	}
	return true
}

// clip quotes a text for a message, the first of it if it is long.
func clip(text string) string {
	if len(text) > 60 {
		return strconv.Quote(text[:60]) + "…"
	}
	return strconv.Quote(text)
}
