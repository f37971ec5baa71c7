package classifier

import (
	"bufio"
	"errors"
	"io"
)

// newDecoder undoes known codings, last to first, of what src delivers. Its
// reader gives every byte that can be decoded and then, for ever, io.EOF,
// errEarlyEnd, errDamaged, errOverLimit or a *sourceError. It never reads more
// of src than it needs for the next bytes, and returns what it has before it
// waits. With exact, registered decoders are fed byte by byte, so that what
// they give before damage does not depend on the reads of src.
func newDecoder(codings []string, src io.Reader, limit int64, exact bool) io.Reader {
	var r io.Reader = &bottom{src: src}
	for i := len(codings) - 1; i >= 0; i-- {
		l := &layer{in: bufio.NewReader(r), limit: limit}
		switch codings[i] {
		case "gzip":
			l.open = openGzip
		case "deflate":
			l.open = openDeflate
		default:
			open := registeredCoding(codings[i])
			l.open = func(in *bufio.Reader) (io.Reader, error) {
				if exact {
					return open(byteByByte{in})
				}
				return open(in)
			}
		}
		r = l
	}
	return r
}

// bottom is the body under the codings: its errors are marked as its own and stick.
type bottom struct {
	src io.Reader
	err error
}

func (b *bottom) Read(p []byte) (int, error) {
	for idle := 0; b.err == nil; idle++ {
		n, err := b.src.Read(p)
		switch {
		case err == io.EOF:
			b.err = io.EOF
		case err != nil:
			b.err = &sourceError{err}
		case n == 0 && idle == 100:
			b.err = &sourceError{io.ErrNoProgress}
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, b.err
}

// layer undoes one coding. Its errors are those of newDecoder and stick.
type layer struct {
	in    *bufio.Reader
	open  func(*bufio.Reader) (io.Reader, error)
	r     io.Reader // nil until the first byte is there
	total int64
	limit int64
	over  bool // the coding has ended
	err   error
}

func (l *layer) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for idle := 0; l.err == nil; idle++ {
		if l.over {
			l.err = l.leftover()
			break
		}
		n, err := l.decode(p)
		if l.total += int64(n); l.total > l.limit {
			n -= int(l.total - l.limit)
			err = errOverLimit
		}
		switch {
		case err == io.EOF:
			l.over = true
		case err != nil:
			l.err = codingError(err)
		case n == 0 && idle == 100:
			l.err = errDamaged
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, l.err
}

// decode reads from the decoder, which is made when the first byte is there: no
// bytes at all are an empty body. A decoder that panics has met damage.
func (l *layer) decode(p []byte) (n int, err error) {
	defer func() {
		if recover() != nil {
			n, err = 0, errDamaged
		}
	}()
	if l.r == nil {
		if _, err := l.in.Peek(1); err != nil {
			return 0, err
		}
		r, err := l.open(l.in)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		l.r = r
	}
	return l.r.Read(p)
}

// leftover is io.EOF if nothing follows the end of the coding, and the error
// that it is otherwise.
func (l *layer) leftover() error {
	_, err := l.in.Peek(1)
	if err == nil {
		return errDamaged
	}
	if err == io.EOF {
		return io.EOF
	}
	return codingError(err)
}

// codingError sorts the errors of decoders: those of the source and of the
// layers below pass, a source that ended is an early end, the rest is damage.
func codingError(err error) error {
	var source *sourceError
	switch {
	case errors.As(err, &source):
		return source
	case errors.Is(err, errEarlyEnd), errors.Is(err, io.ErrUnexpectedEOF):
		return errEarlyEnd
	case errors.Is(err, errOverLimit):
		return errOverLimit
	}
	return errDamaged
}

// byteByByte hands out one byte a read.
type byteByByte struct{ in *bufio.Reader }

func (b byteByByte) Read(p []byte) (int, error) { return b.in.Read(p[:min(1, len(p))]) }
func (b byteByByte) ReadByte() (byte, error)    { return b.in.ReadByte() }
