package properties

import (
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// textRelations rest on the JSON text: what may be written in another way.
var textRelations = []Property{
	{
		Name:  "member-order",
		Rule:  "6",
		Doc:   "The order of members changes nothing.",
		Kills: []string{"id-expected-first"},
		Check: memberOrder,
	},
	{
		Name:  "white-space",
		Rule:  "5",
		Doc:   "White space between tokens and around the text changes nothing.",
		Kills: []string{"last-data-line-only"},
		Check: whiteSpace,
	},
	{
		Name:  "escapes",
		Rule:  "5, 6",
		Doc:   "Escapes in names and strings change nothing.",
		Kills: []string{"escaped-names-missed", "escaped-result-missed"},
		Check: escapes,
	},
	{
		Name:  "something-around",
		Rule:  "5",
		Doc:   "A text before or behind which something else than white space stands is MALFORMED_JSON.",
		Kills: []string{"trailing-bytes-ignored"},
		Check: somethingAround,
	},
}

func memberOrder(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	how := t.delivery(n)
	first := t.Judge(t.Call(), how.answer(n.text()))
	return t.Same(first, t.Judge(t.Call(), how.answer(t.shuffled(n).text())), "only the order of members differs")
}

// shuffled is the tree with the members of every object in another order.
func (t *Trial) shuffled(n *tree) *tree {
	c := &tree{kind: n.kind, raw: n.raw, names: slices.Clone(n.names)}
	for _, kid := range n.kids {
		c.kids = append(c.kids, t.shuffled(kid))
	}
	if n.kind == '{' {
		for i := len(c.names) - 1; i > 0; i-- {
			j := t.N(i + 1)
			c.names[i], c.names[j] = c.names[j], c.names[i]
			c.kids[i], c.kids[j] = c.kids[j], c.kids[i]
		}
	}
	return c
}

var gaps = []string{"", " ", "\n", "\t", "\r\n", "  \n ", "\r"}

func whiteSpace(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	how := t.delivery(n)
	first := t.Judge(t.Call(), how.answer(n.text()))
	gap := func() string { return gaps[t.N(len(gaps))] }
	text := append([]byte(gap()), n.append(nil, &style{gap: gap})...)
	text = append(text, gap()...)
	return t.Same(first, t.Judge(t.Call(), how.answer(text)), "only white space differs")
}

func escapes(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	how := t.delivery(n)
	first := t.Judge(t.Call(), how.answer(n.text()))
	one := 1 + t.N(4) // one character of so many is escaped
	choose := func() bool { return t.N(one) == 0 }
	text := n.append(nil, &style{str: func(raw []byte) []byte { return escaped(raw, choose) }})
	return t.Same(first, t.Judge(t.Call(), how.answer(text)), "only escapes differ")
}

var intruders = []string{"x", "}", "{}", "null", ",", "\x00", "\xff", "//", "\u00a0", "0", "\f"}

func somethingAround(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	intruder := []byte(intruders[t.N(len(intruders))])
	text := n.text()
	if t.N(2) == 0 {
		text = append(text, intruder...)
	} else {
		text = append(intruder, text...)
	}
	v := t.Judge(t.Call(), t.delivery(n).answer(text))
	if t.delivered(v) && !t.Strict {
		return nil
	}
	return t.OneOf(v, "something else than white space stands beside the JSON text", classifier.MalformedJSON)
}

// delivered tells whether v is what a third party may say of a whole stream
// without a response, and the last answer was a stream.
func (t *Trial) delivered(v classifier.Verdict) bool {
	last := t.shown[len(t.shown)-1].Answer
	return v.Outcome == classifier.NoFinalResponse && last.Header.Get("Content-Type") == "text/event-stream"
}
