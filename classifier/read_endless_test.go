package classifier

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"
)

// endless gives its head once, then its rest over and over, and counts.
type endless struct {
	head, rest []byte
	given      int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.head)
	e.head = e.head[n:]
	for n < len(p) {
		from := int(e.given+int64(n)) % len(e.rest)
		n += copy(p[n:], e.rest[from:])
	}
	e.given += int64(n)
	return n, nil
}

func (e *endless) Close() error { return nil }

// TestReadEndlessCoding is about coded bodies that go on for ever and decode to
// nothing, so that no limit on the decoded size is ever passed.
func TestReadEndlessCoding(t *testing.T) {
	t.Parallel()
	const decoded = 1 << 16
	empty := gzipped(t, "")
	stored := []byte{0x00, 0x00, 0x00, 0xff, 0xff} // a block of no bytes, not the last
	zeros := bytes.Repeat([]byte{'x'}, 64)
	for _, c := range []struct {
		name, coding string
		head, rest   []byte
	}{
		{"a gzip header with a name that never ends", "gzip", []byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"), zeros},
		{"a gzip header with a comment that never ends", "gzip", []byte("\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"), zeros},
		{"empty gzip members", "gzip", nil, empty},
		{"empty blocks in gzip", "gzip", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), stored},
		{"empty blocks in zlib", "deflate", []byte{0x78, 0x9c}, stored},
		{"empty raw blocks", "deflate", nil, stored},
		{"empty gzip members in gzip members", "gzip,gzip", nil, gzipped(t, string(empty))},
		{"empty gzip members under many codings", strings.Repeat("gzip,", 20), nil, empty},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, contentType := range []string{"application/json", "text/event-stream"} {
				body := &endless{head: c.head, rest: c.rest}
				resp := &http.Response{StatusCode: 200, Body: body, ContentLength: -1,
					Header: http.Header{"Content-Type": {contentType}, "Content-Encoding": {c.coding}}}
				v := Read(context.Background(), Call{ID: IntID(1)}, resp, ReadDecodedLimit(decoded), ReadLinger(0))
				if v.Outcome != NoFinalResponse || v.Reason != ReasonSizeLimit || v.Ended != BodySizeLimit {
					t.Errorf("%s: got %v, %v, %v, want NO_FINAL_RESPONSE, size-limit, size-limit", contentType, v.Outcome, v.Reason, v.Ended)
				}
				if most := int64(decoded + 1<<20 + wireBuffer); body.given > most {
					t.Errorf("%s: read %d bytes, want at most %d", contentType, body.given, most)
				}
			}
		})
	}
}

// TestCodedLimit is about the bytes of a coded body as they come.
func TestCodedLimit(t *testing.T) {
	t.Parallel()
	const decoded = 1000
	// A stored block takes as many bytes as it holds; empty ones fill the rest up.
	at := func(size int) []byte {
		head, tail := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), []byte{0x01, 0x00, 0x00, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}
		fill := size - len(head) - len(tail)
		head[3] = 1 << 2 // an extra field takes what is no multiple of a block
		extra := fill%5 + 5 - 2
		head = append(head, byte(extra), 0)
		head = append(head, make([]byte, extra)...)
		return join(head, bytes.Repeat([]byte{0x00, 0x00, 0x00, 0xff, 0xff}, (size-len(head)-len(tail))/5), tail)
	}
	for _, c := range []struct {
		name    string
		size    int
		outcome Outcome
		reason  Reason
	}{
		{"at the limit", decoded + 1<<20, MalformedJSON, ReasonJSONEmpty},
		{"past the limit", decoded + 1<<20 + 1, NoFinalResponse, ReasonSizeLimit},
	} {
		body := at(c.size)
		if len(body) != c.size {
			t.Fatalf("%s: made %d bytes, want %d", c.name, len(body), c.size)
		}
		resp := &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: -1,
			Header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}}
		v := Read(context.Background(), Call{ID: IntID(1)}, resp, ReadDecodedLimit(decoded))
		if v.Outcome != c.outcome || v.Reason != c.reason {
			t.Errorf("%s: got %v, %v, want %v, %v", c.name, v.Outcome, v.Reason, c.outcome, c.reason)
		}
	}
	if got := codedLimit(limitOf(0)); got != limitOf(0) {
		t.Errorf("no limit: got %d coded bytes, want no limit", got)
	}
}

