package bench

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

// shapes are answers of about n bytes whose cost grows faster than n where a
// judge is careless.
var shapes = []struct {
	name   string
	header http.Header
	make   func(n int) []byte
	want   classifier.Reason
}{
	{"tool result", jsonHeader, Answer, classifier.ReasonToolSuccess},
	{"arrays in arrays", jsonHeader, func(n int) []byte {
		return around(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":`, bytes.Repeat([]byte("["), n/2), bytes.Repeat([]byte("]"), n/2), "}}")
	}, classifier.ReasonToolSuccess},
	{"objects in objects", jsonHeader, func(n int) []byte {
		return around(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":`, bytes.Repeat([]byte(`{"a":`), n/6), append([]byte("1"), bytes.Repeat([]byte("}"), n/6)...), "}}")
	}, classifier.ReasonToolSuccess},
	{"opening brackets only", jsonHeader, func(n int) []byte { return bytes.Repeat([]byte("["), n) }, classifier.ReasonJSONSyntax},
	{"escapes only", jsonHeader, func(n int) []byte {
		return around(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":"`, bytes.Repeat([]byte(`\ud800`), n/6), nil, `"}}`)
	}, classifier.ReasonToolSuccess},
	{"one member over and over", jsonHeader, func(n int) []byte {
		return around(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}`, bytes.Repeat([]byte(`,"result":{"content":[]}`), n/24), nil, "}")
	}, classifier.ReasonToolSuccess},
	{"an id of digits", jsonHeader, func(n int) []byte {
		return around(`{"jsonrpc":"2.0","id":`, bytes.Repeat([]byte("1"), n), nil, `,"result":{"content":[]}}`)
	}, classifier.ReasonIDMismatch},
	{"events", streamHeader, func(n int) []byte { return Stream(n/160, Answer(150), 1) }, classifier.ReasonToolSuccess},
	{"a data line a byte", streamHeader, func(n int) []byte {
		return around("data: [\n", bytes.Repeat([]byte("data: 1\ndata: ,\n"), n/16), nil, "data: 1]\n\n")
	}, classifier.ReasonNotObject},
	{"line ends of CR", streamHeader, func(n int) []byte { return bytes.Repeat([]byte("data: 1\r\r"), n/9) }, classifier.ReasonNotObject},
	{"CRs only", streamHeader, func(n int) []byte { return bytes.Repeat([]byte("\r"), n) }, classifier.ReasonNoResponseInStream},
	{"CRs then one LF", streamHeader, func(n int) []byte { return around("", bytes.Repeat([]byte("data\r"), n/5), nil, "\n") }, classifier.ReasonNoResponseInStream},
}

func around(before string, a, b []byte, after string) []byte {
	return bytes.Join([][]byte{[]byte(before), a, b, []byte(after)}, nil)
}

var growth = []struct {
	name string
	n    int
}{{"1KB", 1 << 10}, {"32KB", 32 << 10}, {"1MB", 1 << 20}, {"8MB", 8 << 20}, {"64MB", 64 << 20}}

// BenchmarkGrowth tells the time per byte, which stays what it is while the
// cost is linear.
func BenchmarkGrowth(b *testing.B) {
	for _, shape := range shapes {
		for _, size := range growth {
			b.Run("shape="+shape.name+"/size="+size.name, func(b *testing.B) {
				answer := classifier.Answer{Status: 200, Header: shape.header, Body: shape.make(size.n)}
				spent := cpuTime()
				for b.Loop() {
					if v := classifier.Classify(call, answer); v.Reason != shape.want {
						b.Fatalf("got %v, want %v", v.Reason, shape.want)
					}
				}
				b.ReportMetric(float64(cpuTime()-spent)/float64(b.N)/float64(len(answer.Body)), "ns/byte")
			})
		}
	}
}

// TestShapes makes sure that the judge reads them to their end.
func TestShapes(t *testing.T) {
	for _, shape := range shapes {
		body := shape.make(4 << 10)
		if len(body) < 3<<10 || len(body) > 5<<10 {
			t.Errorf("%s: got %d bytes, want about 4096", shape.name, len(body))
		}
		if v := classifier.Classify(call, classifier.Answer{Status: 200, Header: shape.header, Body: body}); v.Reason != shape.want {
			t.Errorf("%s: got %v, want %v", shape.name, v.Reason, shape.want)
		}
	}
}
