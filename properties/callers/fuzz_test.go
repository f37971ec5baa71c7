package callers_test

import (
	"testing"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/callers"
)

// counted is a TB that counts what is reported.
type counted int

func (*counted) Helper() {}

func (c *counted) Errorf(string, ...any) { *c++ }

func TestFuzzChoices(t *testing.T) {
	t.Parallel()
	sound := callers.FuzzChoices(broken.SoundCaller)
	bodies := map[string]func(callers.TB, []byte){}
	found := map[string]*counted{}
	for _, c := range broken.Callers() {
		switch c.Name {
		case "retries-any-5xx", "state-dropped", "retries-tool-error":
			bodies[c.Name], found[c.Name] = callers.FuzzChoices(c.Make), new(counted)
		}
	}
	source := generators.NewPlain(5)
	for range 300 {
		data := make([]byte, source.N(60))
		for i := range data {
			data[i] = byte(source.N(256))
		}
		sound(t, data)
		for name, body := range bodies {
			body(found[name], data)
		}
	}
	for name, n := range found {
		if *n == 0 {
			t.Errorf("%s passed", name)
		}
	}
	var refused counted
	callers.FuzzChoices(nil)(&refused, nil)
	if refused != 1 || len(found) != 3 {
		t.Errorf("got %d reports of a maker that is nil and %d callers, want 1 and 3", refused, len(found))
	}
}
