package generators

import "iter"

// Singles yields every base in every framing, every word of every field alone,
// and every fault with every variant on every base that has a place for it: in
// JSON and in a stream with LF; faults of the stream's own syntax and of its
// end in all four line ends, faults of the id with every kind of id. The
// sequence is the same in every run.
func (c *Catalogue) Singles() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		for base := range baseEnd {
			if !c.fields(base, yield) {
				return
			}
		}
		for i := range c.faults {
			if !c.singlesOf(i, yield) {
				return
			}
		}
	}
}

// fields yields a base with each word of each field alone.
func (c *Catalogue) fields(base Base, yield func(Recipe) bool) bool {
	for lines := range uint8(linesMixed + 1) {
		r := Recipe{Base: base, Frame: Frame{Lines: lines}}
		if !yield(r) {
			return false
		}
		for _, f := range choices {
			if f.frame && lines == 0 || f.name == "sse" {
				continue
			}
			for w := 1; w < len(f.words); w++ {
				s := r
				*f.get(&s) = uint8(w)
				if s.Chunks.Kind == chunksAt {
					s.Chunks.At = 7
				}
				if !yield(s) {
					return false
				}
			}
		}
	}
	return true
}

// singlesOf yields the recipes of one fault.
func (c *Catalogue) singlesOf(i int, yield func(Recipe) bool) bool {
	f := &c.faults[i]
	for v := range f.Variants {
		for base := range baseEnd {
			for lines := range uint8(linesMixed + 1) {
				if lines > linesLF && f.Parts&(PartLines|PartMark|PartFinal|PartEnd|PartBefore) == 0 {
					continue
				}
				for id := range idEnd {
					if id != IDOne && f.Parts&PartID == 0 {
						break
					}
					r := Recipe{Base: base, ID: id, Frame: Frame{Lines: lines}}
					if !c.compatible(i, v, r.conditions(), r.parts()) {
						continue
					}
					r.add(Pick{Fault: uint16(i) + 1, Variant: uint16(v)})
					if !yield(r) {
						return false
					}
				}
			}
		}
	}
	return true
}

// Pairs yields every pair of faults that can be combined, on every base that
// has a place for both, in JSON and in a stream with LF, each pair in one
// combination of its variants. The sequence is the same in every run.
func (c *Catalogue) Pairs() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		for i := range c.faults {
			for j := i + 1; j < len(c.faults); j++ {
				if c.edges[i].parts&c.edges[j].parts != 0 {
					continue
				}
				for base := range baseEnd {
					for lines := range uint8(linesLF + 1) {
						r := Recipe{Base: base, Frame: Frame{Lines: lines}}
						if c.pair(&r, i, j) && !yield(r) {
							return
						}
					}
				}
			}
		}
	}
}

// pair adds two faults to a recipe in variants that go round with the partner's index.
func (c *Catalogue) pair(r *Recipe, i, j int) bool {
	have := r.conditions()
	v, ok := c.turn(i, j, have, 0)
	w, also := c.turn(j, i, have, c.edges[i].parts)
	if !ok || !also {
		return false
	}
	return r.add(Pick{Fault: uint16(i) + 1, Variant: uint16(v)}) && r.add(Pick{Fault: uint16(j) + 1, Variant: uint16(w)})
}

// turn is the first variant of a fault that fits, counted from start on.
func (c *Catalogue) turn(fault, start int, have Need, taken Part) (int, bool) {
	n := len(c.faults[fault].Variants)
	for k := range n {
		if v := (start + k) % n; c.compatible(fault, v, have, taken) {
			return v, true
		}
	}
	return 0, false
}

// Exhaustive yields Singles, then Pairs, then Cuts: 99,979 recipes of the default
// catalogue, the same on every machine.
func (c *Catalogue) Exhaustive() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		for _, all := range [...]iter.Seq[Recipe]{c.Singles(), c.Pairs(), c.Cuts()} {
			for r := range all {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Cuts yields short answers cut at every byte, split into two writes at every
// byte, and streams with their data split at every byte of the JSON text.
func (c *Catalogue) Cuts() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		d := c.NewRenderer()
		for base := range BaseAccepted {
			for lines := range uint8(linesMixed + 1) {
				r := Recipe{Base: base, Frame: Frame{Lines: lines}}
				if lines != 0 {
					r.Frame.Notifications, r.Frame.After = 1, 2
				}
				n := len(d.Render(r).Body)
				text := len(d.text)
				for at := range uint16(n + 1) {
					cut, split := r, r
					cut.Cut = at + 1
					split.Chunks = ChunksAt(at)
					if !yield(cut) || at > 0 && !yield(split) {
						return
					}
				}
				for at := range uint16(text + 1) {
					r.Frame.SplitAt = at + 1
					if lines != 0 && !yield(r) {
						return
					}
				}
			}
		}
	}
}
