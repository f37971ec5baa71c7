package generators_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

var catalogue = generators.Default()

var judges = map[string]func(corpus.Case) classifier.Verdict{"classifier": corpus.Case.Classify, "model": byModel}

// byModel judges a case by the second judge, which shares no code with the first.
func byModel(c corpus.Case) classifier.Verdict {
	var judge model.Judge
	switch {
	case c.Status == nil:
		return judge.NoAnswer(c.NoAnswer())
	case c.Notification:
		return judge.Notification(c.Answer())
	}
	return judge.Classify(classifier.Call{ID: c.RequestID}, c.Answer())
}

// disagreements lists what a judge says otherwise than the case.
func disagreements(c corpus.Case, judge func(corpus.Case) classifier.Verdict) string {
	var all []string
	for _, d := range corpus.VerifyWith([]corpus.Case{c}, judge) {
		all = append(all, d.Error())
	}
	return strings.Join(all, "; ")
}

// agree compares the judges with the expectation of recipes. It lists what
// differs by kind, with the shortest recipes that show it.
func agree(t *testing.T, recipes iter.Seq[generators.Recipe]) {
	t.Helper()
	renderer := catalogue.NewRenderer()
	wrong := map[string][]string{}
	for r := range recipes {
		made := renderer.Render(r)
		made.ID, made.Why = "made/case", "Made."
		for name, judge := range judges {
			if said := disagreements(made, judge); said != "" {
				wrong[name+": "+said] = append(wrong[name+": "+said], catalogue.Format(r))
			}
		}
	}
	for said, texts := range wrong {
		slices.SortFunc(texts, func(a, b string) int { return len(a) - len(b) })
		t.Errorf("%d recipes: %s\n\t%s", len(texts), said, strings.Join(texts[:min(3, len(texts))], "\n\t"))
	}
}

func TestJudgesAgreeOnSingles(t *testing.T) { t.Parallel(); agree(t, catalogue.Singles()) }

func TestJudgesAgreeOnPairs(t *testing.T) { t.Parallel(); agree(t, catalogue.Pairs()) }

func TestJudgesAgreeOnCuts(t *testing.T) { t.Parallel(); agree(t, catalogue.Cuts()) }

func TestJudgesAgreeOnRandomRecipes(t *testing.T) {
	t.Parallel()
	src := generators.NewPlain(1)
	agree(t, func(yield func(generators.Recipe) bool) {
		for range 60000 {
			if r := catalogue.Build(src); !yield(r) {
				return
			}
		}
	})
}

// A recipe whose id is left to the client comes to the same verdict.
func TestJudgesAgreeOnOpenRecipes(t *testing.T) {
	t.Parallel()
	src := generators.NewPlain(2)
	agree(t, func(yield func(generators.Recipe) bool) {
		for range 20000 {
			if !yield(catalogue.Open(catalogue.Build(src))) {
				return
			}
		}
	})
}
