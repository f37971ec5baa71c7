package subject_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// A client that looks at its connection while nobody listens finds it dead. That
// is no fault of the answer, and what comes next is to be asked of another URL.
func TestRefusedIsNotDead(t *testing.T) {
	var urls []string
	open := func() (subject.Caller, error) {
		plain, err := newPlainClient()
		look := func(ctx context.Context, url, tool string, arguments map[string]any) subject.Observation {
			urls = append(urls, url)
			o := plain.Call(ctx, url, tool, arguments)
			response, err := http.Get(url)
			if err != nil {
				o.Dead = true
				return o
			}
			response.Body.Close()
			return o
		}
		return subject.CallerFunc(look), err
	}
	c := &subject.Client{About: subject.Info{Name: "looks", Tells: coarse(t)}, Open: open}
	defer http.DefaultClient.CloseIdleConnections()
	defer c.Close()
	if _, err := c.Start(t.Context(), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	refused, ok := corpus.ByID("no-answer/connect")
	if !ok {
		t.Fatal("the case is gone")
	}
	o, err := c.Ask(t.Context(), subject.Trial{Case: refused})
	if err != nil || o.Dead || o.Saw != "ERROR" {
		t.Errorf("refused: got %s, dead %t, %v; want ERROR, not dead", o.Saw, o.Dead, err)
	}
	o, err = c.Ask(t.Context(), subject.Trial{Case: subject.Plain()})
	if err != nil || o.Saw != "SUCCESS" || o.Dead {
		t.Errorf("after it: got %s, dead %t, %v; want SUCCESS", o.Saw, o.Dead, err)
	}
	if n := len(urls); urls[n-1] == urls[n-2] {
		t.Errorf("after it: got the same URL %s, want another", urls[n-1])
	}
}
