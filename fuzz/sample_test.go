package fuzz

import (
	"bytes"
	"net/http"
	"reflect"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

func TestSampleText(t *testing.T) {
	for _, c := range []struct {
		name string
		s    Sample
		text string
	}{
		{"call", Sample{Call: classifier.Call{ID: classifier.IntID(-7)}, Answer: classifier.Answer{Status: 204, Header: http.Header{"B": {"1", ""}, "A": {"x; y"}}, Body: []byte("a\n\nb")}},
			"id=-7 204 eof\nA: x; y\nB: 1\nB: \n\na\n\nb"},
		{"text id", Sample{Call: classifier.Call{ID: classifier.StringID("a b\n\xed\xa0\x80")}, Answer: classifier.Answer{Status: -1, Header: http.Header{}, Body: []byte{}, Ended: classifier.EndedSizeLimit}},
			"id-text=a+b%0A%ED%A0%80 -1 size-limit\n\n"},
		{"notification", Sample{Notification: true, Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{Status: 202, Header: http.Header{}, Body: []byte{}}},
			"notification 202 eof\n\n"},
		{"no answer", Sample{NoAnswer: true, Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{Status: 200, Header: http.Header{}, Body: []byte{}, Ended: classifier.EndedTLS}},
			"id=1 no-answer tls\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.s.String(); got != c.text {
				t.Errorf("got %q, want %q", got, c.text)
			}
			got := ParseSample([]byte(c.text))
			if !bytes.Equal(got.Answer.Body, c.s.Answer.Body) {
				t.Errorf("got body %q, want %q", got.Answer.Body, c.s.Answer.Body)
			}
			got.Answer.Body = c.s.Answer.Body
			if !reflect.DeepEqual(got, c.s) {
				t.Errorf("got %+v, want %+v", got, c.s)
			}
		})
	}
}

func TestParseSampleOfHTTP(t *testing.T) {
	s := ParseSample([]byte("HTTP/1.1 503 Service Unavailable\r\ncontent-type:  text/html\r\nodd line\r\n\r\nbody\r\n"))
	want := http.Header{"Content-Type": {" text/html"}, "odd line": {""}}
	if s.Answer.Status != 503 || string(s.Answer.Body) != "body\r\n" || !reflect.DeepEqual(s.Answer.Header, want) {
		t.Errorf("got %d %q %v, want 503 %q %v", s.Answer.Status, s.Answer.Body, s.Answer.Header, "body\r\n", want)
	}
	if empty := ParseSample(nil); empty.Answer.Status != 200 || empty.Notification || len(empty.Answer.Body) > 0 {
		t.Errorf("of nothing: got %+v, want a plain 200", empty)
	}
}

func TestMinimise(t *testing.T) {
	s := Sample{Call: classifier.Call{ID: classifier.IntID(9)}, Answer: classifier.Answer{
		Status: 202, Header: http.Header{"A": {"1"}, "B": {"2", "3"}}, Body: []byte("some <x> and <y> too"), Ended: classifier.EndedReset,
	}}
	before := s.String()
	got := Minimise(s, func(s Sample) bool {
		return bytes.Contains(s.Answer.Body, []byte("<y")) && len(s.Answer.Header["B"]) > 0 && s.Answer.Ended == classifier.EndedReset
	})
	if want := "id=1 200 reset\nB: 2\n\n<y"; got.String() != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.String() != before {
		t.Errorf("the sample was changed to %q", s)
	}
	if same := Minimise(s, func(Sample) bool { return false }); same.String() != before {
		t.Errorf("got %q of a sample that does not fail, want it back", same)
	}
}
