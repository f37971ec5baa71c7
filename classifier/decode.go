package classifier

import "net/http"

// Decode undoes the content codings that header names (rule 2), last to first, as
// [Classify] does: gzip, x-gzip, deflate as zlib data or bare, and those of
// [RegisterCoding]. Where header names none, plain is body itself; no bytes at
// all are no bytes under any coding. ok is false, and plain nil, if a coding is
// unknown, if the data is damaged, ends early or is followed by other bytes, and
// if a coding gives more than limit bytes or all together give 16 times as much.
// Zero or less is no limit.
func Decode(header http.Header, body []byte, limit int64) (plain []byte, ok bool) {
	codings, known := parseCodings(header)
	if !known {
		return nil, false
	}
	plain, state := decodeBody(codings, body, limitOf(limit))
	if state != codingWhole {
		return nil, false
	}
	return plain, true
}
