package classifier

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// DefaultDecodedLimit is how many bytes a coded body may decode to, for
// [Classify] and, where the caller sets no other limit, for [Read]. Passing it
// is rule 4, reason size-limit. No coding of a chain may pass it, nor all
// together 16 times as much.
const DefaultDecodedLimit = 256 << 20

// registry holds the codings that RegisterCoding added, by name.
var registry struct {
	sync.RWMutex
	open map[string]func(io.Reader) (io.Reader, error)
}

// RegisterCoding makes a content coding known to [Classify] and [Read] under
// name, which is compared without regard to case; gzip, x-gzip, deflate and
// identity are known already. The package classifier/codings registers br and
// zstd. RegisterCoding panics if open is nil or if name is empty, holds a
// comma or is known.
//
// open is called with a source that has at least one byte. What it returns
// gives io.EOF after the end of the coding, io.ErrUnexpectedEOF where the
// source gave io.EOF before that, the source's own errors as they are, and any
// other error for damage. Bytes that it leaves unread after the end are damage
// too. Where the bytes decoded before an error matter, the source hands out
// one byte at a time, so that they do not depend on how the body was cut into
// reads.
func RegisterCoding(name string, open func(io.Reader) (io.Reader, error)) {
	key := strings.ToLower(strings.Trim(name, " \t"))
	if key == "" || strings.Contains(key, ",") || open == nil {
		panic("classifier: register coding " + name + ": want a name without a comma and a function")
	}
	registry.Lock()
	defer registry.Unlock()
	if _, twice := registry.open[key]; twice || builtinCoding(key) || key == "x-gzip" || key == "identity" {
		panic("classifier: register coding " + name + ": it is known already")
	}
	if registry.open == nil {
		registry.open = make(map[string]func(io.Reader) (io.Reader, error))
	}
	registry.open[key] = open
}

func builtinCoding(name string) bool { return name == "gzip" || name == "deflate" }

func registeredCoding(name string) func(io.Reader) (io.Reader, error) {
	registry.RLock()
	defer registry.RUnlock()
	return registry.open[name]
}

// parseCodings lists the codings of all Content-Encoding lines in the order in
// which they were applied, lower-cased, x-gzip as gzip, empty ones and identity
// dropped. known is false if one of them cannot be undone (rule 2).
func parseCodings(header http.Header) (list []string, known bool) {
	known = true
	for _, line := range headerLines(header, "Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			name = strings.ToLower(strings.Trim(name, " \t"))
			switch name {
			case "", "identity":
				continue
			case "x-gzip":
				name = "gzip"
			}
			if !builtinCoding(name) && registeredCoding(name) == nil {
				known = false
			}
			list = append(list, name)
		}
	}
	return list, known
}

// codingState tells how undoing the codings of a body ended.
type codingState uint8

const (
	codingWhole     codingState = iota // all of it was decoded
	codingEarlyEnd                     // the coded data ends before its coding does
	codingDamaged                      // the data or a checksum is wrong, or other bytes follow
	codingOverLimit                    // it decodes to more than the limit
)

// The errors with which a decoder ends, besides io.EOF and *sourceError.
var (
	errEarlyEnd  = errors.New("classifier: the coded body ends early")
	errDamaged   = errors.New("classifier: the coded body is damaged")
	errOverLimit = errors.New("classifier: the decoded body passes the limit")
)

// sourceError is an error of the body itself, met below all codings.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return "classifier: read body: " + e.err.Error() }

// decodeBody undoes known codings, last to first, and returns whatever was
// decoded, also before an error: at most limit bytes.
func decodeBody(codings []string, body []byte, limit int64) (plain []byte, state codingState) {
	if len(codings) == 0 || len(body) == 0 {
		return body, codingWhole
	}
	plain, state = decodeAll(newDecoder(codings, bytes.NewReader(body), limit, false), len(body))
	if state == codingDamaged && slices.ContainsFunc(codings, func(name string) bool { return !builtinCoding(name) }) {
		// A registered decoder may have lost what it had decoded when it met the damage.
		plain, state = decodeAll(newDecoder(codings, bytes.NewReader(body), limit, true), len(body))
	}
	return plain, state
}

func decodeAll(r io.Reader, hint int) ([]byte, codingState) {
	plain := make([]byte, 0, max(512, min(4*hint, 1<<20)))
	err := readTo(&plain, r)
	return plain, stateOf(err)
}

// readTo appends what r gives to b, and returns the error with which it ended.
func readTo(b *[]byte, r io.Reader) error {
	for {
		*b = room(*b, 1, 0)
		n, err := r.Read((*b)[len(*b):cap(*b)])
		*b = (*b)[:len(*b)+n]
		if err != nil {
			return err
		}
	}
}

// stateOf is the state that an error of a decoder stands for; an error of the
// source is none of the coding's.
func stateOf(err error) codingState {
	switch err {
	case errEarlyEnd:
		return codingEarlyEnd
	case errDamaged:
		return codingDamaged
	case errOverLimit:
		return codingOverLimit
	}
	return codingWhole
}
