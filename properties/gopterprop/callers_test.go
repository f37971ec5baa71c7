package gopterprop_test

import (
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/gopterprop"
)

func TestSoundCaller(t *testing.T) {
	properties := gopter.NewProperties(parameters(50))
	properties.Property("calls", gopterprop.Callers(broken.SoundCaller))
	properties.TestingRun(t)
}

func TestCallersKilled(t *testing.T) {
	wanted := map[string]string{
		"retries-any-5xx":     `callers.Play("unknown > 503")`,
		"ids-start-anew":      `callers.Play("unknown")`,
		"retry-after-ignored": ` after=2")`,
		"state-dropped":       `callers.Play("unknown > input")`,
		"sends-after-success": `callers.Play("unknown")`,
		"state-stale":         `callers.Play("unknown > input > input state=none")`,
	}
	for _, c := range broken.Callers() {
		want, ok := wanted[c.Name]
		if !ok {
			continue
		}
		delete(wanted, c.Name)
		result := gopterprop.Callers(c.Make, callers.Only(c.KilledBy)).Check(parameters(200))
		if result.Passed() || !strings.Contains(strings.Join(result.Labels, "\n"), want) {
			t.Errorf("%s: got %v %q, want %s", c.Name, result.Status, result.Labels, want)
		}
	}
	for name := range wanted {
		t.Errorf("no caller is named %s", name)
	}
}

func TestSequencesShrink(t *testing.T) {
	result := prop.ForAll(func(s callers.Sequence) bool { return !strings.Contains(s.String(), "refused") }, gopterprop.Sequences).Check(parameters(200))
	if got := result.Args[0].ArgFormatted; result.Passed() || got != "unknown > refused" {
		t.Errorf("got %s", got)
	}
}

func TestBadCallerOptionsFail(t *testing.T) {
	result := gopterprop.Callers(broken.SoundCaller, callers.Only("no-such")).Check(parameters(10))
	if result.Passed() || result.Error == nil || !strings.Contains(result.Error.Error(), `no property is named "no-such"`) {
		t.Errorf("got %v, %v", result.Status, result.Error)
	}
}
