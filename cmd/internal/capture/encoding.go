package capture

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var byteOrderMark = []byte("\xEF\xBB\xBF")

// plain is the input as UTF-8: one in UTF-16, as PowerShell's > writes it, is
// turned into it, which is noted. What is UTF-8 comes back as it was given.
func (in Input) plain(r *bufio.Reader) (*bufio.Reader, error) {
	head, err := r.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	order, mark := utf16Order(head)
	if order == nil {
		return r, nil
	}
	in.Note("%s: is UTF-16 (%s) and read as the UTF-8 that it stands for; if the body came over the wire like that, --from json judges its bytes as they are", in.Name, mark)
	decoder := unicode.UTF16(*order, unicode.UseBOM).NewDecoder()
	return bufio.NewReaderSize(transform.NewReader(r, decoder), peekSize), nil
}

// utf16Order tells the byte order of a text in UTF-16, and by what it shows; nil
// for one that is none.
func utf16Order(head []byte) (*unicode.Endianness, string) {
	little, big := unicode.LittleEndian, unicode.BigEndian
	switch {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return &little, "little-endian by its byte order mark"
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return &big, "big-endian by its byte order mark"
	case len(head) < 4:
		return nil, ""
	}
	// Without a mark: ASCII with a zero byte beside each of the first characters.
	even, odd := 0, 0
	pairs := min(len(head)/2, 8)
	for i := range pairs {
		if head[2*i] == 0 && head[2*i+1] != 0 {
			even++
		}
		if head[2*i+1] == 0 && head[2*i] != 0 {
			odd++
		}
	}
	switch {
	case odd == pairs:
		return &little, "little-endian by its zero bytes"
	case even == pairs:
		return &big, "big-endian by its zero bytes"
	}
	return nil, ""
}
