package rapidprop_test

import (
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

func TestSoundCaller(t *testing.T) {
	rapidprop.CheckCaller(t, broken.SoundCaller)
}

// told runs a state machine and gives the message of its failure, "" if there is none.
func told(t *testing.T, machine func(*rapid.T)) (message string) {
	t.Helper()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		t.Fatal(err)
	}
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			panic(p)
		}
		message = strings.Join(r.logs, "\n")
	}()
	rapid.Check(r, machine)
	return ""
}

func TestCallersKilled(t *testing.T) {
	wanted := map[string]string{
		"retries-any-5xx":      `callers.Only("retry-only-safe"), callers.Play("unknown > `,
		"ids-start-anew":       `callers.Only("fresh-id"), callers.Play("unknown")`,
		"retry-after-ignored":  `callers.Only("retry-after"), callers.Play("`,
		"state-dropped":        `callers.Only("state-echoed"), callers.Play("unknown > input")`,
		"sends-after-success":  `callers.Only("over-is-over"), callers.Play("unknown")`,
		"reissues-lost-stream": `callers.Only("retry-only-safe"), callers.Play("unknown > cut-`,
	}
	for _, c := range broken.Callers() {
		want, ok := wanted[c.Name]
		if !ok {
			continue
		}
		delete(wanted, c.Name)
		got := told(t, rapidprop.CallerMachine(c.Make, callers.Only(c.KilledBy)))
		if !strings.Contains(got, want) || strings.Contains(got, "flaky") {
			t.Errorf("%s: got %s\nwant %s", c.Name, got, want)
		}
	}
	for name := range wanted {
		t.Errorf("no caller is named %s", name)
	}
}

func TestBadCallerOptionsFail(t *testing.T) {
	if got := told(t, rapidprop.CallerMachine(broken.SoundCaller, callers.Only("no-such"))); !strings.Contains(got, `no property is named "no-such"`) {
		t.Errorf("got %q", got)
	}
}
