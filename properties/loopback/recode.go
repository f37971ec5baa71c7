package loopback

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// maxInside bounds what a compressed body may come to, in bytes.
const maxInside = 64 << 20

// codings are the names of the content codings of an answer.
func codings(header http.Header) (names []string) {
	for _, line := range header.Values("Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			names = append(names, strings.ToLower(strings.Trim(name, " \t")))
		}
	}
	return names
}

// codedOtherwise tells whether a body is under a coding that can be read and is
// not written here.
func codedOtherwise(c corpus.Case) bool {
	return slices.ContainsFunc(codings(c.HTTPHeader()), func(name string) bool { return name == "br" || name == "zstd" })
}

// coded is a compressed body with the ids moved that are inside, and true, or the
// body itself if there are none or it is not compressed. What was damaged about it
// is damaged again: a checksum that was off is as far off, what ended early ends
// early, and what followed follows.
func (m *mover) coded(body []byte, header http.Header) ([]byte, bool) {
	names := codings(header)
	moved := m.inside(body, slices.Contains(names, "deflate"), 0)
	return moved, len(names) > 0 && !bytes.Equal(moved, body) && isCoded(body, slices.Contains(names, "deflate"))
}

// maxLayers is how many codings are undone, one over the other.
const maxLayers = 32

// inside moves the ids of a body, through what it is compressed by. What that is
// its first bytes say, since a client may go by them and not by the header.
func (m *mover) inside(body []byte, raw bool, depth int) []byte {
	if depth > maxLayers {
		return body
	}
	switch {
	case gzipHeader(body) > 0:
		return m.layer(body, gzipHeader(body), 8, gzipTrailer, raw, depth)
	case isZlib(body):
		return m.layer(body, 2, 4, zlibTrailer, raw, depth)
	case raw && isCoded(body, raw):
		return m.layer(body, 0, 0, nil, raw, depth)
	}
	return m.plain(body)
}

// isCoded tells whether a body is compressed, as far as its first bytes say.
func isCoded(body []byte, raw bool) bool {
	if gzipHeader(body) > 0 || isZlib(body) {
		return true
	}
	plain, err := inflated(bytes.NewReader(body))
	return raw && len(plain) > 0 && (err == nil || errors.Is(err, io.ErrUnexpectedEOF))
}

// layer moves the ids inside one coding: a header of so many bytes, deflated data,
// and a trailer that is made of the text.
func (m *mover) layer(body []byte, header, trailer int, sum func(plain []byte) []byte, raw bool, depth int) []byte {
	source := bytes.NewReader(body[header:])
	plain, err := inflated(source)
	moved := m.inside(plain, raw, depth+1)
	rest := body[len(body)-source.Len():]
	if err != nil {
		rest = nil
	}
	has := min(trailer, len(rest))
	after := rest[has:]
	if gzipHeader(after) > 0 {
		after = m.inside(after, raw, depth+1)
	}
	if bytes.Equal(moved, plain) && bytes.Equal(after, rest[has:]) {
		return body
	}
	out := append(bytes.Clone(body[:header]), deflated(moved, err)...)
	if has > 0 {
		was, is := sum(plain), sum(moved)
		for i := range has {
			out = append(out, rest[i]^was[i]^is[i])
		}
	}
	return append(out, after...)
}

// inflated is what deflated data come to, up to their end or to what is wrong with them.
func inflated(source *bytes.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(flate.NewReader(source), maxInside))
}

// deflated is a text deflated, with the end that the data had: whole, too early,
// or in a block of no kind.
func deflated(plain []byte, end error) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.DefaultCompression) // the level is right
	w.Write(plain)
	if end == nil {
		w.Close()
		return out.Bytes()
	}
	w.Flush()
	if !errors.Is(end, io.ErrUnexpectedEOF) {
		out.WriteByte(0x07)
	}
	return out.Bytes()
}

func gzipTrailer(plain []byte) []byte {
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
	return binary.LittleEndian.AppendUint32(sum, uint32(len(plain)))
}

func zlibTrailer(plain []byte) []byte {
	return binary.BigEndian.AppendUint32(nil, adler32.Checksum(plain))
}

// gzipHeader is the length of a gzip member's header; 0 if there is none, or not
// all of it.
func gzipHeader(b []byte) int {
	const extra, name, comment, checksum = 4, 8, 16, 2
	if len(b) < 10 || b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return 0
	}
	n, flags := 10, b[3]
	if flags&extra != 0 {
		if len(b) < n+2 {
			return 0
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
	}
	for _, flag := range []byte{name, comment} {
		if flags&flag == 0 || n > len(b) {
			continue
		}
		end := bytes.IndexByte(b[n:], 0)
		if end < 0 {
			return 0
		}
		n += end + 1
	}
	if flags&checksum != 0 {
		n += 2
	}
	if n > len(b) {
		return 0
	}
	return n
}

// isZlib tells whether data begin with the header of zlib.
func isZlib(b []byte) bool {
	return len(b) > 2 && b[0]&15 == 8 && b[0]>>4 < 8 && (uint(b[0])<<8|uint(b[1]))%31 == 0 && b[1]&0x20 == 0
}
