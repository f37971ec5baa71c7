package corpus_test

import (
	"reflect"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func TestWire(t *testing.T) {
	t.Parallel()
	body := []byte(`{"id":{{id}},"x":{{id}}}`) // the placeholders stand at 6 to 12 and 17 to 23
	text := classifier.StringID("abcdefgh")    // ten bytes of JSON
	tests := []struct {
		name  string
		c     corpus.Case
		id    classifier.ID
		body  string // as delivered
		split []int
		ended classifier.Ended
	}{
		{"no placeholder", corpus.Case{Status: ptr(200), Body: []byte("abc"), ChunkSplits: []int{1}}, text, "abc", []int{1}, classifier.EndedEOF},
		{"placeholder", corpus.Case{Status: ptr(200), Body: body}, classifier.IntID(-5), `{"id":-5,"x":-5}`, nil, classifier.EndedEOF},
		{"longer id", corpus.Case{Status: ptr(200), Body: body, ChunkSplits: []int{3, 12, 17, 23}}, text, `{"id":"abcdefgh","x":"abcdefgh"}`, []int{3, 16, 21, 31}, classifier.EndedEOF},
		{"cut before", corpus.Case{Status: ptr(200), Body: body, CutAfter: ptr(4)}, text, `{"id`, nil, classifier.EndedReset},
		{"cut after", corpus.Case{Status: ptr(200), Body: body, CutAfter: ptr(13), ChunkSplits: []int{1, 14}}, classifier.IntID(1), `{"id":1,`, []int{1}, classifier.EndedReset},
		{"cut inside", corpus.Case{Status: ptr(200), Body: body, CutAfter: ptr(9)}, text, `{"id":"ab`, nil, classifier.EndedReset},
		{"cut inside a short id", corpus.Case{Status: ptr(200), Body: body, CutAfter: ptr(9)}, classifier.IntID(1), `{"id":1`, nil, classifier.EndedReset},
		{"cut at the length", corpus.Case{Status: ptr(200), Body: body, CutAfter: ptr(24)}, classifier.IntID(1), `{"id":1,"x":1}`, nil, classifier.EndedEOF},
		{"cut past the length", corpus.Case{Status: ptr(200), Body: []byte("abc"), CutAfter: ptr(9)}, text, "abc", nil, classifier.EndedEOF},
		{"cut of nothing", corpus.Case{Status: ptr(200), Body: []byte{}, CutAfter: ptr(0)}, text, "", nil, classifier.EndedEOF},
		{"cut at zero", corpus.Case{Status: ptr(200), Body: []byte("abc"), CutAfter: ptr(0)}, text, "", nil, classifier.EndedReset},
		{"cut with an end", corpus.Case{Status: ptr(200), Body: []byte("abc"), CutAfter: ptr(1), Ended: ptr(classifier.EndedSizeLimit)}, text, "a", nil, classifier.EndedSizeLimit},
		{"cut that says eof", corpus.Case{Status: ptr(200), Body: []byte("abc"), CutAfter: ptr(1), Ended: ptr(classifier.EndedEOF)}, text, "a", nil, classifier.EndedReset},
		{"end alone", corpus.Case{Status: ptr(200), Body: []byte("abc"), Ended: ptr(classifier.EndedReset)}, text, "abc", nil, classifier.EndedReset},
		{"no answer", corpus.Case{}, text, "", nil, classifier.EndedConnect},
		{"no answer with an end", corpus.Case{Ended: ptr(classifier.EndedTLS)}, text, "", nil, classifier.EndedTLS},
	}
	for _, test := range tests {
		w := test.c.Wire(test.id)
		if string(w.Delivered()) != test.body || !reflect.DeepEqual(w.Split, test.split) || w.Ended != test.ended {
			t.Errorf("%s: got %q, %v, %s, want %q, %v, %s", test.name, w.Delivered(), w.Split, w.Ended, test.body, test.split, test.ended)
		}
	}
	if string(body) != `{"id":{{id}},"x":{{id}}}` {
		t.Errorf("the body was changed to %s", body)
	}
}

func TestAnswerAndExchanges(t *testing.T) {
	t.Parallel()
	c := everyField()
	a := c.Answer()
	if a.Status != 200 || a.Ended != classifier.EndedDeadline || string(a.Body) != "{\"a\":\"\u2028\x7f\xf0\x9f" || a.Header.Get("X-A") != "<&>" {
		t.Errorf("Answer: got %+v %q", a, a.Body)
	}
	all := c.Exchanges()
	if len(all) != 2 || all[0].Then != nil || all[0].ID != c.ID || all[1].Answer().Status != -1 || len(c.Then) != 1 {
		t.Errorf("Exchanges: got %+v, want the case without its Then, and the later one", all)
	}
	wire := c.WireOnly()
	want := c
	want.ID, want.Rule, want.Why, want.Source, want.Tags, want.Expect, want.AlsoAcceptable = "", "", "", "", nil, nil, nil
	want.Then = []corpus.Case{c.Then[0]}
	want.Then[0].Expect = nil
	if !reflect.DeepEqual(wire, want) {
		t.Errorf("WireOnly: got %+v, want %+v", wire, want)
	}
}

func TestClassifyChoosesTheJudge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		c    corpus.Case
		want classifier.Reason
	}{
		{"call", corpus.Case{Status: ptr(202)}, classifier.ReasonNoBody},
		{"notification", corpus.Case{Status: ptr(202), Notification: true}, classifier.ReasonAccepted},
		{"no answer", corpus.Case{}, classifier.ReasonConnect},
		{"no answer to a notification", corpus.Case{Notification: true, Ended: ptr(classifier.EndedTLS)}, classifier.ReasonTLS},
	} {
		v := test.c.Classify()
		if v.Reason != test.want {
			t.Errorf("%s: got %s, want %s", test.name, v.Reason, test.want)
		}
		frozen := test.c.Expecting(v)
		frozen.ID, frozen.Why = "x/y", "why"
		if all := corpus.Verify([]corpus.Case{frozen}); len(all) > 0 {
			t.Errorf("%s frozen: got %v, want no disagreement", test.name, all)
		}
	}
}
