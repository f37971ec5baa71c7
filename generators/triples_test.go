package generators

import "testing"

// Every three faults that can be combined stand together in a recipe that Check
// accepts. What can be combined is worked out here from what the faults say.
func TestTriplesCoverAll(t *testing.T) {
	t.Parallel()
	faults := standard.faults
	n := len(faults)
	covered := make([]bool, n*n*n)
	recipes := 0
	for r := range standard.Triples() {
		recipes++
		if err := standard.Check(r); err != nil {
			t.Fatalf("%s: %v", standard.Format(r), err)
		}
		picks := r.Picks()
		for x := range picks {
			for y := x + 1; y < len(picks); y++ {
				for z := y + 1; z < len(picks); z++ {
					covered[(int(picks[x].Fault-1)*n+int(picks[y].Fault-1))*n+int(picks[z].Fault-1)] = true
				}
			}
		}
	}
	var have []Need
	for base := range baseEnd {
		for lines := range uint8(2) {
			r := Recipe{Base: base, Frame: Frame{Lines: lines}}
			have = append(have, r.conditions())
		}
	}
	fits := make([]uint, n)
	for i, f := range faults {
		for p, conditions := range have {
			for _, v := range f.Variants {
				if (f.Needs|v.Needs)&^conditions == 0 {
					fits[i] |= 1 << p
				}
			}
		}
	}
	threes, missing := 0, 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			if faults[i].Parts&faults[j].Parts != 0 {
				continue
			}
			for k := j + 1; k < n; k++ {
				if (faults[i].Parts|faults[j].Parts)&faults[k].Parts != 0 || fits[i]&fits[j]&fits[k] == 0 {
					continue
				}
				threes++
				if !covered[(i*n+j)*n+k] {
					missing++
					if missing <= 5 {
						t.Errorf("%s, %s and %s stand in no recipe together", faults[i].Name, faults[j].Name, faults[k].Name)
					}
				}
			}
		}
	}
	if missing > 0 {
		t.Errorf("got %d of %d threes, want all", threes-missing, threes)
	}
	if recipes != 44889 || threes != 578568 {
		t.Errorf("got %d recipes of %d threes, want 44889 of 578568", recipes, threes)
	}
}

func BenchmarkTriples(b *testing.B) {
	for b.Loop() {
		for range standard.Triples() {
		}
	}
}
