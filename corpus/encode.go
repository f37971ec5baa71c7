package corpus

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
)

// MarshalJSON writes the case as one line of JSON, its keys in the order of the
// format. A text (all but the body and a string id) that is not UTF-8, an
// outcome or layer that is none, and a Then in a later exchange are errors.
func (c Case) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// AppendJSON appends what [Case.MarshalJSON] writes to dst. Unlike
// json.Marshal of a case, it leaves <, > and & as they are.
func (c Case) AppendJSON(dst []byte) ([]byte, error) {
	e := encoder{out: dst}
	e.encodeCase(c)
	return e.out, errors.Join(e.faults...)
}

// encoder writes cases, either on one line or, where indent is not empty, with
// one key of a case on a line.
type encoder struct {
	out    []byte
	indent string // line feed and white space before a key; "" for one line
	faults []error
	id     string
	first  bool // no key of the current object has been written
}

func (e *encoder) fault(key, format string, args ...any) {
	e.faults = append(e.faults, &Error{Case: e.id, Key: key, Err: fmt.Errorf(format, args...)})
}

func (e *encoder) open() {
	e.out = append(e.out, '{')
	e.first = true
}

func (e *encoder) close(indent string) {
	e.out = append(append(e.out, indent...), '}')
	e.first = false
}

// key begins a member; indent is what goes before it.
func (e *encoder) key(name, indent string) {
	if !e.first {
		e.out = append(e.out, ',')
		if indent == "" && e.indent != "" {
			e.out = append(e.out, ' ')
		}
	}
	e.first = false
	e.out = append(e.out, indent...)
	e.out = append(appendText(e.out, name), ':')
	if e.indent != "" {
		e.out = append(e.out, ' ')
	}
}

// text writes a string that must be UTF-8.
func (e *encoder) text(key, text string) {
	if !utf8.ValidString(text) {
		e.fault(key, "is not UTF-8")
	}
	e.out = appendText(e.out, text)
}

// list writes an array on one line.
func (e *encoder) list(length int, element func(i int)) {
	e.out = append(e.out, '[')
	for i := range length {
		if i > 0 {
			e.out = append(e.out, ',')
			if e.indent != "" {
				e.out = append(e.out, ' ')
			}
		}
		element(i)
	}
	e.out = append(e.out, ']')
}

func (e *encoder) texts(key string, all []string) {
	e.list(len(all), func(i int) { e.text(key, all[i]) })
}

func (e *encoder) ints(all []int) {
	e.list(len(all), func(i int) { e.out = strconv.AppendInt(e.out, int64(all[i]), 10) })
}

func (e *encoder) encodeCase(c Case) {
	e.id = c.ID
	e.open()
	in := e.indent
	for _, field := range []struct{ key, text string }{{"id", c.ID}, {"rule", c.Rule}, {"why", c.Why}, {"source", c.Source}} {
		if field.text != "" {
			e.key(field.key, in)
			e.text(field.key, field.text)
		}
	}
	if c.Tags != nil {
		e.key("tags", in)
		e.texts("tags", c.Tags)
	}
	e.exchange(c, in)
	if c.Then != nil {
		e.key("then", in)
		e.then(c.Then, in)
	}
	e.expectation(c, in)
	outer := ""
	if len(in) > 2 {
		outer = in[:len(in)-2]
	}
	e.close(outer)
}

func (e *encoder) then(exchanges []Case, in string) {
	e.out = append(e.out, '[')
	deeper, end := "", ""
	if in != "" {
		deeper, end = in+"    ", in+"  "
	}
	for i, c := range exchanges {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if c.Then != nil || c.ID != "" || c.Rule != "" || c.Why != "" || c.Source != "" || c.Tags != nil {
			e.fault(fmt.Sprintf("then[%d]", i), "has a field that only a whole case has: then, id, rule, why, source or tags")
		}
		e.out = append(e.out, end...)
		e.open()
		e.exchange(c, deeper)
		e.expectation(c, deeper)
		e.close(end)
	}
	if len(exchanges) > 0 {
		e.out = append(e.out, in...)
	}
	e.out = append(e.out, ']')
}

// exchange writes the wire fields.
func (e *encoder) exchange(c Case, in string) {
	if !c.Notification || c.RequestID != (classifier.ID{}) {
		e.key("request_id", in)
		e.out = appendID(e.out, c.RequestID)
	}
	e.key("status", in)
	if c.Status == nil {
		e.out = append(e.out, "null"...)
	} else {
		e.out = strconv.AppendInt(e.out, int64(*c.Status), 10)
	}
	if c.Headers != nil {
		e.key("headers", in)
		e.headers(c.Headers)
	}
	switch {
	case c.Body == nil:
	case utf8.Valid(c.Body):
		e.key("body", in)
		e.out = appendText(e.out, string(c.Body))
	default:
		e.key("body_base64", in)
		e.out = append(e.out, '"')
		e.out = base64.StdEncoding.AppendEncode(e.out, c.Body)
		e.out = append(e.out, '"')
	}
	if c.ChunkSplits != nil {
		e.key("chunk_splits", in)
		e.ints(c.ChunkSplits)
	}
	if c.CutAfter != nil {
		e.key("cut_after", in)
		e.out = strconv.AppendInt(e.out, int64(*c.CutAfter), 10)
	}
	if c.DelayMS != 0 {
		e.key("delay_ms", in)
		e.out = strconv.AppendInt(e.out, int64(c.DelayMS), 10)
	}
	if c.Ended != nil {
		e.key("ended", in)
		e.marshaled("ended", *c.Ended)
	}
	if c.Notification {
		e.key("notification", in)
		e.out = append(e.out, "true"...)
	}
}

func (e *encoder) headers(lines Headers) {
	if lines.repeated() {
		e.list(len(lines), func(i int) {
			pair := [2]string{lines[i].Name, lines[i].Value}
			e.list(2, func(j int) { e.text("headers", pair[j]) })
		})
		return
	}
	e.open()
	for _, line := range lines {
		if !utf8.ValidString(line.Name) {
			e.fault("headers", "a name is not UTF-8")
		}
		e.key(line.Name, "")
		e.text("headers."+line.Name, line.Value)
	}
	e.close("")
}

func (e *encoder) expectation(c Case, in string) {
	if c.Expect != nil {
		e.key("expect", in)
		e.open()
		e.key("layer", "")
		e.marshaled("expect.layer", c.Expect.Layer)
		e.key("outcome", "")
		e.marshaled("expect.outcome", c.Expect.Outcome)
		if c.Expect.Reason != "" {
			e.key("reason", "")
			e.text("expect.reason", c.Expect.Reason)
		}
		if c.Expect.Code != "" {
			e.key("code", "")
			e.text("expect.code", c.Expect.Code)
		}
		if c.Expect.Findings != nil {
			e.key("findings", "")
			e.texts("expect.findings", c.Expect.Findings)
		}
		if c.Expect.Advice != "" {
			e.key("advice", "")
			e.text("expect.advice", c.Expect.Advice)
		}
		e.close("")
	}
	if c.AlsoAcceptable != nil {
		e.key("also_acceptable", in)
		e.texts("also_acceptable", c.AlsoAcceptable)
	}
}

// marshaled writes a word of package classifier.
func (e *encoder) marshaled(key string, word interface{ MarshalText() ([]byte, error) }) {
	text, err := word.MarshalText()
	if err != nil {
		e.fault(key, "%w", err)
	}
	e.out = appendText(e.out, string(text))
}
