package classifier

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// smallAnswer is what most calls get.
const smallAnswer = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"The weather in Bergen is rainy, 9 degrees, wind 12"}]}}`

// toolResult is a success of about size bytes: a third text as JSON escapes
// it, a third base64, a third structured content.
func toolResult(size int) []byte {
	var text, binary, rows bytes.Buffer
	for i := 0; text.Len() < size/3; i++ {
		fmt.Fprintf(&text, `line %d of the log: \"request\" took %d ms\n\tpath=C:\\srv\\app\\%d.txt, caf\u00e9 größer\n`, i, i*7%1000, i)
	}
	noise := make([]byte, size/4)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	binary.WriteString(base64.StdEncoding.EncodeToString(noise))
	for i := 0; rows.Len() < size/3; i++ {
		if i > 0 {
			rows.WriteByte(',')
		}
		fmt.Fprintf(&rows, `{"id":%d,"name":"row %d","score":%d.%02d,"active":%t,"tags":["a","b%d"],"parent":null,"at":{"x":%d,"y":-%d}}`,
			i, i, i%100, i%97, i%2 == 0, i%10, i*31%4096, i*17%4096)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"%s"},{"type":"image","data":"%s","mimeType":"image/png"}],"structuredContent":{"rows":[%s]},"isError":false}}`,
		text.Bytes(), binary.Bytes(), rows.Bytes())
}

var benchSizes = []struct {
	name string
	body func() []byte
}{
	{"150B", func() []byte { return []byte(smallAnswer) }},
	{"2KB", func() []byte { return toolResult(2 << 10) }},
	{"64KB", func() []byte { return toolResult(64 << 10) }},
	{"1MB", func() []byte { return toolResult(1 << 20) }},
	{"32MB", func() []byte { return toolResult(32 << 20) }},
}

func BenchmarkClassify(b *testing.B) {
	header := http.Header{"Content-Type": {"application/json"}}
	for _, size := range benchSizes {
		body := size.body()
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				v := Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: header, Body: body})
				if v.Outcome != ToolSuccess {
					b.Fatal(v.Outcome, v.Reason)
				}
			}
		})
	}
}

// BenchmarkJSONValid is the standard library's check of the same bodies, which
// tells only whether they are JSON.
func BenchmarkJSONValid(b *testing.B) {
	for _, size := range benchSizes {
		body := size.body()
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if !json.Valid(body) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

func BenchmarkStream(b *testing.B) {
	var small bytes.Buffer
	const events = 1000
	for i := range events {
		fmt.Fprintf(&small, "event: message\nid: %d\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t\",\"progress\":%d}}\n\n", i, i)
	}
	var large bytes.Buffer
	fmt.Fprintf(&large, "event: message\ndata: %s\n\n", toolResult(8<<20))
	for _, c := range []struct {
		name   string
		stream []byte
		chunk  int
	}{
		{"small-events/at-once", small.Bytes(), small.Len()},
		{"small-events/chunks-of-4KB", small.Bytes(), 4 << 10},
		{"8MB-event/at-once", large.Bytes(), large.Len()},
		{"8MB-event/chunks-of-32KB", large.Bytes(), 32 << 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.stream)))
			b.ReportAllocs()
			s := NewStream(Call{ID: IntID(1)})
			for b.Loop() {
				s.Reset(Call{ID: IntID(1)})
				for rest := c.stream; len(rest) > 0; {
					n := min(c.chunk, len(rest))
					s.Write(rest[:n])
					rest = rest[n:]
				}
			}
		})
	}
}
