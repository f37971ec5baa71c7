package generators

import (
	"iter"
	"math/bits"
)

// Triples yields a covering array of strength three: every three faults that
// can be combined on some base, in JSON or in a stream with LF, stand together
// in at least one recipe. Each recipe holds as many faults as it can, up to
// MaxFaults, chosen greedily by how many threes they complete. The sequence is
// the same in every run. It is far longer than Pairs, for nights rather than
// for every test.
func (c *Catalogue) Triples() iter.Seq[Recipe] {
	return func(yield func(Recipe) bool) {
		a := c.newArray()
		for i := range c.faults {
			for j := i + 1; j < len(c.faults); j++ {
				for k := a.next(i, j, j+1); k >= 0; k = a.next(i, j, k+1) {
					r, ok := a.recipe(i, j, k)
					if ok && !yield(r) {
						return
					}
				}
			}
		}
	}
}

// places are the bases and framings that Triples uses.
const places = int(baseEnd) * 2

func place(p int) Recipe { return Recipe{Base: Base(p / 2), Frame: Frame{Lines: uint8(p % 2)}} }

// array is a covering array that is being made.
type array struct {
	c     *Catalogue
	fits  []uint16   // of each fault: a bit for each place that one of its variants fits
	apart [][]uint64 // of each fault: a bit for each that writes other parts
	open  [][]uint64 // of each pair (i, j): a bit for each k that no recipe has together with them
	made  int
}

func (c *Catalogue) newArray() *array {
	n := len(c.faults)
	words := (n + 63) / 64
	a := &array{c: c, fits: make([]uint16, n), apart: make([][]uint64, n), open: make([][]uint64, n*n)}
	for i := range n {
		for p := range places {
			r := place(p)
			if _, ok := c.turn(i, 0, r.conditions(), r.parts()); ok {
				a.fits[i] |= 1 << p
			}
		}
	}
	for i := range n {
		a.apart[i] = make([]uint64, words)
		for j := range n {
			if i != j && c.edges[i].parts&c.edges[j].parts == 0 {
				a.apart[i][j/64] |= 1 << (j % 64)
			}
		}
	}
	for i := range n {
		for j := range n {
			a.open[i*n+j] = make([]uint64, words)
			if a.apart[i][j/64]>>(j%64)&1 == 0 || a.fits[i]&a.fits[j] == 0 {
				continue
			}
			for k := range n {
				if a.apart[i][k/64]&a.apart[j][k/64]>>(k%64)&1 == 1 && a.fits[i]&a.fits[j]&a.fits[k] != 0 {
					a.open[i*n+j][k/64] |= 1 << (k % 64)
				}
			}
		}
	}
	return a
}

// next is the first k from start on that no recipe has together with i and j, or -1.
func (a *array) next(i, j, start int) int {
	set := a.open[i*len(a.fits)+j]
	for w := start / 64; w < len(set); w++ {
		word := set[w]
		if w == start/64 {
			word &^= 1<<(start%64) - 1
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// recipe begins with three faults and adds those that complete the most threes.
func (a *array) recipe(i, j, k int) (Recipe, bool) {
	chosen := append(make([]int, 0, MaxFaults), i, j, k)
	fits := a.fits[i] & a.fits[j] & a.fits[k]
	for len(chosen) < MaxFaults {
		best, most := -1, 0
		for l := range a.fits {
			if a.fits[l]&fits == 0 || !a.apartFrom(l, chosen) {
				continue
			}
			if gain := a.gain(l, chosen); gain > most {
				best, most = l, gain
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		fits &= a.fits[best]
	}
	a.close(chosen)
	return a.render(chosen, fits)
}

func (a *array) apartFrom(l int, chosen []int) bool {
	for _, m := range chosen {
		if a.apart[m][l/64]>>(l%64)&1 == 0 {
			return false
		}
	}
	return true
}

// gain is how many threes a further fault completes.
func (a *array) gain(l int, chosen []int) (gain int) {
	n := len(a.fits)
	for x := range chosen {
		for y := x + 1; y < len(chosen); y++ {
			gain += int(a.open[chosen[x]*n+chosen[y]][l/64] >> (l % 64) & 1)
		}
	}
	return gain
}

// close takes down that these faults stand together.
func (a *array) close(chosen []int) {
	n := len(a.fits)
	for _, x := range chosen {
		for _, y := range chosen {
			for _, z := range chosen {
				a.open[x*n+y][z/64] &^= 1 << (z % 64)
			}
		}
	}
}

// render makes the recipe of the chosen faults, on a place and in variants that
// go round.
func (a *array) render(chosen []int, fits uint16) (Recipe, bool) {
	a.made++
	turns := a.made % bits.OnesCount16(fits)
	for range turns {
		fits &= fits - 1
	}
	r := place(bits.TrailingZeros16(fits))
	have := r.conditions()
	for _, i := range chosen {
		v, ok := a.c.turn(i, a.made, have, r.parts())
		if !ok || !r.add(Pick{Fault: uint16(i) + 1, Variant: uint16(v)}) {
			return r, false
		}
	}
	return r, true
}
