package fuzz

import "testing"

// The sample of every seed of every target has the same verdict as the case that
// is made of it; white space around header lines is all that a case leaves out.
func TestCaseOfSample(t *testing.T) {
	for _, target := range Targets() {
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			for _, seed := range target.Seeds() {
				s := target.Sample(seed)
				again := SampleOf(s.Case())
				got, want := again.Classify(), s.Classify()
				if got.Outcome != want.Outcome || got.Reason != want.Reason || string(again.Answer.Body) != string(s.Answer.Body) {
					t.Fatalf("seed %q: got %s (%s) and\n%s\nwant %s (%s) and\n%s", seed, got.Outcome, got.Reason, again, want.Outcome, want.Reason, s)
				}
			}
		})
	}
}
