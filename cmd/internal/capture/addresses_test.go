package capture

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is found by colons is what an expression finds, which would take a body of a
// megabyte seventeen times as long.
func TestAddresses(t *testing.T) {
	t.Parallel()
	expression := regexp.MustCompile(`[a-z][a-z0-9+.-]*:(?://|\\/\\/)[^\s"'<>]+`)
	alphabet := []string{"a", "z", "B", "7", "+", "-", ".", ":", "/", "//", `\/`, `\/\/`, "://", `:\/\/`, `\`, `"`, "'", "<", ">", " ", "\n", "\v", "é"}
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		var b strings.Builder
		for range random.IntN(20) {
			b.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		text := []byte(b.String())
		var want []string
		for _, one := range expression.FindAll(text, -1) {
			want = append(want, strings.ReplaceAll(string(one), `\/`, "/"))
		}
		if got := slices.Collect(addresses(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
		found += len(want)
	}
	if found < 10_000 {
		t.Errorf("%d were found in all: the texts hold too few", found)
	}
}

func BenchmarkKnown(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}}`)
	x := &Exchange{Answer: &Answer{Status: 200, Body: body}}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		knownOf(x)
	}
}
