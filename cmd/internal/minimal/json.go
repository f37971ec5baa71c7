package minimal

import (
	"bytes"
	"slices"

	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
)

// node is a JSON value that can be changed.
type node struct {
	kind byte   // as jsonspan has it
	name []byte // of a member, quotes included
	raw  []byte // of what is neither object nor array
	kids []*node
}

// reduceJSON makes a JSON text smaller: without white space, members and
// elements left out, values made plainer, a value in place of what it stands in.
// ok is false for what is not JSON or would not hold without its white space.
func reduceJSON(text []byte, holds func([]byte) bool) (small []byte, ok bool) {
	v, ok := jsonspan.Parse(text)
	if !ok {
		return text, false
	}
	r := &reducer{root: build(text, nil, v), holds: holds, mark: bytes.HasPrefix(text, []byte("\xEF\xBB\xBF"))}
	if r.mark {
		r.mark = false
		r.mark = !r.check()
	}
	if !r.check() {
		return text, false
	}
	for changed := true; changed; {
		r.changed = false
		r.value(&r.root)
		changed = r.changed
	}
	return r.text(), true
}

type reducer struct {
	root    *node
	holds   func([]byte) bool
	mark    bool // a byte order mark comes first
	changed bool
}

func build(text, name []byte, v jsonspan.Value) *node {
	n := &node{kind: v.Kind, name: name}
	if v.Kind != '{' && v.Kind != '[' {
		n.raw = text[v.Start:v.End]
	}
	for _, item := range v.Items {
		n.kids = append(n.kids, build(text, text[item.NameStart:item.NameEnd], item.Value))
	}
	return n
}

func (n *node) append(out []byte) []byte {
	if n.kind != '{' && n.kind != '[' {
		return append(out, n.raw...)
	}
	out = append(out, n.kind)
	for i, kid := range n.kids {
		if i > 0 {
			out = append(out, ',')
		}
		if n.kind == '{' {
			out = append(append(out, kid.name...), ':')
		}
		out = kid.append(out)
	}
	return append(out, n.kind+2) // } or ]
}

func (r *reducer) text() []byte {
	var out []byte
	if r.mark {
		out = append(out, "\xEF\xBB\xBF"...)
	}
	return r.root.append(out)
}

func (r *reducer) check() bool { return r.holds(r.text()) }

// swap puts another value in place of one, and takes it back if that does not hold.
func (r *reducer) swap(at **node, with *node) bool {
	old := *at
	with.name = old.name
	*at = with
	if r.check() {
		r.changed = true
		return true
	}
	*at = old
	return false
}

// value makes a value and all in it smaller.
func (r *reducer) value(at **node) {
	n := *at
	switch n.kind {
	case '{', '[':
		r.items(n)
		for i := range n.kids {
			if len(n.kids) > 0 && r.hoist(at, n.kids[i]) {
				r.value(at)
				return
			}
		}
		for i := range n.kids {
			r.value(&n.kids[i])
		}
	case '"':
		r.string(at)
	case 0:
		for _, plain := range []string{"0", "1"} {
			if len(n.raw) > len(plain) || string(n.raw) > plain && len(n.raw) == 1 {
				if r.swap(at, &node{raw: []byte(plain)}) {
					return
				}
			}
		}
	}
}

// hoist puts a value in place of what it stands in.
func (r *reducer) hoist(at **node, kid *node) bool {
	copied := *kid
	return r.swap(at, &copied)
}

// items leaves out members and elements.
func (r *reducer) items(n *node) {
	all := n.kids
	keep := reduce(len(all), func(keep []int) bool {
		old := n.kids
		n.kids = pick(all, keep)
		if r.check() {
			return true
		}
		n.kids = old
		return false
	})
	if len(keep) < len(all) {
		r.changed = true
	}
	n.kids = pick(all, keep)
}

// string leaves out characters of a string, escapes as one each.
func (r *reducer) string(at **node) {
	n := *at
	units := stringUnits(n.raw[1 : len(n.raw)-1])
	if len(units) == 0 || len(units) > mostUnits {
		return
	}
	quoted := func(keep []int) []byte {
		return slices.Concat([]byte{'"'}, bytes.Join(pick(units, keep), nil), []byte{'"'})
	}
	raw := n.raw
	keep := reduce(len(units), func(keep []int) bool {
		old := n.raw
		n.raw = quoted(keep)
		if r.check() {
			return true
		}
		n.raw = old
		return false
	})
	n.raw = quoted(keep)
	r.changed = r.changed || len(n.raw) < len(raw)
}

func stringUnits(text []byte) [][]byte {
	var units [][]byte
	for len(text) > 0 {
		n := len(characters(text[:min(len(text), 4)])[0])
		if text[0] == '\\' {
			if n = 2; text[1] == 'u' {
				n = 6
			}
		}
		units = append(units, text[:n:n])
		text = text[n:]
	}
	return units
}
