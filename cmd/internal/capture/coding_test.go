package capture

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/replyproof/replyproof/corpus"
)

// coded is a text written through what open gives.
func coded(t *testing.T, text string, open func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := open(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func rawDeflate(w io.Writer) (io.WriteCloser, error) {
	return flate.NewWriter(w, flate.BestCompression)
}
func zlibDeflate(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }

func TestDecoded(t *testing.T) {
	t.Parallel()
	const text = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	raw, withZlib := coded(t, text, rawDeflate), coded(t, text, zlibDeflate)
	for _, test := range []struct {
		name, coding string
		body         []byte
		want         string
		decoded      bool
	}{
		{"none", "", []byte(text), text, false},
		{"identity", "identity", []byte(text), text, false},
		{"no body", "gzip", nil, "", false},
		{"zlib", "deflate", withZlib, text, true},
		{"raw deflate", "Deflate", raw, text, true},
		{"br", "br", coded(t, text, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil }), text, true},
		{"zstd", "zstd", coded(t, text, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }), text, true},
		{"bytes after the end", "deflate", append(bytes.Clone(withZlib), 'x'), string(withZlib) + "x", false},
		{"cut", "deflate", raw[:len(raw)-1], string(raw[:len(raw)-1]), false},
		{"unknown", "compress", []byte(text), text, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := &Answer{Status: 200, Body: test.body}
			if test.coding != "" {
				a.Headers = corpus.Headers{{Name: "content-encoding", Value: test.coding}}
			}
			if body, decoded := Decoded(a); string(body) != test.want || decoded != test.decoded {
				t.Errorf("got %q, %t, want %q, %t", body, decoded, test.want, test.decoded)
			}
		})
	}
}
