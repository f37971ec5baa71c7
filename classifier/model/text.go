package model

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

const bom = "\xEF\xBB\xBF"

// cutBOM drops one leading byte order mark and tells how many bytes that were.
func cutBOM(b []byte) ([]byte, int) {
	if rest, has := bytes.CutPrefix(b, []byte(bom)); has {
		return rest, len(bom)
	}
	return b, 0
}

// codePoint decodes the first code point of b, which is not empty, as the UTF-8
// decoder of WHATWG Encoding does: of a bad sequence it takes the longest part
// that could begin a good one, at least one byte, for one U+FFFD.
func codePoint(b []byte) (r rune, size int, good bool) {
	lead := b[0]
	needed := 0
	lower, upper := byte(0x80), byte(0xBF)
	switch {
	case lead < 0x80:
		return rune(lead), 1, true
	case 0xC2 <= lead && lead <= 0xDF:
		needed, r = 1, rune(lead&0x1F)
	case 0xE0 <= lead && lead <= 0xEF:
		needed, r = 2, rune(lead&0x0F)
		if lead == 0xE0 {
			lower = 0xA0
		}
		if lead == 0xED {
			upper = 0x9F
		}
	case 0xF0 <= lead && lead <= 0xF4:
		needed, r = 3, rune(lead&0x07)
		if lead == 0xF0 {
			lower = 0x90
		}
		if lead == 0xF4 {
			upper = 0x8F
		}
	default:
		return utf8.RuneError, 1, false
	}
	for size = 1; size <= needed; size++ {
		if size == len(b) || b[size] < lower || b[size] > upper {
			return utf8.RuneError, size, false
		}
		r = r<<6 | rune(b[size]&0x3F)
		lower, upper = 0x80, 0xBF
	}
	return r, size, true
}

// stringUnits is the value of a valid JSON string, given without its quotes, in
// UTF-16 code units: escapes resolved, halves of surrogate pairs kept.
func stringUnits(inner []byte) []uint16 {
	units := make([]uint16, 0, len(inner))
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			r, size, _ := codePoint(inner[i:])
			units = utf16.AppendRune(units, r)
			i += size
			continue
		}
		switch escaped := inner[i+1]; escaped {
		case 'u':
			units = append(units, hexUnit(inner[i+2:]))
			i += 6
			continue
		case 'b':
			units = append(units, '\b')
		case 'f':
			units = append(units, '\f')
		case 'n':
			units = append(units, '\n')
		case 'r':
			units = append(units, '\r')
		case 't':
			units = append(units, '\t')
		default: // quote, backslash, slash
			units = append(units, uint16(escaped))
		}
		i += 2
	}
	return units
}

// hexUnit reads the four hex digits that begin b.
func hexUnit(b []byte) uint16 {
	var unit uint16
	for _, digit := range b[:4] {
		unit <<= 4
		switch {
		case digit <= '9':
			unit |= uint16(digit - '0')
		default:
			unit |= uint16(digit|0x20-'a') + 10
		}
	}
	return unit
}

// goUnits is the value of a Go string in UTF-16 code units. Three bytes that
// spell half a surrogate pair (WTF-8) are that half.
func goUnits(s string) []uint16 {
	var units []uint16
	for b := []byte(s); len(b) > 0; {
		if len(b) >= 3 && b[0] == 0xED && 0xA0 <= b[1] && b[1] <= 0xBF && 0x80 <= b[2] && b[2] <= 0xBF {
			units = append(units, 0xD000|uint16(b[1]&0x3F)<<6|uint16(b[2]&0x3F))
			b = b[3:]
			continue
		}
		r, size, _ := codePoint(b)
		units = utf16.AppendRune(units, r)
		b = b[size:]
	}
	return units
}

// goString is the Go string of UTF-16 code units, in which half a surrogate
// pair stands as three bytes (WTF-8).
func goString(units []uint16) string {
	var s []byte
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		switch {
		case isHigh(units[i]) && i+1 < len(units) && isLow(units[i+1]):
			s = utf8.AppendRune(s, utf16.DecodeRune(u, rune(units[i+1])))
			i++
		case utf16.IsSurrogate(u):
			s = append(s, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0xBF, 0x80|byte(u)&0x3F)
		default:
			s = utf8.AppendRune(s, u)
		}
	}
	return string(s)
}

func isHigh(unit uint16) bool { return 0xD800 <= unit && unit <= 0xDBFF }
func isLow(unit uint16) bool  { return 0xDC00 <= unit && unit <= 0xDFFF }
