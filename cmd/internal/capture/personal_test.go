package capture

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRunsHideNothing: looking at runs of bytes alone finds what looking at the
// whole text finds.
func TestRunsHideNothing(t *testing.T) {
	pieces := []string{"anna.berg" + "@example.org", "4111 1111 " + "1111 1111", "DE89 3704 0044 " + "0532 0130 00", "+49 30 901" + "820", "@", "a@b", " ", "x", "_", "é", "\"", "12345678", "A1", "\xff", "(", "-", ".", "DE8937040044" + "0532013000"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		plain := mail.ReplaceAllString(text, redacted)
		plain = iban.ReplaceAllStringFunc(plain, func(s string) string {
			if ibanHolds(s) {
				return redacted
			}
			return s
		})
		plain = withoutNumbers(plain)
		if got := withoutPersonal(text); got != plain {
			t.Fatalf("%q: got %q, want %q", text, got, plain)
		}
	}
}
