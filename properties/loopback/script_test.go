package loopback_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

func answer(status int, body string, headers ...corpus.Header) corpus.Case {
	return corpus.Case{RequestID: classifier.IntID(1), Status: &status, Headers: headers, Body: []byte(body)}
}

func ended(c corpus.Case, e classifier.Ended) corpus.Case { c.Ended = &e; return c }
func cut(c corpus.Case, at int) corpus.Case               { c.CutAfter = &at; return c }
func split(c corpus.Case, at ...int) corpus.Case          { c.ChunkSplits = at; return c }

var (
	jsonType = corpus.Header{Name: "content-type", Value: "application/json"}
	sseType  = corpus.Header{Name: "Content-Type", Value: "Text/Event-Stream; charset=utf-8"}
)

func TestCompose(t *testing.T) {
	const (
		json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
		sse  = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n"
	)
	tests := []struct {
		name string
		c    corpus.Case
		want []string // the writes, and the end
	}{
		{"a body with its length", answer(200, "{}", jsonType), []string{json + "Content-Length: 2\r\n\r\n{}", "kept open"}},
		{"an empty body", answer(202, ""), []string{"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", "kept open"}},
		{"the request's id", answer(200, `{"id":{{id}}}`), []string{"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n" + `{"id":7}`, "kept open"}},
		{"pieces in chunks", split(answer(200, "abcdef", jsonType), 1, 4),
			[]string{json + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "3\r\nbcd\r\n", "2\r\nef\r\n0\r\n\r\n", "kept open"}},
		{"a stream in chunks", answer(200, "data: 1\n\n", sseType),
			[]string{sse + "Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n0\r\n\r\n", "kept open"}},
		{"an empty stream", answer(200, "", sseType), []string{sse + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "kept open"}},
		{"framing of the case's own", answer(200, "abc", corpus.Header{Name: "Content-Length", Value: "99"},
			corpus.Header{Name: "transfer-encoding", Value: "chunked"}, corpus.Header{Name: "connection", Value: "close"}),
			[]string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "kept open"}},
		{"a header twice, with bytes beyond ASCII", answer(200, "", corpus.Header{Name: "a", Value: "1"}, corpus.Header{Name: "a", Value: "\xc3\xa9\t\xff"}),
			[]string{"HTTP/1.1 200 OK\r\na: 1\r\na: \xc3\xa9\t\xff\r\nContent-Length: 0\r\n\r\n", "kept open"}},
		{"a reset where three bytes arrive", cut(answer(200, "abcdef"), 3), []string{"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc", "reset"}},
		{"a close where one does", cut(answer(200, "abcdef"), 1), []string{"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na", "closed"}},
		{"a close where two do", cut(answer(200, "abcdef"), 2), []string{"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab", "closed"}},
		{"a chunk of no size where two of a stream do", cut(answer(200, "abcdef", sseType), 2),
			[]string{sse + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\nnot-a-size\r\n", "closed"}},
		{"nothing of a body", cut(answer(200, "abc"), 0), []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "reset"}},
		{"nothing of a stream", cut(answer(200, "abc", sseType), 0), []string{sse + "Transfer-Encoding: chunked\r\n\r\n", "reset"}},
		{"all bytes, and no end", ended(answer(200, "abc"), classifier.EndedReset),
			[]string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "reset"}},
		{"no bytes, and no end", ended(answer(202, ""), classifier.EndedReset),
			[]string{"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n", "reset"}},
		{"a cut at the length", cut(answer(200, "abc"), 3), []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "kept open"}},
		{"silence in the body", ended(cut(answer(200, "abc"), 1), classifier.EndedDeadline), []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na", "silent"}},
		{"silence after it", ended(answer(200, "abc"), classifier.EndedDeadline),
			[]string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "silent"}},
		{"silence before the status", ended(corpus.Case{}, classifier.EndedDeadline), []string{"silent"}},
		{"a reset in place of an answer", ended(corpus.Case{}, classifier.EndedReset), []string{"reset"}},
		{"no connection", corpus.Case{}, []string{"reset"}},
		{"a lost connection in the body", ended(cut(answer(200, "abcdef"), 3), classifier.EndedTLS), []string{"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc", "reset"}},
		{"a 100", answer(100, "{}", jsonType), []string{"HTTP/1.1 100 Continue\r\ncontent-type: application/json\r\n\r\n", "closed"}},
		{"a 199", answer(199, ""), []string{"HTTP/1.1 199 \r\n\r\n", "closed"}},
		{"a 204", answer(204, ""), []string{"HTTP/1.1 204 No Content\r\n\r\n", "kept open"}},
		{"a 304 with a body", answer(304, "{}"), []string{"HTTP/1.1 304 Not Modified\r\n\r\n", "kept open"}},
		{"a status below 100", answer(20, "{}"), []string{"HTTP/1.1 020 \r\nContent-Length: 2\r\n\r\n{}", "kept open"}},
		{"a status of 0", answer(0, ""), []string{"HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n", "kept open"}},
		{"a status of four digits", answer(2000, ""), []string{"HTTP/1.1 2000 \r\nContent-Length: 0\r\n\r\n", "kept open"}},
		{"a negative status", answer(-200, ""), []string{"HTTP/1.1 -200 \r\nContent-Length: 0\r\n\r\n", "kept open"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := loopback.Compose(test.c, classifier.IntID(7))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, text := range s.Writes {
				got = append(got, string(text))
			}
			got = append(got, s.End.String())
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestComposeUnplayable(t *testing.T) {
	tests := []struct {
		name, why string
		c         corpus.Case
	}{
		{"204 with a body", "204 has no body", answer(204, "{}")},
		{"204 without an end", "204 ends with its headers", ended(answer(204, ""), classifier.EndedReset)},
		{"TLS", "plain HTTP", ended(corpus.Case{}, classifier.EndedTLS)},
		{"cancelled before", "only the caller itself", ended(corpus.Case{}, classifier.EndedCancelled)},
		{"cancelled after", "only the caller itself", ended(answer(200, "{}"), classifier.EndedCancelled)},
		{"size limit", "the reader's own", ended(answer(200, "{}"), classifier.EndedSizeLimit)},
		{"a line break in a value", "control character", answer(200, "", corpus.Header{Name: "a", Value: "1\r\nb: 2"})},
		{"a NUL in a value", "control character", answer(200, "", corpus.Header{Name: "a", Value: "\x00"})},
		{"a name with a space", "header name", answer(200, "", corpus.Header{Name: "a b", Value: ""})},
		{"a name of nothing", "header name", answer(200, "", corpus.Header{Name: "", Value: "1"})},
	}
	for _, test := range tests {
		_, err := loopback.Compose(test.c, classifier.IntID(1))
		var unplayable *loopback.Unplayable
		if !errors.As(err, &unplayable) || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.why)
		}
	}
}

