package properties

import "testing"

// What says which cases are tried reaches the runner, and one recipe or case
// leaves the rest out.
func TestOptionsReachTheRunner(t *testing.T) {
	tests := []struct {
		name             string
		options          []Option
		singles, triples bool
		random, causes   int
	}{
		{"none", nil, true, false, 1000, 20},
		{"triples", []Option{Triples(), MaxFailures(3)}, true, true, 1000, 3},
		{"sampled", []Option{Sampled(), Triples(), Cases(7)}, false, true, 7, 20},
		{"one recipe", []Option{Triples(), Recipe("success")}, false, false, 0, 20},
	}
	for _, test := range tests {
		_, o, err := newClientConfig(test.options)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if o.Singles != test.singles || o.Triples != test.triples || o.Random != test.random || o.MaxCauses != test.causes {
			t.Errorf("%s: got singles %v, triples %v, %d random, %d causes, want %v, %v, %d, %d", test.name,
				o.Singles, o.Triples, o.Random, o.MaxCauses, test.singles, test.triples, test.random, test.causes)
		}
	}
}
