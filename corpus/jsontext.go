package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
)

// value is a JSON value as written, and where it stands in its document. The
// document is known to be valid JSON and UTF-8.
type value struct {
	raw []byte // without white space around it
	at  int
}

// member is a member of an object.
type member struct {
	name  string
	at    int // of the name
	value value
}

// document checks that data is one JSON value and gives it.
func document(data []byte) (value, int, error) {
	if !utf8.Valid(data) {
		return value{}, firstBad(data), errors.New("not UTF-8; bytes of a body that are none go into body_base64")
	}
	if !json.Valid(data) {
		at := len(data)
		var whole json.RawMessage
		err := json.Unmarshal(data, &whole)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = max(int(syntax.Offset)-1, 0)
		}
		return value{}, at, fmt.Errorf("not JSON: %w", err)
	}
	start := skipSpace(data, 0)
	return value{raw: data[start:skipValue(data, start)], at: start}, 0, nil
}

// firstBad is the offset of the first byte that is not UTF-8.
func firstBad(data []byte) int {
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(data)
}

// kind is the first byte of the value: { [ " t f n - or a digit.
func (v value) kind() byte { return v.raw[0] }

func (v value) isNull() bool   { return v.kind() == 'n' }
func (v value) isNumber() bool { return v.kind() == '-' || v.kind() >= '0' && v.kind() <= '9' }

// members are the members of an object in order.
func (v value) members() []member {
	var all []member
	for i := skipSpace(v.raw, 1); v.raw[i] != '}'; {
		if v.raw[i] == ',' {
			i = skipSpace(v.raw, i+1)
		}
		end := skipValue(v.raw, i)
		name, _ := unquote(v.raw[i:end])
		m := member{name: name, at: v.at + i}
		i = skipSpace(v.raw, skipSpace(v.raw, end)+1) // past the colon
		end = skipValue(v.raw, i)
		m.value = value{raw: v.raw[i:end], at: v.at + i}
		all = append(all, m)
		i = skipSpace(v.raw, end)
	}
	return all
}

// elements are the elements of an array in order.
func (v value) elements() []value {
	var all []value
	for i := skipSpace(v.raw, 1); v.raw[i] != ']'; {
		if v.raw[i] == ',' {
			i = skipSpace(v.raw, i+1)
		}
		end := skipValue(v.raw, i)
		all = append(all, value{raw: v.raw[i:end], at: v.at + i})
		i = skipSpace(v.raw, end)
	}
	return all
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// skipValue is the end of the value that begins at i of a valid text.
func skipValue(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ':', ' ', '\t', '\n', '\r':
			continue
		default:
			for i+1 < len(text) && !delimiter(text[i+1]) {
				i++
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

func delimiter(b byte) bool {
	switch b {
	case ',', ':', ']', '}', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// unquote is the text of a valid JSON string. Half a surrogate pair becomes its
// three bytes (WTF-8), which lone tells.
func unquote(raw []byte) (text string, lone bool) {
	raw = raw[1 : len(raw)-1]
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			unit := hex4(raw[i+1:])
			i += 4
			if utf16.IsSurrogate(unit) && i+6 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
				if pair := utf16.DecodeRune(unit, hex4(raw[i+3:])); pair != unicode.ReplacementChar {
					unit, i = pair, i+6
				}
			}
			if utf16.IsSurrogate(unit) {
				lone = true
				out = append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
				continue
			}
			out = utf8.AppendRune(out, unit)
		default:
			out = append(out, raw[i])
		}
	}
	return string(out), lone
}

func hex4(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(n)
}

// appendText writes text as a JSON string that reads well: what cannot be seen
// is escaped, the rest stands as it is. Half a surrogate pair in WTF-8 becomes
// its escape, another byte that is not UTF-8 becomes U+FFFD.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			if unit, ok := loneSurrogate(text[i:]); ok {
				r, size = unit, 3
			}
		}
		i += size
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == ' ' || unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			dst = appendEscape(appendEscape(dst, high), low)
		default:
			dst = appendEscape(dst, r)
		}
	}
	return append(dst, '"')
}

func appendEscape(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}

// loneSurrogate is the surrogate whose three bytes text begins with.
func loneSurrogate(text string) (rune, bool) {
	if len(text) < 3 || text[0] != 0xED || text[1] < 0xA0 || text[1] > 0xBF || text[2] < 0x80 || text[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), true
}

// appendID writes an id as JSON.
func appendID(dst []byte, id classifier.ID) []byte {
	if text, ok := id.Text(); ok {
		return appendText(dst, text)
	}
	number, _ := id.Int()
	return strconv.AppendInt(dst, number, 10)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
