// Package bench measures the classifier beside its peers: validators of JSON,
// the decode paths of two MCP SDKs, and readers of server-sent events.
//
// It is a module of its own, so that no peer becomes a dependency of the
// project. Every figure is a ratio of the same run; see `make bench`.
package bench

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Answer is the body of a successful tools/call response to the request id 1
// of about size bytes: a third escaped text, a third base64, a third
// structured content. It is the same for the same size.
func Answer(size int) []byte {
	third := max((size-150)/3, 1)
	rng := rand.New(rand.NewPCG(1, uint64(size)))
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"`)
	if size < 200 {
		b.WriteString(strings.Repeat("ok, ", max((size-b.Len()-20)/4, 1)))
		b.WriteString(`"}],"isError":false}}`)
		return b.Bytes()
	}
	writeText(&b, rng, third)
	b.WriteString(`"},{"type":"image","mimeType":"image/png","data":"`)
	writeBase64(&b, rng, third)
	b.WriteString(`"}],"structuredContent":`)
	writeRows(&b, rng, third)
	b.WriteString(`,"isError":false}}`)
	return b.Bytes()
}

var words = []string{
	"the", "row", "was", "written", "to", "ledger", `\"quoted\"`, "line", `end\n`, "path", `C:\\data\\`,
	"naïve", "déjà", "東京", `caf\u00e9`, `tab\t`, "result", "of", "query", "with", "three", "columns",
}

func writeText(b *bytes.Buffer, rng *rand.Rand, n int) {
	for end := b.Len() + n; b.Len() < end; {
		b.WriteString(words[rng.IntN(len(words))])
		b.WriteByte(' ')
	}
}

func writeBase64(b *bytes.Buffer, rng *rand.Rand, n int) {
	raw := make([]byte, n*3/4)
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	b.WriteString(base64.StdEncoding.EncodeToString(raw))
}

func writeRows(b *bytes.Buffer, rng *rand.Rand, n int) {
	b.WriteString(`{"rows":[`)
	for start := b.Len(); b.Len() < start+n; {
		if b.Len() > start {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"id":%d,"name":%q,"price":%d.%02d,"tags":["a","%s"],"ok":%t,"next":null}`,
			rng.IntN(1e6), words[rng.IntN(5)], rng.IntN(1000), rng.IntN(100), words[rng.IntN(4)], rng.IntN(2) == 0)
	}
	b.WriteString(`]}`)
}

// Stream is a stream of progress notifications of about 150 bytes each, before
// the response body given; dataLines splits the response over that many data lines.
func Stream(notifications int, body []byte, dataLines int) []byte {
	var b bytes.Buffer
	for i := range notifications {
		fmt.Fprintf(&b, "event: message\nid: %d\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t-1\",\"progress\":%d,\"message\":\"still at it\"}}\n\n", i, i)
	}
	b.WriteString("event: message\n")
	for line := range splitOutsideStrings(body, dataLines) {
		b.WriteString("data: ")
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// splitOutsideStrings cuts JSON into up to n parts after commas that stand outside strings,
// where a line end is white space.
func splitOutsideStrings(body []byte, n int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		target, start, inString := max(len(body)/n, 1), 0, false
		for i := 0; i < len(body); i++ {
			switch c := body[i]; {
			case inString && c == '\\':
				i++
			case c == '"':
				inString = !inString
			case c == ',' && !inString && n > 1 && i+1-start >= target:
				if !yield(body[start : i+1]) {
					return
				}
				start = i + 1
			}
		}
		yield(body[start:])
	}
}
