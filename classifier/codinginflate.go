package classifier

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
	"sync"
)

// The containers of gzip and zlib are read here and not by compress/gzip and
// compress/zlib, which cannot tell a further member that ends early from
// other bytes, nor a header that is damaged from one that is cut.

// inflate is a DEFLATE decoder that never reads past the end of its data.
type inflate struct{ r io.ReadCloser }

var inflaters sync.Pool // of io.ReadCloser made by flate.NewReader

func (f *inflate) reset(in *bufio.Reader) {
	if f.r == nil {
		if f.r, _ = inflaters.Get().(io.ReadCloser); f.r == nil {
			f.r = flate.NewReader(in)
			return
		}
	}
	// Only a flate reader is ever kept, and its Reset cannot fail.
	_ = f.r.(flate.Resetter).Reset(in, nil)
}

func (f *inflate) read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && err != io.EOF {
		f.release()
	}
	return n, err
}

func (f *inflate) release() {
	inflaters.Put(f.r)
	f.r = nil
}

// gzipReader undoes gzip (RFC 1952): one member or more, nothing else.
type gzipReader struct {
	in   *bufio.Reader
	data inflate
	part gzipPart
	crc  uint32
	size uint32
}

type gzipPart uint8

const (
	gzipHeader gzipPart = iota
	gzipData
	gzipTrailer
	gzipBetween // a further member or the end
)

func openGzip(in *bufio.Reader) (io.Reader, error) { return &gzipReader{in: in}, nil }

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		switch g.part {
		case gzipBetween:
			if _, err := g.in.Peek(1); err != nil {
				g.data.release()
				return 0, err
			}
			g.part = gzipHeader
		case gzipHeader:
			if err := g.header(); err != nil {
				return 0, midway(err)
			}
			g.data.reset(g.in)
			g.crc, g.size, g.part = 0, 0, gzipData
		case gzipData:
			n, err := g.data.read(p)
			g.crc = crc32.Update(g.crc, crc32.IEEETable, p[:n])
			g.size += uint32(n)
			if err == io.EOF {
				g.part, err = gzipTrailer, nil
			}
			if n > 0 || err != nil {
				return n, err
			}
		case gzipTrailer:
			var b [8]byte
			if _, err := io.ReadFull(g.in, b[:]); err != nil {
				return 0, midway(err)
			}
			if binary.LittleEndian.Uint32(b[:]) != g.crc || binary.LittleEndian.Uint32(b[4:]) != g.size {
				return 0, errDamaged
			}
			g.part = gzipBetween
		}
	}
}

const (
	gzipHasCRC = 1 << (iota + 1)
	gzipHasExtra
	gzipHasName
	gzipHasComment
	gzipReserved = 0xE0
)

// header reads one member's header byte by byte, so that the first byte that no
// header has is damage and a header that stops is an early end.
func (g *gzipReader) header() error {
	digest := crc32.NewIEEE()
	flags, err := g.fixedHeader(digest)
	if err != nil {
		return err
	}
	if flags&gzipHasExtra != 0 {
		low, err := g.headerByte(digest)
		if err != nil {
			return err
		}
		high, err := g.headerByte(digest)
		if err != nil {
			return err
		}
		for range int(low) | int(high)<<8 {
			if _, err := g.headerByte(digest); err != nil {
				return err
			}
		}
	}
	for _, text := range []byte{gzipHasName, gzipHasComment} {
		for flags&text != 0 {
			c, err := g.headerByte(digest)
			if err != nil {
				return err
			}
			if c == 0 {
				break
			}
		}
	}
	if flags&gzipHasCRC == 0 {
		return nil
	}
	// A part of a checksum proves nothing, here as in the trailer.
	var b [2]byte
	if _, err := io.ReadFull(g.in, b[:]); err != nil {
		return midway(err)
	}
	if binary.LittleEndian.Uint16(b[:]) != uint16(digest.Sum32()) {
		return errDamaged
	}
	return nil
}

func (g *gzipReader) fixedHeader(digest hash.Hash32) (flags byte, err error) {
	for i := range 10 {
		c, err := g.headerByte(digest)
		if err != nil {
			return 0, err
		}
		switch {
		case i < 3 && c != "\x1f\x8b\x08"[i], i == 3 && c&gzipReserved != 0:
			return 0, errDamaged
		case i == 3:
			flags = c
		}
	}
	return flags, nil
}

func (g *gzipReader) headerByte(digest hash.Hash32) (byte, error) {
	c, err := g.in.ReadByte()
	if err == nil {
		digest.Write([]byte{c})
	}
	return c, err
}

// deflateReader undoes deflate: zlib (RFC 1950), or the bare data (RFC 1951)
// that some servers send under that name.
type deflateReader struct {
	in    *bufio.Reader
	data  inflate
	zlib  bool
	ended bool
	sum   hash.Hash32
}

func openDeflate(in *bufio.Reader) (io.Reader, error) {
	d := &deflateReader{in: in, sum: adler32.New()}
	// One byte alone is no whole text either way, and no first byte of a zlib
	// header is damage to bare data.
	if head, err := in.Peek(2); err == nil && zlibHeader(head[0], head[1]) {
		d.zlib = true
		if _, err := in.Discard(2); err != nil {
			return nil, err
		}
	}
	d.data.reset(in)
	return d, nil
}

// zlibHeader tells whether the two bytes are a zlib header: method 8, a window
// of at most 32 KiB, a valid check, no preset dictionary.
func zlibHeader(cmf, flg byte) bool {
	return cmf&0x0F == 8 && cmf>>4 <= 7 && flg&0x20 == 0 && (uint(cmf)<<8|uint(flg))%31 == 0
}

func (d *deflateReader) Read(p []byte) (int, error) {
	if !d.ended {
		n, err := d.data.read(p)
		if d.zlib {
			d.sum.Write(p[:n])
		}
		if err == io.EOF {
			d.ended, err = true, nil
			d.data.release()
		}
		return n, err
	}
	if d.zlib {
		var b [4]byte
		if _, err := io.ReadFull(d.in, b[:]); err != nil {
			return 0, midway(err)
		}
		if binary.BigEndian.Uint32(b[:]) != d.sum.Sum32() {
			return 0, errDamaged
		}
	}
	return 0, io.EOF
}

// midway is the error of a source that may not end here.
func midway(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
