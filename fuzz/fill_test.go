package fuzz

import "testing"

func TestFillerMakesTheSame(t *testing.T) {
	var f filler
	for _, c := range exchanges() {
		want, got := SampleOf(c), f.sampleOf(&c)
		if got.String() != want.String() {
			t.Errorf("%s: got %s\nwant %s", c.ID, shown(got.String()), shown(want.String()))
		}
	}
}
