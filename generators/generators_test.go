package generators

import (
	"testing"
)

var standard = Default()

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	n := 0
	check := func(r Recipe) {
		n++
		text := standard.Format(r)
		back, err := standard.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if back != r {
			t.Fatalf("%s: got %+v, want %+v", text, back, r)
		}
	}
	for r := range standard.Singles() {
		check(r)
	}
	src := NewPlain(7)
	for range 50000 {
		check(standard.Build(src))
		check(standard.Open(standard.Build(src)))
	}
	t.Log(n, standard.Len())
}

func BenchmarkBuildRender(b *testing.B) {
	src := NewPlain(1)
	d := standard.NewRenderer()
	b.ReportAllocs()
	for b.Loop() {
		d.Render(standard.Build(src))
	}
}

func BenchmarkBuild(b *testing.B) {
	src := NewPlain(1)
	for b.Loop() {
		standard.Build(src)
	}
}
