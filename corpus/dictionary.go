package corpus

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// grammar are the tokens of JSON, JSON-RPC over HTTP, content codings and event
// streams that a dictionary has whatever the cases hold.
var grammar = []string{
	"{}", "[]", "null", "true", "false", "\xEF\xBB\xBF", `\u0000`, `\ud800`, `\udc00`, `\"`, "1e400", "1e0", "-0", "1.0", "\xff", "\xed\xa0\x80", "\xe2\x82",
	"data: ", "event: ", "event: message\n", "id: ", "retry: ", ": ", "\n\n", "\r\n\r\n", "\r\r", "\r\n", "data\n",
	"application/json", "text/event-stream", "; charset=utf-8", "\x1f\x8b\x08", "\x78\x9c", "\x28\xb5\x2f\xfd",
	"HTTP/1.1 200 OK\r\n", "Content-Type: application/json\r\n", "Content-Type: text/event-stream\r\n", "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n",
}

// Dictionary is a dictionary for libFuzzer and AFL: the tokens of the grammar,
// those given, and the names, short texts and numbers of the JSON in the cases'
// bodies that stand in at least two of them. Each stands once.
func Dictionary(cases []Case, more ...string) []byte {
	seen := make(map[string]int)
	for _, body := range Bodies(cases) {
		own := make(map[string]bool)
		tokens(body, own)
		for token := range own {
			seen[token]++
		}
	}
	words := slices.Concat(grammar, more)
	for _, token := range slices.Sorted(maps.Keys(seen)) {
		if seen[token] > 1 {
			words = append(words, token)
		}
	}
	out := []byte("# Tokens of answers to MCP tool calls, for -dict= of libFuzzer and -x of AFL.\n")
	written := make(map[string]bool)
	for _, word := range words {
		if !written[word] {
			written[word] = true
			out = fmt.Appendf(out, "\"%s\"\n", escapeToken(word))
		}
	}
	return out
}

// longestToken bounds the texts and numbers of a dictionary, in bytes.
const longestToken = 40

// tokens finds the strings and numbers in a text, be it JSON, a stream of events
// with JSON in them, or damaged. A string that a colon follows is a name, and
// has it.
func tokens(text []byte, into map[string]bool) {
	for at := 0; at < len(text); {
		end := at + 1
		switch c := text[at]; {
		case c == '"':
			for end < len(text) && text[end] != '"' && text[end] != '\n' && text[end] != '\r' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
		case c == '-' || '0' <= c && c <= '9':
			for end < len(text) && strings.IndexByte("0123456789+-.eE", text[end]) >= 0 {
				end++
			}
		default:
			at++
			continue
		}
		if n := end - at; n > 2 && n <= longestToken && json.Valid(text[at:end]) {
			if text[at] == '"' && end < len(text) && text[end] == ':' {
				end++
			}
			into[string(text[at:end])] = true
		}
		at = end
	}
}

// escapeToken writes a token as libFuzzer reads it: backslash, quote, and \xNN
// for what is no printable ASCII.
func escapeToken(token string) string {
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
