package model

import (
	"unicode/utf16"
	"unicode/utf8"
)

type kind uint8

const (
	object kind = iota + 1
	array
	str
	number
	boolTrue
	boolFalse
	null
)

// span is a piece of the text, from its first byte to the one after its last.
type span struct{ from, to int }

// node is one value of a document. Nodes refer to each other by their place in
// the document's list; 0 is the root, and where a child or sibling is meant, none.
type node struct {
	kind    kind
	value   span // brackets and quotes included
	name    span // the member's name, quotes included
	escaped bool // the name holds escapes or more than ASCII
	child   int  // the first child
	next    int  // the next sibling
}

const (
	root = 0
	none = 0
)

// deepestNode is the depth of the deepest values that any rule looks at: in
// /result/content/0/annotations and /result/inputRequests/key/method.
const deepestNode = 4

// document is a JSON text as a tree, down to deepestNode.
type document struct {
	quirk   Quirk
	text    []byte
	nodes   []node
	deepest int // the most arrays and objects open at once

	badUTF8       bool // a string holds bad UTF-8
	badUTF8Name   bool // a name does
	loneSurrogate bool // a string escapes half a surrogate pair
	hugeNumber    bool // a number is beyond a double; for a quirk
}

// grow makes the tree of a text that the grammar has accepted.
func grow(text []byte, quirk Quirk, deepest int) *document {
	d := &document{quirk: quirk, text: text, deepest: deepest}
	d.nodes = make([]node, 0, 24)
	var parents [deepestNode + 1]int // the containers open, by depth
	var latest [deepestNode + 1]int  // their latest children
	depth := 0                       // how many containers are open
	var name span
	var escaped bool

	add := func(k kind, value span) {
		if depth > deepestNode {
			return
		}
		n := len(d.nodes)
		d.nodes = append(d.nodes, node{kind: k, value: value, name: name, escaped: escaped})
		name, escaped = span{}, false
		if depth == 0 {
			return
		}
		if latest[depth-1] == none {
			d.nodes[parents[depth-1]].child = n
		} else {
			d.nodes[latest[depth-1]].next = n
		}
		latest[depth-1] = n
	}

	for i := 0; i < len(text); {
		switch b := text[i]; b {
		case ' ', '\t', '\n', '\r', '\f', ':', ',': // a form feed comes here by a quirk alone
			i++
		case '{', '[':
			k := array
			if b == '{' {
				k = object
			}
			add(k, span{i, 0})
			if depth <= deepestNode {
				parents[depth], latest[depth] = len(d.nodes)-1, none
			}
			depth++
			i++
		case '}', ']':
			depth--
			i++
			if depth <= deepestNode {
				d.nodes[parents[depth]].value.to = i
			}
		case '"':
			end, isEscaped := d.readString(i)
			inObject := depth > 0 && depth <= deepestNode && d.nodes[parents[depth-1]].kind == object
			if inObject && name == (span{}) {
				name, escaped = span{i, end}, isEscaped
				d.badUTF8Name = d.badUTF8Name || d.badUTF8 && !utf8.Valid(text[i:end])
			} else {
				add(str, span{i, end})
			}
			i = end
		default:
			end := i
			for end < len(text) && !endsScalar(text[end]) {
				end++
			}
			k := number
			switch b {
			case 't':
				k = boolTrue
			case 'f':
				k = boolFalse
			case 'n':
				k = null
			default:
				d.hugeNumber = d.hugeNumber || quirk == BigNumbersRefused && isBeyondDouble(text[i:end])
			}
			add(k, span{i, end})
			i = end
		}
	}
	return d
}

func endsScalar(b byte) bool {
	switch b {
	case ' ', '\t', '\n', '\r', '\f', ',', '}', ']':
		return true
	}
	return false
}

// readString finds the end of the string that begins at i, and notes what is odd in it.
func (d *document) readString(i int) (end int, escaped bool) {
	for i++; ; {
		switch b := d.text[i]; {
		case b == '"':
			return i + 1, escaped
		case b == '\\':
			escaped = true
			if d.text[i+1] != 'u' {
				i += 2
				continue
			}
			unit := hexUnit(d.text[i+2:])
			if isHigh(unit) && d.text[i+6] == '\\' && d.text[i+7] == 'u' && isLow(hexUnit(d.text[i+8:])) {
				i += 12
				continue
			}
			d.loneSurrogate = d.loneSurrogate || utf16.IsSurrogate(rune(unit))
			i += 6
		case b < 0x80:
			i++
		default:
			escaped = true
			_, size, good := codePoint(d.text[i:])
			d.badUTF8 = d.badUTF8 || !good
			i += size
		}
	}
}

func (d *document) kind(n int) kind { return d.nodes[n].kind }

// isA tells whether n is a value of that kind; none is not.
func (d *document) isA(n int, k kind) bool { return n != none && d.nodes[n].kind == k }

// raw is the value's text, nil for none.
func (d *document) raw(n int) []byte {
	if n == none {
		return nil
	}
	v := d.nodes[n].value
	return d.text[v.from:v.to:v.to]
}

// units is the value of a string.
func (d *document) units(n int) []uint16 {
	raw := d.raw(n)
	return stringUnits(raw[1 : len(raw)-1])
}

// nameUnits is the name of a member.
func (d *document) nameUnits(n int) []uint16 {
	name := d.nodes[n].name
	return stringUnits(d.text[name.from+1 : name.to-1])
}

// isText tells whether n is the string want, which is plain ASCII.
func (d *document) isText(n int, want string) bool {
	return d.isA(n, str) && sameText(d.raw(n), want)
}

// sameText compares a JSON string, quotes included, with plain ASCII.
func sameText(raw []byte, want string) bool {
	inner := raw[1 : len(raw)-1]
	if string(inner) == want {
		return true
	}
	if len(inner) <= len(want) {
		return false // escapes make it longer
	}
	units := stringUnits(inner)
	if len(units) != len(want) {
		return false
	}
	for i, unit := range units {
		if unit != uint16(want[i]) {
			return false
		}
	}
	return true
}

// isNamed tells whether the member n has that name, which is plain ASCII.
func (d *document) isNamed(n int, name string) bool {
	m := &d.nodes[n]
	raw := d.text[m.name.from:m.name.to]
	switch {
	case d.quirk == NamesAnyCase:
		return foldedEqual(raw, name)
	case m.escaped && d.quirk != EscapedNamesMissed && !(d.quirk >= EscapedResultMissed && d.quirk <= EscapedResultTypeMissed && rawNames[d.quirk] == name):
		return sameText(raw, name)
	}
	return string(raw[1:len(raw)-1]) == name
}

// get is the member of that name, the last one if there are several, or none.
func (d *document) get(parent int, name string) int {
	found := none
	for n := d.nodes[parent].child; n != none; n = d.nodes[n].next {
		if d.isNamed(n, name) {
			if d.quirk == PlainNameWins && found != none && d.nodes[n].escaped {
				continue
			}
			found = n
			if d.quirk == FirstDuplicateWins {
				break
			}
		}
	}
	if found == none && d.quirk == PrototypeSeen && name != "__proto__" {
		if prototype := d.get(parent, "__proto__"); d.isA(prototype, object) {
			return d.get(prototype, name)
		}
	}
	return found
}

// repeats tells whether the object holds two members of one of those names.
func (d *document) repeats(parent int, names ...string) bool {
	for _, name := range names {
		seen := 0
		for n := d.nodes[parent].child; n != none; n = d.nodes[n].next {
			if d.isNamed(n, name) {
				seen++
			}
		}
		if seen > 1 {
			return true
		}
	}
	return false
}
