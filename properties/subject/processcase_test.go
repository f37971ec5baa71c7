//go:build unix

package subject_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

func TestProcessBigCase(t *testing.T) {
	c := answered(500)
	c.Body = []byte(strings.Repeat("x", 4<<20))
	for _, test := range []struct {
		mode     string
		deadline time.Duration
		fate     subject.Fate
	}{{"good", time.Minute, subject.Answered}, {"hang", 200 * time.Millisecond, subject.Hung}} {
		p := process(test.mode)
		if _, err := p.Start(context.Background(), test.deadline); err != nil {
			t.Fatal(err)
		}
		if o, err := p.Ask(context.Background(), subject.Trial{Case: c}); err != nil || o.Fate != test.fate {
			t.Errorf("%s: got %v, %v", test.mode, unfold(o), err)
		}
		p.Close()
	}
}

// What an adapter is told: the answer as delivered, and nothing of what is expected.
func TestProcessCaseLine(t *testing.T) {
	status, cut := 500, 9
	c := corpus.Case{
		ID: "secret/id", Rule: "6", Why: "secret why", Source: "secret source", Tags: []string{"secret"},
		RequestID: classifier.StringID("a"), Status: &status, Headers: corpus.Headers{{Name: "x", Value: "y"}},
		Body: []byte(`{"id":{{id}}}`), CutAfter: &cut,
		Expect:         &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError},
		AlsoAcceptable: []string{"JSONRPC_ERROR"},
	}
	p := process("echo")
	defer p.Close()
	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	o, err := p.Ask(context.Background(), subject.Trial{Case: c})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"seq":2,"case":{"request_id":"a","status":500,"headers":{"x":"y"},"body":"{\"id\":\"a\"","ended":"reset"}}`
	if got := strings.TrimSpace(o.Text); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.Body, c.CutAfter, c.Status = []byte("\xff{{id}}"), nil, nil
	o, err = p.Ask(context.Background(), subject.Trial{Case: c})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(o.Text, `"status":null`) || !strings.Contains(o.Text, `"body_base64":"/yJhIg=="`) {
		t.Errorf("got %s", o.Text)
	}
}

// A case that JSON cannot hold is passed over with the reason, and the adapter
// goes on to the next.
func TestProcessCaseThatJSONCannotHold(t *testing.T) {
	p := process("good")
	defer p.Close()
	if _, err := p.Start(context.Background(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	odd := answered(200)
	odd.ID = "mine/odd-header"
	odd.Headers = append(odd.Headers, corpus.Header{Name: "x-note", Value: "\xff"})
	got, err := p.Ask(context.Background(), subject.Trial{Case: odd})
	if err != nil || got.Fate != subject.Skipped || !strings.Contains(got.Text, `write case "mine/odd-header"`) {
		t.Errorf("got %+v, %v, want it skipped", got, err)
	}
	if got, err = p.Ask(context.Background(), subject.Trial{Case: answered(200)}); err != nil || got.Fate != subject.Answered {
		t.Errorf("the next case: got %+v, %v, want an answer", got, err)
	}
}
