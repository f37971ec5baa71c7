package runner_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// While shrinking waits for one answer, the other subjects are asked for the next:
// what is found is the same, in less than half of the time.
func TestShrinkingAsksAhead(t *testing.T) {
	var recipes []generators.Recipe
	for _, text := range []string{"rpc-error +status=511 +media-list=alone", "tool-error +status-redirect=302 +json-trailing=nul"} {
		r, err := generators.Default().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		recipes = append(recipes, r)
	}
	shrunk := func(jobs int) (found []string, took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			slow := func(c corpus.Case, right subject.Observation) subject.Observation {
				time.Sleep(time.Second)
				if c.Status != nil && (*c.Status == 511 || *c.Status == 302) {
					return as("TOOL_SUCCESS")
				}
				return right
			}
			began := time.Now()
			result := run(t, judged(slow), runner.Options{
				Recipes: recipes, Jobs: jobs, Deadline: time.Hour,
			})
			for _, c := range result.Causes {
				found = append(found, c.Recipe)
			}
			took = time.Since(began)
		})
		return found, took
	}
	want := []string{"success +status=511", "success +status-redirect=302"}
	alone, long := shrunk(1)
	ahead, short := shrunk(16)
	if !slices.Equal(alone, want) || !slices.Equal(ahead, want) {
		t.Errorf("got %q alone and %q by sixteen, want %q", alone, ahead, want)
	}
	if short > long/2 {
		t.Errorf("took %v by sixteen and %v alone, want less than half", short, long)
	}
}
