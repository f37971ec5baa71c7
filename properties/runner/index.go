package runner

import "github.com/replyproof/replyproof/generators"

// index finds, for a recipe that deviates, what is known of a plainer one that
// does so in the same way: one of which everything unusual is in it as well. A
// loose one takes any variant of a fault for it, since variants differ only by
// a value.
type index struct {
	loose bool
	under map[indexKey][]indexed
}

// indexKey is a deviation with the first fault of a recipe, if it has any.
type indexKey struct {
	deviation Deviation
	word      string
	first     generators.Pick
}

type indexed struct {
	recipe generators.Recipe
	value  int
}

func newIndex(loose bool) *index { return &index{loose: loose, under: map[indexKey][]indexed{}} }

func (x *index) key(d Deviation, word string, first generators.Pick) indexKey {
	if x.loose {
		first.Variant = 0
	}
	return indexKey{d, word, first}
}

func (x *index) add(r generators.Recipe, d Deviation, word string, value int) {
	k := x.key(d, word, r.Faults[0])
	x.under[k] = append(x.under[k], indexed{r, value})
}

// find gives the least value of those that are within r.
func (x *index) find(r generators.Recipe, d Deviation, word string) (value int, ok bool) {
	look := func(first generators.Pick) {
		for _, known := range x.under[x.key(d, word, first)] {
			if (!ok || known.value < value) && within(known.recipe, r, x.loose) {
				value, ok = known.value, true
			}
		}
	}
	look(generators.Pick{})
	for _, pick := range r.Picks() {
		look(pick)
	}
	return value, ok
}

// within tells whether everything unusual in part is in whole as well.
func within(part, whole generators.Recipe, loose bool) bool {
	for _, pick := range part.Picks() {
		found := false
		for _, other := range whole.Picks() {
			found = found || other == pick || loose && other.Fault == pick.Fault
		}
		if !found {
			return false
		}
	}
	same := func(p, w uint8) bool { return p == 0 || p == w }
	ps, ws, pf, wf := part.Style, whole.Style, part.Frame, whole.Frame
	return same(uint8(part.Base), uint8(whole.Base)) && same(uint8(part.ID), uint8(whole.ID)) &&
		same(ps.Space, ws.Space) && same(ps.Order, ws.Order) && same(ps.Escape, ws.Escape) &&
		same(ps.Number, ws.Number) && same(ps.Extra, ws.Extra) &&
		same(pf.Lines, wf.Lines) && same(pf.Space, wf.Space) && same(pf.Comments, wf.Comments) &&
		same(pf.EventID, wf.EventID) && same(pf.Retry, wf.Retry) && same(pf.EventName, wf.EventName) &&
		same(pf.Notifications, wf.Notifications) && same(pf.After, wf.After) &&
		(pf.SplitAt == 0 || wf.SplitAt != 0) &&
		same(part.Chunks.Kind, whole.Chunks.Kind) &&
		(part.Cut == 0 || whole.Cut != 0)
}
