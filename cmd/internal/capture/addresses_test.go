package capture

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
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

// Text that is full of what a URL might begin with takes no longer than other text: each
// byte is looked at a few times.
func TestAddressesInColons(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{":", "://", "a:", "a:/", "://a", `:\/\/`, "a:// ", "a"} {
		text := []byte(strings.Repeat(unit, 4<<20/len(unit)))
		began := time.Now()
		for range addresses(text) {
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("4 MiB of %q took %v", unit, took)
		}
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
