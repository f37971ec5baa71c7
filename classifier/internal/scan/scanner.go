// Package scan reads one RFC 8259 text in a single pass: a cursor that goes
// into the objects and arrays its caller names and validates all others, with
// no recursion, no limit on depth, and no allocation but for the nesting of
// thousands.
//
// The grammar is that of rule 5: any bytes from 0x80 upwards
// are fine inside strings and nowhere else, lone surrogate escapes are fine,
// and the place of an error is the length of the longest prefix that some JSON
// text begins with.
package scan

import "bytes"

// DeepLimit is the number of arrays and objects open at once beyond which a
// text counts as deep.
const DeepLimit = 100

// Kind is what a value is.
type Kind uint8

// The kinds of values. None is no value at all.
const (
	None Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// Value is a value of the text: the bytes from Start to End.
type Value struct {
	Kind       Kind
	Start, End int
}

// Scanner is a cursor in one text. Its methods expect the cursor where their
// comments say. After the first error it stands at the end of the text, and
// every further step fails too, so that callers need to ask only once.
type Scanner struct {
	buf    []byte
	pos    int
	depth  int // containers that the caller has entered
	failed bool
	offset int // of the error

	nameAt, nameEnd int  // the quotes of the name of the member last entered
	escaped         bool // it holds a backslash

	// Places of what is odd in the text, plus one; 0 if nothing is.
	badUTF8, loneSurrogate, deep int

	nameBuf [24]byte
	fixed   [4]uint64
	more    []uint64
}

// Reset puts the cursor at start of text.
func (s *Scanner) Reset(text []byte, start int) {
	s.buf, s.pos, s.depth = text, start, 0
	s.failed, s.offset = false, 0
	s.badUTF8, s.loneSurrogate, s.deep = 0, 0, 0
	s.more = s.more[:0]
}

// ResetInside puts the cursor at start of text, where the value of a member of
// the outermost object begins. The caller has passed what stands before.
func (s *Scanner) ResetInside(text []byte, start int) {
	s.Reset(text, start)
	s.depth = 1
	s.More()
}

// Pos is the offset of the cursor.
func (s *Scanner) Pos() int { return s.pos }

// Err tells whether the text is no JSON, and the offset of the first byte
// which shows it; len(text) if the text ends too early.
func (s *Scanner) Err() (offset int, failed bool) { return s.offset, s.failed }

// BadUTF8 is the offset of the first bytes in a string that are no UTF-8, -1 if all are.
func (s *Scanner) BadUTF8() int { return s.badUTF8 - 1 }

// LoneSurrogate is the offset of the first escape of half a surrogate pair, -1 if there is none.
func (s *Scanner) LoneSurrogate() int { return s.loneSurrogate - 1 }

// Deep is the offset of the first array or object inside [DeepLimit] others, -1 if there is none.
func (s *Scanner) Deep() int { return s.deep - 1 }

// Odd tells whether any of BadUTF8, LoneSurrogate and Deep has something to tell.
func (s *Scanner) Odd() bool { return s.badUTF8|s.loneSurrogate|s.deep != 0 }

func (s *Scanner) fail(at int) bool {
	if !s.failed {
		s.failed, s.offset = true, at
	}
	s.pos = len(s.buf)
	return false
}

// More skips white space and tells whether anything follows.
func (s *Scanner) More() bool {
	if s.pos < len(s.buf) && s.buf[s.pos] <= ' ' {
		s.pos = skipSpace(s.buf, s.pos)
	}
	return s.pos < len(s.buf)
}

// Kind is the kind of the value at the cursor, by its first byte; None if no
// value begins so.
func (s *Scanner) Kind() Kind {
	if s.pos >= len(s.buf) {
		return None
	}
	return kinds[s.buf[s.pos]]
}

var kinds = [256]Kind{
	'n': Null, 'f': False, 't': True, '"': String, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Value validates the value at the cursor and passes it.
func (s *Scanner) Value() Value {
	v := Value{Kind: s.Kind(), Start: s.pos}
	s.Skip()
	v.End = s.pos
	return v
}

// Object enters the object whose brace is at the cursor, and its first member
// as [Scanner.NextMember] does.
func (s *Scanner) Object() bool {
	s.open()
	i := s.pos + 1
	if i < len(s.buf) && s.buf[i] <= ' ' {
		i = skipSpace(s.buf, i)
	}
	if i < len(s.buf) && s.buf[i] == '}' {
		s.depth--
		s.pos = i + 1
		return false
	}
	return s.plainMember(i) || s.anyMember(i)
}

// NextMember goes on from the end of a member's value to the value of the next
// one, whose name [Scanner.Name] then is. It is false at the end of the object,
// which it passes, and after an error.
func (s *Scanner) NextMember() bool {
	i := s.pos
	if i < len(s.buf) && s.buf[i] <= ' ' {
		i = skipSpace(s.buf, i)
	}
	if i < len(s.buf) {
		switch s.buf[i] {
		case ',':
			i++
			if i < len(s.buf) && s.buf[i] <= ' ' {
				i = skipSpace(s.buf, i)
			}
			return s.plainMember(i) || s.anyMember(i)
		case '}':
			s.depth--
			s.pos = i + 1
			return false
		}
	}
	return s.fail(i)
}

// plainMember passes a name and its colon as they mostly are: the name has at
// most 15 bytes, all of them plain, nothing stands between it, the colon and the
// value, and the text goes on for a while. Else it does nothing.
func (s *Scanner) plainMember(i int) bool {
	b := s.buf
	if len(b)-i < 19 || b[i] != '"' {
		return false
	}
	quote := i + 1
	m := special(load(b, quote))
	if m == 0 {
		quote += 8
		m = special(load(b, quote))
		if m == 0 {
			return false
		}
	}
	quote += first(m) // at most i+16
	if b[quote] != '"' || b[quote+1] != ':' || b[quote+2] <= ' ' {
		return false
	}
	s.nameAt, s.nameEnd, s.escaped = i, quote, false
	s.pos = quote + 2
	return true
}

// anyMember passes a name and its colon, whatever they are, and refuses what is
// none.
func (s *Scanner) anyMember(i int) bool {
	b := s.buf
	if i >= len(b) || b[i] != '"' {
		return s.fail(i)
	}
	s.nameAt = i
	if i = s.str(i + 1); i == failed {
		return false
	}
	s.nameEnd = i - 1
	s.escaped = bytes.IndexByte(s.RawName(), '\\') >= 0
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
	s.pos = i
	return true
}

// Array enters the array whose bracket is at the cursor, and its first element
// as [Scanner.NextElement] does.
func (s *Scanner) Array() bool {
	s.open()
	i := s.pos + 1
	if i < len(s.buf) && s.buf[i] <= ' ' {
		i = skipSpace(s.buf, i)
	}
	if i < len(s.buf) && s.buf[i] == ']' {
		s.depth--
		s.pos = i + 1
		return false
	}
	s.pos = i
	return true
}

// NextElement goes on from the end of an element to the next one. It is false
// at the end of the array, which it passes, and after an error.
func (s *Scanner) NextElement() bool {
	i := s.pos
	if i < len(s.buf) && s.buf[i] <= ' ' {
		i = skipSpace(s.buf, i)
	}
	if i < len(s.buf) {
		switch s.buf[i] {
		case ',':
			i++
			if i < len(s.buf) && s.buf[i] <= ' ' {
				i = skipSpace(s.buf, i)
			}
			s.pos = i
			return true
		case ']':
			s.depth--
			s.pos = i + 1
			return false
		}
	}
	return s.fail(i)
}

func (s *Scanner) open() {
	s.depth++
	if s.depth > DeepLimit && s.deep == 0 {
		s.deep = s.pos + 1
	}
}

// skipSpace is the offset from i on of the first byte that is no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// Good tells whether there was no error so far.
func (s *Scanner) Good() bool { return !s.failed }

// Text is the text from start to the cursor.
func (s *Scanner) Text(start int) []byte { return s.buf[start:s.pos] }
