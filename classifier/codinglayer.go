package classifier

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net/http"
)

// chainLen is how many codings are undone at the same time, each with a decoder
// of its own. A body that names more is undone in turns, so that its decoders
// take no more memory than these, and all its codings together may decode to
// chainLen times the limit, so that they take no more time.
const chainLen = 16

// newDecoder undoes known codings, last to first, of what src delivers. Its
// reader gives every byte that can be decoded and then, for ever, io.EOF,
// errEarlyEnd, errDamaged, errOverLimit or a *sourceError. It never reads more
// of src than it needs for the next bytes, and returns what it has before it
// waits, unless there are more than chainLen codings: then it waits for the end
// of src. With exact, registered decoders are fed byte by byte, so that what
// they give before damage does not depend on the reads of src.
func newDecoder(codings []string, src io.Reader, limit int64, exact bool) io.Reader {
	c := &chain{limit: limit, left: chainLen * min(limit, math.MaxInt64/chainLen), exact: exact}
	return &turns{chain: c, codings: codings, r: &bottom{src: src}}
}

// chain makes the layers of one body.
type chain struct {
	limit int64 // of each coding
	left  int64 // what all together may still decode to
	exact bool
}

// over puts layers over r that undo the codings, of which r has the last.
func (c *chain) over(r io.Reader, codings []string) io.Reader {
	for i := len(codings) - 1; i >= 0; i-- {
		l := &layer{in: bufio.NewReader(r), chain: c}
		switch codings[i] {
		case "gzip":
			l.open = openGzip
		case "deflate":
			l.open = openDeflate
		default:
			open := registeredCoding(codings[i])
			l.open = func(in *bufio.Reader) (io.Reader, error) {
				if c.exact {
					return open(byteByByte{in})
				}
				return open(in)
			}
		}
		r = l
	}
	return r
}

// turns undoes chainLen codings at a time and keeps what they give.
type turns struct {
	chain   *chain
	codings []string // still to be undone
	r       io.Reader
}

func (t *turns) Read(p []byte) (int, error) {
	for len(t.codings) > chainLen {
		rest := len(t.codings) - chainLen
		var given pastBytes
		given.err = readTo(&given.b, t.chain.over(t.r, t.codings[rest:]))
		t.r, t.codings = &given, t.codings[:rest]
		if len(given.b) == 0 {
			t.codings = nil // no bytes are no bytes under any coding
		}
	}
	t.r, t.codings = t.chain.over(t.r, t.codings), nil
	return t.r.Read(p)
}

// pastBytes gives bytes and then an error, for ever.
type pastBytes struct {
	b   []byte
	err error
}

func (p *pastBytes) Read(to []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, p.err
	}
	n := copy(to, p.b)
	p.b = p.b[n:]
	return n, nil
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

// codedBytes gives what r does, up to so many bytes, and then the error of a
// body that is too large.
type codedBytes struct {
	r    io.Reader
	left int64
}

func (c *codedBytes) Read(p []byte) (int, error) {
	if c.left <= 0 {
		// The end itself may still follow the last byte that may.
		var one [1]byte
		if n, err := c.r.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, new(http.MaxBytesError)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// layer undoes one coding. Its errors are those of newDecoder and stick.
type layer struct {
	in    *bufio.Reader
	open  func(*bufio.Reader) (io.Reader, error)
	r     io.Reader // nil until the first byte is there
	chain *chain
	total int64
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
			return 0, l.err
		}
		n, err := l.decode(p)
		l.total += int64(n)
		l.chain.left -= int64(n)
		if over := max(l.total-l.chain.limit, -l.chain.left); over > 0 {
			n -= int(min(over, int64(n)))
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
