package generators

import "testing"

func TestPlainStaysInRangeAndSpreads(t *testing.T) {
	t.Parallel()
	src := NewPlain(1)
	var seen [10]int
	for range 100000 {
		seen[src.N(10)]++
	}
	for i, n := range seen {
		if n < 9500 || n > 10500 {
			t.Errorf("%d: got %d of 100000, want about 10000", i, n)
		}
	}
	if got := src.N(1); got != 0 {
		t.Errorf("N(1): got %d, want 0", got)
	}
}

// The numbers of a seed are fixed: a reproduction line relies on them.
func TestPlainIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	src := NewPlain(42)
	var got [8]int
	for i := range got {
		got[i] = src.N(1000)
	}
	if want := [8]int{276, 510, 496, 545, 456, 988, 780, 587}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNeighbouringSeedsDoNotOverlap(t *testing.T) {
	t.Parallel()
	const length = 64
	windows := map[[4]int]uint64{}
	for seed := range uint64(200) {
		src := NewPlain(seed)
		var window [4]int
		for i := range length {
			copy(window[:], window[1:])
			window[3] = src.N(1 << 20)
			if i < 3 {
				continue
			}
			if other, ok := windows[window]; ok {
				t.Fatalf("seeds %d and %d share the numbers %v", other, seed, window)
			}
			windows[window] = seed
		}
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	src := NewBytes([]byte{7, 0x01, 0x02, 200, 255})
	for i, step := range []struct{ n, want int }{{10, 7}, {1, 0}, {1000, 258}, {100, 0}, {1 << 17, 255}, {5, 0}, {300, 0}} {
		if got := src.N(step.n); got != step.want {
			t.Errorf("step %d: N(%d): got %d, want %d", i, step.n, got, step.want)
		}
	}
}

// With no bytes at all the plainest answer comes out.
func TestExhaustedSourceBuildsThePlainSuccess(t *testing.T) {
	t.Parallel()
	if got := standard.Build(NewBytes(nil)); got != (Recipe{}) {
		t.Errorf("got %s, want success", standard.Format(got))
	}
}