func TestAccepting(t *testing.T) {
	gzip := corpus.Header{Name: "content-encoding", Value: "gzip"}
	tests := []struct {
		name     string
		c        corpus.Case
		offered  []string
		accepted []string
	}{
		{"no coding", answer(200, "{}"), nil, nil},
		{"identity", answer(200, "{}", corpus.Header{Name: "content-encoding", Value: "identity, "}), nil, nil},
		{"offered", answer(200, "{}", gzip), []string{"gzip"}, nil},
		{"offered among others", answer(200, "{}", gzip), []string{"br;q=1.0, GZIP;q=0.5"}, nil},
		{"offered by a star", answer(200, "{}", gzip), []string{"br", "*"}, nil},
		{"not offered", answer(200, "{}", gzip), nil, []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE", "NO_FINAL_RESPONSE"}},
		{"refused", answer(200, "{}", gzip), []string{"gzip;q=0, *"}, []string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE", "NO_FINAL_RESPONSE"}},
		{"one of two not offered", answer(200, "{}", corpus.Header{Name: "content-encoding", Value: "deflate, gzip"}), []string{"gzip"},
			[]string{"MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE", "NO_FINAL_RESPONSE"}},
		{"not offered, with an error", answer(500, "{}", gzip), nil, nil},
		{"an interim status", answer(102, ""), nil, []string{"NO_FINAL_RESPONSE"}},
		{"a status that is none", answer(1000, ""), nil, []string{"NO_FINAL_RESPONSE"}},
		{"205 with a body", answer(205, "{}"), nil, []string{"NO_FINAL_RESPONSE", "MALFORMED_JSON", "UNEXPECTED_CONTENT_TYPE"}},
		{"205 without", answer(205, ""), nil, nil},
		{"no answer", corpus.Case{}, nil, nil},
	}
	for _, test := range tests {
		got := loopback.Accepting(test.c, map[string][]string{"Accept-Encoding": test.offered}).AlsoAcceptable
		if fmt.Sprint(got) != fmt.Sprint(test.accepted) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.accepted)
		}
	}
}

