package subject

import (
	"testing"

	"github.com/replyproof/replyproof/properties/loopback"
)

func TestCallLine(t *testing.T) {
	s, err := loopback.Listen(loopback.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	play := s.Book(loopback.Frozen(Plain()))
	want := `{"seq":7,"url":"http://127.0.0.1:4567/mcp/2","tool":"synthetic","arguments":{"case":"c1"}}` + "\n"
	if got := string(callLine(7, "http://127.0.0.1:4567/mcp/2", play)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An answer that is read the short way is read as any other would be, and
// nothing else is read so.
func TestPlainAnswer(t *testing.T) {
	for _, test := range []struct {
		name, text, word string
		plain            bool
	}{
		{"two members", `{"seq":7,"saw":"SUCCESS"}`, "SUCCESS", true},
		{"merged words", `{"seq":7,"saw":"MALFORMED_JSON|INVALID_ENVELOPE"}`, "MALFORMED_JSON|INVALID_ENVELOPE", true},
		{"another seq", `{"seq":70,"saw":"SUCCESS"}`, "", false},
		{"a third member", `{"seq":7,"saw":"SUCCESS","alive":false}`, "", false},
		{"a member twice", `{"seq":7,"saw":"SUCCESS","saw":"ERROR"}`, "", false},
		{"an escape", `{"seq":7,"saw":"\u0053UCCESS"}`, "", false},
		{"white space", `{"seq": 7, "saw": "SUCCESS"}`, "", false},
		{"no end", `{"seq":7,"saw":"SUCCESS"`, "", false},
		{"no object", `SUCCESS`, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			word, ok := plainAnswer([]byte(test.text), 7)
			if ok != test.plain || ok && word != test.word {
				t.Errorf("got %q, %v; want %q, %v", word, ok, test.word, test.plain)
			}
		})
	}
}
