package nightly

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/store"
)

// A night that cannot be gone on with says why, and names its file if that is
// what is wrong.
func TestNothingToResume(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no night", "", "no night to go on with in "},
		{"one that ended", `{"event":"night","plan":{"night":"n"}}` + "\n" + `{"event":"end"}` + "\n", "came to its end"},
		{"one that cannot be read", "garbage\n", "n.jsonl does not say how the last one began"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.text != "" {
				if err := os.MkdirAll(filepath.Join(dir, nightsName), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, nightsName, "n"+nightSuffix), []byte(test.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := Pending(s); !errors.Is(err, ErrNothingToResume) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
