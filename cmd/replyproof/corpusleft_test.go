package main

import (
	"bytes"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

func TestLeftOut(t *testing.T) {
	for _, test := range []struct {
		name string
		each bool
		want string
	}{
		{"a line a kind", false, "replyproof: a and 1 more: the same as x\n" +
			"replyproof: c and 2 more: 12 bytes are more than the limit of 8\n" +
			"replyproof: d: is no \"JSON\"\n" +
			"replyproof: --verbose names each\n"},
		{"a line a case", true, "replyproof: a: the same as x\n" +
			"replyproof: b: the same as y/z\n" +
			"replyproof: c: 12 bytes are more than the limit of 8\n" +
			"replyproof: d: is no \"JSON\"\n" +
			"replyproof: e: 9 bytes are more than the limit of 8\n" +
			"replyproof: f: 99 bytes are more than the limit of 8\n"},
	} {
		left := leftOut{each: test.each}
		left.add("a", "the same as x")
		left.add("b", "the same as y/z")
		left.add("c", "12 bytes are more than the limit of 8")
		left.add("d", `is no "JSON"`)
		left.add("e", "9 bytes are more than the limit of 8")
		left.add("f", "99 bytes are more than the limit of 8")
		var out, err bytes.Buffer
		left.tell(terminal.New(&out, &err))
		if got := err.String(); got != test.want || out.Len() > 0 {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
