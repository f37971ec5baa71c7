package progress

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Elsewhere than on a terminal there is a line every ten seconds, of what is
// running and of the whole.
func TestBoardSpeaksEveryTenSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b := New(&out, false).Board([]string{"FuzzA", "FuzzB"}, time.Minute)
		b.Set(0, "5 new")
		b.Total(9*time.Second, "1 of 2 targets, 51s left")
		time.Sleep(15 * time.Second)
		b.Set(1, "7 new")
		b.Total(19*time.Second, "2 of 2 targets, 41s left")
		time.Sleep(10 * time.Second)
		b.Close()
		time.Sleep(time.Minute)
		const want = "replyproof: 9s FuzzA: 5 new; 1 of 2 targets, 51s left\nreplyproof: 19s FuzzB: 7 new; 2 of 2 targets, 41s left\n"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// shared is a buffer that may be read while it is written to.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.buf.String(), text)
}

// On a terminal every part has a line, and the whole has one.
func TestBoardOnATerminal(t *testing.T) {
	t.Parallel()
	var out shared
	d := New(&out, true)
	b := d.Board([]string{"FuzzA", "FuzzB"}, time.Minute)
	b.Set(0, "12k/s, 5 new, 77 kept")
	b.Set(1, "waits")
	b.Total(30*time.Second, "30s left")
	for _, want := range []string{"FuzzA", "12k/s, 5 new, 77 kept", "FuzzB", "waits", "all", "30s left"} {
		// The library draws by a clock of its own.
		for end := time.Now().Add(time.Minute); !out.has(want); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("got no %q", want)
			}
		}
	}
	b.Close()
	d.Close()
}
