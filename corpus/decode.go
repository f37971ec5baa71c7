package corpus

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
)

// MaxID is the largest integer that may be the id of a request in a case, and
// its negative the smallest: beyond it doubles no longer hold every integer.
const MaxID = 1 << 53

// UnmarshalJSON reads one case. Unknown and repeated keys, values of the wrong
// type and words that are none are errors, all of them joined; an id, a why or
// an expectation need not be there, as in a case on the wire ([Case.Check]
// tells what else is wrong with a case).
func (c *Case) UnmarshalJSON(data []byte) error {
	whole, at, err := document(data)
	if err != nil {
		return &Error{Line: newLineTable(data, 1).line(at), Err: err}
	}
	d := decoder{lines: newLineTable(data, 1)}
	read := d.decodeCase(whole)
	if err := errors.Join(d.faults...); err != nil {
		return err
	}
	*c = read
	return nil
}

// decoder reads cases of one document and notes every fault.
type decoder struct {
	file    string
	lines   lineTable
	lenient bool // unknown keys are passed over

	id     string         // of the case being read
	prefix string         // of the keys being read, such as then[0].
	places map[string]int // offsets of the keys of the case being read
	faults []error
}

func (d *decoder) fault(at int, key, format string, args ...any) {
	d.faults = append(d.faults, &Error{File: d.file, Line: d.lines.line(at), Case: d.id, Key: key, Err: fmt.Errorf(format, args...)})
}

// object gives the members of an object to fields by name. A key without a
// field, or one that stands twice, is a fault.
func (d *decoder) object(v value, key string, fields map[string]func(value, string)) {
	if v.kind() != '{' {
		d.fault(v.at, key, "must be an object, is %s", v.describe())
		return
	}
	seen := make(map[string]bool)
	for _, m := range v.members() {
		path := d.prefix + m.name
		read, known := fields[m.name]
		switch {
		case !known && !d.lenient:
			d.fault(m.at, path, "unknown key; the keys are %s", keyList(fields))
		case !known:
		case seen[m.name]:
			d.fault(m.at, path, "stands twice")
		default:
			seen[m.name] = true
			d.places[path] = m.at
			read(m.value, path)
		}
	}
}

func (d *decoder) decodeCase(v value) Case {
	d.id, d.prefix, d.places = "", "", make(map[string]int)
	if v.kind() == '{' {
		for _, m := range v.members() {
			if m.name == "id" && m.value.kind() == '"' {
				d.id, _ = unquote(m.value.raw)
			}
		}
	}
	d.places[""] = v.at
	var c Case
	fields := d.wireFields(&c)
	fields["id"] = d.text(&c.ID)
	fields["rule"] = d.text(&c.Rule)
	fields["why"] = d.text(&c.Why)
	fields["source"] = d.text(&c.Source)
	fields["tags"] = d.texts(&c.Tags)
	fields["then"] = func(v value, key string) {
		for i, next := range d.list(v, key) {
			var exchange Case
			d.prefix = fmt.Sprintf("%s[%d].", key, i)
			d.places[d.prefix] = next.at
			d.object(next, fmt.Sprintf("%s[%d]", key, i), d.wireFields(&exchange))
			d.prefix = ""
			c.Then = append(c.Then, exchange)
		}
		if c.Then == nil {
			c.Then = []Case{}
		}
	}
	d.object(v, "", fields)
	return c
}

// wireFields are the keys that the first exchange of a case shares with the
// later ones.
func (d *decoder) wireFields(c *Case) map[string]func(value, string) {
	return map[string]func(value, string){
		"request_id":   func(v value, key string) { c.RequestID = d.requestID(v, key) },
		"status":       func(v value, key string) { c.Status = d.optionalInt(v, key) },
		"headers":      func(v value, key string) { c.Headers = d.headers(v, key) },
		"body":         func(v value, key string) { d.body(c, key, d.bodyText(v, key)) },
		"body_base64":  func(v value, key string) { d.body(c, key, d.bodyBytes(v, key)) },
		"chunk_splits": func(v value, key string) { c.ChunkSplits = d.ints(v, key) },
		"cut_after":    func(v value, key string) { c.CutAfter = d.optionalInt(v, key) },
		"delay_ms":     func(v value, key string) { c.DelayMS = d.int(v, key) },
		"ended": func(v value, key string) {
			if text, ok := d.word(v, key); ok {
				c.Ended = new(classifier.Ended)
				d.check(v, key, c.Ended.UnmarshalText([]byte(text)))
			}
		},
		"notification":    func(v value, key string) { c.Notification = d.boolean(v, key) },
		"expect":          func(v value, key string) { c.Expect = d.expect(v, key) },
		"also_acceptable": d.texts(&c.AlsoAcceptable),
	}
}

func (d *decoder) expect(v value, key string) *Expect {
	var e Expect
	outer := d.prefix
	d.prefix = key + "."
	d.object(v, key, map[string]func(value, string){
		"layer": func(v value, key string) {
			if text, ok := d.word(v, key); ok {
				d.check(v, key, e.Layer.UnmarshalText([]byte(text)))
			}
		},
		"outcome": func(v value, key string) {
			if text, ok := d.word(v, key); ok {
				d.check(v, key, e.Outcome.UnmarshalText([]byte(text)))
			}
		},
		"reason":   d.text(&e.Reason),
		"code":     d.text(&e.Code),
		"findings": d.texts(&e.Findings),
		"advice":   d.text(&e.Advice),
	})
	d.prefix = outer
	return &e
}

func (d *decoder) requestID(v value, key string) classifier.ID {
	if v.kind() == '"' {
		text, _ := unquote(v.raw)
		return classifier.StringID(text)
	}
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil || n < -MaxID || n > MaxID {
		d.fault(v.at, key, "must be a string, or an integer from -2^53 to 2^53 in plain digits, is %s", v.describe())
	}
	return classifier.IntID(n)
}

func (d *decoder) headers(v value, key string) Headers {
	lines := Headers{}
	switch v.kind() {
	case '{':
		for _, m := range v.members() {
			if text, ok := d.word(m.value, key+"."+m.name); ok {
				lines = append(lines, Header{Name: m.name, Value: text})
			}
		}
		if lines.repeated() {
			d.fault(v.at, key, "a name stands twice in the object; write the headers as a list of pairs")
		}
	case '[':
		for i, pair := range v.elements() {
			path := fmt.Sprintf("%s[%d]", key, i)
			if pair.kind() != '[' || len(pair.elements()) != 2 {
				d.fault(pair.at, path, "must be a pair of name and value, is %s", pair.describe())
				continue
			}
			name, ok1 := d.word(pair.elements()[0], path)
			text, ok2 := d.word(pair.elements()[1], path)
			if ok1 && ok2 {
				lines = append(lines, Header{Name: name, Value: text})
			}
		}
	default:
		d.fault(v.at, key, "must be an object or a list of pairs, is %s", v.describe())
	}
	return lines
}

func (d *decoder) body(c *Case, key string, body []byte) {
	if c.Body != nil {
		d.fault(d.places[key], key, "body and body_base64 stand side by side; keep one")
	}
	c.Body = body
}

func (d *decoder) bodyText(v value, key string) []byte {
	text, ok := d.word(v, key)
	if !ok {
		return []byte{}
	}
	return []byte(text)
}

func (d *decoder) bodyBytes(v value, key string) []byte {
	text, _ := d.word(v, key)
	body, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		d.fault(v.at, key, "must be standard base64 with padding: %w", err)
	}
	if body == nil {
		body = []byte{}
	}
	return body
}
