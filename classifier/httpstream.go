package classifier

import (
	"net/http"
	"slices"
)

// bodyUse is what the verdict on an answer needs of its body.
type bodyUse uint8

const (
	bodyUnread   bodyUse = iota // nothing: the headers settle it
	bodyWhole                   // all of it
	bodyInEvents                // its events, up to the deciding one
)

// useOf tells what the verdict on an answer with this head needs of its body.
// Where that is nothing, [Classify] on the head alone is the verdict; where it
// is the whole, Classify on all of it; where it is events, a stream of
// newHTTPStream, to which the decoded bytes are written.
func useOf(status int, header http.Header) bodyUse {
	var f fields
	f.read(header)
	body := encodedBody{header: header, encoded: f.contentEncoding != nil}
	kind, reason := mediaOf(f.contentType)
	switch {
	case status < 200 || status > 299:
		return bodyWhole
	case reason != 0 || !body.known():
		if bodyOptional(status) {
			return bodyWhole
		}
		return bodyUnread
	case kind == mediaStream:
		return bodyInEvents
	}
	return bodyWhole
}

// newHTTPStream is a stream whose verdict tells of the answer's head, which
// useOf must have found to need its events.
func newHTTPStream(call Call, status int, header http.Header, options ...StreamOption) *Stream {
	s := NewStream(call, options...)
	var f fields
	f.read(header)
	s.base = Verdict{Answered: true, Status: status, ContentType: firstLine(f.contentType), Date: firstLine(f.date), SyntaxOffset: -1}
	s.base.noteContentType(f.contentType)
	s.base.Findings = slices.Clip(s.base.Findings)
	return s
}
