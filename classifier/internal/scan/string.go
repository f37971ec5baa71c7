package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	// gather moves the top bits of eight bytes into the top byte of the product.
	gather = 0x0002040810204081
)

func load(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// special marks the top bit of each byte that a string cannot simply hold: a
// quote, a backslash, a control byte, or one that is not ASCII. A byte after
// such a one may be marked without cause; the first mark is always right.
func special(w uint64) uint64 {
	// A quote with 0x02 flipped is 0x20, and control bytes stay below it.
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones) | w) & highs
}

// quick is str, with the short plain string tried first.
func (s *Scanner) quick(i int) int {
	b := s.buf
	if i+8 <= len(b) {
		m := special(load(b, i))
		if m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			if b[i] == '"' {
				return i + 1
			}
		} else {
			i += 8
		}
	}
	return s.str(i)
}

// str passes the rest of a string, from i to the byte after its closing quote.
// It is negative after an error.
func (s *Scanner) str(i int) int {
	b := s.buf
	for {
		i = plain(b, i)
		if i >= len(b) {
			s.fail(len(b))
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i+1 < len(b) && simpleEscape[b[i+1]] {
				i += 2
				continue
			}
			if i = s.escape(i); i < 0 {
				return -1
			}
		case c < 0x20:
			s.fail(i)
			return -1
		default:
			i = s.multibyte(i)
		}
	}
}

// plain is the offset from i on of the first byte that a string cannot simply
// hold, or len(b).
func plain(b []byte, i int) int {
	if i+8 <= len(b) {
		if m := special(load(b, i)); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i+32 <= len(b) {
		p := b[i : i+32 : i+32]
		m0 := special(binary.LittleEndian.Uint64(p[0:8]))
		m1 := special(binary.LittleEndian.Uint64(p[8:16]))
		m2 := special(binary.LittleEndian.Uint64(p[16:24]))
		m3 := special(binary.LittleEndian.Uint64(p[24:32]))
		if m0|m1|m2|m3 != 0 {
			mask := m0 * gather >> 56
			mask |= m1 * gather >> 56 << 8
			mask |= m2 * gather >> 56 << 16
			mask |= m3 * gather >> 56 << 24
			return i + bits.TrailingZeros64(mask)
		}
		i += 32
	}
	for i+8 <= len(b) {
		if m := special(load(b, i)); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(b) {
		if c := b[i]; c == '"' || c == '\\' || c < 0x20 || c >= 0x80 {
			return i
		}
		i++
	}
	return i
}

var simpleEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escape passes the escape at i, or a pair of escapes that make one character.
func (s *Scanner) escape(i int) int {
	b := s.buf
	if i+1 >= len(b) {
		s.fail(len(b))
		return -1
	}
	if b[i+1] != 'u' {
		s.fail(i + 1)
		return -1
	}
	unit, n := hex4(b, i+2)
	if n < 4 {
		s.fail(i + 2 + n)
		return -1
	}
	if unit&0xF800 != 0xD800 {
		return i + 6
	}
	if unit < 0xDC00 && i+12 <= len(b) && b[i+6] == '\\' && b[i+7] == 'u' {
		if low, n := hex4(b, i+8); n == 4 && low&0xFC00 == 0xDC00 {
			return i + 12
		}
	}
	if s.loneSurrogate == 0 {
		s.loneSurrogate = i + 1
	}
	return i + 6
}

// hex4 reads four hexadecimal digits; n tells how many there are.
func hex4(b []byte, i int) (unit uint16, n int) {
	for n < 4 && i+n < len(b) {
		c := b[i+n]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return unit, n
		}
		unit = unit<<4 | uint16(c)
		n++
	}
	return unit, n
}

// multibyte passes the bytes from 0x80 upwards at i.
func (s *Scanner) multibyte(i int) int {
	b := s.buf
	for i < len(b) && b[i] >= 0x80 {
		_, n := utf8.DecodeRune(b[i:])
		if n == 1 && s.badUTF8 == 0 {
			s.badUTF8 = i + 1
		}
		i += n
	}
	return i
}
