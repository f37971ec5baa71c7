package downstream

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strings"
)

// decoded undoes the content codings of a body as far as they go. sound is false
// for a coding that it does not know, and for data that are damaged or cut.
func decoded(header http.Header, body []byte) (plain []byte, sound bool) {
	codings := strings.Split(strings.ToLower(strings.Join(header.Values("Content-Encoding"), ",")), ",")
	sound = true
	for _, coding := range slices.Backward(codings) {
		var r io.Reader
		var err error
		rest := bytes.NewReader(body)
		switch strings.Trim(coding, " \t") {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			r, err = gzip.NewReader(rest)
		case "deflate":
			if r, err = zlib.NewReader(rest); err != nil {
				rest.Reset(body)
				r, err = flate.NewReader(rest), nil
			}
		default:
			return nil, false
		}
		if err != nil {
			return nil, false
		}
		body, err = io.ReadAll(r)
		sound = sound && err == nil && rest.Len() == 0
	}
	return body, sound
}
