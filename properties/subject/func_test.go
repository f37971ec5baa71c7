package subject_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

func TestFuncFates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := &subject.Func{
			About: subject.Info{Name: "f", Tells: subject.AllOutcomes()},
			See: func(c corpus.Case) subject.Observation {
				switch *c.Status {
				case 500:
					panic("oh")
				case 504:
					<-release
				case 418:
					return subject.Observation{Saw: "TEAPOT"}
				}
				return subject.Observation{Saw: "TOOL_SUCCESS"}
			},
		}
		info, err := f.Start(t.Context(), time.Minute)
		if err != nil || info.Kind != subject.KindClassifier {
			t.Fatalf("got %+v, %v", info, err)
		}
		if o, err := f.Ask(t.Context(), subject.Trial{Case: answered(200)}); err != nil || o.Saw != "TOOL_SUCCESS" {
			t.Errorf("success: got %v, %v", unfold(o), err)
		}
		if o, err := f.Ask(t.Context(), subject.Trial{Case: answered(500)}); err != nil || o.Fate != subject.Crashed || o.Text != "panic: oh" || !strings.Contains(o.Stderr, "func_test.go") {
			t.Errorf("panic: got %v, %v", unfold(o), err)
		}
		if _, err := f.Ask(t.Context(), subject.Trial{Case: answered(418)}); !errors.Is(err, subject.ErrBroken) {
			t.Errorf("unknown word: got %v", err)
		}
		start := time.Now()
		if o, err := f.Ask(t.Context(), subject.Trial{Case: answered(504)}); err != nil || o.Fate != subject.Hung {
			t.Errorf("hang: got %v, %v", unfold(o), err)
		}
		if took := time.Since(start); took != time.Minute {
			t.Errorf("hang: took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := f.Ask(ctx, subject.Trial{Case: answered(504)}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: got %v", err)
		}
		close(release)
	})
}

func TestJudgesSubject(t *testing.T) {
	var asked string
	f := subject.Judges{
		Call: func(call classifier.Call, a classifier.Answer) classifier.Verdict {
			asked = "call " + call.ID.String() + " " + string(a.Body)
			return classifier.Verdict{Outcome: classifier.JSONRPCError, Answered: true, Status: a.Status, Error: classifier.RPCError{Code: []byte("-1")}}
		},
		NoAnswer: func(e classifier.Ended) classifier.Verdict {
			asked = e.String()
			return classifier.Verdict{Outcome: classifier.NoFinalResponse}
		},
	}.Subject("j", "1")
	if _, err := f.Start(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	c := answered(200)
	c.Body = []byte(`{{id}}`)
	if o, err := f.Ask(context.Background(), subject.Trial{Case: c}); err != nil || o.Saw != "JSONRPC_ERROR" || o.Code != "-1" || o.Status == nil || *o.Status != 200 || asked != "call 1 1" {
		t.Errorf("call: got %v, %v, asked %s", unfold(o), err, asked)
	}
	ended := classifier.EndedTLS
	if o, err := f.Ask(context.Background(), subject.Trial{Case: corpus.Case{Ended: &ended}}); err != nil || o.Saw != "NO_FINAL_RESPONSE" || o.Status != nil || asked != "tls" {
		t.Errorf("no answer: got %v, %v, asked %s", unfold(o), err, asked)
	}
	c.Notification = true
	if o, err := f.Ask(context.Background(), subject.Trial{Case: c}); err != nil || o.Fate != subject.Skipped {
		t.Errorf("notification: got %v, %v", unfold(o), err)
	}
}
