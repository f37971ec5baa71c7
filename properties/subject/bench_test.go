//go:build unix

package subject_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/subject"
)

// BenchmarkClient compares the calls of one client, in a loop against the
// server, as a subject in this process, and behind an adapter.
func BenchmarkClient(b *testing.B) {
	b.Run("loop", func(b *testing.B) {
		s, err := loopback.Listen(loopback.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		play := s.Book(loopback.Frozen(subject.Plain()))
		client, _ := newPlainClient()
		defer client.Close()
		for b.Loop() {
			if o := client.Call(b.Context(), s.URL(), loopback.Tool, play.Arguments()); o.Saw != "SUCCESS" {
				b.Fatal(o)
			}
		}
	})
	b.Run("subject", func(b *testing.B) {
		c := &subject.Client{About: subject.Info{Name: "plain", Tells: coarse(b)}, Open: newPlainClient}
		ask(b, c)
	})
	b.Run("adapter-loop", func(b *testing.B) {
		s, err := loopback.Listen(loopback.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		play := s.Book(loopback.Frozen(subject.Plain()))
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"synthetic","arguments":{"case":%q}}}`, play.Arguments()["case"])
		for b.Loop() {
			if status := postOnce(s.URL(), message); status != 200 {
				b.Fatal(status)
			}
		}
	})
	b.Run("adapter", func(b *testing.B) { ask(b, process("client-good")) })
}

// ask asks a subject the plain success.
func ask(b *testing.B, s subject.Subject) {
	defer s.Close()
	if _, err := s.Start(b.Context(), time.Minute); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if o, err := s.Ask(b.Context(), subject.Trial{Case: subject.Plain()}); err != nil || o.Saw != "SUCCESS" {
			b.Fatal(o, err)
		}
	}
}
