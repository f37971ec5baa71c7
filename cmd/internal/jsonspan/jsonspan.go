// Package jsonspan tells where the values of a JSON text stand, so that parts of
// it can be replaced or left out and every other byte stays as it was. It is not
// for deciding whether a text is JSON: it takes encoding/json's word for that.
package jsonspan

import (
	"bytes"
	"encoding/json"
)

// Value is a value of a text: Text[Start:End] without white space around it.
type Value struct {
	Kind       byte // { [ " t f n, or 0 for a number
	Start, End int
	Items      []Item // of an object or an array
}

// Item is an element of an array, or a member of an object.
type Item struct {
	// NameStart and NameEnd bound a member's name, quotes included; both 0 for
	// an element.
	NameStart, NameEnd int
	Value              Value
}

// Start is where the item begins.
func (i Item) Start() int {
	if i.NameEnd > 0 {
		return i.NameStart
	}
	return i.Value.Start
}

// Name is a member's name, unescaped.
func (i Item) Name(text []byte) string {
	var name string
	if i.NameEnd > 0 {
		_ = json.Unmarshal(text[i.NameStart:i.NameEnd], &name)
	}
	return name
}

// deepest is the nesting up to which texts are read.
const deepest = 1000

// Parse finds the values of a text that may have white space and a byte order
// mark around it. ok is false for what is not JSON or nests more than 1,000 deep.
func Parse(text []byte) (v Value, ok bool) {
	from := 0
	if bytes.HasPrefix(text, []byte("\xEF\xBB\xBF")) {
		from = 3
	}
	if !json.Valid(text[from:]) {
		return Value{}, false
	}
	p := parser{text: text, at: from}
	v = p.value(0)
	return v, !p.deep
}

// parser goes over a text that is known to be JSON.
type parser struct {
	text []byte
	at   int
	deep bool
}

func (p *parser) space() byte {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			p.at++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value(depth int) Value {
	v := Value{Kind: p.space(), Start: p.at}
	switch v.Kind {
	case '{', '[':
		if depth >= deepest {
			p.deep = true
		}
		p.at++
		for !p.deep {
			if c := p.space(); c == '}' || c == ']' {
				p.at++
				break
			}
			var item Item
			if v.Kind == '{' {
				item.NameStart = p.at
				p.passString()
				item.NameEnd = p.at
			}
			item.Value = p.value(depth + 1)
			v.Items = append(v.Items, item)
		}
	case '"':
		p.passString()
	case 't', 'n':
		p.at += len("true")
	case 'f':
		p.at += len("false")
	default:
		v.Kind = 0
		for p.at < len(p.text) && bytes.IndexByte([]byte("+-.0123456789eE"), p.text[p.at]) >= 0 {
			p.at++
		}
	}
	v.End = p.at
	return v
}

// passString passes over a string.
func (p *parser) passString() {
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

// Edit is a replacement of text[Start:End].
type Edit struct {
	Start, End int
	With       []byte
}

// Apply makes the edits, which are in order and do not overlap.
func Apply(text []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.Start]...), e.With...)
		at = e.End
	}
	return append(out, text[at:]...)
}
