package capture

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// The starts of HTTP messages, at the beginning of a line.
var (
	statusLine   = regexp.MustCompile(`^HTTP/\d+(?:\.\d+)?[ \t]+(-?\d{1,9})(?:[ \t]+(.*))?$`)
	requestLine  = regexp.MustCompile(`^([A-Z][A-Z-]{1,19})[ \t]+(\S+)[ \t]+HTTP/\d+(?:\.\d+)?[ \t]*$`)
	requestStart = regexp.MustCompile(`^[A-Z][A-Z-]{1,19}[ \t]+\S+[ \t]+HTTP/\d`)
	// inLine is a status line that begins in the middle of one: curl -i prints a
	// body without a line end and the next head directly after it.
	inLine      = regexp.MustCompile(`HTTP/\d(?:\.\d)?[ \t]+\d{3}(?:[ \t]+[^\r\n]*)?\r\n$`)
	fieldStart  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+:|^\r?\n")
	errTooLarge = errors.New("too large")
)

// text reads an input by lines and by counts of bytes, and can tell where a
// message begins. What it gives is the caller's.
type text struct {
	r     *bufio.Reader
	back  []byte // read already and not yet taken
	at    int    // number of the line that comes next, from 1
	limit int64
	err   error // of the reader, other than io.EOF
}

// line takes the next line with its end; it is empty at the end of the input,
// and errTooLarge if it passes the limit.
func (t *text) line() ([]byte, error) {
	if len(t.back) > 0 {
		line := t.back
		t.back = nil
		t.at++
		return line, nil
	}
	var line []byte
	for {
		part, err := t.r.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > t.limit {
			return nil, errTooLarge
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			t.err = err
			return nil, err
		}
		if len(line) > 0 {
			t.at++
		}
		return line, nil
	}
}

// unread puts back a line, or the rest of one.
func (t *text) unread(line []byte) {
	t.back = line
	t.at--
}

// peek is what comes next, up to n bytes; shorter at the end of the input.
func (t *text) peek(n int) []byte {
	if len(t.back) > 0 {
		return t.back
	}
	head, _ := t.r.Peek(n)
	return head
}

func (t *text) over() bool { return len(t.peek(1)) == 0 }

// message tells whether an HTTP message begins here.
func (t *text) message() bool {
	head := t.peek(1024)
	return bytes.HasPrefix(head, []byte("HTTP/")) || requestStart.Match(head)
}

// take takes n bytes, or what is left.
func (t *text) take(n uint64) ([]byte, error) {
	if n > uint64(t.limit) {
		return nil, errTooLarge
	}
	data := t.back
	t.back = nil
	if rest := int64(n) - int64(len(data)); rest > 0 {
		var more bytes.Buffer
		if _, err := io.CopyN(&more, t.r, rest); err != nil && err != io.EOF {
			t.err = err
			return nil, err
		}
		data = append(data, more.Bytes()...)
	} else if rest < 0 {
		t.back = data[n:]
		data = data[:n:n]
	}
	t.at += bytes.Count(data, []byte("\n"))
	return data, nil
}

// blank passes over line ends.
func (t *text) blank() error {
	for {
		head := t.peek(2)
		if len(head) == 0 || head[0] != '\n' && !(head[0] == '\r' && (len(head) == 1 || head[1] == '\n')) {
			return nil
		}
		if _, err := t.line(); err != nil {
			return err
		}
	}
}

// untilMessage takes what comes before the next message, or all that is left. A
// message begins at the beginning of a line, or, where lines end in CRLF, in the
// middle of one; in both cases a header field or an empty line follows.
func (t *text) untilMessage() ([]byte, error) {
	var data []byte
	for {
		line, err := t.line()
		if err != nil || len(line) == 0 {
			return data, err
		}
		if at := t.boundary(line); at >= 0 {
			t.unread(line[at:])
			return append(data, line[:at]...), nil
		}
		if data = append(data, line...); int64(len(data)) > t.limit {
			return nil, errTooLarge
		}
	}
}

// boundary is where in a line a message begins; -1 if none does.
func (t *text) boundary(line []byte) int {
	at := -1
	whole := bytes.TrimRight(line, "\r\n")
	if len(line) < 8192 && (statusLine.Match(whole) || requestLine.Match(whole)) {
		at = 0
	} else if bytes.HasSuffix(line, []byte("\r\n")) {
		// Of a long line only the end can be a status line.
		from := max(0, len(line)-512)
		if m := inLine.FindIndex(line[from:]); m != nil {
			at = from + m[0]
		}
	}
	if at < 0 {
		return -1
	}
	next, _ := t.r.Peek(1024)
	if len(next) > 0 && !fieldStart.Match(next) {
		return -1
	}
	return at
}

// skip passes over what comes before the next message that begins a line, and
// counts it.
func (t *text) skip() (n int64, err error) {
	for {
		line, err := t.line()
		if err != nil && err != errTooLarge {
			return n, err
		}
		if len(line) == 0 && err == nil {
			return n, nil
		}
		if t.boundary(line) == 0 {
			t.unread(line)
			return n, nil
		}
		n += int64(len(line))
	}
}

// clip quotes a text for a message, the first of it if it is long.
func clip(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%q…", text[:60])
	}
	return fmt.Sprintf("%q", text)
}
