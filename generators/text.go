package generators

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// ErrUnknownWord is what is wrong with a word that names nothing.
var ErrUnknownWord = errors.New("neither a fault of the catalogue nor a field")

// ParseError is a recipe's text that could not be read.
type ParseError struct {
	Text   string // the whole text
	Offset int    // byte at which the word in question begins
	Word   string // the word in question
	Err    error  // what is wrong with it
}

// Error says what is wrong, and where.
func (e *ParseError) Error() string {
	return fmt.Sprintf("generators: recipe %q: at byte %d, %q: %v", e.Text, e.Offset, e.Word, e.Err)
}

// Unwrap is what is wrong with the word.
func (e *ParseError) Unwrap() error { return e.Err }

// Format writes a recipe as text: the base, then what differs from the plain
// answer, each with a plus sign, such as
//
//	tool-error +status=503 +sse=crlf +cut=117
func (c *Catalogue) Format(r Recipe) string { return string(c.AppendFormat(nil, r)) }

// AppendFormat appends the text of [Catalogue.Format].
func (c *Catalogue) AppendFormat(dst []byte, r Recipe) []byte {
	dst = append(dst, r.Base.String()...)
	for _, pick := range r.Picks() {
		if int(pick.Fault) > len(c.faults) {
			break
		}
		f := &c.faults[pick.Fault-1]
		dst = append(append(dst, " +"...), f.Name...)
		if int(pick.Variant) < len(f.Variants) && f.Variants[pick.Variant].Name != "" {
			dst = append(append(dst, '='), f.Variants[pick.Variant].Name...)
		}
	}
	for i := range choices {
		f := &choices[i]
		if at := *f.get(&r); at != 0 {
			dst = append(append(append(append(dst, " +"...), f.name...), '='), word(f.words, at)...)
		}
	}
	for i := range numbers {
		f := &numbers[i]
		if at := *f.get(&r); at != 0 {
			dst = append(append(append(dst, " +"...), f.name...), '=')
			dst = strconv.AppendUint(dst, uint64(at-f.less), 10)
		}
	}
	return dst
}

// Parse reads the text of [Catalogue.Format]. Words may stand in any order
// after the base and be parted by any white space. What Check refuses is an
// error too. Errors are of type [*ParseError].
func (c *Catalogue) Parse(text string) (Recipe, error) {
	var r Recipe
	first := true
	for at, token := range tokens(text) {
		fail := func(err error) (Recipe, error) {
			return Recipe{}, &ParseError{Text: text, Offset: at, Word: token, Err: err}
		}
		if first {
			i := slices.Index(baseNames[:], token)
			if i < 0 {
				return fail(fmt.Errorf("no base; the bases are %s", strings.Join(baseNames[:], ", ")))
			}
			r.Base, first = Base(i), false
			continue
		}
		body, ok := strings.CutPrefix(token, "+")
		if !ok {
			return fail(fmt.Errorf("a fault or field begins with a plus sign"))
		}
		if err := c.parseWord(&r, body); err != nil {
			return fail(err)
		}
	}
	if first {
		return Recipe{}, &ParseError{Text: text, Offset: len(text), Err: fmt.Errorf("empty; a recipe begins with one of %s", strings.Join(baseNames[:], ", "))}
	}
	if err := c.Check(r); err != nil {
		return Recipe{}, &ParseError{Text: text, Word: text, Err: err}
	}
	return r, nil
}

// parseWord reads one fault or field.
func (c *Catalogue) parseWord(r *Recipe, body string) error {
	name, value, given := strings.Cut(body, "=")
	for i := range choices {
		if f := &choices[i]; f.name == name {
			at := slices.Index(f.words, value)
			if at < 0 {
				return fmt.Errorf("no value of %s; the values are %s", name, strings.Join(f.words, ", "))
			}
			if *f.get(r) != 0 {
				return fmt.Errorf("%s stands twice", name)
			}
			*f.get(r) = uint8(at)
			return nil
		}
	}
	for i := range numbers {
		if f := &numbers[i]; f.name == name {
			n, err := strconv.ParseUint(value, 10, 16)
			if err != nil || n+uint64(f.less) > 1<<16-1 {
				return fmt.Errorf("%s takes a number from 0 to %d", name, 1<<16-1-int(f.less))
			}
			*f.get(r) = uint16(n) + f.less
			return nil
		}
	}
	i, ok := c.byName[name]
	if !ok {
		return ErrUnknownWord
	}
	variants := c.faults[i].Variants
	at := slices.IndexFunc(variants, func(v Variant) bool { return v.Name == value })
	if !given {
		at = 0
	}
	if at < 0 {
		names := make([]string, len(variants))
		for j, v := range variants {
			names[j] = v.Name
		}
		return fmt.Errorf("no variant of %s; the variants are %s", name, strings.Join(names, ", "))
	}
	for _, p := range r.Faults {
		if p.Fault == uint16(i)+1 {
			return fmt.Errorf("%s stands twice", name)
		}
	}
	if !r.add(Pick{Fault: uint16(i) + 1, Variant: uint16(at)}) {
		return fmt.Errorf("a recipe holds at most %d faults", MaxFaults)
	}
	return nil
}

// tokens yields the words of a text with their offsets.
func tokens(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			if strings.ContainsRune(" \t\r\n", rune(text[at])) {
				at++
				continue
			}
			end := at + 1
			for end < len(text) && !strings.ContainsRune(" \t\r\n", rune(text[end])) {
				end++
			}
			if !yield(at, text[at:end]) {
				return
			}
			at = end
		}
	}
}

// describe fills in what a case says of itself.
func (c *Catalogue) describe(r Recipe, made *corpus.Case) {
	text := c.Format(r)
	made.ID = "recipe/" + slug(text)
	made.Source = "recipe: " + text
	made.Why = "Made by the recipe " + text + "."
	rules := ""
	for f := range c.Picked(r) {
		made.Tags = append(made.Tags, "fault:"+f.Name)
		if rules == "" {
			rules = f.Rule
		}
	}
	if rules == "" {
		rules = made.Expect.Outcome.String()
		if e := ruleOf(made.Expect.Reason); e != "" {
			rules = e
		}
	}
	made.Rule = rules
}

// slug turns the text of a recipe into kebab-case.
func slug(text string) string {
	var b strings.Builder
	dash := false
	for _, ch := range strings.ToLower(text) {
		if ch >= 'a' && ch <= 'z' || ch >= '0' && ch <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(ch)
			continue
		}
		dash = true
	}
	return b.String()
}
