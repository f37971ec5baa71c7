package generators

import (
	"slices"
	"testing"
)

func TestPicks(t *testing.T) {
	full := [MaxFaults]Pick{{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 0}, {6, 2}}
	for _, test := range []struct {
		name   string
		faults [MaxFaults]Pick
		want   []Pick
	}{
		{"none", [MaxFaults]Pick{}, nil},
		{"one", [MaxFaults]Pick{{7, 3}}, []Pick{{7, 3}}},
		{"all that there is room for", full, []Pick{{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 0}, {6, 2}}},
	} {
		r := Recipe{Faults: test.faults}
		got := r.Picks()
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if _ = append(got, Pick{9, 9}); r.Faults != test.faults {
			t.Errorf("%s: an append wrote into the recipe: %v", test.name, r.Faults)
		}
	}
}
