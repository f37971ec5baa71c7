// Package visible shows bytes from outside to people: what cannot be seen, or
// would be obeyed by a terminal or by whoever lays out text, is written as an
// escape. Text in other scripts stays as it is.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text escapes what cannot be seen, line ends among it.
func Text(text string) string { return escaped(text, "") }

// Lines escapes what cannot be seen but line feeds and tabs: for what a program
// says in lines.
func Lines(text string) string { return escaped(text, "\n\t") }

// JSON is a JSON text in which all that [Text] escapes stands as an escape of
// JSON, but for the white space between its tokens: it says the same.
func JSON(text []byte) []byte {
	var b []byte
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		escape, _ := next(string(text[:size]))
		if escape == "" || r <= ' ' || r == utf8.RuneError {
			b = append(b, text[:size]...)
		} else {
			for _, unit := range utf16.AppendRune(nil, r) {
				b = fmt.Appendf(b, `\u%04X`, unit)
			}
		}
		text = text[size:]
	}
	return b
}

// escaped leaves the bytes of but as they are.
func escaped(text, but string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		escape, size := next(text[i:])
		if escape == "" || strings.IndexByte(but, text[i]) >= 0 {
			escape = text[i : i+size]
		}
		b.WriteString(escape)
		i += size
	}
	return b.String()
}

// Pieces splits text into what is shown as it is, at even places, and escapes,
// at odd ones. A line feed stays in its line, as an escape, and begins the piece
// after it too, so that the pieces joined have the lines of the text.
func Pieces(text []byte) []string {
	pieces := []string{""}
	add := func(piece string, escaped bool) {
		if (len(pieces)%2 == 0) != escaped {
			pieces = append(pieces, "")
		}
		pieces[len(pieces)-1] += piece
	}
	from := 0
	whole := string(text)
	for i := 0; i < len(whole); {
		escape, size := next(whole[i:])
		if escape != "" {
			if from < i {
				add(whole[from:i], false)
			}
			add(escape, true)
			from = i + size
			if whole[i] == '\n' {
				from = i
			}
		}
		i += size
	}
	if from < len(whole) {
		add(whole[from:], false)
	}
	return pieces
}

// next gives the escape of what text begins with, "" if it is shown as it is,
// and how many bytes it takes.
func next(text string) (escape string, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02X`, text[0]), size
	case r == '\r':
		return `\r`, size
	case r == '\n':
		return `\n`, size
	case r == '\t':
		return `\t`, size
	case r > 0xFFFF && unseen(r):
		return fmt.Sprintf(`\U%08X`, r), size
	case unseen(r):
		return fmt.Sprintf(`\u%04X`, r), size
	}
	return "", size
}

// unseen tells of controls, of what orders the text around it (bidirectional
// controls), of the separators of lines and paragraphs, and of all that takes no
// room: joiners, marks of byte order, tags, fillers, selectors of variants.
func unseen(r rune) bool {
	if r < 0x7F {
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point)
}
