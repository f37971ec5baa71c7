package generators

import (
	"math/bits"
	"slices"
)

// sort fills in the lists from which Build draws.
func (c *Catalogue) sort() {
	for base := range baseEnd {
		for framed := range 2 {
			r := Recipe{Base: base, Frame: Frame{Lines: uint8(framed)}}
			have := r.conditions() | NeedIntegerID | NeedFixedID
			byPart := make([][]uint16, bits.Len64(uint64(partsEnd)))
			for i, e := range c.edges {
				if e.needs&^have != 0 {
					continue
				}
				c.fitting[base][framed] = append(c.fitting[base][framed], uint16(i))
				part := bits.TrailingZeros64(uint64(e.parts))
				if e.parts == partsAll || part >= len(byPart) {
					part = len(byPart) - 1
				}
				byPart[part] = append(byPart[part], uint16(i))
			}
			for _, group := range byPart {
				if len(group) > 0 {
					c.groups[base][framed] = append(c.groups[base][framed], group)
				}
			}
		}
	}
}

// bases in the order and with the weights in which Build draws them. No base but
// success has more than a tenth, so that most answers are not about the base.
var drawnBases = func() (all []Base) {
	for base, weight := range [baseEnd]int{BaseSuccess: 31, BaseToolError: 2, BaseRPCError: 3, BaseInputRequired: 3, BaseAccepted: 2, BaseNoAnswer: 1} {
		all = append(all, slices.Repeat([]Base{Base(base)}, weight)...)
	}
	return all
}()

// plainLines of plainLines+3 streams have LF, the others one of the other line
// ends each, so that most answers are not about line ends.
const plainLines = 20

func drawnLines(src Source) uint8 {
	return linesLF + uint8(max(src.N(plainLines+3)-plainLines+1, 0))
}

// Build makes a recipe from a source of choices; the ordinary choice all along
// gives a plain success. It mixes two kinds of answers: one with up to three
// faults, and one in which each field is faulty on its own. Check accepts every
// recipe that it makes. It never leaves the id to the client: see [Catalogue.Open].
func (c *Catalogue) Build(src Source) Recipe {
	var r Recipe
	start := src.N(2 * len(drawnBases))
	r.Base = drawnBases[start/2]
	if start%2 == 1 {
		r.Frame.Lines = drawnLines(src)
	}
	if id := src.N(4 * int(IDOpen)); id > 3*int(IDOpen) {
		r.ID = IDKind(id - 3*int(IDOpen))
	}
	have := r.conditions()
	buildOffsets(src, &r, have)
	c.buildFaults(src, &r, have)
	buildStyle(src, &r)
	return r
}

// buildOffsets draws cuts and splits; most recipes have none.
func buildOffsets(src Source, r *Recipe, have Need) {
	special := src.N(20)
	if special == 1 || special == 2 {
		r.Cut = uint16(1 + src.N(400))
	}
	if special == 3 && have&(NeedMessage|NeedStream) == NeedMessage|NeedStream {
		r.Frame.SplitAt = uint16(1 + src.N(200))
	}
	if special == 4 || special == 2 {
		r.Chunks.Kind = uint8(src.N(5))
		if r.Chunks.Kind == chunksAt {
			r.Chunks.At = uint16(1 + src.N(400))
		}
	}
}

// apart is how many fields lie between two faulty ones at most, where each
// field is faulty on its own.
const apart = 16

// drawnFaults are numbers of faults with the weights in which Build draws them
// for an answer whose fields are not faulty each on its own.
var drawnFaults = [...]int{0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3}

// buildFaults draws the faults.
func (c *Catalogue) buildFaults(src Source, r *Recipe, have Need) {
	framed := 0
	if r.Frame.Stream() {
		framed = 1
	}
	taken := r.parts()
	count := src.N(len(drawnFaults) + 1)
	if count == len(drawnFaults) {
		groups := c.groups[r.Base][framed]
		for i := apart - 1 - src.N(apart); i < len(groups); i += apart - src.N(apart) {
			taken |= c.draw(src, r, groups[i], have, taken)
		}
		return
	}
	for range drawnFaults[count] {
		taken |= c.draw(src, r, c.fitting[r.Base][framed], have, taken)
	}
}

// draw adds a fault from a list, if it fits, and tells what it writes.
func (c *Catalogue) draw(src Source, r *Recipe, from []uint16, have Need, taken Part) Part {
	if len(from) == 0 {
		return 0
	}
	i := int(from[src.N(len(from))])
	v := 0
	if n := len(c.faults[i].Variants); n > 1 {
		v = src.N(n)
	}
	if !c.compatible(i, v, have, taken) || !r.add(Pick{Fault: uint16(i) + 1, Variant: uint16(v)}) {
		return 0
	}
	return c.edges[i].parts
}

// buildStyle draws what changes no verdict.
func buildStyle(src Source, r *Recipe) {
	if src.N(16) == 1 {
		n := src.N(5 * 3 * 3 * 5 * 5)
		r.Style = Style{Space: next(&n, 5), Order: next(&n, 3), Escape: next(&n, 3), Number: next(&n, 5), Extra: next(&n, 5)}
	}
	if r.Frame.Stream() && src.N(16) == 1 {
		f, n := &r.Frame, src.N(2*4*4*3*3*4*3)
		f.Space, f.Comments, f.EventID, f.Retry = next(&n, 2), next(&n, 4), next(&n, 4), next(&n, 3)
		f.EventName, f.Notifications, f.After = next(&n, 3), next(&n, 4), next(&n, 3)
	}
}

// next takes one of count choices out of a number that holds several.
func next(n *int, count int) uint8 {
	choice := *n % count
	*n /= count
	return uint8(choice)
}

// Open is the recipe with its id left to the client, without the faults and
// the split for which that leaves no place. A real client, which numbers its
// calls itself, can be given only such a recipe.
func (c *Catalogue) Open(r Recipe) Recipe {
	r.ID = IDOpen
	r.Frame.SplitAt = 0
	have, taken := r.conditions(), r.parts()
	for i := 0; i < len(r.Picks()); {
		pick := r.Faults[i]
		if !c.compatible(int(pick.Fault)-1, int(pick.Variant), have, taken) {
			r.drop(i)
			continue
		}
		taken |= c.edges[pick.Fault-1].parts
		i++
	}
	return r
}
