package codings

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
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

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
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
