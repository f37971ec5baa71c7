// Package words splits the text of a command into its words, as a shell does
// for plain words, quotes and backslashes. Nothing in it is expanded.
package words

import (
	"errors"
	"strings"
	"unicode"
)

// Split gives the words of a command. A text without a word, and a quote that
// does not end, are errors.
func Split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\':
			if i++; i == len(text) {
				return nil, errors.New("it ends with a backslash")
			}
			if quote == '"' && text[i] != '"' && text[i] != '\\' {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			inWord = true
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote does not end")
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("it has no word")
	}
	return words, nil
}

// Line is the text of a command in one line: where it has controls, line ends among
// them, it is written anew, a space between its words. What [Split] makes of it stays
// the same, and so does a control inside a word.
func Line(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	words, err := Split(text)
	if err != nil {
		return text
	}
	for i, word := range words {
		words[i] = Quote(word)
	}
	return strings.Join(words, " ")
}

// Quote writes a word so that a shell, and [Split], read it as one.
func Quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