// TestManyCodings is about chains longer than are undone at the same time.
func TestManyCodings(t *testing.T) {
	t.Parallel()
	nested := func(n int, inner []byte) []byte {
		for range n {
			inner = gzipped(t, string(inner))
		}
		return inner
	}
	json, event := []byte(okBody), []byte(okEvent)
	for _, c := range []struct {
		name, contentType string
		codings           int
		body              []byte
		outcome           Outcome
		reason            Reason
	}{
		{"sixteen", "application/json", 16, nested(16, json), ToolSuccess, ReasonToolSuccess},
		{"seventeen", "application/json", 17, nested(17, json), ToolSuccess, ReasonToolSuccess},
		{"a hundred", "application/json", 100, nested(100, json), ToolSuccess, ReasonToolSuccess},
		{"a stream under forty", "text/event-stream", 40, nested(40, event), ToolSuccess, ReasonToolSuccess},
		{"no bytes", "application/json", 100_000, nil, MalformedJSON, ReasonJSONEmpty},
		{"the outermost cut", "application/json", 40, dropTail(nested(40, json)), NoFinalResponse, ReasonBodyCut},
		{"the innermost cut", "application/json", 40, nested(39, dropTail(nested(1, json))), NoFinalResponse, ReasonBodyCut},
		{"the innermost damaged", "application/json", 40, nested(39, flip(nested(1, json), -8)), UnexpectedContentType, ReasonContentEncoding},
		{"one in the middle damaged", "application/json", 40, nested(20, flip(nested(20, json), -8)), UnexpectedContentType, ReasonContentEncoding},
		{"one in the middle cut, the inner ones damaged", "application/json", 40, nested(20, dropTail(nested(10, flip(nested(10, json), -8)))), UnexpectedContentType, ReasonContentEncoding},
		{"one too few", "application/json", 41, nested(40, json), UnexpectedContentType, ReasonContentEncoding},
		{"one too many", "application/json", 39, nested(40, json), MalformedJSON, ReasonJSONSyntax},
		{"the response before the cut", "text/event-stream", 40, nested(39, dropTail(nested(1, event))), ToolSuccess, ReasonToolSuccess},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"Content-Type": {c.contentType}, "Content-Encoding": {strings.Repeat("gzip,", c.codings)}}
			v := Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: header, Body: c.body})
			if v.Outcome != c.outcome || v.Reason != c.reason {
				t.Errorf("got %v, %v, want %v, %v", v.Outcome, v.Reason, c.outcome, c.reason)
			}
			resp := &http.Response{StatusCode: 200, Header: header, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(c.body))}
			if v := Read(context.Background(), Call{ID: IntID(1)}, resp); v.Outcome != c.outcome || v.Reason != c.reason {
				t.Errorf("Read: got %v, %v, want %v, %v", v.Outcome, v.Reason, c.outcome, c.reason)
			}
		})
	}
}

// TestManyCodingsTogether has no coding pass the limit, but all together pass
// 16 times as much, which a body must not make anyone do.
func TestManyCodingsTogether(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte(" "), 600)
	for range 40 {
		body = storedGzip(body)
	}
	const limit = 1600
	if len(body) > limit {
		t.Fatalf("the body has %d bytes, want at most %d", len(body), limit)
	}
	for _, c := range []struct {
		codings int
		state   codingState
	}{{16, codingWhole}, {40, codingOverLimit}} {
		codings := make([]string, c.codings)
		for i := range codings {
			codings[i] = "gzip"
		}
		_, state := decodeBody(codings, body, limit)
		if state != c.state {
			t.Errorf("%d codings: got state %d, want %d", c.codings, state, c.state)
		}
	}
}

// storedGzip is one gzip member with one stored block.
func storedGzip(b []byte) []byte {
	head := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	n := uint16(len(b))
	block := []byte{0x01, byte(n), byte(n >> 8), byte(^n), byte(^n >> 8)}
	return join(head, block, b, trailer(b))
}

func trailer(b []byte) []byte {
	t := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b))
	return binary.LittleEndian.AppendUint32(t, uint32(len(b)))
}
