package rapidprop

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/generators/rapidgen"
	"github.com/replyproof/replyproof/properties/callers"
)

// CheckCaller puts callers through the state machine of [CallerMachine].
//
//	func TestCaller(t *testing.T) { rapidprop.CheckCaller(t, mine.NewCaller) }
func CheckCaller(t *testing.T, maker callers.Maker, options ...callers.Option) {
	t.Helper()
	rapid.Check(t, CallerMachine(maker, options...))
}

// CallerMachine is a state machine, by rapid's Repeat, for rapid.Check or
// rapid.MakeFuzz. Its actions are to say what the caller knows of the next call,
// to add an answer to those that it will get, to make the call on the connection
// that there is, and to connect anew. Bad options fail every check, and those
// that say how callers.Check searches have no meaning. A caller must do the same
// again in the same case, but for the length of its waits.
func CallerMachine(maker callers.Maker, options ...callers.Option) func(*rapid.T) {
	setup, err := callers.NewSetup(maker, options...)
	if err != nil {
		return func(t *rapid.T) { t.Fatal(err) }
	}
	return func(t *rapid.T) {
		session := setup.NewSession()
		defer func() { session.Close() }()
		var next callers.Sequence
		source := rapidgen.Source(t)
		play := func(t *rapid.T) {
			failure := session.Play(next)
			next = callers.Sequence{}
			if failure != nil {
				t.Log(failure.Exchanges())
				t.Fatalf("%s", failure.Summary())
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"know": func(*rapid.T) {
				steps := next.Steps
				next = callers.BuildFacts(source)
				next.Steps = steps
			},
			"answer": func(*rapid.T) { next.Steps = append(next.Steps, callers.BuildStep(source)) },
			"call":   play,
			"reconnect": func(*rapid.T) {
				session.Close()
				session = setup.NewSession()
			},
		})
		play(t)
	}
}
