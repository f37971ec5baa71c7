package generators

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// CodingFact is what undoing the codings comes to.
type CodingFact uint8

// The facts.
const (
	CodingWhole   CodingFact = iota // the body is decoded whole
	CodingUnknown                   // a coding that nobody knows
	CodingDamaged                   // the data, its checksum or what follows is wrong
	CodingEarly                     // the data ends early
)

// Coding is the Content-Encoding of an answer.
type Coding struct {
	Lines []string // values of the header lines, nil for none
	// Chain are the codings in the order in which they are applied.
	Chain []Coder
	Fact  CodingFact
	// Hidden is set where damage or an early end comes before the first byte
	// of the text; otherwise all of the text comes before it.
	Hidden bool
	// Damage is done to the coded bytes.
	Damage Damage
}

// Coder is one coding. All of them store the text rather than compress it.
type Coder uint8

// The coders.
const (
	CoderGzip      Coder = iota + 1
	CoderGzipTwo         // two gzip members, the text split in the middle
	CoderGzipNamed       // a gzip member with name, comment and extra field
	CoderZlib
	CoderRaw // deflate with no zlib header
)

// Damage is what is done to coded bytes.
type Damage struct {
	Drop   int    // bytes taken off the end
	Keep   int    // with Drop < 0: bytes kept from the start
	Append string // bytes added at the end
	Flip   int    // one more than the index of a byte that is inverted; negative: from the end
}

const (
	storedHeader = 5
	storedLimit  = 65535
)

// appendStored appends text as stored deflate blocks.
func appendStored(dst, text []byte) []byte {
	for {
		n := min(len(text), storedLimit)
		final := byte(0)
		if n == len(text) {
			final = 1
		}
		dst = append(dst, final, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		dst = append(dst, text[:n]...)
		text = text[n:]
		if final == 1 {
			return dst
		}
	}
}

func appendGzip(dst, text []byte, named bool) []byte {
	if named {
		dst = append(dst, 0x1f, 0x8b, 8, 0x1c, 0, 0, 0, 0, 0, 255)
		dst = append(dst, 3, 0, 'a', 'b', 'c')
		dst = append(dst, "reply.json\x00a comment\x00"...)
	} else {
		dst = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
	}
	dst = appendStored(dst, text)
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(text))
	return binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
}

// appendCoded appends text under one coding.
func appendCoded(dst, text []byte, coder Coder) []byte {
	switch coder {
	case CoderGzip:
		return appendGzip(dst, text, false)
	case CoderGzipNamed:
		return appendGzip(dst, text, true)
	case CoderGzipTwo:
		half := len(text) / 2
		return appendGzip(appendGzip(dst, text[:half], false), text[half:], false)
	case CoderZlib:
		dst = append(dst, 0x78, 0x01)
		dst = appendStored(dst, text)
		return binary.BigEndian.AppendUint32(dst, adler32.Checksum(text))
	default:
		return appendStored(dst, text)
	}
}

// appendDamaged does the damage to the coded bytes that begin at from.
func appendDamaged(dst []byte, from int, d Damage) []byte {
	if d.Drop < 0 {
		dst = dst[:from+min(d.Keep, len(dst)-from)]
	} else {
		dst = dst[:max(from, len(dst)-d.Drop)]
	}
	if d.Flip > 0 && from+d.Flip <= len(dst) {
		dst[from+d.Flip-1] ^= 0xff
	}
	if d.Flip < 0 && len(dst)+d.Flip >= from {
		dst[len(dst)+d.Flip] ^= 0xff
	}
	return append(dst, d.Append...)
}

// visible is how much of length bytes of text comes out of the first n coded
// bytes of a text under the coder.
func (coder Coder) visible(n, length int) int {
	header := 0
	switch coder {
	case CoderGzip, CoderGzipTwo:
		header = 10
	case CoderGzipNamed:
		header = 10 + 5 + 21
	case CoderZlib:
		header = 2
	}
	first := length
	if coder == CoderGzipTwo {
		first = length / 2
	}
	got := stored(n-header, first)
	if coder == CoderGzipTwo && got == first {
		blocks := max(1, (first+storedLimit-1)/storedLimit)
		got += stored(n-header-first-blocks*storedHeader-8-header, length-first)
	}
	return got
}

// stored is how much of length bytes of text comes out of the first n bytes of
// its stored blocks.
func stored(n, length int) int {
	got := 0
	for n > storedHeader && got < length {
		block := min(n-storedHeader, length-got, storedLimit)
		got += block
		n -= storedHeader + block
	}
	return got
}
