package classifier

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func gzipped(t testing.TB, text string, head ...func(*gzip.Header)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, f := range head {
		f(&w.Header)
	}
	write(t, w, text)
	return b.Bytes()
}

func zlibbed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	write(t, zlib.NewWriter(&b), text)
	return b.Bytes()
}

func deflated(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, text)
	return b.Bytes()
}

func write(t testing.TB, w io.WriteCloser, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x01
	return b
}

func TestParseCodings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		list  []string
		known bool
	}{
		{"none", nil, nil, true},
		{"gzip", []string{"gzip"}, []string{"gzip"}, true},
		{"x-gzip in capitals", []string{" X-GZIP\t"}, []string{"gzip"}, true},
		{"identity and empty ones", []string{"identity, ,,deflate,"}, []string{"deflate"}, true},
		{"empty line", []string{""}, nil, true},
		{"lines in order", []string{"deflate", "gzip, identity"}, []string{"deflate", "gzip"}, true},
		{"unknown", []string{"compress"}, []string{"compress"}, false},
		{"unknown among known", []string{"gzip", "frob"}, []string{"gzip", "frob"}, false},
		{"with a parameter", []string{"gzip;q=1"}, []string{"gzip;q=1"}, false},
		{"many", []string{strings.Repeat("gzip,", 1000)}, slices.Repeat([]string{"gzip"}, 1000), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, known := parseCodings(http.Header{"Content-Encoding": tt.lines})
			if !slices.Equal(list, tt.list) || known != tt.known {
				t.Errorf("got %q, %v, want %q, %v", list, known, tt.list, tt.known)
			}
		})
	}
	t.Run("other spelling", func(t *testing.T) {
		list, known := parseCodings(http.Header{"content-encoding": {"gzip"}})
		if !slices.Equal(list, []string{"gzip"}) || !known {
			t.Errorf("got %q, %v, want gzip, true", list, known)
		}
	})
}

