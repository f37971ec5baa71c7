package codings

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/replyproof/replyproof/classifier"
)

type decode = func([]byte) ([]byte, error)

func brotlied(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 4)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstded(t testing.TB, text string, opts ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, append([]zstd.EOption{zstd.WithEncoderConcurrency(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// segment is a text in a zstd frame with no window of its own.
func segment(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 0x01
	return b
}

// end is how a decoding ended, in a word.
func end(err error) string {
	switch {
	case err == nil:
		return "whole"
	case errors.Is(err, ErrEarlyEnd):
		return "early"
	}
	return "damaged"
}

func TestDecode(t *testing.T) {
	text := strings.Repeat("alpha beta gamma ", 50)
	br, zs := brotlied(t, text), zstded(t, text)
	raw := []byte("\x28\xb5\x2f\xfd\x00\x58") // a header with a window of 2 MiB, no checksum
	skippable := []byte("\x5a\x2a\x4d\x18\x03\x00\x00\x00abc")
	promising := unhex(t, "28b52ffd0400850200124511179019b600ccb5398d4238e09f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9fd28087d3cfb7a18999bb3d076b61d2bd355509886ceb60b8d7e09a1cdbb8588e22c7379e4541dd")
	wide := []byte("\x28\xb5\x2f\xfd\x00\x70\x11\x00\x00ok") // a window of 16 MiB
	lookingCut := []byte("\x28\xb5\x2f\xfd\x04\x00\x95\x02\x00\x02\x45\x11\x19\x90\xb7\x19\x00\xb2\xa6\x62\x92\xb0\xb9\xb8\x08\x7e\xc2\x54\xe8\x1f" +
		"\xfc\x0b\x08\xb9\xdf\xff\x39\x07\xad\x25\xed\x80\x8e\xf7\x12\x72\x77\x86\xe0\x8b\x72\x91\x9a\xef\xdc\x3c\x49\xa0\x66\x3c\x53\xe1\x60\xf8\x9e\xc1" +
		"\x4a\xf5\x15\xb8\xb2\x7c\x13\x83\x31\x6e\x92\x42\xba\x00\xb3\x03\x00\x2a\xa3\x1c\xd4\x70\x6a\x56\x9e\x1d\xdc\x7f\xc0")
	chacha := rand.NewChaCha8([32]byte{1})
	random := make([]byte, 100_000)
	chacha.Read(random)
	noise := string(random) // which no coding makes shorter
	for _, tt := range []struct {
		name   string
		decode decode
		data   []byte
		plain  string
		end    string
	}{
		{"br", Brotli, br, text, "whole"},
		{"br, nothing", Brotli, nil, "", "whole"},
		{"br of nothing", Brotli, brotlied(t, ""), "", "whole"},
		{"br and a byte", Brotli, join(br, []byte("x")), text, "damaged"},
		{"br twice", Brotli, join(br, br), text, "damaged"},
		{"br, stored text", Brotli, []byte("\x0b\x02\x80hello\x03"), "hello", "whole"},
		{"br, stored text, then damage", Brotli, []byte("\x0b\x02\x80hello\x1f\xff"), "hello", "damaged"},
		{"br, large window", Brotli, []byte("\x11\x1e\x03"), "", "damaged"},
		{"zstd", Zstd, zs, text, "whole"},
		{"zstd, nothing", Zstd, nil, "", "whole"},
		{"zstd of nothing", Zstd, zstded(t, "", zstd.WithZeroFrames(true)), "", "whole"},
		{"zstd, raw block", Zstd, join(raw, []byte("\x11\x00\x00ok")), "ok", "whole"},
		{"zstd, raw block cut", Zstd, join(raw, []byte("\x29\x00\x00ok")), "", "early"},
		{"zstd, two raw blocks, second cut", Zstd, join(raw, []byte("\x10\x00\x00ok\x29\x00\x00ok")), "ok", "early"},
		{"zstd, one segment, size in one byte", Zstd, segment(t, "short"), "short", "whole"},
		{"zstd, one segment, size in two bytes", Zstd, segment(t, noise[:300]), noise[:300], "whole"},
		{"zstd, one segment, size in four bytes", Zstd, segment(t, noise), noise, "whole"},
		{"zstd, one segment, size cut", Zstd, segment(t, noise)[:7], "", "early"},
		{"zstd, long raw blocks", Zstd, zstded(t, noise), noise, "whole"},
		{"zstd, long raw block cut", Zstd, zstded(t, noise)[:90_000], "", "early"},
		{"zstd, repeated byte", Zstd, join(raw, []byte("\x23\x00\x00x")), "xxxx", "whole"},
		{"zstd, reserved block", Zstd, join(raw, []byte("\x10\x00\x00ok\x07\x00\x00")), "ok", "damaged"},
		{"zstd, two frames", Zstd, join(zs, zs), text + text, "whole"},
		{"zstd, second frame's magic cut", Zstd, join(zs, zs[:3]), text, "early"},
		{"zstd, second frame's header cut", Zstd, join(zs, zs[:5]), text, "early"},
		{"zstd, one byte after", Zstd, join(zs, []byte("x")), text, "damaged"},
		{"zstd, three bytes after", Zstd, join(zs, []byte("xyz")), text, "damaged"},
		{"zstd, two bytes of a magic, one other", Zstd, join(zs, []byte("\x28\xb5x")), text, "damaged"},
		{"zstd, zero bytes after", Zstd, join(zs, make([]byte, 9)), text, "damaged"},
		{"zstd, skippable frames around", Zstd, join(skippable, zs, skippable), text, "whole"},
		{"zstd, skippable frame alone", Zstd, skippable, "", "whole"},
		{"zstd, empty skippable frame", Zstd, []byte("\x50\x2a\x4d\x18\x00\x00\x00\x00"), "", "whole"},
		{"zstd, skippable frame cut", Zstd, join(zs, skippable[:10]), text, "early"},
		{"zstd, wrong checksum", Zstd, flip(zs, len(zs)-1), text, "damaged"},
		{"zstd, checksum cut", Zstd, zs[:len(zs)-1], text, "early"},
		{"zstd, wide window", Zstd, wide, "", "damaged"},
		{"zstd, a dictionary", Zstd, []byte("\x28\xb5\x2f\xfd\x01\x58\x07\x11\x00\x00ok"), "", "damaged"},
		{"zstd, reserved bit", Zstd, []byte("\x28\xb5\x2f\xfd\x08\x58\x11\x00\x00ok"), "", "damaged"},
		{"zstd, content size wrong", Zstd, []byte("\x28\xb5\x2f\xfd\x20\x03\x11\x00\x00ok"), "ok", "damaged"},
		{"zstd, block that promises more than it holds", Zstd, promising, "", "damaged"},
		{"zstd, block damaged so that it looks cut", Zstd, lookingCut, "", "damaged"},
		{"zstd, text", Zstd, []byte("{}"), "", "damaged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plain, err := tt.decode(tt.data)
			if string(plain) != tt.plain || end(err) != tt.end {
				t.Errorf("got %d bytes %.30q, %s (%v), want %d bytes, %s", len(plain), plain, end(err), err, len(tt.plain), tt.end)
			}
		})
	}
}

// TestPrefixes cuts data at every byte and adds bytes after its end, whole and
// byte by byte: both must tell an early end from damage, and deliver the same.
func TestPrefixes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		text := make([]byte, rng.IntN(600))
		for j := range text {
			text[j] = "abcdefg {}\":"[rng.IntN(12)]
		}
		for _, tt := range []struct {
			name   string
			decode decode
			open   func(io.Reader) (io.Reader, error)
			data   []byte
		}{
			{"br", Brotli, openBrotli, brotlied(t, string(text))},
			{"zstd", Zstd, openZstd, zstded(t, string(text), zstd.WithEncoderCRC(i%2 == 0), zstd.WithZeroFrames(true))},
		} {
			for n := 1; n <= len(tt.data); n++ {
				want := "early"
				if n == len(tt.data) {
					want = "whole"
				}
				plain, err := tt.decode(tt.data[:n])
				if end(err) != want || !bytes.HasPrefix(text, plain) {
					t.Errorf("%s, %d of %d bytes: got %d bytes, %v, want %s", tt.name, n, len(tt.data), len(plain), err, want)
				}
				r, err := tt.open(iotest.OneByteReader(bytes.NewReader(tt.data[:n])))
				if err != nil {
					t.Fatal(err)
				}
				slow, err := readAll(r, 1000)
				if end(err) != want || !bytes.Equal(slow, plain) {
					t.Errorf("%s, %d of %d bytes, byte by byte: got %d bytes, %v, want %d bytes, %s", tt.name, n, len(tt.data), len(slow), err, len(plain), want)
				}
			}
			for _, more := range []string{"x", "xyz", "\x00", "\x03"} {
				plain, err := tt.decode(join(tt.data, []byte(more)))
				if end(err) != "damaged" || !bytes.Equal(plain, text) {
					t.Errorf("%s and %q after: got %d of %d bytes, %v, want damage", tt.name, more, len(plain), len(text), err)
				}
			}
		}
	}
}

// TestBrotliFalseAlarm feeds a whole stream byte by byte in which the library's
// own Reader then reports bytes after the end that are not there.
func TestBrotliFalseAlarm(t *testing.T) {
	data, err := hex.DecodeString("1b18000004dc64b5d39a0ed4d03f4b9289e29c85d9fb4cbd752d4cd320")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		more string
		err  error
	}{
		{"whole", "", nil},
		{"a byte after", "x", errTrailing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := io.ReadAll(newBrotli(iotest.OneByteReader(strings.NewReader(string(data) + tt.more))))
			if len(got) != 25 || err != tt.err {
				t.Errorf("got %d bytes, error %v, want 25 bytes, error %v", len(got), err, tt.err)
			}
		})
	}
}

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

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
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

