package codings

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/replyproof/replyproof/classifier"
)

// TestDelivers checks that what a server flushed is there before it sends more.
func TestDelivers(t *testing.T) {
	type flusher interface {
		io.Writer
		Flush() error
	}
	for _, tt := range []struct {
		name string
		open func(io.Reader) (io.Reader, error)
		make func(io.Writer) flusher
	}{
		{"br", openBrotli, func(w io.Writer) flusher { return brotli.NewWriter(w) }},
		{"zstd", openZstd, func(w io.Writer) flusher {
			z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			return z
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, out := io.Pipe()
			defer in.Close()
			go func() {
				w := tt.make(out)
				w.Write([]byte("data: 1\n\n"))
				w.Flush()
				// and then nothing, for ever
			}()
			r, err := tt.open(in)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for b := make([]byte, 64); len(got) < 9; {
				n, err := r.Read(b)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, b[:n]...)
			}
			if string(got) != "data: 1\n\n" {
				t.Errorf("got %q, want the event", got)
			}
		})
	}
}

// TestSourceError checks that an error of the source comes through, even one
// that a library takes for an end.
func TestSourceError(t *testing.T) {
	text := strings.Repeat("some text ", 9)
	for _, broken := range []error{errors.New("broken pipe"), io.ErrUnexpectedEOF} {
		for name, tt := range map[string]struct {
			open func(io.Reader) (io.Reader, error)
			data []byte
		}{"br": {openBrotli, brotlied(t, text)}, "zstd": {openZstd, zstded(t, text)}} {
			for n := range len(tt.data) + 1 {
				r, err := tt.open(io.MultiReader(bytes.NewReader(tt.data[:n]), iotest.ErrReader(broken)))
				if err == nil {
					_, err = io.ReadAll(r)
				}
				if err != broken {
					t.Errorf("%s, broken after %d of %d bytes: got %v, want %v", name, n, len(tt.data), err, broken)
				}
			}
		}
	}
}

// TestSourceEndsWithItsLastBytes is about a source that gives its last bytes and
// io.EOF in one read: a checksum that is wrong is damage all the same.
func TestSourceEndsWithItsLastBytes(t *testing.T) {
	whole := zstded(t, "text")
	for _, tt := range []struct {
		name, plain string
		data        []byte
		end         string
	}{
		{"whole", "text", whole, "whole"},
		{"a wrong checksum", "text", flip(whole, len(whole)-1), "damaged"},
	} {
		r, err := openZstd(iotest.DataErrReader(bytes.NewReader(tt.data)))
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := io.ReadAll(r); string(plain) != tt.plain || end(err) != tt.end {
			t.Errorf("%s: got %q, %v; want %q, %s", tt.name, plain, err, tt.plain, tt.end)
		}
	}
}

