package capture

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// harWalk goes through the text of an archive.
type harWalk struct {
	in     Input
	r      *bufio.Reader
	budget *budgetReader // of r
	d      *json.Decoder // of budget
	mark   int64         // bytes before what the decoder counts
}

// walk begins at the first byte, or after a byte order mark.
func (in Input) walk(r *bufio.Reader) *harWalk {
	w := &harWalk{in: in, r: r, budget: &budgetReader{r: r, left: in.Limit}}
	if head, _ := r.Peek(3); string(head) == string(byteOrderMark) {
		_, _ = r.Discard(3)
		w.mark = 3
	}
	w.d = json.NewDecoder(w.budget)
	return w
}

// budgetReader ends an entry that passes the limit, which would be held in
// memory until its end.
type budgetReader struct {
	r    io.Reader
	left int64
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// offset is how many bytes were read.
func (w *harWalk) offset() int64 { return w.mark + w.d.InputOffset() }

// next is where the next entry begins; white space after the comma before it may
// not be counted where it is long.
func (w *harWalk) next() int64 {
	at := w.offset()
	for b := bufio.NewReaderSize(w.d.Buffered(), 16); ; at++ {
		c, err := b.ReadByte()
		if err != nil || !strings.ContainsRune(" \t\r\n,", rune(c)) {
			return at
		}
	}
}

// place is a byte of the input, in an entry if n is not 0.
func (w *harWalk) place(n int, at int64) Place {
	where := fmt.Sprintf("byte %d", at)
	if w.in.recoded {
		where += " of it as UTF-8"
	}
	if n > 0 {
		where = fmt.Sprintf("entry %d (%s)", n, where)
	}
	return Place{w.in.Name, where}
}

// fail is the end of the walk, in an entry if n is not 0.
func (w *harWalk) fail(n int, err error) error {
	var syntax *json.SyntaxError
	var structure *structureError
	at, read := w.offset(), ""
	if n > 1 {
		read = "; what came before was read"
	}
	switch {
	case w.budget.left < 0:
		return &Fault{w.place(n, at), w.in.tooLarge()}
	case errors.As(err, &structure):
		return &Fault{w.place(n, structure.at), err}
	case errors.As(err, &syntax):
		if syntax.Offset != w.d.InputOffset() {
			at += w.wrong() // the decoder is before the value
		}
		if !w.torn(at) {
			return &Fault{w.place(n, at), fmt.Errorf("no JSON: %w; nothing from here on is read, so save the archive anew%s", err, read)}
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		held, _ := io.Copy(io.Discard, w.d.Buffered())
		at += held
	default:
		return &Fault{w.place(n, at), err}
	}
	return &Fault{w.place(n, at), fmt.Errorf("the file ends here, in the middle of the archive; save or copy it anew%s", read)}
}

// wrong is how far from where the decoder is the first byte stands that is no JSON.
func (w *harWalk) wrong() int64 {
	var value json.RawMessage
	var syntax *json.SyntaxError
	if err := json.NewDecoder(w.d.Buffered()).Decode(&value); errors.As(err, &syntax) {
		return syntax.Offset - 1
	}
	return 0
}

// torn tells whether nothing is at a place but half a character of UTF-16, with
// which the input ends.
func (w *harWalk) torn(at int64) bool {
	if !w.in.recoded {
		return false
	}
	ahead := w.d.Buffered()
	_, _ = io.CopyN(io.Discard, ahead, at-w.offset())
	rest, _ := io.ReadAll(io.LimitReader(io.MultiReader(ahead, w.r), 4))
	return string(rest) == "\uFFFD"
}

// structureError is a text that is JSON, and no archive.
type structureError struct {
	at   int64 // in the input
	what string
}

func (e *structureError) Error() string { return e.what }

// none is why the text is no archive; the decoder has just read what shows it.
func (w *harWalk) none(why string) error {
	return &structureError{w.offset() - 1, `no HAR, which is {"log":{"entries":[…]}}: ` + why + "; --from tells another form"}
}

// enter goes to the array that stands at a path of members.
func (w *harWalk) enter(path ...string) error {
	for i, name := range path {
		if err := w.expect('{', strings.Join(path[:i], ".")); err != nil {
			return err
		}
		for {
			w.budget.left = w.in.Limit
			if !w.d.More() {
				if _, err := w.d.Token(); err != nil {
					return err
				}
				return w.none("there is no member " + strings.Join(path[:i+1], ".") + " in it")
			}
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			if key == name {
				break
			}
			var passed json.RawMessage
			if err := w.d.Decode(&passed); err != nil {
				return err
			}
		}
	}
	return w.expect('[', strings.Join(path, "."))
}

// expect passes a bracket or brace, with which the value at a path of members begins.
func (w *harWalk) expect(want json.Delim, path string) error {
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	if token != want {
		if path == "" {
			path = "the whole"
		}
		return w.none(fmt.Sprintf("%s is %s, and must be %s", path, tokenKind(token), tokenKind(want)))
	}
	return nil
}

// tokenKind is what begins with a token, in words.
func tokenKind(token json.Token) string {
	switch token {
	case json.Delim('{'):
		return "an object"
	case json.Delim('['):
		return "an array"
	case nil:
		return "null"
	}
	switch token.(type) {
	case string:
		return "a string"
	case float64:
		return "a number"
	}
	return fmt.Sprint(token)
}

// misplaced tells of a member whose value is of a wrong type.
func misplaced(err *json.UnmarshalTypeError) error {
	kinds := map[reflect.Kind]string{
		reflect.Struct: "an object", reflect.Slice: "an array", reflect.String: "a string", reflect.Float64: "a number", reflect.Int: "an integer",
	}
	got := err.Value
	switch kind, _, _ := strings.Cut(got, " "); kind {
	case "object", "array":
		got = "an " + got
	case "string", "number":
		got = "a " + got
	}
	t := err.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if err.Field == "" {
		return fmt.Errorf("the entry is %s, and must be an object", got)
	}
	return fmt.Errorf("the member %s holds %s where %s should stand", err.Field, got, kinds[t.Kind()])
}

// leave goes to the end of the objects around the array that enter went to, the
// innermost first. A member that was passed already must not come again: it
// would not be read.
func (w *harWalk) leave(names ...string) error {
	for _, name := range names {
		for {
			w.budget.left = w.in.Limit
			if !w.d.More() {
				break
			}
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			if key == name {
				return &structureError{w.offset() - 1, "there is a second member " + name + ", which is not read; leave one in the file"}
			}
			var passed json.RawMessage
			if err := w.d.Decode(&passed); err != nil {
				return err
			}
		}
		if _, err := w.d.Token(); err != nil {
			return err
		}
	}
	return nil
}

// pastWhite tells how many bytes of JSON's white space r begins with, and
// whether more follows.
func pastWhite(r io.Reader) (white int64, more bool, err error) {
	for b := bufio.NewReader(r); ; white++ {
		switch c, err := b.ReadByte(); {
		case errors.Is(err, io.EOF):
			return white, false, nil
		case err != nil:
			return white, false, err
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return white, true, nil
		}
	}
}
