package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	// gather moves the top bits of eight bytes into the top byte of the product.
	gather = 0x0002040810204081
)

// load is the eight bytes of b from i on, the first lowest. There must be
// eight: slicing would check that a second time, on the path that every token
// waits for.
func load(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))[:])
}

// special marks the top bit of each byte that a string cannot simply hold: a
// quote, a backslash, a control byte, or one that is not ASCII. A byte after
// such a one may be marked without cause; the first mark is always right.
func special(w uint64) uint64 {
	// A quote with 0x02 flipped is 0x20, and control bytes stay below it.
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ '\\'*ones) - ones) | w) & highs
}

// plainEnd is the offset after the quote that ends a string which is plain from
// i on, in one of three words of eight bytes; 0 if it is elsewhere.
func plainEnd(b []byte, i int) int {
	for range 3 {
		if i+8 > len(b) {
			return 0
		}
		if m := special(load(b, i)); m != 0 {
			i += first(m)
			if b[i] == '"' {
				return i + 1
			}
			return 0
		}
		i += 8
	}
	return 0
}

// quoteNearEnd is the offset after the quote that ends a string which is plain
// from i on, among the last seven bytes of b; 0 if it is elsewhere.
func quoteNearEnd(b []byte, i int) int {
	left := len(b) - i
	if left >= 8 || len(b) < 8 {
		return 0
	}
	// Zeros take the place of what does not follow, and are marked too.
	i += first(special(load(b, len(b)-8) >> (64 - 8*uint(left))))
	if i < len(b) && b[i] == '"' {
		return i + 1
	}
	return 0
}

// digits is how many of the eight bytes, from the first on, are decimal digits.
func digits(w uint64) int {
	w ^= '0' * ones
	return first((w + 0x76*ones | w) & highs)
}

// failed is what str and its parts return after an error.
const failed = -1