func TestRetarget(t *testing.T) {
	const result = `,"result":{"content":[]}}`
	success, mismatch := &corpus.Expect{Outcome: classifier.ToolSuccess}, &corpus.Expect{Outcome: classifier.InvalidEnvelope}
	tests := []struct {
		name   string
		own    classifier.ID
		body   string
		expect *corpus.Expect
		id     classifier.ID
		want   string // "" where it cannot be had
	}{
		{"integer", classifier.IntID(1), `{"jsonrpc":"2.0","id":1` + result, success, classifier.IntID(420), `{"jsonrpc":"2.0","id":420` + result},
		{"placeholder", classifier.IntID(1), `{"jsonrpc":"2.0","id":{{id}}` + result, success, classifier.StringID("a"), `{"jsonrpc":"2.0","id":{{id}}` + result},
		{"string for integer", classifier.IntID(1), `{"jsonrpc":"2.0", "id" : 1 ` + result, success, classifier.StringID("x\"y"), `{"jsonrpc":"2.0", "id" : "x\"y" ` + result},
		{"integer for string", classifier.StringID("call-1"), `{"jsonrpc":"2.0","id":"call-1"` + result, success, classifier.IntID(0), `{"jsonrpc":"2.0","id":0` + result},
		{"a wrong id keeps its distance", classifier.IntID(1), `{"jsonrpc":"2.0","id":2` + result, mismatch, classifier.IntID(2), `{"jsonrpc":"2.0","id":3` + result},
		{"the string for the integer", classifier.IntID(1), `{"jsonrpc":"2.0","id":"1"` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":"5"` + result},
		{"the string for the integer, to a string", classifier.IntID(1), `{"jsonrpc":"2.0","id":"1"` + result, mismatch, classifier.StringID("5"), `{"jsonrpc":"2.0","id":5` + result},
		{"the integer for the string", classifier.StringID("1"), `{"jsonrpc":"2.0","id":1` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":"5"` + result},
		{"a wrong string stays", classifier.IntID(1), `{"jsonrpc":"2.0","id":"x"` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":"x"` + result},
		{"an array of one", classifier.IntID(1), `{"jsonrpc":"2.0","id":[ 1 ]` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":[5]` + result},
		{"a fraction more", classifier.IntID(1), `{"jsonrpc":"2.0","id":1.5` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":5.5` + result},
		{"a bit less", classifier.IntID(1), `{"jsonrpc":"2.0","id":0.999` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":4.999` + result},
		{"a digit more", classifier.IntID(1), `{"jsonrpc":"2.0","id":10` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":50` + result},
		{"the same in 64 bits", classifier.IntID(1), `{"jsonrpc":"2.0","id":18446744073709551617` + result, mismatch, classifier.IntID(5), `{"jsonrpc":"2.0","id":18446744073709551621` + result},
		{"the other sign", classifier.IntID(-5), `{"jsonrpc":"2.0","id":5` + result, mismatch, classifier.IntID(7), `{"jsonrpc":"2.0","id":-7` + result},
		{"zero, which may pass for none", classifier.IntID(1), `{"jsonrpc":"2.0","id":0` + result, mismatch, classifier.IntID(7), `{"jsonrpc":"2.0","id":0` + result},
		{"another name", classifier.IntID(1), `{"jsonrpc":"2.0","ID":1` + result, mismatch, classifier.IntID(7), `{"jsonrpc":"2.0","ID":7` + result},
		{"a double more than the id", classifier.IntID(1 << 53), `{"jsonrpc":"2.0","id":9007199254740993` + result, mismatch, classifier.IntID(7), ""},
		{"a string much like the id", classifier.StringID("call-a"), `{"jsonrpc":"2.0","id":"call-A"` + result, mismatch, classifier.IntID(7), ""},
		{"a wrong string that becomes right", classifier.IntID(1), `{"jsonrpc":"2.0","id":"1"` + result, mismatch, classifier.StringID("1"), `{"jsonrpc":"2.0","id":1` + result},
		{"the spelling is the point", classifier.IntID(1), `{"jsonrpc":"2.0","id":10e-1` + result, success, classifier.IntID(5), `{"jsonrpc":"2.0","id":50e-1` + result},
		{"a spelling that others have not", classifier.IntID(100), `{"jsonrpc":"2.0","id":1E+02` + result, success, classifier.IntID(5), ""},
		{"its own id", classifier.IntID(1), `{"jsonrpc":"2.0","id":1` + result, success, classifier.IntID(1), `{"jsonrpc":"2.0","id":1` + result},
		{"a spelling that others have not, for its own id", classifier.IntID(100), `{"jsonrpc":"2.0","id":1E+02` + result, success, classifier.IntID(100), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := answer(200, test.body, jsonType)
			c.RequestID, c.Expect = test.own, test.expect
			got, err := loopback.Retarget(c, test.id)
			if (err != nil) != (test.want == "") {
				t.Fatalf("got %v, want an error: %v", err, test.want == "")
			}
			if err == nil && (string(got.Body) != test.want || got.RequestID != test.id) {
				t.Errorf("got %s for %v, want %s", got.Body, got.RequestID, test.want)
			}
			if string(c.Body) != test.body {
				t.Errorf("the case that was given was changed to %s", c.Body)
			}
		})
	}
}

func TestRetargetMovesOffsets(t *testing.T) {
	c := cut(split(answer(200, `{"id":1,"a":{"id":1}}`), 3, 7, 8, 20), 20)
	got, err := loopback.Retarget(c, classifier.IntID(1234))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"id":1234,"a":{"id":1234}}`; string(got.Body) != want || *got.CutAfter != 26 || fmt.Sprint(got.ChunkSplits) != "[3 10 11 26]" {
		t.Errorf("got %s cut at %d, split at %v, want %s, 26, [3 10 11 26]", got.Body, *got.CutAfter, got.ChunkSplits, want)
	}
	if *c.CutAfter != 20 || c.ChunkSplits[3] != 20 {
		t.Error("the case that was given was changed")
	}
}