func TestReadAll(t *testing.T) {
	for _, tt := range []struct {
		limit int64
		plain string
		err   error
	}{{4, "abc", nil}, {3, "abc", nil}, {2, "ab", errLimit}, {0, "", errLimit}} {
		plain, err := readAll(strings.NewReader("abc"), tt.limit)
		if string(plain) != tt.plain || err != tt.err {
			t.Errorf("limit %d: got %q, %v, want %q, %v", tt.limit, plain, err, tt.plain, tt.err)
		}
	}
}

// TestFrames reads frames in pieces of every size: where they are cut must not
// matter, and where the data ends tells whether it ends early.
func TestFrames(t *testing.T) {
	skippable := []byte("\x5a\x2a\x4d\x18\x05\x00\x00\x00abcde")
	raw := []byte("\x28\xb5\x2f\xfd\x04\x58\x28\x00\x00hello\x1b\x00\x00xSUM!") // two blocks and a checksum
	data := join(skippable, raw, skippable)
	ends := map[int]bool{0: true, len(skippable): true, len(skippable) + len(raw): true, len(data): true}
	for n := range len(data) + 1 {
		for size := 1; size <= len(data); size++ {
			f := frames{src: bytes.NewReader(data[:n])}
			var got []byte
			var err error
			for piece := make([]byte, size); err == nil; {
				var k int
				k, err = f.Read(piece)
				got = append(got, piece[:k]...)
			}
			want := io.ErrUnexpectedEOF
			if ends[n] {
				want = io.EOF
			}
			if err != want || !bytes.Equal(got, data[:n]) {
				t.Fatalf("%d bytes in pieces of %d: got %q, %v, want all of them, %v", n, size, got, err, want)
			}
		}
	}
	for size := 1; size <= len(data)+3; size++ {
		f := frames{src: strings.NewReader(string(data) + "odd")}
		var got []byte
		var err error
		for piece := make([]byte, size); err == nil; {
			var k int
			k, err = f.Read(piece)
			got = append(got, piece[:k]...)
		}
		if err != errMagic || !bytes.Equal(got, data) {
			t.Errorf("other bytes after frames, in pieces of %d: got %q, %v, want the frames, %v", size, got, err, errMagic)
		}
	}
}