// TestThroughClassifier judges coded answers at once and read in pieces.
func TestThroughClassifier(t *testing.T) {
	const response = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
	stream := "data: " + response + "\n\n"
	more := strings.Repeat(": more\n", 9000)
	noise := "\x1f\xff\x1f\xff"
	for _, tt := range []struct {
		name        string
		contentType string
		coding      string
		body        []byte
		reason      classifier.Reason
	}{
		{"br", "application/json", "br", brotlied(t, response), classifier.ReasonToolSuccess},
		{"zstd", "application/json", "ZSTD", zstded(t, response), classifier.ReasonToolSuccess},
		{"br in zstd", "application/json", "br, zstd", zstded(t, string(brotlied(t, response))), classifier.ReasonToolSuccess},
		{"br cut", "application/json", "br", brotlied(t, response)[:20], classifier.ReasonBodyCut},
		{"zstd cut", "application/json", "zstd", zstded(t, response)[:20], classifier.ReasonBodyCut},
		{"br damaged", "application/json", "br", join(brotlied(t, response), []byte("x")), classifier.ReasonContentEncoding},
		{"zstd damaged", "application/json", "zstd", flip(zstded(t, response), 30), classifier.ReasonContentEncoding},
		{"br stream", "text/event-stream", "br", brotlied(t, stream+more), classifier.ReasonToolSuccess},
		{"zstd stream", "text/event-stream", "zstd", zstded(t, stream+more), classifier.ReasonToolSuccess},
		{"br stream, damage after the response", "text/event-stream", "br", flushed(t, stream, noise), classifier.ReasonToolSuccess},
		{"br stream, damage before the response", "text/event-stream", "br", flushed(t, ": "+more, noise), classifier.ReasonContentEncoding},
		{"zstd stream, damage after the response", "text/event-stream", "zstd", join(zstded(t, stream), []byte("x")), classifier.ReasonToolSuccess},
		{"zstd stream, checksum cut", "text/event-stream", "zstd", zstded(t, stream)[:len(zstded(t, stream))-1], classifier.ReasonToolSuccess},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := http.Header{"Content-Type": {tt.contentType}, "Content-Encoding": {tt.coding}}
			call := classifier.Call{ID: classifier.IntID(1)}
			want := classifier.Classify(call, classifier.Answer{Status: 200, Header: header, Body: tt.body})
			if want.Reason != tt.reason {
				t.Errorf("Classify: got %v, %v, want %v", want.Outcome, want.Reason, tt.reason)
			}
			for name, r := range map[string]io.Reader{
				"whole":        bytes.NewReader(tt.body),
				"in halves":    iotest.HalfReader(bytes.NewReader(tt.body)),
				"byte by byte": iotest.OneByteReader(bytes.NewReader(tt.body)),
			} {
				resp := &http.Response{StatusCode: 200, Header: header, ContentLength: -1, Body: io.NopCloser(r)}
				if got := classifier.Read(t.Context(), call, resp, classifier.ReadLinger(0)); !reflect.DeepEqual(got, want) {
					t.Errorf("Read %s: got %+v, want %+v", name, got, want)
				}
			}
		})
	}
}

// flushed is a br stream that a server flushed, and then other bytes.
func flushed(t *testing.T, text, then string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 4)
	w.Write([]byte(text))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), then...)
}

// again gives its head once and then its rest for ever.
type again struct {
	head, rest []byte
	given      int
}

func (a *again) Read(p []byte) (n int, err error) {
	n = copy(p, a.head)
	for a.head = a.head[n:]; n < len(p); n++ {
		p[n] = a.rest[a.given%len(a.rest)]
		a.given++
	}
	return n, nil
}

func (a *again) Close() error { return nil }

// TestEndlessNothing reads bodies that go on for ever and decode to nothing.
func TestEndlessNothing(t *testing.T) {
	for _, tt := range []struct {
		name, coding string
		head, rest   []byte
	}{
		{"metadata of no bytes", "br", []byte{0x0c}, []byte{0x06}},
		{"skippable frames of no bytes", "zstd", nil, []byte("\x50\x2a\x4d\x18\x00\x00\x00\x00")},
		{"empty frames", "zstd", nil, []byte("\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00")},
		{"empty blocks", "zstd", []byte("\x28\xb5\x2f\xfd\x00\x00"), []byte{0, 0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := &again{head: tt.head, rest: tt.rest}
			resp := &http.Response{StatusCode: 200, Body: body, ContentLength: -1,
				Header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {tt.coding}}}
			v := classifier.Read(t.Context(), classifier.Call{ID: classifier.IntID(1)}, resp, classifier.ReadDecodedLimit(1<<16))
			if v.Outcome != classifier.NoFinalResponse || v.Reason != classifier.ReasonSizeLimit {
				t.Errorf("got %v, %v, want NO_FINAL_RESPONSE, size-limit", v.Outcome, v.Reason)
			}
			if most := 1<<16 + 1<<20 + 64<<10; body.given > most {
				t.Errorf("read %d bytes, want at most %d", body.given, most)
			}
		})
	}
}
