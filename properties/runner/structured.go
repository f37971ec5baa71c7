package runner

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// maxStructured bounds what is decoded to look for structuredContent, in bytes.
const maxStructured = 16 << 20

// looselyStructured tells whether a case that may be told as a tool result has
// structuredContent that is no object: before 2026-07-28 that made it none.
func looselyStructured(c corpus.Case) bool {
	if c.Expect == nil || c.Status == nil {
		return false
	}
	tool := func(word string) bool {
		return word == classifier.ToolSuccess.String() || word == classifier.ToolError.String()
	}
	if !tool(c.Expect.Outcome.String()) && !slices.ContainsFunc(c.AlsoAcceptable, tool) {
		return false
	}
	a := c.Answer()
	body, ok := classifier.Decode(a.Header, a.Body, maxStructured)
	if !ok {
		return false
	}
	return slices.ContainsFunc(messages(body), func(text []byte) bool {
		var message, result map[string]json.RawMessage
		if json.Unmarshal(text, &message) != nil || json.Unmarshal(message["result"], &result) != nil {
			return false
		}
		structured := result["structuredContent"]
		return len(structured) > 0 && structured[0] != '{'
	})
}

// messages are what may be a message in a body: the whole of it, and what its
// events hold if it is a stream.
func messages(body []byte) [][]byte {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	all := [][]byte{body}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))
	for event := range strings.SplitSeq(lines, "\n\n") {
		var data []byte
		for line := range strings.SplitSeq(event, "\n") {
			if text, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(append(data, text...), '\n')
			}
		}
		if data != nil {
			all = append(all, data)
		}
	}
	return all
}
