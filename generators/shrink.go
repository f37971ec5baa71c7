package generators

import "iter"

// ShrinkCalls is how often Shrink calls its function at most.
const ShrinkCalls = 2000

// Shrink is the plainest recipe that it finds for which fails still holds: it
// drops faults, lowers variants, and makes style, framing, offsets and base
// plainer, until nothing plainer fails. It is deterministic if fails is, calls
// fails at most ShrinkCalls times, and never on r itself: if nothing plainer
// fails, it returns r.
func (c *Catalogue) Shrink(r Recipe, fails func(Recipe) bool) Recipe {
	calls := 0
	for {
		better := false
		for s := range c.Plainer(r) {
			if calls == ShrinkCalls {
				return r
			}
			calls++
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

// Plainer yields recipes that are plainer than r in one respect, the boldest
// first. No chain of such steps is endless.
func (c *Catalogue) Plainer(r Recipe) iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		try := func(s Recipe) bool { return s == r || c.Check(s) != nil || yield(s) }
		_ = c.plainerFaults(r, try) && c.plainerFields(r, try) && c.plainerBase(r, try) &&
			c.plainerVariants(r, try) && plainerNumbers(r, try)
	}
}

// plainerFaults leaves out all faults, then each.
func (c *Catalogue) plainerFaults(r Recipe, try func(Recipe) bool) bool {
	s := r
	s.Faults = [MaxFaults]Pick{}
	if !try(s) {
		return false
	}
	for i := range r.Picks() {
		s := r
		s.drop(i)
		if !try(s) {
			return false
		}
	}
	return true
}

// plainerFields resets groups of fields, then each, then lowers each.
func (c *Catalogue) plainerFields(r Recipe, try func(Recipe) bool) bool {
	style, frame, options, chunks := r, r, r, r
	style.Style = Style{}
	frame.Frame = Frame{}
	options.Frame = Frame{Lines: r.Frame.Lines}
	chunks.Chunks = Chunks{}
	if !try(style) || !try(frame) || !try(options) || !try(chunks) {
		return false
	}
	for _, f := range choices {
		if f.name == "chunks" {
			continue
		}
		s := r
		for w := range *f.get(&r) {
			*f.get(&s) = w
			if !try(s) {
				return false
			}
		}
	}
	for w := range min(r.Chunks.Kind, chunksAt) {
		s := r
		s.Chunks = Chunks{Kind: w}
		if !try(s) {
			return false
		}
	}
	return true
}

func (c *Catalogue) plainerBase(r Recipe, try func(Recipe) bool) bool {
	s := r
	for base := range r.Base {
		s.Base = base
		if !try(s) {
			return false
		}
	}
	return true
}

// plainerVariants lowers each variant: to the first, by half, by one.
func (c *Catalogue) plainerVariants(r Recipe, try func(Recipe) bool) bool {
	for i := range r.Faults {
		v := r.Faults[i].Variant
		for _, lower := range lowered(v) {
			s := r
			s.Faults[i].Variant = lower
			if !try(s) {
				return false
			}
		}
	}
	return true
}

// plainerNumbers lowers each offset: away, by half, by one.
func plainerNumbers(r Recipe, try func(Recipe) bool) bool {
	for _, f := range numbers {
		for _, lower := range lowered(*f.get(&r)) {
			s := r
			*f.get(&s) = lower
			if !try(s) {
				return false
			}
		}
	}
	return true
}

// lowered are the numbers that Shrink tries in place of n.
func lowered(n uint16) []uint16 {
	switch n {
	case 0:
		return nil
	case 1:
		return []uint16{0}
	case 2:
		return []uint16{0, 1}
	}
	return []uint16{0, n / 2, n - 1}
}
