package callers

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// sameText tells whether two raw JSON strings are equal code unit for code unit.
func sameText(a, b json.RawMessage) bool {
	x, first := units(a)
	y, second := units(b)
	return first && second && slices.Equal(x, y)
}

// units are the UTF-16 code units of a raw JSON string, halves of surrogate
// pairs kept; ok is false where raw is no string. Bytes that are not UTF-8 stand
// for U+FFFD, one each.
func units(raw json.RawMessage) (text []uint16, ok bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return nil, false
	}
	for raw = raw[1 : len(raw)-1]; len(raw) > 0; {
		if raw[0] != '\\' {
			r, size := utf8.DecodeRune(raw)
			text, raw = utf16.AppendRune(text, r), raw[size:]
			continue
		}
		if len(raw) >= 6 && raw[1] == 'u' {
			n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
			if err != nil {
				return nil, false
			}
			text, raw = append(text, uint16(n)), raw[6:]
			continue
		}
		if len(raw) < 2 {
			return nil, false
		}
		c := raw[1]
		switch c {
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
		text, raw = append(text, uint16(c)), raw[2:]
	}
	return text, true
}