// first is which byte of eight has the lowest mark.
func first(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// str passes the rest of a string, from i to the byte after its closing quote.
// It is failed after an error.
func (s *Scanner) str(i int) int {
	b := s.buf
	for i+blockLen <= len(b) {
		p := b[i : i+blockLen : i+blockLen]
		m0, m1, m2, m3 := special(load(p, 0)), special(load(p, 8)), special(load(p, 16)), special(load(p, 24))
		m4, m5, m6, m7 := special(load(p, 32)), special(load(p, 40)), special(load(p, 48)), special(load(p, 56))
		if m0|m1|m2|m3|m4|m5|m6|m7 == 0 {
			i += 64
			continue
		}
		marks := m0*gather>>56 | m1*gather>>56<<8 | m2*gather>>56<<16 | m3*gather>>56<<24 |
			m4*gather>>56<<32 | m5*gather>>56<<40 | m6*gather>>56<<48 | m7*gather>>56<<56
		for {
			// Which way the branches go is guessed well, and guesses let the next
			// byte, and the next block, be looked at before this one is done.
			k := bits.TrailingZeros64(marks) & 63
			c := p[k]
			if c == '"' {
				return i + k + 1
			}
			step := int(steps[classes[c]&15][p[k+1]])
			if step == 2 {
				marks &= ^uint64(3) << k
				if marks != 0 {
					continue
				}
				if k == 63 {
					i += 65
					break
				}
				i += 64
				break
			}
			rest := uint32(p[k+2]) | uint32(p[k+3])<<8
			if step == 0 || rest&continuations[step&7] != continuations[step&7]&0x8080 {
				if c != '\\' || p[k+1] != 'u' {
					if i = s.odd(i + k); i == failed {
						return failed
					}
					break
				}
				unit := hexDigits[p[k+2]]<<12 | hexDigits[p[k+3]]<<8 | hexDigits[p[k+4]]<<4 | hexDigits[p[k+5]]
				if unit>>16 != 0 || unit&0xF800 == 0xD800 {
					if i = s.escape(i + k); i == failed {
						return failed
					}
					break
				}
				step = 6
			}
			k += step
			if k >= 64 {
				i += k
				break
			}
			marks &= ^uint64(0) << (k & 63)
			if uint8(marks>>(k&63)) == 0xFF {
				// A run of at least eight odd bytes, which are hardly escapes.
				i = s.multibyte(i + k)
				break
			}
			if marks == 0 {
				i += 64
				break
			}
		}
	}
	return s.lastStr(i)
}

// A block is 64 bytes that are looked at together, and those that the last of
// them may need after it.
const blockLen = 64 + 5

// lastStr is str near the end of the text.
func (s *Scanner) lastStr(i int) int {
	b := s.buf
	for i < len(b) {
		if i+8 <= len(b) {
			m := special(load(b, i))
			if m == 0 {
				i += 8
				continue
			}
			i += first(m)
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\' && i+1 < len(b) && steps[classEscape][b[i+1]] != 0:
			i += 2
		case c == '\\' || c < 0x20 || c >= 0x80:
			if i = s.odd(i); i == failed {
				return failed
			}
		default:
			i++
		}
	}
	s.fail(len(b))
	return failed
}

// odd passes what stands at i and is neither plain nor a simple escape.
func (s *Scanner) odd(i int) int {
	switch c := s.buf[i]; {
	case c == '\\':
		return s.escape(i)
	case c < 0x80: // a control byte
		s.fail(i)
		return failed
	}
	return s.multibyte(i)
}

// The classes of bytes by what may follow them in a string.
const (
	classPlain = iota // itself, and the step is one
	classNone
	classEscape
	classTwo // the first of two bytes of UTF-8
	classE0
	classThree
	classED
	classF0
	classFour
	classF4
)

var classes = func() (class [256]uint8) {
	for c := range class {
		switch {
		case c == '\\':
			class[c] = classEscape
		case c < 0x20 || 0x80 <= c && c < 0xC2 || c > 0xF4:
			class[c] = classNone
		case c < 0x80:
			class[c] = classPlain
		case c < 0xE0:
			class[c] = classTwo
		case c == 0xE0:
			class[c] = classE0
		case c == 0xED:
			class[c] = classED
		case c < 0xF0:
			class[c] = classThree
		case c == 0xF0:
			class[c] = classF0
		case c == 0xF4:
			class[c] = classF4
		default:
			class[c] = classFour
		}
	}
	return class
}()

// steps is how many bytes a plain byte, a simple escape or a character takes,
// by the class of its first byte and by its second; 0 if it is none of these.
var steps = func() (step [16][256]uint8) {
	for c := range 256 {
		step[classPlain][c] = 1
	}
	for _, c := range []byte(`"\/bfnrt`) {
		step[classEscape][c] = 2
	}
	for _, r := range []struct{ class, low, high, n int }{
		{classTwo, 0x80, 0xBF, 2},
		{classE0, 0xA0, 0xBF, 3}, {classThree, 0x80, 0xBF, 3}, {classED, 0x80, 0x9F, 3},
		{classF0, 0x90, 0xBF, 4}, {classFour, 0x80, 0xBF, 4}, {classF4, 0x80, 0x8F, 4},
	} {
		for c := r.low; c <= r.high; c++ {
			step[r.class][c] = uint8(r.n)
		}
	}
	return step
}()

// continuations masks, by the length of a character, what its third and fourth
// byte must have: the top bit set and the next one clear.
var continuations = [8]uint32{3: 0x00C0, 4: 0xC0C0}

// escape passes the escape at i, or a pair of escapes that make one character.
func (s *Scanner) escape(i int) int {
	b := s.buf
	if i+1 >= len(b) {
		s.fail(len(b))
		return failed
	}
	if b[i+1] != 'u' {
		s.fail(i + 1)
		return failed
	}
	unit, n := hex4(b, i+2)
	if n < 4 {
		s.fail(i + 2 + n)
		return failed
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
	if i+4 <= len(b) {
		p := b[i : i+4 : i+4]
		u := hexDigits[p[0]]<<12 | hexDigits[p[1]]<<8 | hexDigits[p[2]]<<4 | hexDigits[p[3]]
		if u>>16 == 0 {
			return uint16(u), 4
		}
	}
	for i+n < len(b) && hexDigits[b[i+n]]>>16 == 0 {
		n++
	}
	return 0, n
}

// hexDigits are the values of hexadecimal digits, and more than 16 bits,
// however shifted, for what is none.
var hexDigits = func() (value [256]uint32) {
	for c := range value {
		value[c] = 0xF0000
	}
	for v, c := range []byte("0123456789abcdef") {
		value[c] = uint32(v)
	}
	for v, c := range []byte("ABCDEF") {
		value[c] = uint32(v) + 10
	}
	return value
}()

// multibyte passes a run of bytes from 0x80 upwards.
func (s *Scanner) multibyte(i int) int {
	b := s.buf
	for {
		i = characters(b, i)
		if i >= len(b) || b[i] < 0x80 {
			return i
		}
		_, n := utf8.DecodeRune(b[i:])
		if n == 1 && s.badUTF8 == 0 {
			s.badUTF8 = i + 1
		}
		i += n
	}
}

// characters passes characters of two and three bytes of UTF-8, up to the first
// that is none, or has fewer than four bytes from its start to the end of b.
func characters(b []byte, i int) int {
	for i+4 <= len(b) {
		w := binary.LittleEndian.Uint32(b[i:])
		switch {
		case w&0xC0C0F0 == 0x8080E0 && w&0x200F != 0 && w&0x200F != 0x200D:
			i += 3 // neither E0 80..9F, which is too long, nor ED A0..BF, which is half a pair
		case w&0xC0E0 == 0x80C0 && w&0x1E != 0:
			i += 2
		default:
			return i
		}
	}
	return i
}
