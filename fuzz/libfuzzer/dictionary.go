//go:build !libfuzzer

package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/replyproof/replyproof/corpus"
)

// words are what the parsers compare bytes with, besides the JSON strings of
// the corpus.
var words = []string{
	"\xef\xbb\xbf", "\r\n", "\n\n", "data: ", "event: message\n", "event: ", "id: ", "retry: ", ": ", "null", "true", "false", "-0", "1e0",
	"\\u0000", "\\ud800", "\\udc00", "\xed\xa0\x80", "\xe2\x82", "application/json", "text/event-stream", "; charset=utf-8",
	"notification", "no-answer", "id-text=", "\x1f\x8b\x08", "\x78\x9c", "\x28\xb5\x2f\xfd",
}

// longest is the length beyond which a string of the corpus is no word, and
// often is in how many bodies one must stand.
const (
	longest = 32
	often   = 3
)

// dictionary is a dictionary in libFuzzer's form: the words, and the JSON
// strings that stand in several answers of the corpus.
func dictionary() []byte {
	seen := make(map[string]int)
	for _, body := range corpus.Bodies(corpus.All()) {
		inBody := make(map[string]bool)
		for rest := body; ; {
			from := bytes.IndexByte(rest, '"')
			if from < 0 {
				break
			}
			rest = rest[from+1:]
			to := bytes.IndexByte(rest, '"')
			if to < 0 {
				break
			}
			if to > 0 && to <= longest && !bytes.ContainsAny(rest[:to], "\\ :,{}[]\r\n") {
				inBody[string(rest[:to])] = true
				rest = rest[to+1:]
			}
		}
		for word := range inBody {
			seen[`"`+word+`"`]++
		}
	}
	all := slices.Clone(words)
	for word, times := range seen {
		if times >= often {
			all = append(all, word)
		}
	}
	slices.Sort(all)
	var out bytes.Buffer
	out.WriteString("# made by go run ./fuzz/libfuzzer dictionary\n")
	for _, word := range slices.Compact(all) {
		out.WriteByte('"')
		for _, c := range []byte(word) {
			if c < ' ' || c > '~' || c == '"' || c == '\\' {
				fmt.Fprintf(&out, `\x%02x`, c)
			} else {
				out.WriteByte(c)
			}
		}
		out.WriteString("\"\n")
	}
	return out.Bytes()
}
