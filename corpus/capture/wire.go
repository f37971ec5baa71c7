package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// field is one header line, in the order and spelling of the wire.
type field struct{ Name, Value string }

// wireAnswer is one HTTP/1.1 response as it stood on the wire, the framing of
// its body undone and nothing else: no redirects, no decompression.
type wireAnswer struct {
	Status int
	Fields []field
	Body   []byte
	// Splits are the offsets in Body at which a chunk of the wire began, 0 excepted.
	Splits []int
	Ended  classifier.Ended
}

// first is the value of the first line of that name, or "".
func (a wireAnswer) first(name string) string {
	for _, f := range a.Fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// wirePost is one POST to a server on loopback.
type wirePost struct {
	Addr   string // host:port
	Host   string // the Host line, if it is not Addr
	Path   string
	Fields []field // besides Host, Content-Length and Connection
	Body   []byte
	// Progress is called with the body read so far whenever it grew; nil: not.
	Progress func(body []byte)
}

// send writes the POST on a connection of its own and reads the answer until
// it ends or ctx does. What arrived before a cut or a deadline is kept, and
// Ended tells of it; an error means that there was no answer to speak of.
func (p wirePost) send(ctx context.Context) (wireAnswer, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.Addr)
	if err != nil {
		return wireAnswer{}, fmt.Errorf("post to %s: %w", p.Addr, err)
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return wireAnswer{}, fmt.Errorf("post to %s: set deadline: %w", p.Addr, err)
		}
	}
	var request bytes.Buffer
	fmt.Fprintf(&request, "POST %s HTTP/1.1\r\nHost: %s\r\n", p.Path, cmp.Or(p.Host, p.Addr))
	for _, f := range p.Fields {
		fmt.Fprintf(&request, "%s: %s\r\n", f.Name, f.Value)
	}
	fmt.Fprintf(&request, "Content-Length: %d\r\nConnection: close\r\n\r\n", len(p.Body))
	request.Write(p.Body)
	if _, err := conn.Write(request.Bytes()); err != nil {
		return wireAnswer{}, fmt.Errorf("post to %s: write: %w", p.Addr, err)
	}
	return readAnswer(bufio.NewReader(conn), p.Progress)
}

// readAnswer reads one response.
func readAnswer(r *bufio.Reader, progress func([]byte)) (wireAnswer, error) {
	var a wireAnswer
	lines := textproto.NewReader(r)
	status, err := lines.ReadLine()
	if err != nil {
		return a, fmt.Errorf("read status line: %w", err)
	}
	version, rest, _ := strings.Cut(status, " ")
	code, _, _ := strings.Cut(rest, " ")
	if a.Status, err = strconv.Atoi(code); err != nil || !strings.HasPrefix(version, "HTTP/1.") {
		return a, fmt.Errorf("read status line: %q is none of HTTP/1", status)
	}
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return a, fmt.Errorf("read header: %w", err)
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return a, fmt.Errorf("read header: no colon in %q", line)
		}
		a.Fields = append(a.Fields, field{name, strings.Trim(value, " \t")})
	}
	a.Ended = endedBy(a.readBody(r, lines, progress))
	return a, nil
}

// readBody fills Body and Splits by whichever framing the header names.
func (a *wireAnswer) readBody(r *bufio.Reader, lines *textproto.Reader, progress func([]byte)) error {
	if strings.EqualFold(a.first("Transfer-Encoding"), "chunked") {
		return a.readChunks(r, lines, progress)
	}
	var body io.Reader = r
	length, err := strconv.Atoi(a.first("Content-Length"))
	switch {
	case err == nil:
		body = io.LimitReader(r, int64(length))
	case a.Status == 204 || a.Status == 304:
		length, body = 0, strings.NewReader("")
	default:
		length = -1
	}
	if a.Body, err = io.ReadAll(body); err == nil && len(a.Body) < length {
		err = io.ErrUnexpectedEOF
	}
	if progress != nil {
		progress(a.Body)
	}
	return err
}

// readChunks undoes the chunked transfer coding.
func (a *wireAnswer) readChunks(r *bufio.Reader, lines *textproto.Reader, progress func([]byte)) error {
	for {
		head, err := lines.ReadLine()
		if err != nil {
			return fmt.Errorf("read chunk size: %w", err)
		}
		size, _, _ := strings.Cut(head, ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 31)
		if err != nil {
			return fmt.Errorf("read chunk size: %w", err)
		}
		if n == 0 {
			for {
				if line, err := lines.ReadLine(); err != nil || line == "" {
					return err
				}
			}
		}
		if len(a.Body) > 0 {
			a.Splits = append(a.Splits, len(a.Body))
		}
		chunk := make([]byte, n)
		got, err := io.ReadFull(r, chunk)
		a.Body = append(a.Body, chunk[:got]...)
		if err != nil {
			return fmt.Errorf("read chunk: %w", err)
		}
		if progress != nil {
			progress(a.Body)
		}
		if _, err := lines.ReadLine(); err != nil {
			return fmt.Errorf("read chunk end: %w", err)
		}
	}
}

// endedBy tells how a body ended from the error that ended its reading.
func endedBy(err error) classifier.Ended {
	var timeout net.Error
	switch {
	case err == nil:
		return classifier.EndedEOF
	case errors.As(err, &timeout) && timeout.Timeout():
		return classifier.EndedDeadline
	default:
		return classifier.EndedReset
	}
}

// within is a context for one exchange.
func within(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}
