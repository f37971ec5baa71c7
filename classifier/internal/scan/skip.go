package scan

import "math"

// Skip validates the value at the cursor and passes it. It is false after an
// error.
func (s *Scanner) Skip() bool {
	i := s.pos
	if i >= len(s.buf) {
		return s.fail(i)
	}
	switch c := s.buf[i]; {
	case c == '"':
		i++
		if i+8 < len(s.buf) {
			if end := i + first(special(load(s.buf, i))); s.buf[end] == '"' {
				s.pos = end + 1
				return true
			}
		}
		end := plainEnd(s.buf, i)
		if end == 0 {
			end = s.str(i)
		}
		if end == failed {
			return false
		}
		s.pos = end
		return true
	case c-'1' < 9:
		for i++; i < len(s.buf) && s.buf[i]-'0' < 10; i++ {
		}
		if i < len(s.buf) && s.buf[i] != '.' && s.buf[i]|0x20 != 'e' {
			s.pos = i
			return true
		}
	}
	return s.skip()
}

// skip is Skip for what is not short.
func (s *Scanner) skip() bool {
	deepAt := DeepLimit - s.depth
	if s.deep != 0 {
		deepAt = math.MaxInt
	}
	var (
		i     = s.pos
		open  uint64
		depth int
		ask   = min(deepAt, 64)
		from  = atValue
		why   stop
		ok    bool
	)
	for {
		i, open, depth, from, why = walk(s.buf, i, open, depth, ask, from)
		switch why {
		case stopDone:
			s.pos = i
			return true
		case stopString:
			if i = s.str(i); i == failed {
				return false
			}
		case stopNumber:
			if i, ok = number(s.buf, i); !ok {
				return s.fail(i)
			}
		case stopLiteral:
			if i, ok = literal(s.buf, i); !ok {
				return s.fail(i)
			}
		case stopPush:
			if depth >= deepAt {
				s.deep, deepAt = i+1, math.MaxInt
			}
			if depth&63 == 0 && depth > 0 {
				s.spill(depth, open)
			}
			open <<= 1
			if s.buf[i] == '{' {
				open |= 1
			}
			depth++
			i++
			ask = min(deepAt, (depth+63)&^63)
		case stopPop:
			open = s.refill(depth)
			ask = min(deepAt, depth)
		default:
			return s.fail(i)
		}
	}
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

// literal passes the literal whose first letter is at i. end is the offset of
// the first byte that is none of its own if it is not there.
func literal(b []byte, i int) (end int, ok bool) {
	word := "null"
	switch b[i] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for k := 0; k < len(word); k++ {
		if i+k >= len(b) || b[i+k] != word[k] {
			return i + k, false
		}
	}
	return i + len(word), true
}
