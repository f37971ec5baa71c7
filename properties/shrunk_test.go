package properties_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/gopterprop"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

// shrunk are the plainest answers on which some judges err: what rapid and
// gopter both come to, wherever they began.
var shrunk = map[string]string{
	"status-ignored":            "success +status=503",
	"media-type-by-prefix":      "success +media-list=same",
	"checksum-ignored":          "success +coding-checksum=gzip",
	"lf-only":                   "success +sse=crlf",
	"data-lines-glued":          "success +sse=lf +split=2",
	"result-beats-error":        "success +result-and-error=other",
	"missing-content-is-empty":  "success +result-empty",
	"first-event-decides":       "success +sse=lf +notifications=1",
	"input-required-is-success": "input-required",
	"id-loose":                  "success +id-other-type",
}

var toldRecipe = regexp.MustCompile(`properties\.Recipe\("([^"]*)"\)`)

func TestRapidAndGopterShrinkAlike(t *testing.T) {
	construction, _ := properties.ByName(properties.ByConstruction)
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.checks": "20000", "rapid.seed": "1", "rapid.shrinktime": "10m"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	defer flag.Set("rapid.checks", "100")
	for name, want := range shrunk {
		judge, ok := broken.ByName(name)
		if !ok {
			t.Errorf("no judge is named %s", name)
			continue
		}
		options := []properties.Option{properties.Notifications(judge.Notification), properties.NoAnswers(judge.NoAnswer)}
		told := &listener{}
		told.check(rapidprop.Property(construction, judge.Classify, options...))
		if got := recipeIn(told.text.String()); got != want {
			t.Errorf("%s: rapid shrinks to %q, want %q", name, got, want)
		}
		parameters := gopter.DefaultTestParametersWithSeed(7)
		parameters.MinSuccessfulTests = 20000
		result := gopterprop.Prop(construction, judge.Classify, options...).Check(parameters)
		if got := recipeIn(strings.Join(result.Labels, "\n")); got != want {
			t.Errorf("%s: gopter shrinks to %q, want %q", name, got, want)
		}
	}
}

// recipeIn is the last recipe that a failure tells.
func recipeIn(text string) string {
	all := toldRecipe.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return "none in " + text
	}
	return all[len(all)-1][1]
}

// listener is a rapid.TB that takes down what it is told.
type listener struct {
	rapid.TB
	text strings.Builder
}

func (l *listener) check(property func(*rapid.T)) {
	defer func() {
		if caught := recover(); caught != nil && caught != any(stop{}) {
			panic(caught)
		}
	}()
	rapid.Check(l, property)
}

type stop struct{}

func (l *listener) Helper()                      {}
func (l *listener) Name() string                 { return "listener" }
func (l *listener) Failed() bool                 { return false }
func (l *listener) Log(args ...any)              { fmt.Fprintln(&l.text, args...) }
func (l *listener) Logf(f string, args ...any)   { fmt.Fprintf(&l.text, f+"\n", args...) }
func (l *listener) Error(args ...any)            { l.Log(args...) }
func (l *listener) Errorf(f string, args ...any) { l.Logf(f, args...) }
func (l *listener) Fail()                        {}
func (l *listener) FailNow()                     { panic(stop{}) }
func (l *listener) Fatal(args ...any)            { l.Log(args...); l.FailNow() }
func (l *listener) Fatalf(f string, args ...any) { l.Logf(f, args...); l.FailNow() }

// However a judge was found out, Shrink leaves at most two faults more than the
// smallest answer of the exhaustive run has, and mostly none.
func TestShrunkHasFewFaultsMoreThanNeeded(t *testing.T) {
	t.Parallel()
	catalogue := generators.Default()
	needed := map[string]int{}
	judges := broken.All()
	renderer := catalogue.NewRenderer()
	shrunk, exact := 0, 0
	for i := range judges {
		judge := &judges[i]
		kills := func(r generators.Recipe) bool {
			trial := broken.NewTrial(renderer.Render(r))
			return trial.Kills(judge)
		}
		source := generators.NewPlain(uint64(i))
		for range 1500 {
			r := catalogue.Build(source)
			if !kills(r) {
				continue
			}
			if _, ok := needed[judge.Name]; !ok {
				for single := range catalogue.Exhaustive() {
					if kills(single) {
						needed[judge.Name] = len(single.Picks())
						break
					}
				}
			}
			got := catalogue.Shrink(r, kills)
			more := len(got.Picks()) - needed[judge.Name]
			if more > 2 {
				t.Errorf("%s: got %s, which has %d faults more than needed, want at most 2", judge.Name, catalogue.Format(got), more)
			}
			shrunk++
			if more <= 0 {
				exact++
			}
			break
		}
	}
	if shrunk < len(judges)/2 || exact < shrunk*9/10 {
		t.Errorf("got %d shrunk of %d judges, %d of them with no fault too many; want more than half, and nine of ten", shrunk, len(judges), exact)
	}
}
