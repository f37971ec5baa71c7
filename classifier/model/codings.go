package model

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/replyproof/replyproof/classifier"
)

// ErrEarlyEnd is what a decoder returns when its data ends too early; any other
// error means that the data is damaged.
var ErrEarlyEnd = errors.New("model: coded data ends early")

var errDamaged = errors.New("model: coded data is damaged")

// Decoders undo content codings, by lower-case name. A decoder returns what it
// could decode before the error.
type Decoders map[string]func([]byte) ([]byte, error)

// state tells what became of a body when its codings were undone.
type state uint8

const (
	whole state = iota
	endedEarly
	damaged
	tooLarge
	unknownCoding
)

// body is a body with its codings undone, as far as that went.
type body struct {
	plain []byte
	state state
}

// undoCodings undoes the content codings, the last one first: rule 2.
func (c *judging) undoCodings() body {
	var names []string
	for _, value := range lines(c.answer.Header, "Content-Encoding") {
		for name := range strings.SplitSeq(value, ",") {
			name = lower(trim(name))
			if name == "" || name == "identity" && !c.has(IdentityUnknown) || c.has(UnknownCodingPassed) && c.decoder(name) == nil {
				continue
			}
			names = append(names, name)
		}
	}
	b := body{plain: c.answer.Body}
	if len(names) == 0 || c.has(CodingIgnored) {
		return b
	}
	for _, name := range names {
		if c.decoder(name) == nil {
			return body{state: unknownCoding}
		}
	}
	if c.has(CodingsInOrder) {
		slices.Reverse(names)
	}
	limit := c.Limit
	if limit == 0 {
		limit = classifier.DefaultDecodedLimit
	}
	left := 16 * limit // for all codings together
	for i := len(names) - 1; i >= 0 && len(b.plain) > 0; i-- {
		plain, err := c.decoder(names[i])(b.plain)
		b.plain = plain
		most := min(limit, left)
		left -= min(len(plain), most)
		switch {
		case len(plain) > most:
			b = body{plain: plain[:most], state: tooLarge}
		case err == nil:
		case !errors.Is(err, ErrEarlyEnd):
			b.state = damaged
		case b.state == whole:
			b.state = endedEarly // else it is the fault of the coding around it
		}
	}
	if b.state == endedEarly && c.has(CodingCutTaken) {
		b.state = whole
	}
	return b
}

// decoder is nil for an unknown coding.
func (c *judging) decoder(name string) func([]byte) ([]byte, error) {
	switch name {
	case "gzip", "x-gzip":
		if c.has(XGzipUnknown) && name == "x-gzip" {
			return nil
		}
		return c.gunzip
	case "deflate":
		return c.inflate
	}
	return c.Decoders[name]
}

// gunzip undoes gzip (RFC 1952): one member after another, and nothing else.
func (c *judging) gunzip(data []byte) ([]byte, error) {
	var plain []byte
	if c.has(ClaimedCodingSniffed) && len(data) > 0 && data[0] >= ' ' && data[0] < 0x7F {
		return data, nil
	}
	for {
		header, err := gzipHeader(data)
		if err != nil {
			return plain, err
		}
		member, rest, err := deflated(data[header:])
		plain = append(plain, member...)
		if err != nil {
			return plain, err
		}
		if len(rest) < 8 {
			return plain, ErrEarlyEnd
		}
		if !c.has(ChecksumIgnored) && (binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(member) ||
			binary.LittleEndian.Uint32(rest[4:]) != uint32(len(member))) {
			return plain, errDamaged
		}
		data = rest[8:]
		if len(data) == 0 || c.has(FirstGzipMemberOnly) {
			return plain, nil
		}
	}
}

// gzipHeader is the length of the header of the gzip member that begins data.
func gzipHeader(data []byte) (int, error) {
	magic := []byte{0x1f, 0x8b, 8}
	if n := min(len(data), len(magic)); !bytes.Equal(data[:n], magic[:n]) {
		return 0, errDamaged
	}
	const hasHeaderCRC, hasExtra, hasName, hasComment, reserved = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 7 << 5
	if len(data) > 3 && data[3]&reserved != 0 {
		return 0, errDamaged // RFC 1952, section 2.3.1.2
	}
	if len(data) < 10 {
		return 0, ErrEarlyEnd
	}
	flags := data[3]
	at := 10
	if flags&hasExtra != 0 {
		if len(data) < at+2 {
			return 0, ErrEarlyEnd
		}
		at += 2 + int(binary.LittleEndian.Uint16(data[at:]))
		if len(data) < at {
			return 0, ErrEarlyEnd
		}
	}
	for _, flag := range []byte{hasName, hasComment} {
		if flags&flag != 0 {
			n := bytes.IndexByte(data[at:], 0)
			if n < 0 {
				return 0, ErrEarlyEnd
			}
			at += n + 1
		}
	}
	if flags&hasHeaderCRC != 0 {
		if len(data) < at+2 {
			return 0, ErrEarlyEnd
		}
		if binary.LittleEndian.Uint16(data[at:]) != uint16(crc32.ChecksumIEEE(data[:at])) {
			return 0, errDamaged
		}
		at += 2
	}
	return at, nil
}

// inflate undoes deflate: zlib (RFC 1950), or raw where no zlib header without
// a preset dictionary begins the data.
func (c *judging) inflate(data []byte) ([]byte, error) {
	if !isZlib(data) {
		if c.has(RawDeflateRefused) {
			return nil, errDamaged
		}
		plain, rest, err := deflated(data)
		if err == nil && len(rest) > 0 {
			err = errDamaged
		}
		return plain, err
	}
	plain, rest, err := deflated(data[2:])
	switch {
	case err != nil:
		return plain, err
	case len(rest) < 4:
		return plain, ErrEarlyEnd
	case len(rest) > 4, binary.BigEndian.Uint32(rest) != adler32.Checksum(plain) && !c.has(ChecksumIgnored):
		return plain, errDamaged
	}
	return plain, nil
}

// inflaters are decoders of package flate, each of which is some 40 KB.
var inflaters sync.Pool

func isZlib(data []byte) bool {
	return len(data) >= 2 && data[0]&15 == 8 && data[0]>>4 <= 7 && // deflate, window of 32 KiB at most
		(int(data[0])<<8|int(data[1]))%31 == 0 && data[1]&32 == 0 // check bits, no dictionary
}

// deflated undoes one raw deflate stream (RFC 1951) and hands back what follows it.
func deflated(data []byte) (plain, rest []byte, err error) {
	from := bytes.NewReader(data) // an io.ByteReader, of which nothing is read beyond the stream
	decoder, ok := inflaters.Get().(io.Reader)
	if !ok {
		decoder = flate.NewReader(from)
	} else if err := decoder.(flate.Resetter).Reset(from, nil); err != nil {
		return nil, nil, err
	}
	plain, err = io.ReadAll(decoder)
	inflaters.Put(decoder)
	switch {
	case err == nil:
		return plain, data[len(data)-from.Len():], nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return plain, nil, ErrEarlyEnd
	}
	return plain, nil, errDamaged
}
