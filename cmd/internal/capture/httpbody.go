package capture

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// body reads the body by whichever framing the head names.
func (p *httpReader) body(m *message) (err error) {
	codings := strings.ToLower(strings.Join(m.lines("Transfer-Encoding"), ","))
	lengths := m.lines("Content-Length")
	if m.method != "" && m.headers.Get("expect") != "" && strings.HasPrefix(string(p.text.peek(5)), "HTTP/") {
		// The server's 100 Continue stands between the head and the body.
		if _, err := p.head(); err != nil {
			return err
		}
	}
	switch {
	case m.method == "" && (m.status >= 100 && m.status < 200 || m.status == http.StatusNoContent || m.status == http.StatusNotModified):
		return p.leftOver(fmt.Sprintf("the head of a %d, which has no body,", m.status))
	case m.method == http.MethodGet || m.method == http.MethodConnect || m.method == http.MethodHead || m.method == http.MethodOptions:
		if len(lengths) > 0 {
			return p.counted(m, lengths)
		}
		return p.text.blank()
	case strings.HasSuffix(strings.TrimRight(codings, " \t,"), "chunked"):
		return p.chunked(m)
	case len(lengths) > 0:
		return p.counted(m, lengths)
	case m.method == "" && len(p.waiting) > 0 && p.waiting[0].method == http.MethodHead:
		return p.text.blank()
	}
	// To the end of the connection, which is where another message begins.
	if m.body, err = p.text.untilMessage(); m.method != "" {
		m.body = bytes.TrimRight(m.body, "\r\n")
	}
	p.complaint(m)
	return err
}

// complaint takes what curl said of a body that was cut off the end of it.
func (p *httpReader) complaint(m *message) {
	if rest, ended, ok := complained(m.body); ok && m.method == "" {
		p.note("line %d: curl's last line is no part of the body: %s", m.line, bytes.TrimSpace(m.body[len(rest):]))
		m.body, m.ended = rest, ended
	}
}

// counted takes as many bytes as Content-Length says.
func (p *httpReader) counted(m *message, lengths []string) error {
	for _, l := range lengths[1:] {
		if l != lengths[0] {
			return fmt.Errorf("the Content-Length lines differ: %s and %s", lengths[0], l)
		}
	}
	n, err := strconv.ParseUint(lengths[0], 10, 62)
	if err != nil {
		return fmt.Errorf("Content-Length %s is no length", clip(lengths[0]))
	}
	if n > uint64(p.text.limit) {
		n = uint64(p.text.limit) + 1
		if m.body, err = p.text.take(uint64(p.text.limit)); err != nil {
			return err
		}
		if !p.text.over() {
			return errTooLarge
		}
	} else if m.body, err = p.text.take(n); err != nil {
		return err
	}
	if have := uint64(len(m.body)); have < n {
		if p.complaint(m); m.ended != classifier.EndedEOF {
			return nil
		}
		if body, ok := withCRLF(m.body, int(n)); ok && m.lf {
			m.body = body
			p.note("line %d: the line ends of the body were CRLF and have become LF since; undone, as Content-Length tells", m.line)
			return nil
		}
		m.ended = classifier.EndedReset
		p.note("line %d: %d bytes of the %s that Content-Length announces: the body was cut", m.line, have, lengths[0])
		return nil
	}
	return p.surplus(m, int(n))
}

// surplus looks at what follows a counted body: the next message, or the rest of
// a body whose line ends were changed from LF to CRLF by an editor or a shell.
func (p *httpReader) surplus(m *message, n int) error {
	if p.text.over() || p.text.message() {
		return nil
	}
	rest, err := p.text.untilMessage()
	if err != nil {
		return err
	}
	if whole := append(bytes.Clone(m.body), rest...); !m.lf && onlyCRLF(whole) && bytes.Count(m.body, []byte("\n")) > 0 {
		whole = bytes.ReplaceAll(whole, []byte("\r\n"), []byte("\n"))
		if len(bytes.TrimRight(whole, "\n")) <= n && n <= len(whole) {
			m.body = whole[:n:n]
			p.note("line %d: the line ends of the body were LF and have become CRLF since; undone, as Content-Length tells", m.line)
			return nil
		}
	}
	if len(bytes.Trim(rest, "\r\n")) > 0 {
		p.note("line %d: %d bytes after the %d that Content-Length announces are passed over", m.line, len(rest), n)
	}
	return nil
}

// onlyCRLF tells whether every line end is CRLF.
func onlyCRLF(text []byte) bool {
	return bytes.Count(text, []byte("\n")) == bytes.Count(text, []byte("\r\n"))
}

// withCRLF is the body with LF as CRLF, if that is what its length tells.
func withCRLF(body []byte, n int) ([]byte, bool) {
	if bytes.Contains(body, []byte("\r")) || !bytes.Contains(body, []byte("\n")) {
		return nil, false
	}
	whole := bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
	if len(whole) == n {
		return whole, true
	}
	return nil, false
}

// chunked undoes the chunking. Chunks that break off or are malformed end the
// body where they do, as a client's reader would.
func (p *httpReader) chunked(m *message) error {
	for first := true; ; first = false {
		raw, err := p.text.line()
		if err != nil {
			return err
		}
		size, _, _ := strings.Cut(strings.TrimRight(string(raw), "\r\n"), ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 62)
		switch {
		case err != nil && first && len(raw) > 0:
			p.text.unread(raw)
			p.note("line %d: the headers say chunked, the body is not: taken as unchunked already, as curl -i saves it", m.line)
			m.body, err = p.text.untilMessage()
			p.complaint(m)
			return err
		case err != nil:
			p.text.unread(raw)
			return p.broken(m, "a chunk size is missing or malformed")
		case n == 0:
			return p.trailers()
		}
		chunk, err := p.text.take(n)
		if err != nil {
			return err
		}
		if m.body = append(m.body, chunk...); int64(len(m.body)) > p.text.limit {
			return errTooLarge
		}
		if uint64(len(chunk)) < n {
			return p.broken(m, "the last chunk breaks off")
		}
		if raw, err = p.text.line(); err != nil {
			return err
		} else if strings.Trim(string(raw), "\r\n") != "" || len(raw) == 0 {
			p.text.unread(raw)
			return p.broken(m, "a chunk is not followed by a line end")
		}
	}
}

// broken ends a body that its framing cut; the next message, if there is one, follows.
func (p *httpReader) broken(m *message, why string) error {
	m.ended = classifier.EndedReset
	p.note("line %d: %s: the body was cut", m.line, why)
	_, err := p.text.skip()
	return err
}

// trailers passes over what stands between the last chunk and the empty line.
func (p *httpReader) trailers() error {
	for !p.text.over() {
		line, err := p.text.line()
		if err != nil {
			return err
		}
		if strings.TrimRight(string(line), "\r\n") == "" {
			break
		}
	}
	return p.leftOver("the last chunk")
}

// leftOver passes over what follows a message and is none. A line end that an
// editor has added is not worth a note.
func (p *httpReader) leftOver(after string) error {
	if err := p.text.blank(); err != nil || p.text.over() || p.text.message() {
		return err
	}
	line := p.text.at
	n, err := p.text.skip()
	p.note("line %d: %d bytes after %s are passed over", line, n, after)
	return err
}
