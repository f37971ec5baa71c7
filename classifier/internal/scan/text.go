package scan

import (
	"bytes"
	"unicode/utf8"
)

// Name is the name of the member last entered. A name with escapes is unescaped
// if it then is ASCII and at most 24 bytes long, as every name that the
// rules read is; otherwise it is as written, with a backslash in it.
func (s *Scanner) Name() []byte {
	if s.escaped {
		return s.unescapedName()
	}
	return s.RawName()
}

func (s *Scanner) unescapedName() []byte {
	r := units{raw: s.RawName()}
	n := 0
	for {
		u, ok := r.next()
		if !ok {
			return s.nameBuf[:n]
		}
		if u >= 0x80 || n == len(s.nameBuf) || u == '\\' {
			return s.RawName()
		}
		s.nameBuf[n] = byte(u)
		n++
	}
}

// RawName is the name of the member last entered as written, without its quotes.
func (s *Scanner) RawName() []byte { return s.buf[s.nameAt+1 : s.nameEnd] }

// NameStart is the offset of the name of the member last entered, its quote included.
func (s *Scanner) NameStart() int { return s.nameAt }

// Equal tells whether a JSON string, quotes included, holds the code units of
// text: UTF-8 in which half a surrogate pair may stand as its three bytes, and
// anything else that is not UTF-8 stands for U+FFFD.
func Equal(raw []byte, text string) bool {
	inner := raw[1 : len(raw)-1]
	if string(inner) == text && bytes.IndexByte(inner, '\\') < 0 {
		// Bytes that are equal are the same characters unless they are the
		// three of half a pair, which are three bad ones in a JSON text.
		if utf8.ValidString(text) {
			return true
		}
	}
	a, b := units{raw: inner}, textUnits{text: text}
	for {
		u, more := a.next()
		w, expected := b.next()
		if more != expected || u != w {
			return false
		}
		if !more {
			return true
		}
	}
}

// AppendText appends the text of a JSON string, given without its quotes, to
// dst: UTF-8 in which half a surrogate pair stands as its three bytes.
func AppendText(dst, inner []byte) []byte {
	r := units{raw: inner}
	var high uint16
	for {
		u, more := r.next()
		if high != 0 {
			if more && u&0xFC00 == 0xDC00 {
				dst = utf8.AppendRune(dst, 0x10000+rune(high-0xD800)<<10+rune(u-0xDC00))
				high = 0
				continue
			}
			dst = appendHalf(dst, high)
			high = 0
		}
		switch {
		case !more:
			return dst
		case u&0xFC00 == 0xD800:
			high = u
		case u&0xFC00 == 0xDC00:
			dst = appendHalf(dst, u)
		default:
			dst = utf8.AppendRune(dst, rune(u))
		}
	}
}

func appendHalf(dst []byte, u uint16) []byte {
	return append(dst, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
}

// units yields the UTF-16 code units of the inside of a valid JSON string.
type units struct {
	raw []byte
	i   int
	low uint16 // second half of a character beyond 16 bits, still to come
}

func (r *units) next() (unit uint16, ok bool) {
	if r.low != 0 {
		unit, r.low = r.low, 0
		return unit, true
	}
	if r.i >= len(r.raw) {
		return 0, false
	}
	c := r.raw[r.i]
	if c < 0x80 && c != '\\' {
		r.i++
		return uint16(c), true
	}
	if c != '\\' {
		var n int
		unit, r.low, n = decode(r.raw[r.i:])
		r.i += n
		return unit, true
	}
	c = r.raw[r.i+1]
	r.i += 2
	switch c {
	case 'u':
		unit, _ = hex4(r.raw, r.i)
		r.i += 4
		return unit, true
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	}
	return uint16(c), true
}

// textUnits yields the UTF-16 code units of UTF-8 with half pairs.
type textUnits struct {
	text string
	i    int
	low  uint16
}

func (t *textUnits) next() (unit uint16, ok bool) {
	if t.low != 0 {
		unit, t.low = t.low, 0
		return unit, true
	}
	rest := t.text[t.i:]
	if rest == "" {
		return 0, false
	}
	if len(rest) >= 3 && rest[0] == 0xED && rest[1]&0xE0 == 0xA0 && rest[2]&0xC0 == 0x80 {
		t.i += 3
		return 0xD000 | uint16(rest[1]&0x3F)<<6 | uint16(rest[2]&0x3F), true
	}
	var first [4]byte
	var n int
	unit, t.low, n = decode(first[:copy(first[:], rest)])
	t.i += n
	return unit, true
}

// decode is the first character of b, of which there is at least a byte, as
// one or two code units, and its length: U+FFFD for each maximal subpart of
// what is no UTF-8, as the Encoding standard decodes it.
func decode(b []byte) (unit, low uint16, n int) {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return utf8.RuneError, 0, subpart(b)
	}
	if r < 0x10000 {
		return uint16(r), 0, n
	}
	r -= 0x10000
	return 0xD800 + uint16(r>>10), 0xDC00 + uint16(r&0x3FF), n
}

// subpart is the length of the maximal subpart of a bad sequence at the start of b.
func subpart(b []byte) int {
	// most is one less than the character would have: with all of it, it were none that is bad.
	most, low, high := 1, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case 0xE0 <= c && c <= 0xEF:
		most = 2
		if c == 0xE0 {
			low = 0xA0
		}
		if c == 0xED {
			high = 0x9F
		}
	case 0xF0 <= c && c <= 0xF4:
		most = 3
		if c == 0xF0 {
			low = 0x90
		}
		if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n < most && n < len(b) && low <= b[n] && b[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
