package callers

import "github.com/replyproof/replyproof/generators"

// FuzzChoices is the body of a native fuzz target for a caller of one's own: the
// bytes are the choices by which a sequence is made, and a new caller is put
// through it. Its seeds are fuzz.ChoicesSeeds. Bad options fail every input.
//
//	func FuzzCaller(f *testing.F) {
//		for _, seed := range fuzz.ChoicesSeeds() {
//			f.Add(seed)
//		}
//		body := callers.FuzzChoices(mine.NewCaller)
//		f.Fuzz(func(t *testing.T, data []byte) { body(t, data) })
//	}
func FuzzChoices(maker Maker, options ...Option) func(t TB, data []byte) {
	setup, err := NewSetup(maker, options...)
	return func(t TB, data []byte) {
		t.Helper()
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		if failure := setup.Try(Build(generators.NewBytes(data))); failure != nil {
			t.Errorf("%v", failure)
		}
	}
}
