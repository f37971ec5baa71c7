package model

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// repair is what a quirk does to a text before it is read, as parsers do that
// mean well. The text may share memory with the answer, so it is not changed.
func (c *judging) repair(text []byte) []byte {
	switch c.Quirk {
	case TruncatedCompleted, SingleQuotesTaken, CommentsTaken, BadEscapesTaken, BracketsConfused:
		return rewrite(text, c.Quirk)
	case TrimmedAsJavaScript:
		return bytes.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xFEFF })
	case BadUTF8Dropped:
		if !utf8.Valid(text) {
			return bytes.ToValidUTF8(text, nil)
		}
	}
	return text
}

// rewrite walks over a text that may be no JSON and does one repair.
func rewrite(text []byte, quirk Quirk) []byte {
	if bytes.IndexByte(text, '{') < 0 {
		return text // no message, however it is repaired
	}
	out := make([]byte, 0, len(text)+8)
	var open []byte // closing brackets that are to come
	inString, quote := false, byte('"')
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case inString && b == '\\' && i+1 < len(text):
			i++
			if quirk == BadEscapesTaken && strings.IndexByte(`"\/bfnrtu`, text[i]) < 0 {
				out = append(out, text[i])
				continue
			}
			out = append(out, b, text[i])
			continue
		case inString && b == quote:
			inString, b = false, '"'
		case inString:
		case b == '"', b == '\'' && quirk == SingleQuotesTaken:
			inString, quote, b = true, b, '"'
		case b == '{', b == '[':
			open = append(open, b+2) // } and ] are two after
		case b == '}', b == ']':
			if n := len(open); n > 0 {
				if quirk == BracketsConfused {
					b = open[n-1]
				}
				open = open[:n-1]
			}
		case quirk == CommentsTaken:
			if n := commentLength(text[i:]); n > 0 {
				i += n - 1
				continue
			}
		}
		out = append(out, b)
	}
	if quirk == TruncatedCompleted {
		if inString {
			out = append(out, '"')
		}
		for i := len(open) - 1; i >= 0; i-- {
			out = append(out, open[i])
		}
	}
	return out
}

// commentLength is how long the comment is that begins the text; 0 for none.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + 4
		}
	case bytes.HasPrefix(text, []byte("//")), text[0] == '#':
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			return end
		}
		return len(text)
	}
	return 0
}

// rawNames are the names that a quirk compares as they stand, escapes not resolved.
var rawNames = map[Quirk]string{
	EscapedResultMissed: "result", EscapedErrorMissed: "error", EscapedCodeMissed: "code",
	EscapedIsErrorMissed: "isError", EscapedResultTypeMissed: "resultType",
}
