package main

import (
	"bufio"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

func TestReadAnswer(t *testing.T) {
	for _, c := range []struct {
		name, wire, body string
		status           int
		splits           []int
		ended            classifier.Ended
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", "abc", 200, nil, classifier.EndedEOF},
		{"length cut", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "abc", 200, nil, classifier.EndedReset},
		{"until close", "HTTP/1.0 404 Not Found\r\n\r\nabc", "abc", 404, nil, classifier.EndedEOF},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\nleft over", "", 204, nil, classifier.EndedEOF},
		{"chunks", "HTTP/1.1 200\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nab\r\n3\r\ncde\r\n0\r\nT: r\r\n\r\n", "abcde", 200, []int{2}, classifier.EndedEOF},
		{"chunks cut in one", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncd", "abcd", 200, []int{2}, classifier.EndedReset},
		{"chunks cut before the last", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "ab", 200, nil, classifier.EndedReset},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen string
			a, err := readAnswer(bufio.NewReader(strings.NewReader(c.wire)), func(b []byte) { seen = string(b) })
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != c.status || string(a.Body) != c.body || !slices.Equal(a.Splits, c.splits) || a.Ended != c.ended {
				t.Errorf("got status %d, body %q, splits %v, ended %s; want %d, %q, %v, %s",
					a.Status, a.Body, a.Splits, a.Ended, c.status, c.body, c.splits, c.ended)
			}
			if c.ended == classifier.EndedEOF && seen != c.body {
				t.Errorf("progress saw %q last, want %q", seen, c.body)
			}
		})
	}
}

func TestReadAnswerRefuses(t *testing.T) {
	for _, wire := range []string{"", "HTTP/1.1\r\n\r\n", "SSH-2.0 200 x\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n"} {
		if a, err := readAnswer(bufio.NewReader(strings.NewReader(wire)), nil); err == nil {
			t.Errorf("%q: got status %d, want an error", wire, a.Status)
		}
	}
}
