package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestTellError(t *testing.T) {
	no := errors.New("no")
	tests := []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"none", nil, 0, ""},
		{"one", no, 2, "replyproof: no\n"},
		{"findings", errFindings, 1, ""},
		{"joined", errors.Join(no, errors.New("never")), 2, "replyproof: no\nreplyproof: never\n"},
		{"the same twice", broken(errors.Join(no, no)), 3, "replyproof: no\n"},
		{"what a program said", fmt.Errorf("go list:\n\n  no module \n%w", no), 2, "replyproof: go list:\nreplyproof: no module\nreplyproof: no\n"},
		{"stopped", errors.Join(context.Canceled, no), 2, "replyproof: stopped: context canceled\nreplyproof: no\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var said strings.Builder
			if got := tellError(&said, test.err); got != test.status || said.String() != test.want {
				t.Errorf("got status %d and %q, want %d and %q", got, said.String(), test.status, test.want)
			}
		})
	}
}
