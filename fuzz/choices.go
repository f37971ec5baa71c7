package fuzz

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// catalogue is what answers are made from; it does not change.
var catalogue = generators.Default()

// Choices reads data as the choices by which an answer is made. The verdict must
// be the one known by the making, and model, classifier and reader must agree.
func Choices(t T, data []byte) {
	t.Helper()
	recipe, made := chosen(data)
	s := SampleOf(made)
	j := agree(t, s)
	j.some(judged.readAgrees, judged.bytewise)
	if d := unexpected(made.Expect, &j.v); d != "" {
		t.Errorf("recipe %s: %s\n%s", catalogue.Format(recipe), d, s)
	}
}

// chosen is the recipe that data chooses, and the case it makes.
func chosen(data []byte) (generators.Recipe, corpus.Case) {
	recipe := catalogue.Build(generators.NewBytes(data))
	return recipe, catalogue.NewRenderer().Render(recipe)
}

// ChoicesSeeds are a few hundred runs of bytes. What they choose depends on the
// catalogue; the search goes on from there.
func ChoicesSeeds() [][]byte {
	src := generators.NewPlain(1)
	all := [][]byte{{}}
	for range 256 {
		seed := make([]byte, 1+src.N(48))
		for i := range seed {
			if src.N(2) == 0 {
				seed[i] = byte(src.N(256))
			}
		}
		all = append(all, seed)
	}
	return all
}

// unexpected tells in what a verdict is not the one known by the making, or is "".
func unexpected(want *corpus.Expect, got *classifier.Verdict) string {
	switch {
	case want.Outcome != got.Outcome, want.Layer != got.Layer, want.Reason != "" && want.Reason != got.Reason.String():
		return fmt.Sprintf("made as %s %s (%s), classifier says %s %s (%s)", want.Layer, want.Outcome, want.Reason, got.Layer, got.Outcome, got.Reason)
	case want.Code != "" && !corpus.SameNumber(want.Code, string(got.Error.Code)):
		return fmt.Sprintf("made with code %s, classifier says %q", want.Code, got.Error.Code)
	case want.Findings != nil && !sameNames(want.Findings, got.Findings):
		return fmt.Sprintf("made with findings %s, classifier says %s", strings.Join(want.Findings, " "), strings.Join(kinds(got.Findings), " "))
	}
	return ""
}

// sameNames tells whether both hold the same kinds of findings; of names in any
// order, of findings each kind once.
func sameNames(names []string, findings []classifier.Finding) bool {
	if len(names) != len(findings) {
		return false
	}
	for i := range findings {
		kind, found := findings[i].Kind.String(), false
		for _, name := range names {
			found = found || name == kind
		}
		if !found {
			return false
		}
	}
	return true
}