func TestDecodeBody(t *testing.T) {
	text := strings.Repeat("alpha beta ", 40)
	g, z, d := gzipped(t, text), zlibbed(t, text), deflated(t, text)
	longExtra := func(h *gzip.Header) { h.Extra = make([]byte, 0x0102) }
	all := func(h *gzip.Header) { h.Name, h.Comment, h.Extra = "name", "comment", []byte("extra") }
	withCRC := []byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\xff\x90\xc9") // the header's CRC-32 ends in c990
	zeros := strings.Repeat("\x00", 1000)

	for _, tt := range []struct {
		name    string
		codings string
		body    []byte
		plain   string
		state   codingState
	}{
		{"no coding", "", []byte("as it is"), "as it is", codingWhole},
		{"gzip", "gzip", g, text, codingWhole},
		{"gzip of nothing", "gzip", gzipped(t, ""), "", codingWhole},
		{"gzip with every header field", "gzip", gzipped(t, text, all), text, codingWhole},
		{"gzip with a long extra field", "gzip", gzipped(t, text, longExtra), text, codingWhole},
		{"gzip with a header checksum", "gzip", join(withCRC, gzipped(t, text)[10:]), text, codingWhole},
		{"gzip with a wrong header checksum", "gzip", join(flip(withCRC, -1), gzipped(t, text)[10:]), "", codingDamaged},
		{"bare data whose first bytes pass the check of zlib", "deflate", join([]byte("\x01\x17\x00\xe8\xff"), []byte("a text of 23 characters")), "a text of 23 characters", codingWhole},
		{"bare data that would be zlib but for its check", "deflate", []byte("\x78\x05\x00\xfa\xffhello\x01\x00\x00\xff\xff"), "hello", codingWhole},
		{"bare data that would be zlib but for its window", "deflate", join([]byte("\x88\x1c\x00\xe3\xff"), []byte("and a text of 28 characters."), []byte("\x01\x00\x00\xff\xff")), "and a text of 28 characters.", codingWhole},
		{"gzip, no bytes", "gzip", nil, "", codingWhole},
		{"gzip, one byte", "gzip", g[:1], "", codingEarlyEnd},
		{"gzip, other byte", "gzip", []byte("{"), "", codingDamaged},
		{"gzip, half a header", "gzip", g[:6], "", codingEarlyEnd},
		{"gzip, half of a wrong header checksum", "gzip", join(withCRC[:10], []byte("0")), "", codingEarlyEnd},
		{"gzip, header only", "gzip", g[:10], "", codingEarlyEnd},
		{"gzip, other method", "gzip", join([]byte{0x1f, 0x8b, 0x07}, g[3:]), "", codingDamaged},
		{"gzip, reserved flag", "gzip", join([]byte{0x1f, 0x8b, 0x08, 0x20}, g[4:]), "", codingDamaged},
		{"gzip without its trailer", "gzip", g[:len(g)-8], text, codingEarlyEnd},
		{"gzip with half its trailer", "gzip", g[:len(g)-3], text, codingEarlyEnd},
		{"gzip with a wrong checksum", "gzip", flip(g, -8), text, codingDamaged},
		{"gzip with a wrong length", "gzip", flip(g, -1), text, codingDamaged},
		{"two members", "gzip", join(g, gzipped(t, "more")), text + "more", codingWhole},
		{"further member, magic cut", "gzip", join(g, g[:1]), text, codingEarlyEnd},
		{"further member, header cut", "gzip", join(g, g[:9]), text, codingEarlyEnd},
		{"further member, trailer cut", "gzip", join(g, g[:len(g)-1]), text + text, codingEarlyEnd},
		{"further member, damaged", "gzip", join(g, flip(g, -5)), text + text, codingDamaged},
		{"one other byte after", "gzip", join(g, []byte("x")), text, codingDamaged},
		{"zero bytes after", "gzip", join(g, make([]byte, 20)), text, codingDamaged},
		{"half a magic after, then other", "gzip", join(g, []byte{0x1f, 0x8c}), text, codingDamaged},
		{"zlib", "deflate", z, text, codingWhole},
		{"raw", "deflate", d, text, codingWhole},
		{"deflate, no bytes", "deflate", nil, "", codingWhole},
		{"zlib, one byte", "deflate", z[:1], "", codingEarlyEnd},
		{"zlib, header only", "deflate", z[:2], "", codingEarlyEnd},
		{"zlib without its checksum", "deflate", z[:len(z)-4], text, codingEarlyEnd},
		{"zlib with a wrong checksum", "deflate", flip(z, -1), text, codingDamaged},
		{"zlib and a byte after", "deflate", join(z, []byte{0}), text, codingDamaged},
		{"zlib twice", "deflate", join(z, z), text, codingDamaged},
		{"zlib header with a preset dictionary", "deflate", []byte{0x78, 0x20, 0, 0, 0, 0, 0}, "", codingDamaged},
		{"raw cut", "deflate", d[:len(d)-1], text, codingEarlyEnd},
		{"raw and a byte after", "deflate", join(d, []byte{0}), text, codingDamaged},
		{"raw, one byte of a reserved block", "deflate", []byte{0x07}, "", codingDamaged},
		{"raw, stored block", "deflate", []byte("\x01\x02\x00\xfd\xffok"), "ok", codingWhole},
		{"raw, stored block cut", "deflate", []byte("\x01\x04\x00\xfb\xffok"), "ok", codingEarlyEnd},
		{"raw, stored then a reserved block", "deflate", []byte("\x00\x02\x00\xfd\xffok\x07"), "ok", codingDamaged},
		{"gzip in deflate", "gzip,deflate", zlibbed(t, string(g)), text, codingWhole},
		{"deflate in gzip", "deflate,gzip", gzipped(t, string(z)), text, codingWhole},
		{"wrong order", "deflate,gzip", zlibbed(t, string(g)), "", codingDamaged},
		{"gzip twice, outer cut", "gzip,gzip", gzipped(t, string(g))[:12], "", codingEarlyEnd},
		{"gzip twice, inner cut", "gzip,gzip", gzipped(t, string(g[:len(g)-1])), text, codingEarlyEnd},
		{"gzip twice, inner damaged, outer cut", "gzip,gzip", dropTail(gzipped(t, string(flip(g, -8)))), text, codingDamaged},
		{"gzip twice, inner whole, outer cut", "gzip,gzip", dropTail(gzipped(t, string(g))), text, codingEarlyEnd},
		{"at the limit", "gzip", gzipped(t, zeros), zeros, codingWhole},
		{"past the limit", "gzip", gzipped(t, zeros+"\x00"), zeros, codingOverLimit},
		{"at the limit, then damaged", "gzip", flip(gzipped(t, zeros), -1), zeros, codingDamaged},
		{"past the limit, then damaged", "gzip", flip(gzipped(t, zeros+zeros), -1), zeros, codingOverLimit},
		{"an inner coding past the limit", "gzip,gzip", gzipped(t, strings.Repeat(string(gzipped(t, "")), 60)), "", codingOverLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			codings, known := parseCodings(http.Header{"Content-Encoding": {tt.codings}})
			if !known {
				t.Fatalf("codings %q are not known", tt.codings)
			}
			plain, state := decodeBody(codings, tt.body, 1000)
			if string(plain) != tt.plain || state != tt.state {
				t.Errorf("got %d bytes %.40q, state %d, want %d bytes, state %d", len(plain), plain, state, len(tt.plain), tt.state)
			}
			for name, src := range map[string]io.Reader{
				"one byte a read":     iotest.OneByteReader(bytes.NewReader(tt.body)),
				"error with the data": iotest.DataErrReader(bytes.NewReader(tt.body)),
			} {
				plain, state := decodeAll(newDecoder(codings, src, 1000, true), 0)
				if len(codings) > 0 && (string(plain) != tt.plain || state != tt.state) {
					t.Errorf("%s: got %d bytes, state %d, want %d bytes, state %d", name, len(plain), state, len(tt.plain), tt.state)
				}
			}
		})
	}
}

