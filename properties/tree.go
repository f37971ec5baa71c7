package properties

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// tree is a JSON value whose scalars and names are kept as written, so that a
// relation can rewrite what surrounds them and leave them alone.
type tree struct {
	kind  byte     // { [ " or another byte for any other scalar
	raw   []byte   // of a scalar
	names [][]byte // of an object, raw
	kids  []*tree
}

// maxDepth is the nesting from which parsers differ.
const maxDepth = 100

// parseTree reads a text on which no two right parsers differ: valid JSON and
// UTF-8, no half of a surrogate pair, no name twice in one object, not nested
// too deep. ok is false for any other text.
func parseTree(text []byte) (n *tree, ok bool) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return nil, false
	}
	p := treeParser{text: text}
	n = p.value(0)
	return n, !p.odd
}

// treeParser reads text that is known to be valid.
type treeParser struct {
	text []byte
	at   int
	odd  bool
}

func (p *treeParser) space() byte {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return p.text[p.at]
		}
	}
	return 0
}

func (p *treeParser) value(depth int) *tree {
	n := &tree{kind: p.space()}
	if depth > maxDepth {
		p.odd = true
	}
	switch n.kind {
	case '{', '[':
		p.at++
		for p.space() != n.kind+2 { // } and ] come two after { and [
			if p.text[p.at] == ',' {
				p.at++
				p.space()
			}
			if n.kind == '{' {
				n.names = append(n.names, p.str())
				p.space()
				p.at++ // the colon
			}
			n.kids = append(n.kids, p.value(depth+1))
		}
		p.at++
		if n.kind == '{' && n.repeats() {
			p.odd = true
		}
	case '"':
		n.raw = p.str()
	default:
		start := p.at
		for p.at < len(p.text) && !bytes.ContainsRune([]byte(" \t\r\n,]}"), rune(p.text[p.at])) {
			p.at++
		}
		n.raw = p.text[start:p.at]
	}
	return n
}

func (p *treeParser) str() []byte {
	start := p.at
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	raw := p.text[start:p.at]
	if halfPair(raw) {
		p.odd = true
	}
	return raw
}

// halfPair tells whether a raw string escapes any part of a surrogate pair.
func halfPair(raw []byte) bool {
	for i := 0; i+2 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] == 'u' && (raw[i+2] == 'd' || raw[i+2] == 'D') && raw[i+3] >= '8' {
			return true
		}
		i++
	}
	return false
}

func (n *tree) repeats() bool {
	if len(n.names) < 2 {
		return false
	}
	seen := make([]string, 0, len(n.names))
	for _, raw := range n.names {
		seen = append(seen, unquote(raw))
	}
	slices.Sort(seen)
	return len(slices.Compact(seen)) < len(n.names)
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	_ = json.Unmarshal(raw, &text) // raw is a valid string
	return text
}

// get is the member of that name, or nil.
func (n *tree) get(name string) *tree {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i, raw := range n.names {
		if unquote(raw) == name {
			return n.kids[i]
		}
	}
	return nil
}

// is tells whether n is the string text.
func (n *tree) is(text string) bool { return n != nil && n.kind == '"' && unquote(n.raw) == text }

// with is the object with a member more at position at.
func (n *tree) with(at int, name, value string) *tree {
	c := &tree{kind: n.kind, names: slices.Clone(n.names), kids: slices.Clone(n.kids)}
	c.names = slices.Insert(c.names, at, []byte(`"`+name+`"`))
	c.kids = slices.Insert(c.kids, at, scalar(value))
	return c
}

// without is the object without the member of that name.
func (n *tree) without(name string) *tree {
	c := &tree{kind: n.kind}
	for i, raw := range n.names {
		if unquote(raw) != name {
			c.names = append(c.names, raw)
			c.kids = append(c.kids, n.kids[i])
		}
	}
	return c
}

// replace is the object with the value of a member replaced.
func (n *tree) replace(name string, value *tree) *tree {
	c := &tree{kind: n.kind, names: n.names, kids: slices.Clone(n.kids)}
	for i, raw := range n.names {
		if unquote(raw) == name {
			c.kids[i] = value
		}
	}
	return c
}

// scalar is any JSON text as a leaf.
func scalar(text string) *tree { return &tree{kind: 's', raw: []byte(text)} }

// style is how a tree is written.
type style struct {
	gap func() string           // white space between tokens
	str func(raw []byte) []byte // how a string is spelled
}

// text writes the tree with no white space.
func (n *tree) text() []byte { return n.append(nil, &style{}) }

func (n *tree) append(dst []byte, s *style) []byte {
	gap := func() {
		if s.gap != nil {
			dst = append(dst, s.gap()...)
		}
	}
	spell := func(raw []byte) {
		if s.str != nil {
			raw = s.str(raw)
		}
		dst = append(dst, raw...)
	}
	switch n.kind {
	case '{', '[':
		dst = append(dst, n.kind)
		gap()
		for i, kid := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
				gap()
			}
			if n.kind == '{' {
				spell(n.names[i])
				gap()
				dst = append(dst, ':')
				gap()
			}
			dst = kid.append(dst, s)
			gap()
		}
		return append(dst, n.kind+2)
	case '"':
		spell(n.raw)
	default:
		dst = append(dst, n.raw...)
	}
	return dst
}

// escaped spells a raw string with \u escapes where choose says so.
func escaped(raw []byte, choose func() bool) []byte {
	const hex = "0123456789abcdef"
	out := []byte{'"'}
	unit := func(u rune) {
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for i := 1; i < len(raw)-1; {
		if raw[i] == '\\' {
			n := 2
			if raw[i+1] == 'u' {
				n = 6
			}
			out = append(out, raw[i:i+n]...)
			i += n
			continue
		}
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case !choose():
			out = append(out, raw[i:i+n]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			unit(high)
			unit(low)
		default:
			unit(r)
		}
		i += n
	}
	return append(out, '"')
}
