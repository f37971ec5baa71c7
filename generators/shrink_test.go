package generators

import (
	"strings"
	"testing"
)

func TestShrink(t *testing.T) {
	t.Parallel()
	has := func(words ...string) func(Recipe) bool {
		return func(r Recipe) bool {
			text := standard.Format(r) + " "
			for _, word := range words {
				if !strings.Contains(text, word) {
					return false
				}
			}
			return true
		}
	}
	tests := []struct {
		name, recipe string
		fails        func(Recipe) bool
		want         string
	}{
		{"one fault among three", "tool-error +status=599 +media-list=alone +json-trailing=nul +space=mixed +order=rotated +sse=mixed +comments=long +cut=99", has("+media-list"), "success +media-list=same"},
		{"two faults", "tool-error +status=599 +media-list=alone +json-trailing=nul", has("+status", "+json-trailing"), "success +status=503 +json-trailing=garbage"},
		{"a variant", "success +content-item=tool-use +sse=cr", has("+content-item=tool-use "), "success +content-item=tool-use"},
		{"a frame", "rpc-error +code=one +sse=mixed +retry=broken +notifications=3", func(r Recipe) bool { return r.Frame.Notifications >= 2 }, "success +sse=lf +notifications=2"},
		{"an offset", "input-required +sse=lf +cut=300 +chunks=bytes", func(r Recipe) bool { return r.Cut > 57 }, "success +cut=57"},
		{"a base", "rpc-error +code=one", has("rpc-error"), "rpc-error"},
		{"nothing plainer fails", "success +status=500", has("+status=500"), "success +status=500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := standard.Parse(test.recipe)
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			got := standard.Shrink(r, func(s Recipe) bool {
				calls++
				if err := standard.Check(s); err != nil {
					t.Errorf("%s: %v", standard.Format(s), err)
				}
				return test.fails(s)
			})
			if text := standard.Format(got); text != test.want {
				t.Errorf("got %s, want %s", text, test.want)
			}
			if calls > ShrinkCalls {
				t.Errorf("got %d calls, want at most %d", calls, ShrinkCalls)
			}
		})
	}
}

// Whatever fails, shrinking comes to an end.
func TestShrinkEnds(t *testing.T) {
	t.Parallel()
	src := NewPlain(9)
	for range 500 {
		r := standard.Build(src)
		if got := standard.Shrink(r, func(Recipe) bool { return true }); got != (Recipe{}) {
			t.Errorf("%s: got %s, want success", standard.Format(r), standard.Format(got))
		}
	}
}
