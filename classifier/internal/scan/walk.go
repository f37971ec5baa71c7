package scan

// place is where in the grammar the cursor is.
type place uint8

const (
	atValue  place = iota // before a value
	atName                // before the name of a member
	atColon               // after it
	afterOne              // after a value
	atOpen                // after an opening bracket or brace
)

// stop is why walk came back.
type stop uint8

const (
	stopError   stop = iota // i is the first byte that cannot be
	stopDone                // the value is over
	stopString              // i is inside a string
	stopNumber              // i is at a number with more to it than digits and a point
	stopLiteral             // i is at the first letter of what may be a literal
	stopPush                // i is at a bracket or brace, and depth is ask or needs room in open
	stopPop                 // the bits of the innermost 64 containers are used up
)

// walk goes through a value from the place given, until it is over or there is
// something to do that is rare or long. It calls nothing on the way, so that all its state
// stays in registers.
//
// open has a bit for each container that is open, the innermost lowest: 1 for an
// object. It holds the innermost 64 or fewer of depth containers. At the depth
// ask walk leaves the opening of a container to its caller.
func walk(b []byte, i int, open uint64, depth, ask int, from place) (int, uint64, int, place, stop) {
	switch from {
	case atValue:
		goto value
	case atColon:
		goto colon
	case afterOne:
		goto after
	default:
		goto opened
	}

value:
	if i >= len(b) {
		return i, open, depth, from, stopError
	}
	switch c := b[i]; {
	case c == '"':
		i++
		for n := 0; n < 3 && i+8 <= len(b); n++ {
			if m := special(load(b, i)); m != 0 {
				i += first(m)
				if b[i] == '"' {
					i++
					goto after
				}
				return i, open, depth, afterOne, stopString
			}
			i += 8
		}
		if k := quoteNearEnd(b, i); k > 0 {
			i = k
			goto after
		}
		return i, open, depth, afterOne, stopString
	case c-'0' < 10 || c == '-':
		start := i
		if c == '-' {
			i++
		}
		if i+8 > len(b) || b[i]-'0' >= 10 {
			return start, open, depth, afterOne, stopNumber
		}
		zero := b[i] == '0'
		n := digits(load(b, i))
		if zero && n > 1 {
			return start, open, depth, afterOne, stopNumber
		}
		i += n
		for n == 8 && i+8 <= len(b) {
			n = digits(load(b, i))
			i += n
		}
		if n == 8 {
			return start, open, depth, afterOne, stopNumber
		}
		if b[i] == '.' {
			if i+9 > len(b) {
				return start, open, depth, afterOne, stopNumber
			}
			n = digits(load(b, i+1))
			if n == 0 || n == 8 {
				return start, open, depth, afterOne, stopNumber
			}
			i += n + 1
		}
		if b[i] == '.' || b[i]|0x20 == 'e' {
			return start, open, depth, afterOne, stopNumber
		}
		goto after
	case c == '{' || c == '[':
		goto push
	case c == 't' || c == 'n' || c == 'f':
		if i+8 <= len(b) {
			// No branch tells the three apart: it would be guessed wrong half of the time.
			w := load(b, i)
			wrong := uint64(uint32(w)^('e'<<24|'u'<<16|'r'<<8|'t')) * uint64(uint32(w)^('l'<<24|'l'<<16|'u'<<8|'n'))
			n := 4
			if w<<24>>24 == 'e'<<32|'s'<<24|'l'<<16|'a'<<8|'f' {
				wrong, n = 0, 5
			}
			if wrong == 0 {
				i += n
				goto after
			}
		}
		return i, open, depth, afterOne, stopLiteral
	case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		from = atValue
		goto space
	default:
		return i, open, depth, from, stopError
	}

after:
	if depth == 0 {
		return i, open, depth, from, stopDone
	}
	if i >= len(b) {
		return i, open, depth, from, stopError
	}
	if b[i] == ',' {
		i++
		if open&1 == 0 {
			goto value
		}
		goto name
	}
	if b[i] == ']'+byte(open&1)<<5 { // '}' is ']' + 0x20
		goto pop
	}
	from = afterOne
	goto space

pop:
	i++
	depth--
	open >>= 1
	if depth&63 == 0 && depth > 0 {
		return i, open, depth, afterOne, stopPop
	}
	goto after

push:
	if depth == ask {
		return i, open, depth, atOpen, stopPush
	}
	open <<= 1
	if b[i] == '{' {
		open |= 1
	}
	depth++
	i++

opened:
	if i >= len(b) {
		return i, open, depth, from, stopError
	}
	if b[i] == ']'+byte(open&1)<<5 {
		goto pop
	}
	if b[i] <= ' ' {
		from = atOpen
		goto space
	}
	if open&1 == 0 {
		goto value
	}

name:
	if i >= len(b) {
		return i, open, depth, from, stopError
	}
	if b[i] != '"' {
		from = atName
		goto space
	}
	i++
	if i+8 <= len(b) {
		if m := special(load(b, i)); m != 0 {
			// The same as i += first(m), but so that the length is guessed: names
			// come in patterns, and what follows then need not wait for it.
			switch first(m) {
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
			}
			if b[i] == '"' {
				i++
				goto colon
			}
		} else {
			i += 8
			if i+8 <= len(b) {
				if m := special(load(b, i)); m != 0 {
					i += first(m)
					if b[i] == '"' {
						i++
						goto colon
					}
				} else {
					i += 8
				}
			}
		}
	}
	return i, open, depth, atColon, stopString

colon:
	if i >= len(b) {
		return i, open, depth, from, stopError
	}
	if b[i] != ':' {
		from = atColon
		goto space
	}
	i++
	goto value

space:
	// Something else than expected is at i: white space, or the end of it all.
	switch b[i] {
	case ' ', '\n', '\r', '\t':
	default:
		return i, open, depth, from, stopError
	}
	i++
	for i+8 <= len(b) {
		m := load(b, i) ^ ' '*ones
		if m != 0 {
			i += first(m)
			break
		}
		i += 8
	}
	switch from {
	case atValue:
		goto value
	case atName:
		goto name
	case atColon:
		goto colon
	case afterOne:
		goto after
	default:
		goto opened
	}
}
