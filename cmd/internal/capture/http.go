package capture

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// The reading of HTTP messages here is more patient than net/http's, which
// cannot take what people really have: "HTTP/2 200" as curl -i prints it, a
// status of any size, 1xx messages before the answer, several answers in one
// file, a body that curl has unchunked but whose headers still say chunked, a
// 204 that is followed by bytes, or a head that breaks off. A body that is
// shorter than its framing says is an answer that was cut, not an error.

// tunnel is the reason phrase of a proxy's answer to CONNECT, which curl prints
// before the answer that came through the proxy.
var tunnel = regexp.MustCompile(`(?i)^(connection|tunnel) established[ \t]*$`)

// message is one HTTP message.
type message struct {
	method  string // of a request; "" for a response
	target  string
	status  int
	phrase  string
	headers corpus.Headers
	body    []byte
	ended   classifier.Ended
	noBlank bool // the head breaks off
	lf      bool // its first line ends in LF without CR
	line    int  // where it begins
}

// httpReader reads the messages of an input.
type httpReader struct {
	in   Input
	text text
	// place is where a line of the text stands.
	place func(line int) Place
	// waiting are requests whose answers have not come yet.
	waiting []message
	count   int
}

// http yields the exchange of every response, with the request before it that
// it answers, if there is one. Requests without an answer come last.
func (in Input) http(r *bufio.Reader, yield yielder) error {
	p := &httpReader{in: in, text: text{r: r, at: 1, limit: in.Limit}}
	p.place = func(line int) Place { return Place{File: in.Name, Where: fmt.Sprintf("line %d", line)} }
	if string(p.text.peek(3)) == string(byteOrderMark) {
		_, _ = r.Discard(3)
	}
	if err := p.each(yield); err != nil {
		return err
	}
	for _, request := range p.waiting {
		p.note("line %d: no answer to the request follows", request.line)
		if err := yield(p.exchange(&request, nil), nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *httpReader) each(yield yielder) error {
	if !p.text.message() {
		_ = p.text.blank() // unless there is nothing else
	}
	for first := true; first || !p.text.over(); first = false {
		m, err := p.next()
		switch {
		case p.text.err != nil:
			return fmt.Errorf("read %s: line %d: %w", p.in.Name, p.text.at, p.text.err)
		case err != nil:
			line := p.text.at
			if errors.Is(err, errTooLarge) {
				err, line = p.in.tooLarge(), m.line
			}
			if err := yield(Exchange{}, &Fault{p.place(line), err}); err != nil {
				return err
			}
			if _, err := p.text.skip(); err != nil {
				return fmt.Errorf("read %s: line %d: %w", p.in.Name, p.text.at, err)
			}
			continue
		case m.method != "":
			p.waiting = append(p.waiting, m)
			continue
		}
		var request *message
		if len(p.waiting) > 0 {
			request = &p.waiting[0]
			p.waiting = p.waiting[1:]
		}
		if err := yield(p.exchange(request, &m), nil); err != nil {
			return err
		}
	}
	return nil
}

// exchange is a request and its answer, either of which may be missing.
func (p *httpReader) exchange(request, answer *message) Exchange {
	p.count++
	x := Exchange{ID: strconv.Itoa(p.count)}
	if answer == nil || answer.noBlank {
		x.NoAnswer = classifier.EndedReset
	} else {
		x.Answer = &Answer{Status: answer.status, Headers: answer.headers, Body: answer.body, Ended: answer.ended}
	}
	if request == nil {
		x.From = p.place(answer.line)
		p.in.assume(&x)
		return x
	}
	x.From = p.place(request.line)
	url := request.target
	if host := request.headers.Get("host"); host != "" && strings.HasPrefix(url, "/") {
		url = "http://" + host + url
	}
	x.Request = &Request{Method: request.method, URL: url, Headers: request.headers, Body: request.body, BodyUnknown: request.noBlank}
	if id := request.headers.Get(caseField); id != "" {
		x.ID, x.Own = id, true
	}
	p.in.tell(&x)
	return x
}

func (p *httpReader) note(format string, args ...any) {
	p.in.Note("%s: "+format, append([]any{p.in.Name}, args...)...)
}

// next reads one message, and before a response the 1xx messages and what a
// proxy said when it had made the connection.
func (p *httpReader) next() (message, error) {
	for {
		m, err := p.head()
		if err != nil || m.noBlank {
			return m, err
		}
		follows := strings.HasPrefix(string(p.text.peek(5)), "HTTP/")
		if m.method == "" && m.status >= 100 && m.status < 200 && m.status != http.StatusSwitchingProtocols && follows {
			p.note("line %d: a %d before the answer is passed over", m.line, m.status)
			continue
		}
		if m.status/100 == 2 && tunnel.MatchString(m.phrase) && (follows || p.connects()) {
			p.note("line %d: a proxy's %d %s before the answer is passed over", m.line, m.status, m.phrase)
			if len(p.waiting) > 0 && p.waiting[0].method == http.MethodConnect {
				p.waiting = p.waiting[1:]
			}
			if follows {
				continue
			}
			return p.next()
		}
		return m, p.body(&m)
	}
}

// connects tells whether the request that is to be answered is a CONNECT, and
// something follows its answer.
func (p *httpReader) connects() bool {
	return len(p.waiting) > 0 && p.waiting[0].method == http.MethodConnect && p.text.message()
}

// head reads the first line and the header lines.
func (p *httpReader) head() (message, error) {
	m := message{line: p.text.at, headers: corpus.Headers{}}
	raw, err := p.text.line()
	if err != nil {
		return m, err
	}
	line := strings.TrimRight(string(raw), "\r\n")
	ok := strings.HasSuffix(string(raw), "\n")
	m.lf = ok && !strings.HasSuffix(string(raw), "\r\n")
	if match := statusLine.FindStringSubmatch(line); match != nil {
		m.status, _ = strconv.Atoi(match[1])
		m.phrase = match[2]
	} else if match := requestLine.FindStringSubmatch(line); match != nil {
		m.method, m.target = match[1], match[2]
	} else {
		p.text.unread(nil)
		return m, fmt.Errorf("%s is no status line, such as HTTP/1.1 200 OK, and no request line", clip(line))
	}
	for ok {
		if raw, err = p.text.line(); err != nil {
			return m, err
		}
		line, ok = strings.TrimRight(string(raw), "\r\n"), strings.HasSuffix(string(raw), "\n")
		if line == "" || !ok {
			break
		}
		if last := len(m.headers) - 1; (line[0] == ' ' || line[0] == '\t') && last >= 0 {
			m.headers[last].Value += " " + strings.Trim(line, " \t")
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found || !token(name) {
			p.text.unread(nil)
			return m, fmt.Errorf("%s is no header line, such as content-type: application/json", clip(line))
		}
		m.headers = append(m.headers, corpus.Header{Name: name, Value: strings.Trim(value, " \t")})
	}
	if !ok {
		m.noBlank = true
		p.note("line %d: the head breaks off: no answer arrived", m.line)
	}
	return m, nil
}

// lines are the values of the header lines of that name.
func (m *message) lines(name string) []string {
	name = textproto.CanonicalMIMEHeaderKey(name)
	return m.headers.HTTP()[name]
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
