package nightly

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/progress"
)

// What tells how far the night has come ends with the search: its line never
// follows the report. It would end soon by itself: hence so many searches.
func TestNothingIsToldAfterTheSearch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	n := &night{o: Options{Plan: Plan{For: time.Minute}, Display: progress.New(io.Discard, false)}, clock: newAwake(0, time.Now())}
	all := make([]byte, 64<<10)
	for range 2000 {
		err := n.search(t.Context())
		stacks := string(all[:runtime.Stack(all, true)])
		if err != nil {
			t.Fatal(err)
		}
		for _, running := range []string{"(*night).tell", "(*night).search"} {
			if strings.Contains(stacks, running) {
				t.Fatalf("the search is over, and %s still runs:\n%s", running, stacks)
			}
		}
	}
}

// A judge that breaks down, or never ends, is told as one; what the others say is
// given as they say it.
func TestVerdictOfAnyJudge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			name  string
			judge func() classifier.Verdict
			fault string
			given classifier.Outcome
		}{
			{"says it", func() classifier.Verdict { return classifier.Verdict{Outcome: classifier.ToolSuccess} }, "", classifier.ToolSuccess},
			{"panics", func() classifier.Verdict { panic("oh") }, "panics: oh", 0},
			{"is late", func() classifier.Verdict { time.Sleep(time.Hour); return classifier.Verdict{} }, "gives no verdict within 5s", 0},
		} {
			if told, given := verdict(test.judge); told.Fault != test.fault || given.Outcome != test.given {
				t.Errorf("%s: got %+v and %v, want the fault %q and %v", test.name, told, given.Outcome, test.fault, test.given)
			}
		}
		time.Sleep(2 * time.Hour) // the late one ends too
	})
}

// To make an input small may take longer than there is time for, as long as it
// was tried a few times only, but with one that hangs.
func TestTimeToMakeAnInputSmall(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		tries int
		gone  time.Duration
		hangs bool
		want  bool
	}{
		{"at first", 1, 0, false, false},
		{"in time", 100_000, 5 * time.Second, false, false},
		{"many tries", 256, 6 * time.Second, false, true},
		{"few tries of a busy machine", 255, 50 * time.Second, false, false},
		{"few tries that take far too long", 2, 51 * time.Second, false, true},
		{"a hang", 2, 6 * time.Second, true, true},
		{"a hang in time", 2, 4 * time.Second, true, false},
	} {
		if got := spent(test.tries, test.gone, 5*time.Second, test.hangs); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}
