package main

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// volatile are the header lines that are left out: they differ from one capture
// to the next, or speak of the connection and of framing that a case has undone.
var volatile = []string{
	"date", "mcp-session-id", "connection", "keep-alive", "transfer-encoding", "content-length", "etag",
}

// freeze is the case of an exchange and what came back for it.
func freeze(x exchange, a wireAnswer, source string) corpus.Case {
	expect := x.expect
	c := corpus.Case{
		ID: x.id, Rule: x.rule, Why: x.why, Source: source, Tags: []string{"real"},
		Status: &a.Status, Headers: corpus.Headers{}, Body: a.Body, ChunkSplits: a.Splits,
		Expect: &expect, AlsoAcceptable: x.also,
	}
	switch id := x.request.(type) {
	case nil:
		c.Notification = true
	case int:
		c.RequestID = classifier.IntID(int64(id))
	case string:
		c.RequestID = classifier.StringID(id)
	}
	for _, f := range a.Fields {
		if name := strings.ToLower(f.Name); !slices.Contains(volatile, name) {
			c.Headers = append(c.Headers, corpus.Header{Name: name, Value: f.Value})
		}
	}
	if a.Ended != classifier.EndedEOF {
		c.Ended = &a.Ended
	}
	return c
}
