package generators

import (
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// Catalogue is a list of faults. It is a value that does not change: With
// makes another. It is safe for concurrent use.
type Catalogue struct {
	faults  []Fault
	byName  map[string]int
	edges   []edge                 // of each fault, for the builder
	fitting [baseEnd][2][]uint16   // faults that have a place with a base, in JSON and in a stream
	groups  [baseEnd][2][][]uint16 // the same by the part that they write first
}

// edge is what the builder must know of a fault at once.
type edge struct {
	parts Part
	needs Need
}

// Default is the catalogue of the faults that this package knows. It is made
// anew each time; keep it.
func Default() *Catalogue {
	return new(Catalogue).With(slices.Concat(
		statusFaults(), mediaFaults(), codingFaults(), textFaults(), envelopeFaults(),
		idFaults(), errorFaults(), resultFaults(), contentFaults(), inputFaults(),
		streamFaults(), eventFaults(), endFaults())...)
}

// With is the catalogue with further faults at its end. It panics on a fault
// that has no name, no variant or no edit, or whose name is taken: that is a
// mistake in the program.
func (c *Catalogue) With(faults ...Fault) *Catalogue {
	n := &Catalogue{faults: append(slices.Clone(c.faults), faults...), byName: make(map[string]int)}
	for i, f := range n.faults {
		if err := f.check(); err != nil {
			panic("generators: fault " + f.Name + ": " + err.Error())
		}
		if _, taken := n.byName[f.Name]; taken || isField(f.Name) {
			panic("generators: fault " + f.Name + ": the name is taken")
		}
		n.byName[f.Name] = i
		n.edges = append(n.edges, edge{f.Parts, f.Needs})
	}
	n.sort()
	return n
}

func (f *Fault) check() error {
	if !plainWord(f.Name) {
		return fmt.Errorf("the name %q is not in kebab-case", f.Name)
	}
	if len(f.Variants) == 0 {
		return fmt.Errorf("there is no variant")
	}
	seen := make(map[string]bool)
	for _, v := range f.Variants {
		switch {
		case v.Edit == nil:
			return fmt.Errorf("variant %q has no edit", v.Name)
		case seen[v.Name]:
			return fmt.Errorf("variant %q stands twice", v.Name)
		case v.Name == "" && len(f.Variants) > 1:
			return fmt.Errorf("a variant has no name")
		case v.Name != "" && !plainWord(v.Name):
			return fmt.Errorf("the variant's name %q holds more than letters, digits, -, . and _", v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

func plainWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") == ""
}

func isField(name string) bool {
	return slices.ContainsFunc(choices, func(f choice) bool { return f.name == name }) ||
		slices.ContainsFunc(numbers, func(f number) bool { return f.name == name })
}

// All yields the faults in the catalogue's order.
func (c *Catalogue) All() iter.Seq[Fault] { return slices.Values(c.faults) }

// Len is the number of faults.
func (c *Catalogue) Len() int { return len(c.faults) }

// Version names a catalogue by what is in it: the number of its faults, and a
// hash of their names, variants, parts and needs. A seed gives the same recipes
// only within one version.
func (c *Catalogue) Version() string {
	hash := fnv.New32a()
	for _, f := range c.faults {
		fmt.Fprintf(hash, "%s %d %d\n", f.Name, f.Parts, f.Needs)
		for _, v := range f.Variants {
			fmt.Fprintf(hash, " %s %d\n", v.Name, v.Needs)
		}
	}
	return fmt.Sprintf("%d-%08x", len(c.faults), hash.Sum32())
}

// Lookup finds a fault by its name.
func (c *Catalogue) Lookup(name string) (Fault, bool) {
	i, ok := c.byName[name]
	if !ok {
		return Fault{}, false
	}
	return c.faults[i], true
}

// Picked yields the faults of a recipe with their variants.
func (c *Catalogue) Picked(r Recipe) iter.Seq2[Fault, Variant] {
	return func(yield func(Fault, Variant) bool) {
		for _, pick := range r.Picks() {
			f := c.faults[pick.Fault-1]
			if !yield(f, f.Variants[pick.Variant]) {
				return
			}
		}
	}
}

// compatible tells whether a recipe with the given conditions and parts
// already written can take the fault in that variant.
func (c *Catalogue) compatible(fault, variant int, have Need, taken Part) bool {
	e := &c.edges[fault]
	need := e.needs | c.faults[fault].Variants[variant].Needs
	return e.parts&taken == 0 && need&^have == 0
}

// Check tells why a recipe cannot be rendered as it stands: two faults that
// write the same part, a fault that has no place in it, a field that has no
// meaning there. It returns nil for every recipe of Build, Singles, Pairs,
// Cuts, Parse and Shrink.
func (c *Catalogue) Check(r Recipe) error {
	if r.Base >= baseEnd || r.ID >= idEnd {
		return fmt.Errorf("generators: base %d, id %d: no such base or id", r.Base, r.ID)
	}
	have := r.conditions()
	if err := r.checkFields(); err != nil {
		return err
	}
	taken := r.parts()
	for i, pick := range r.Faults {
		if pick.Fault == 0 {
			continue
		}
		if i > 0 && r.Faults[i-1].Fault >= pick.Fault {
			return fmt.Errorf("generators: faults are out of order or doubled")
		}
		if int(pick.Fault) > len(c.faults) || int(pick.Variant) >= len(c.faults[pick.Fault-1].Variants) {
			return fmt.Errorf("generators: fault %d, variant %d: not in this catalogue", pick.Fault, pick.Variant)
		}
		f := &c.faults[pick.Fault-1]
		if missing := (f.Needs | f.Variants[pick.Variant].Needs) &^ have; missing != 0 {
			return fmt.Errorf("generators: fault %s needs %s", f.Name, missing)
		}
		if f.Parts&taken != 0 {
			return fmt.Errorf("generators: fault %s writes what another fault or the split already writes", f.Name)
		}
		taken |= f.Parts
	}
	return nil
}

// parts are the parts of the plan that the recipe's fields write.
func (r *Recipe) parts() Part {
	var taken Part
	if r.Frame.SplitAt > 0 {
		taken |= PartText | PartInner | PartLines | PartFinal
	}
	if r.Cut > 0 {
		// A cut leaves open whether damage would have been met.
		taken |= PartEnd | PartDamage
	}
	if r.ID == IDOpen {
		taken |= PartCoding // coded bytes hold no placeholder
	}
	return taken
}

// checkFields tells whether the fields fit each other.
func (r *Recipe) checkFields() error {
	for _, f := range choices {
		at := *f.get(r)
		if int(at) >= len(f.words) {
			return fmt.Errorf("generators: %s %d: the words are %s", f.name, at, strings.Join(f.words, ", "))
		}
		if f.frame && at != 0 && !r.Frame.Stream() {
			return fmt.Errorf("generators: %s has a meaning for streams only: add +sse=lf", f.name)
		}
	}
	if r.Frame.SplitAt > 0 && (!r.Frame.Stream() || r.ID == IDOpen || r.conditions()&NeedMessage == 0) {
		return fmt.Errorf("generators: split needs a stream with a message, and an id not left to the client")
	}
	if (r.Chunks.Kind == chunksAt) != (r.Chunks.At > 0) {
		return fmt.Errorf("generators: chunks=at and chunk-at go together")
	}
	return nil
}

// String lists the conditions.
func (n Need) String() string {
	var words []string
	for _, e := range needNames {
		if n&e.need != 0 {
			words = append(words, e.text)
		}
	}
	return strings.Join(words, " and ")
}

// add puts a fault in its place, if there is room for it; the faults of a
// recipe stand in the order of the catalogue.
func (r *Recipe) add(p Pick) bool {
	if r.Faults[MaxFaults-1].Fault != 0 {
		return false
	}
	i := MaxFaults - 1
	for ; i > 0 && (r.Faults[i-1].Fault == 0 || r.Faults[i-1].Fault > p.Fault); i-- {
		r.Faults[i] = r.Faults[i-1]
	}
	r.Faults[i] = p
	return true
}

// drop takes the i-th fault out.
func (r *Recipe) drop(i int) {
	copy(r.Faults[i:], r.Faults[i+1:])
	r.Faults[MaxFaults-1] = Pick{}
}

// Render makes the case of a recipe: the answer as data, with Expect and
// AlsoAcceptable as they follow from how it was made. The case owns its memory.
// It panics on a recipe that Check refuses. For many cases in a row a
// [Renderer] is faster.
func (c *Catalogue) Render(r Recipe) corpus.Case {
	if err := c.Check(r); err != nil {
		panic(err.Error())
	}
	made := c.NewRenderer().Render(r)
	c.describe(r, &made)
	return made
}
