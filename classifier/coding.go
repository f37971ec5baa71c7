package classifier

import (
	"net/http"
	"strings"
)

// DefaultDecodedLimit is how large a body may become when its content codings
// are undone, in bytes.
const DefaultDecodedLimit = 256 << 20

type codingState uint8

const (
	codingWhole codingState = iota
	codingEarlyEnd
	codingDamaged
	codingOverLimit
)

func parseCodings(header http.Header) (list []string, known bool) {
	known = true
	for _, line := range headerLines(header, "Content-Encoding") {
		for _, name := range strings.Split(line, ",") {
			name = strings.ToLower(strings.Trim(name, " \t"))
			if name != "" && name != "identity" {
				list, known = append(list, name), false
			}
		}
	}
	return list, known
}

func decodeBody(codings []string, body []byte, limit int64) (plain []byte, state codingState) {
	return body, codingWhole
}
