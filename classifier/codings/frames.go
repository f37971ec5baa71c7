package codings

import (
	"encoding/binary"
	"errors"
	"io"
)

var (
	errMagic = errors.New("codings: neither a zstd frame nor a skippable one")
	errBlock = errors.New("codings: a zstd block of the reserved type")
)

// frames passes the bytes of zstd frames on and follows their structure (RFC
// 8878, section 3.1), so that the end of the source is io.EOF between frames
// and io.ErrUnexpectedEOF inside one, and the first byte that begins no frame
// is an error. What the blocks hold is not looked at. Its errors stick.
type frames struct {
	src io.Reader
	err error

	part   framePart
	begun  bool   // inside a frame
	skip   uint64 // bytes to pass before the next part
	head   [4]byte
	have   int // bytes of head
	sum    bool
	isLast bool
}

type framePart uint8

const (
	partMagic framePart = iota
	partSkippable
	partDescriptor
	partBlock
	partBlockEnd
)

func (f *frames) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.src.Read(p)
	passed := f.follow(p[:n])
	switch {
	case f.err != nil: // other bytes; what came before them stands
	case err == io.EOF && f.inside():
		f.err = io.ErrUnexpectedEOF
	default:
		f.err = err
	}
	return passed, f.err
}

func (f *frames) inside() bool { return f.begun || f.skip > 0 }

// follow takes the bytes that belong to frames and tells how many those are.
func (f *frames) follow(p []byte) int {
	for i := 0; i < len(p); {
		if f.skip > 0 {
			n := min(f.skip, uint64(len(p)-i))
			f.skip -= n
			i += int(n)
			if f.skip > 0 {
				return len(p)
			}
			f.settle()
			continue
		}
		f.head[f.have] = p[i]
		f.have++
		if f.err = f.step(); f.err != nil {
			return i
		}
		i++
	}
	return len(p)
}

// step looks at the bytes of head, of which the last is new.
func (f *frames) step() error {
	f.begun = true
	switch f.part {
	case partMagic:
		if !magicPrefix(f.head[:f.have]) {
			return errMagic
		}
		if f.have == 4 {
			f.part, f.have = partDescriptor, 0
			if f.head[0] != 0x28 {
				f.part = partSkippable
			}
		}
	case partSkippable:
		if f.have == 4 {
			f.skip = uint64(binary.LittleEndian.Uint32(f.head[:]))
			f.part, f.have, f.isLast, f.sum = partBlockEnd, 0, true, false
			f.settle()
		}
	case partDescriptor:
		d := f.head[0]
		f.sum = d&(1<<2) != 0
		f.skip = [4]uint64{0, 1, 2, 4}[d&3] + [4]uint64{0, 2, 4, 8}[d>>6]
		if single := d&(1<<5) != 0; !single || d>>6 == 0 {
			f.skip++ // a window descriptor, or a content size of one byte
		}
		f.part, f.have = partBlock, 0
	case partBlock:
		if f.have == 3 {
			h := uint64(f.head[0]) | uint64(f.head[1])<<8 | uint64(f.head[2])<<16
			f.isLast, f.skip = h&1 != 0, h>>3
			switch h >> 1 & 3 {
			case 1: // one byte, repeated
				f.skip = 1
			case 3:
				return errBlock
			}
			f.part, f.have = partBlockEnd, 0
			f.settle()
		}
	}
	return nil
}

// settle moves on where everything of a part has passed.
func (f *frames) settle() {
	if f.skip > 0 || f.part != partBlockEnd {
		return
	}
	switch {
	case !f.isLast:
		f.part = partBlock
	case f.sum:
		f.sum, f.skip = false, 4
	default:
		f.part, f.begun = partMagic, false
	}
}

// magicPrefix tells whether some frame's magic number begins so.
func magicPrefix(b []byte) bool {
	magic := "\x28\xB5\x2F\xFD"
	if b[0]&0xF0 == 0x50 {
		magic = string(b[:1]) + "\x2A\x4D\x18"
	}
	return string(b) == magic[:len(b)]
}
