package classifier

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	large := strings.Replace(success, `"ok"`, `"`+strings.Repeat("some text, ", 700_000)+`"`, 1)
	jsonType, stream := "application/json", "text/event-stream"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, bb := range []struct {
		name, contentType, coding string
		body                      []byte
		ctx                       context.Context
	}{
		{"json-100B", jsonType, "", []byte(success), context.Background()},
		{"json-100B-cancellable", jsonType, "", []byte(success), ctx},
		{"json-8MB", jsonType, "", []byte(large), context.Background()},
		{"json-8MB-cancellable", jsonType, "", []byte(large), ctx},
		{"json-8MB-gzip", jsonType, "gzip", gzipped(b, large), context.Background()},
		{"stream-8MB", stream, "", []byte("data: " + large + "\n\n"), context.Background()},
		{"stream-8MB-gzip", stream, "gzip", gzipped(b, "data: "+large+"\n\n"), context.Background()},
		{"stream-100k-events", stream, "", []byte(strings.Repeat(progress, 100_000) + final), ctx},
	} {
		b.Run(bb.name, func(b *testing.B) {
			header := http.Header{"Content-Type": {bb.contentType}, "Content-Encoding": {bb.coding}}
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.body)))
			for b.Loop() {
				resp := &http.Response{StatusCode: 200, Header: header, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(bb.body))}
				if v := Read(bb.ctx, Call{ID: IntID(1)}, resp); v.Outcome != ToolSuccess {
					b.Fatal(v.Outcome)
				}
			}
		})
	}
}

func BenchmarkDecodeBody(b *testing.B) {
	text := strings.Repeat(`{"type":"text","text":"some text"},`, 30_000)
	for coding, body := range map[string][]byte{"gzip": gzipped(b, text), "deflate": zlibbed(b, text)} {
		b.Run(coding, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if plain, _ := decodeBody([]string{coding}, body, DefaultDecodedLimit); len(plain) != len(text) {
					b.Fatal(len(plain))
				}
			}
		})
	}
}