func dropTail(b []byte) []byte { return b[:len(b)-1] }

func TestDecodePrefixes(t *testing.T) {
	text := strings.Repeat("one two three ", 30)
	for _, tt := range []struct {
		name string
		body []byte
	}{
		{"gzip", gzipped(t, text, func(h *gzip.Header) { h.Name, h.Extra = "n", []byte("x") })},
		{"deflate", zlibbed(t, text)},
		{"deflate", deflated(t, text)},
	} {
		for n := 1; n < len(tt.body); n++ {
			plain, state := decodeBody([]string{tt.name}, tt.body[:n], DefaultDecodedLimit)
			if state != codingEarlyEnd || !strings.HasPrefix(text, string(plain)) {
				t.Errorf("%s cut at %d of %d: got %d bytes, state %d, want an early end", tt.name, n, len(tt.body), len(plain), state)
			}
		}
	}
}

func TestDecoderSourceError(t *testing.T) {
	broken := errors.New("broken pipe")
	whole := gzipped(t, "text")
	for n := range len(whole) + 1 {
		src := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken))
		plain, err := io.ReadAll(newDecoder([]string{"gzip"}, src, 100, false))
		var source *sourceError
		if !errors.As(err, &source) || source.err != broken {
			t.Errorf("broken after %d of %d bytes: got error %v, want that of the source", n, len(whole), err)
		}
		if want := "text"; n == len(whole) && string(plain) != want {
			t.Errorf("whole data: got %q, want %q", plain, want)
		}
	}
}

// TestDecoderHesitates is about a source that gives nothing for a while.
func TestDecoderHesitates(t *testing.T) {
	for _, tt := range []struct {
		times int
		plain string
		err   error
	}{{0, "text", nil}, {1, "text", nil}, {100, "text", nil}, {101, "", io.ErrNoProgress}} {
		plain, err := io.ReadAll(newDecoder([]string{"gzip"}, &hesitant{r: bytes.NewReader(gzipped(t, "text")), times: tt.times}, 100, false))
		var source *sourceError
		if errors.As(err, &source) {
			err = source.err
		}
		if string(plain) != tt.plain || err != tt.err {
			t.Errorf("nothing %d times: got %q, %v, want %q, %v", tt.times, plain, err, tt.plain, tt.err)
		}
	}
}

// TestDecoderDelivers checks that what a server flushed is there before it sends more.
func TestDecoderDelivers(t *testing.T) {
	for _, coding := range []string{"gzip", "deflate", "gzip,deflate", strings.Repeat("gzip,", 15) + "gzip"} {
		t.Run(coding, func(t *testing.T) {
			in, out := io.Pipe()
			defer in.Close()
			go func() {
				var w io.Writer = out
				var flush []func() error
				for i := len(strings.Split(coding, ",")) - 1; i >= 0; i-- {
					switch strings.Split(coding, ",")[i] {
					case "gzip":
						g := gzip.NewWriter(w)
						w, flush = g, append([]func() error{g.Flush}, flush...)
					case "deflate":
						z := zlib.NewWriter(w)
						w, flush = z, append([]func() error{z.Flush}, flush...)
					}
				}
				io.WriteString(w, "data: 1\n\n")
				for _, f := range flush {
					f()
				}
				// and then nothing, for ever
			}()
			b := make([]byte, 64)
			r := newDecoder(strings.Split(coding, ","), in, 10_000, true)
			var got []byte
			for len(got) < 9 {
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
