package scan

import (
	"math"
	"math/bits"
)

// Skip validates the value at the cursor and passes it. It is false after an
// error.
func (s *Scanner) Skip() bool {
	var (
		b     = s.buf
		i     = s.pos
		open  uint64 // one bit for each container that is open, the innermost lowest: 1 an object
		depth int    // how many are open; only the innermost 64 (or fewer) are in the word
		limit = DeepLimit - s.depth
		bit   uint64
		ok    bool
	)
	if s.deep != 0 {
		limit = math.MaxInt
	}

value:
	if i >= len(b) {
		return s.fail(i)
	}
	switch b[i] {
	case '"':
		i++
		if i+8 <= len(b) {
			if m := special(load(b, i)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				if b[i] == '"' {
					i++
					goto after
				}
			} else {
				i += 8
			}
		}
		if i = s.str(i); i < 0 {
			return false
		}
	case '{':
		bit = 1
		goto push
	case '[':
		bit = 0
		goto push
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
		}
		if i < len(b) && b[i] == '.' && i+1 < len(b) && b[i+1]-'0' < 10 {
			for i += 2; i < len(b) && b[i]-'0' < 10; i++ {
			}
			if i < len(b) && b[i]|0x20 == 'e' {
				if i, ok = fraction(b, i); !ok {
					return s.fail(i)
				}
			}
		} else if i < len(b) && (b[i] == '.' || b[i]|0x20 == 'e') {
			if i, ok = fraction(b, i); !ok {
				return s.fail(i)
			}
		}
	case '-', '0':
		if i, ok = number(b, i); !ok {
			return s.fail(i)
		}
	case 't':
		if i, ok = literal(b, i, "true"); !ok {
			return s.fail(i)
		}
	case 'f':
		if i, ok = literal(b, i, "false"); !ok {
			return s.fail(i)
		}
	case 'n':
		if i, ok = literal(b, i, "null"); !ok {
			return s.fail(i)
		}
	default:
		return s.fail(i)
	}

after:
	if depth == 0 {
		s.pos = i
		return true
	}
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if i >= len(b) {
		return s.fail(i)
	}
	if b[i] == ',' {
		i++
		if i < len(b) && b[i] <= ' ' {
			i = skipSpace(b, i)
		}
		if open&1 == 0 {
			goto value
		}
		goto name
	}
	if b[i] != ']'+byte(open&1)<<5 { // '}' is ']' + 0x20
		return s.fail(i)
	}

pop:
	i++
	depth--
	open >>= 1
	if depth&63 == 0 && depth > 0 {
		open = s.refill(depth)
	}
	goto after

push:
	if depth&63 == 0 && depth > 0 {
		s.spill(depth, open)
	}
	open = open<<1 | bit
	depth++
	if depth > limit {
		s.deep = i + 1
		limit = math.MaxInt
	}
	i++
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if i < len(b) && b[i] == ']'+byte(bit)<<5 {
		goto pop
	}
	if bit == 0 {
		goto value
	}

name:
	if i >= len(b) || b[i] != '"' {
		return s.fail(i)
	}
	i++
	if i+8 <= len(b) {
		if m := special(load(b, i)); m != 0 {
			switch bits.TrailingZeros64(m) >> 3 {
			case 0:
			case 1:
				i += 1
			case 2:
				i += 2
			case 3:
				i += 3
			case 4:
				i += 4
			case 5:
				i += 5
			case 6:
				i += 6
			case 7:
				i += 7
			case 8:
				i += 8
			}
			if b[i] == '"' {
				i++
				goto colon
			}
		} else {
			i += 8
		}
	}
	if i = s.str(i); i < 0 {
		return false
	}

colon:
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if i >= len(b) || b[i] != ':' {
		return s.fail(i)
	}
	i++
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	goto value
}

// spill keeps the word of the 64 containers below depth, a multiple of 64.
func (s *Scanner) spill(depth int, word uint64) {
	k := depth>>6 - 1
	switch {
	case k < len(s.fixed):
		s.fixed[k] = word
	case k-len(s.fixed) < len(s.more):
		s.more[k-len(s.fixed)] = word
	default:
		s.more = append(s.more, word)
	}
}

// refill is the word that spill kept at depth.
func (s *Scanner) refill(depth int) uint64 {
	k := depth>>6 - 1
	if k < len(s.fixed) {
		return s.fixed[k]
	}
	return s.more[k-len(s.fixed)]
}

// literal passes word, whose first byte is at i. end is the offset of the
// first other byte if it is not there.
func literal(b []byte, i int, word string) (end int, ok bool) {
	if i+len(word) <= len(b) && string(b[i:i+len(word)]) == word {
		return i + len(word), true
	}
	for k := 0; k < len(word); k++ {
		if i+k >= len(b) || b[i+k] != word[k] {
			return i + k, false
		}
	}
	return i + len(word), true
}
