package generators

import (
	"cmp"
	"iter"
	"slices"
)

// Plainest is the plainest recipe that it finds for which fails holds: it
// shrinks r as [Catalogue.Shrink] does, and then tries every recipe of Singles
// that is plainer still and, where two faults are left, of Pairs. So what it
// comes to hardly depends on r. It is for functions that answer at once: it
// calls fails up to a hundred thousand times.
func (c *Catalogue) Plainest(r Recipe, fails func(Recipe) bool) Recipe {
	for {
		r = c.Shrink(r, fails)
		better := false
		for s := range c.Simpler(r) {
			if fails(s) {
				r, better = s, true
				break
			}
		}
		if !better {
			return r
		}
	}
}

// Simpler yields the recipes of Singles, plain streams whose data is split, and,
// where r has two faults or more, the recipes of Pairs, as far as they are
// plainer than r: those with fewer faults, then with fewer
// fields out of the ordinary, then with an earlier base, earlier faults, and
// lower values. A chain of steps of Simpler and Plainer is never endless.
func (c *Catalogue) Simpler(r Recipe) iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		for s := range c.Singles() {
			if s.plainer(&r) && !yield(s) {
				return
			}
		}
		for s := range c.plainSplits() {
			if s.plainer(&r) && !yield(s) {
				return
			}
		}
		if len(r.Picks()) < 2 {
			return
		}
		for s := range c.Pairs() {
			if s.plainer(&r) && !yield(s) {
				return
			}
		}
	}
}

// plainSplits yields each base in a stream with LF whose data is split, at every
// byte of the text.
func (c *Catalogue) plainSplits() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		d := c.NewRenderer()
		for base := range BaseAccepted {
			r := Recipe{Base: base, Frame: Frame{Lines: linesLF}}
			d.Render(r)
			for at := range uint16(len(d.text) + 1) {
				r.Frame.SplitAt = at + 1
				if !yield(r) {
					return
				}
			}
		}
	}
}

// plainer is a total order, in which every step of Plainer goes down.
func (r *Recipe) plainer(s *Recipe) bool {
	if n := cmp.Or(cmp.Compare(len(r.Picks()), len(s.Picks())), cmp.Compare(r.unusual(), s.unusual()), cmp.Compare(r.Base, s.Base)); n != 0 {
		return n < 0
	}
	if n := slices.CompareFunc(r.Faults[:], s.Faults[:], func(a, b Pick) int {
		return cmp.Or(cmp.Compare(a.Fault, b.Fault), cmp.Compare(a.Variant, b.Variant))
	}); n != 0 {
		return n < 0
	}
	for i := range choices {
		if n := cmp.Compare(*choices[i].get(r), *choices[i].get(s)); n != 0 {
			return n < 0
		}
	}
	for i := range numbers {
		if n := cmp.Compare(*numbers[i].get(r), *numbers[i].get(s)); n != 0 {
			return n < 0
		}
	}
	return false
}

// unusual is how many fields are out of the ordinary.
func (r *Recipe) unusual() int {
	n := 0
	for i := range choices {
		if *choices[i].get(r) != 0 {
			n++
		}
	}
	for i := range numbers {
		if *numbers[i].get(r) != 0 {
			n++
		}
	}
	return n
}
