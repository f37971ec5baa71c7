package nightly

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

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
