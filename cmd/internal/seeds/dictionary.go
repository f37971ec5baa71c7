package seeds

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
	"github.com/replyproof/replyproof/corpus"
)

// grammar are the tokens of JSON, JSON-RPC over HTTP and event streams that a
// dictionary has whatever the cases hold.
var grammar = []string{
	"{}", "[]", "null", "true", "false", "\xEF\xBB\xBF", `\u0000`, `\ud800`, `\"`, "1e400", "-0", "1.0", "\xff", "\xed\xa0\x80",
	"data: ", "event: ", "id: ", "retry: ", ": ", "\n\n", "\r\n\r\n", "\r\r", "\r\n", "data\n",
	"HTTP/1.1 200 OK\r\n", "Content-Type: application/json\r\n", "Content-Type: text/event-stream\r\n", "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n",
}

// Dictionary is a dictionary for libFuzzer and AFL: the tokens of the grammar,
// and the names, short texts and numbers of the JSON in the cases' bodies that
// stand in at least two of them.
func Dictionary(cases []corpus.Case) []byte {
	seen := make(map[string]int)
	for _, c := range cases {
		for _, exchange := range c.Exchanges() {
			if exchange.Status == nil {
				continue
			}
			body := exchange.Answer().Body
			own := make(map[string]bool)
			tokens(body, own)
			for _, l := range capture.StreamLines(body) {
				if l.Data {
					tokens(body[l.Value:l.End], own)
				}
			}
			for token := range own {
				seen[token]++
			}
		}
	}
	words := slices.Clone(grammar)
	for _, token := range slices.Sorted(maps.Keys(seen)) {
		if seen[token] > 1 && !slices.Contains(words, token) {
			words = append(words, token)
		}
	}
	out := []byte("# Tokens of answers to MCP tool calls, made by replyproof corpus export --dict.\n")
	for _, word := range words {
		out = fmt.Appendf(out, "\"%s\"\n", escape(word))
	}
	return out
}

// longestToken bounds the texts and numbers of a dictionary.
const longestToken = 40

func tokens(text []byte, into map[string]bool) {
	v, ok := jsonspan.Parse(text)
	if !ok {
		return
	}
	var walk func(v jsonspan.Value)
	walk = func(v jsonspan.Value) {
		if v.Kind == '"' || v.Kind == 0 {
			if n := v.End - v.Start; n > 2 && n <= longestToken && json.Valid(text[v.Start:v.End]) {
				into[string(text[v.Start:v.End])] = true
			}
		}
		for _, item := range v.Items {
			if n := item.NameEnd - item.NameStart; n > 2 && n <= longestToken {
				into[string(text[item.NameStart:item.NameEnd])+":"] = true
			}
			walk(item.Value)
		}
	}
	walk(v)
}

// escape writes a token as libFuzzer reads it: backslash, quote, and \xNN for
// what is no printable ASCII.
func escape(token string) string {
	var b strings.Builder
	for i := range len(token) {
		switch c := token[i]; {
		case c == '\\' || c == '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02X`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
