package generators

// Source is a source of choices. N returns a number from 0 to n-1; 0 is the
// ordinary choice. n is at least 1.
type Source interface {
	N(n int) int
}

// Plain is a fast source of pseudo-random choices, a splitmix generator: see
// [NewPlain].
type Plain struct{ state uint64 }

// NewPlain is a fast source of pseudo-random choices. Its numbers depend on
// the seed alone and are the same on every machine. The seed is hashed first,
// so that the choices of neighbouring seeds have nothing to do with each other.
func NewPlain(seed uint64) *Plain { return &Plain{mix(mix(seed+golden) ^ 0x5851f42d4c957f2d)} }

// PlainAt is the source that another one was when its [Plain.State] was asked.
func PlainAt(state uint64) *Plain { return &Plain{state} }

// State tells where the source stands in its choices, for [PlainAt].
func (p *Plain) State() uint64 { return p.state }

const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// N is the next choice.
func (p *Plain) N(n int) int {
	p.state += golden
	// The high half scaled to n; the bias is below n/2^32.
	return int(mix(p.state) >> 32 * uint64(n) >> 32)
}

// byteSource reads choices from bytes.
type byteSource struct{ data []byte }

// NewBytes is a source that reads its choices from bytes, such as those of a
// fuzz target: one byte a choice, two where there are more than 256
// possibilities, three where there are more than 65536. Once the bytes are
// used up, every choice is the ordinary one.
func NewBytes(data []byte) Source { return &byteSource{data} }

func (s *byteSource) N(n int) int {
	if n <= 1 {
		return 0
	}
	value := 0
	for limit := 1; limit < n; limit *= 256 {
		if len(s.data) == 0 {
			break
		}
		value = value<<8 | int(s.data[0])
		s.data = s.data[1:]
	}
	return value % n
}
