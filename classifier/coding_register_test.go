package classifier

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func init() {
	RegisterCoding("Test-Upper", func(r io.Reader) (io.Reader, error) { return &upper{r: r}, nil })
	RegisterCoding("test-panic", func(io.Reader) (io.Reader, error) { return nil, nil })
	RegisterCoding("test-refuse", func(io.Reader) (io.Reader, error) { return nil, errors.New("no") })
	RegisterCoding("test-stall", func(io.Reader) (io.Reader, error) { return stall{}, nil })
	RegisterCoding("test-hesitate-100", func(r io.Reader) (io.Reader, error) { return &hesitant{r: r, times: 100}, nil })
	RegisterCoding("test-hesitate-101", func(r io.Reader) (io.Reader, error) { return &hesitant{r: r, times: 101}, nil })
	RegisterCoding("test-short", func(r io.Reader) (io.Reader, error) { return io.LimitReader(r, 2), nil })
	RegisterCoding("test-eof", func(io.Reader) (io.Reader, error) { return nil, io.EOF })
}

// upper gives the letters that it gets as capitals up to a full stop; a digit
// is damage, and loses what came in the same read.
type upper struct {
	r    io.Reader
	over bool
}

func (u *upper) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	for i, c := range p[:n] {
		switch {
		case u.over, c >= '0' && c <= '9':
			return 0, errors.New("damaged")
		case c == '.':
			u.over = true
		}
		p[i] = strings.ToUpper(string(c))[0]
	}
	if err == io.EOF && !u.over {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

type stall struct{}

func (stall) Read([]byte) (int, error) { return 0, nil }

// hesitant gives nothing so many times before each piece, and before the end.
type hesitant struct {
	r     io.Reader
	times int
	given int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.given < h.times {
		h.given++
		return 0, nil
	}
	h.given = 0
	return h.r.Read(p)
}

func (h *hesitant) Close() error { return nil }

func TestRegisteredCoding(t *testing.T) {
	for _, tt := range []struct {
		name, coding, body, plain string
		state                     codingState
	}{
		{"whole", "test-upper", "abc.", "ABC.", codingWhole},
		{"nothing", "test-upper", "", "", codingWhole},
		{"early end", "test-upper", "abc", "ABC", codingEarlyEnd},
		{"damaged: what came before is there", "test-upper", "abc1.", "ABC", codingDamaged},
		{"other bytes after", "test-upper", "abc.d", "ABC.", codingDamaged},
		{"bytes left unread", "test-short", "abc", "ab", codingDamaged},
		{"panics", "test-panic", "abc", "", codingDamaged},
		{"refuses", "test-refuse", "abc", "", codingDamaged},
		{"makes no progress", "test-stall", "abc", "", codingDamaged},
		{"makes progress at the last moment", "test-hesitate-100", "abc", "abc", codingWhole},
		{"makes progress too late", "test-hesitate-101", "abc", "", codingDamaged},
		{"ends when opened", "test-eof", "abc", "", codingEarlyEnd},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, state := decodeBody([]string{tt.coding}, []byte(tt.body), 100)
			if string(plain) != tt.plain || state != tt.state {
				t.Errorf("got %q, state %d, want %q, state %d", plain, state, tt.plain, tt.state)
			}
		})
	}
}

func TestRegisterCodingRefuses(t *testing.T) {
	open := func(r io.Reader) (io.Reader, error) { return r, nil }
	for _, tt := range []struct {
		name   string
		coding string
		open   func(io.Reader) (io.Reader, error)
	}{
		{"empty", " ", open},
		{"comma", "a,b", open},
		{"nil", "test-nil", nil},
		{"built in", "GZIP", open},
		{"alias", "x-gzip", open},
		{"identity", "identity", open},
		{"twice", "test-upper", open},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("RegisterCoding(%q) did not panic", tt.coding)
				}
			}()
			RegisterCoding(tt.coding, tt.open)
		})
	}
}
