package loopback

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SameJSON tells whether two raw texts are the same JSON value: numbers by their
// exact decimal value, strings code unit for code unit, members in any order and
// of several with one name the last. Absent is the same as absent alone, and
// what is no JSON is the same as the same bytes.
func SameJSON(a, b json.RawMessage) bool { return bytes.Equal(a, b) || Key(a) == Key(b) }

// SameText tells whether two raw texts are JSON strings, and equal code unit for
// code unit.
func SameText(a, b json.RawMessage) bool {
	x, first := units(a)
	y, second := units(b)
	return first && second && slices.Equal(x, y)
}

// Text is the string of a raw JSON string; half a surrogate pair, which UTF-8
// cannot hold, stands as its three bytes, as in [classifier.StringID]. ok is
// false where raw is no string.
func Text(raw json.RawMessage) (text string, ok bool) {
	us, ok := units(raw)
	var b []byte
	for len(us) > 0 {
		r, n := rune(us[0]), 1
		if utf16.IsSurrogate(r) {
			if len(us) > 1 && utf16.DecodeRune(r, rune(us[1])) != utf8.RuneError {
				r, n = utf16.DecodeRune(r, rune(us[1])), 2
			} else {
				b = append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
				us = us[1:]
				continue
			}
		}
		b, us = utf8.AppendRune(b, r), us[n:]
	}
	return string(b), ok
}

// Key is one text for all raw texts that are the same by [SameJSON], for maps.
// It is not for people.
func Key(raw json.RawMessage) string {
	if !json.Valid(raw) {
		return string(raw)
	}
	return valueKey(raw)
}

// valueKey is the key of a value that is valid. It is JSON itself, so that
// none is the bytes of what is no JSON.
func valueKey(raw json.RawMessage) string {
	switch raw = bytes.Trim(raw, space); raw[0] {
	case '"':
		text, _ := units(raw)
		b := make([]byte, 0, 2+4*len(text))
		b = append(b, '"')
		for _, u := range text {
			b = hex.AppendEncode(b, []byte{byte(u >> 8), byte(u)})
		}
		return string(append(b, '"'))
	case '{':
		byName := map[string]string{}
		for rest := raw[1:]; ; {
			var name, value json.RawMessage
			if name, rest = next(rest); name == nil {
				break
			}
			value, rest = next(rest)
			byName[valueKey(name)] = valueKey(value)
		}
		var all []string
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			all = append(all, name+":"+byName[name])
		}
		return "{" + strings.Join(all, ",") + "}"
	case '[':
		var all []string
		for rest := raw[1:]; ; {
			var value json.RawMessage
			if value, rest = next(rest); value == nil {
				return "[" + strings.Join(all, ",") + "]"
			}
			all = append(all, valueKey(value))
		}
	case 't', 'f', 'n':
		return string(raw)
	default:
		return numberKey(string(raw))
	}
}

const space = " \t\r\n"

// next is the next value inside an object or an array that is valid, and what
// follows it; nil at the end.
func next(text json.RawMessage) (value, rest json.RawMessage) {
	text = bytes.TrimLeft(text, space+",:")
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
			if quoted || depth > 0 {
				continue
			}
			return text[:i+1], text[i+1:]
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				if i == 0 {
					return nil, nil
				}
				return text[:i], text[i:]
			}
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case depth == 0 && strings.IndexByte(space+",", c) >= 0:
			return text[:i], text[i:]
		}
	}
	return nil, nil
}

// numberKey is a number as its digits, without zeros at either end, and a power
// of ten.
func numberKey(text string) string {
	digits, power, _ := strings.Cut(strings.ToLower(text), "e")
	exponent, err := strconv.ParseInt("0"+strings.TrimLeft(power, "+-"), 10, 64)
	if strings.HasPrefix(power, "-") {
		exponent = -exponent
	}
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	if err != nil || exponent > 1<<62 || exponent < -1<<62 {
		return text // beyond what anybody counts: by its spelling
	}
	trimmed := strings.TrimRight(digits, "0")
	exponent += int64(len(digits)-len(trimmed)) - int64(len(fraction))
	return fmt.Sprintf("%s%se%d", sign, trimmed, exponent)
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
