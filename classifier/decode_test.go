package classifier

import (
	"net/http"
	"testing"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	const text = "twenty bytes of text"
	g, z, d := gzipped(t, text), zlibbed(t, text), deflated(t, text)
	for _, tt := range []struct {
		name  string
		lines []string
		body  []byte
		limit int64
		plain string
		ok    bool
	}{
		{"no field", nil, []byte(text), 0, text, true},
		{"no coding, over the limit", nil, []byte(text), 5, text, true},
		{"identity and an empty one", []string{"identity,", ""}, []byte(text), 0, text, true},
		{"gzip", []string{"gzip"}, g, 0, text, true},
		{"x-gzip in capitals", []string{" X-GZIP\t"}, g, 0, text, true},
		{"zlib", []string{"deflate"}, z, 0, text, true},
		{"bare data", []string{"deflate"}, d, 0, text, true},
		{"two in one line", []string{"gzip, deflate"}, zlibbed(t, string(g)), 0, text, true},
		{"two in two lines", []string{"deflate", "gzip"}, gzipped(t, string(d)), 0, text, true},
		{"no bytes", []string{"gzip"}, nil, 0, "", true},
		{"nothing in a coding", []string{"gzip"}, gzipped(t, ""), 0, "", true},
		{"at the limit", []string{"deflate"}, d, 20, text, true},
		{"over the limit", []string{"deflate"}, d, 19, "", false},
		{"a coding in it over the limit", []string{"gzip, gzip"}, gzipped(t, string(gzipped(t, "x"))), 20, "", false},
		{"cut", []string{"gzip"}, g[:len(g)-1], 0, "", false},
		{"bare data cut", []string{"deflate"}, d[:len(d)-1], 0, "", false},
		{"damaged", []string{"gzip"}, flip(g, -8), 0, "", false},
		{"bytes after gzip", []string{"gzip"}, join(g, []byte("x")), 0, "", false},
		{"bytes after zlib", []string{"deflate"}, join(z, []byte("x")), 0, "", false},
		{"bytes after bare data", []string{"deflate"}, join(d, []byte("x")), 0, "", false},
		{"not coded", []string{"gzip"}, []byte(text), 0, "", false},
		{"unknown", []string{"compress"}, []byte(text), 0, "", false},
		{"unknown beside a known one", []string{"compress, gzip"}, g, 0, "", false},
		{"unknown, no bytes", []string{"compress"}, nil, 0, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plain, ok := Decode(http.Header{"Content-Encoding": tt.lines}, tt.body, tt.limit)
			if string(plain) != tt.plain || ok != tt.ok {
				t.Errorf("got %q, %t, want %q, %t", plain, ok, tt.plain, tt.ok)
			}
		})
	}
}
