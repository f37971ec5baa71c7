package capture

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// mostDecoded bounds what a coded body may decode to before it is sanitised.
const mostDecoded = 256 << 20

// Decoded is the body of an answer with its content codings undone; decoded
// is false, and the body as it was, where there is none or where that fails.
func Decoded(a *Answer) (body []byte, decoded bool) {
	var codings []string
	for _, h := range a.Headers {
		if strings.EqualFold(h.Name, "content-encoding") {
			for name := range strings.SplitSeq(h.Value, ",") {
				if name = strings.ToLower(strings.Trim(name, " \t")); name != "" && name != "identity" {
					codings = append(codings, name)
				}
			}
		}
	}
	if len(codings) == 0 || len(a.Body) == 0 || len(codings) > 4 {
		return a.Body, false
	}
	body = a.Body
	for i := len(codings) - 1; i >= 0; i-- {
		r, err := decoder(codings[i], bytes.NewReader(body))
		if err != nil {
			return a.Body, false
		}
		plain, err := io.ReadAll(io.LimitReader(r, mostDecoded+1))
		if err != nil || len(plain) > mostDecoded {
			return a.Body, false
		}
		body = plain
	}
	return body, true
}

func decoder(coding string, r io.Reader) (io.Reader, error) {
	switch coding {
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "deflate":
		return zlib.NewReader(r)
	case "br":
		return brotli.NewReader(r), nil
	case "zstd":
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostDecoded))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, io.ErrUnexpectedEOF
}
