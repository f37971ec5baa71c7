package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
)

// A text that should be JSON and is not must go wrong where it went wrong, once
// its secrets are taken out: quotes, brackets, and what breaks a string stay.

// looksJSON tells whether a text begins as an object, an array or a string does.
func looksJSON(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
	return len(text) > 0 && strings.IndexByte(`{["`, text[0]) >= 0
}

// cleanBroken replaces what must not be kept in the strings and numbers of a text
// that is not read as JSON. After a quote that is missing, strings and what stands
// between them change places: from where it goes wrong on, what is found in plain
// text is taken out too.
func (k known) cleanBroken(text []byte) []byte {
	w := walker{known: k, text: text, fault: wrongAt(text)}
	w.walk()
	if w.sound < 0 {
		return w.out
	}
	return append(w.out[:w.sound:w.sound], k.text(string(w.out[w.sound:]))...)
}

// wrongAt is how many bytes of a text JSON can begin with, at most.
func wrongAt(text []byte) int {
	mark := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		mark = len(byteOrderMark)
	}
	var raw json.RawMessage
	var wrong *json.SyntaxError
	err := json.Unmarshal(text[mark:], &raw)
	if errors.As(err, &wrong) {
		return mark + max(int(wrong.Offset)-1, 0)
	}
	return len(text)
}

// brokenSecrets are the values of members with the names of secrets.
func brokenSecrets(text []byte) []string {
	w := walker{text: text, fault: len(text)}
	w.walk()
	return w.secrets
}

// walker goes over strings, numbers and words, whatever stands between them.
type walker struct {
	known   known
	text    []byte
	fault   int // where the text goes wrong
	out     []byte
	sound   int      // what was written before that; -1 until then
	secrets []string // values that were taken out for their names

	name    string // of the member whose value comes next
	depth   int    // of objects and arrays in one that is a secret; 0 outside
	pending string // the last string, which is a name if a colon follows
}

func (w *walker) walk() {
	w.sound = -1
	for at := 0; at < len(w.text); {
		end := at + 1
		if w.sound < 0 && at > w.fault {
			w.sound = len(w.out) // the token in which it does included
		}
		switch c := w.text[at]; {
		case c == '"':
			end = w.stringEnd(at)
			w.string(w.text[at:end])
		case strings.IndexByte(" \t\r\n", c) >= 0:
			w.out = append(w.out, c)
		case c == ':':
			w.name, w.pending = w.pending, ""
			w.out = append(w.out, c)
		case strings.IndexByte("{}[],", c) >= 0:
			w.structure(c)
			w.out = append(w.out, c)
		default:
			for end < len(w.text) && strings.IndexByte("{}[],:\" \t\r\n", w.text[end]) < 0 {
				end++
			}
			w.word(w.text[at:end])
		}
		at = end
	}
}

func (w *walker) structure(c byte) {
	open, shut := c == '{' || c == '[', c == '}' || c == ']'
	switch {
	case open && (w.depth > 0 || w.secret(false)):
		w.depth++
	case shut && w.depth > 0:
		w.depth--
	}
	w.name, w.pending = "", ""
}

func (w *walker) secret(number bool) bool {
	return w.depth > 0 || w.name == "requestState" || w.name != "" && classifier.IsSecretName(w.name, number)
}

// stringEnd is where the string that begins at a quote ends, its quote included.
func (w *walker) stringEnd(at int) int {
	for at++; at < len(w.text); at++ {
		switch w.text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(w.text)
}

// string writes a string, its end missing where it was missing.
func (w *walker) string(raw []byte) {
	inner, shut := raw[1:], false
	if n := len(inner); n > 0 && inner[n-1] == '"' && (n-1-len(bytes.TrimRight(inner[:n-1], `\`)))%2 == 0 {
		inner, shut = inner[:n-1], true
	}
	secret := w.secret(false)
	var value string
	whole := json.Unmarshal([]byte(`"`+string(inner)+`"`), &value) == nil
	if !whole {
		value = string(inner)
	}
	w.pending, w.name = value, ""
	clean := inner
	switch {
	case secret && len(inner) > 0:
		w.secrets = append(w.secrets, value)
		clean = append([]byte(redacted), breaks(inner)...)
	case whole:
		if text := w.known.text(value); text != value {
			clean = inside(text)
		}
	default:
		if text := w.known.text(value); text != value {
			clean = append(inside(strings.ToValidUTF8(text, "")), breaks(inner)...)
		}
	}
	w.out = append(append(w.out, '"'), clean...)
	if shut {
		w.out = append(w.out, '"')
	}
}

// inside is a text as it stands between the quotes of a JSON string.
func inside(text string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	quoted := bytes.TrimSpace(out.Bytes())
	return quoted[1 : len(quoted)-1]
}

// breaks are the bytes of a string for which it is none: control characters,
// escapes that are none, and what is no UTF-8. A line end stays for what was
// joined of lines.
func breaks(inner []byte) []byte {
	var out []byte
	for i := 0; i < len(inner); {
		c := inner[i]
		_, size := utf8.DecodeRune(inner[i:])
		switch {
		case c == '\\':
			end := min(i+2, len(inner))
			if end-i == 2 && inner[i+1] == 'u' {
				for end < min(i+6, len(inner)) && strings.IndexByte("0123456789abcdefABCDEF", inner[end]) >= 0 {
					end++
				}
			}
			if !json.Valid([]byte(`"` + string(inner[i:end]) + `"`)) {
				out = append(out, inner[i:min(i+2, end)]...)
			}
			i = end
			continue
		case c < ' ', c >= utf8.RuneSelf && size == 1:
			out = append(out, c)
		}
		i += size
	}
	return out
}

// word writes a number, a literal, or what is neither: of a secret no digit stays.
func (w *walker) word(raw []byte) {
	number := strings.IndexByte("-0123456789", raw[0]) >= 0
	literal := false
	for _, word := range []string{"true", "false", "null"} {
		literal = literal || strings.HasPrefix(word, string(raw))
	}
	secret := w.secret(number) && !literal || w.known.without(string(raw)) != string(raw) || number && withoutPersonal(string(raw)) != string(raw)
	w.name, w.pending = "", ""
	if !secret {
		w.out = append(w.out, raw...)
		return
	}
	w.secrets = append(w.secrets, string(raw))
	digits := len(bytes.Trim(raw, "+-.0123456789eE")) == 0
	for _, c := range raw {
		switch {
		case c >= '1' && c <= '9':
			c = '1'
		case c|0x20 >= 'a' && c|0x20 <= 'z' && !digits:
			c = 'x'
		}
		w.out = append(w.out, c)
	}
}
