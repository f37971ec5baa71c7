package scan

import "math"

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
		i = s.quick(i + 1)
		if i < 0 {
			return false
		}
	case '{':
		bit = 1
		goto push
	case '[':
		bit = 0
		goto push
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
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
	i = s.quick(i + 1)
	if i < 0 {
		return false
	}
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
