package classifier

import "net/http"

// encodedBody is a body whose content codings are undone when someone asks.
type encodedBody struct {
	header  http.Header
	raw     []byte
	encoded bool // a Content-Encoding line is there

	parsed  bool
	codings []string
	isKnown bool

	opened bool
	plain  []byte
	state  codingState
}

// known tells whether every coding can be undone. It needs the headers alone.
func (b *encodedBody) known() bool {
	if !b.encoded {
		return true
	}
	if !b.parsed {
		b.parsed = true
		b.codings, b.isKnown = parseCodings(b.header)
	}
	return b.isKnown
}

// open undoes the codings; all of them must be known.
func (b *encodedBody) open() ([]byte, codingState) {
	if b.opened {
		return b.plain, b.state
	}
	if !b.known() {
		return b.raw, codingWhole
	}
	b.opened = true
	b.plain, b.state = decodeBody(b.codings, b.raw, DefaultDecodedLimit)
	return b.plain, b.state
}

// empty tells whether no byte is left once the codings are undone, and all
// that was sent is there. Under an unknown coding nothing must have been sent.
func (b *encodedBody) empty() bool {
	plain, state := b.open()
	return len(plain) == 0 && state == codingWhole
}

// cutReason is the reason of rule 4, 0 if the body arrived whole.
func cutReason(ended Ended, state codingState) Reason {
	switch ended {
	case EndedEOF:
		switch state {
		case codingEarlyEnd:
			return ReasonBodyCut
		case codingOverLimit:
			return ReasonSizeLimit
		}
		return 0
	case EndedDeadline:
		return ReasonDeadline
	case EndedCancelled:
		return ReasonCancelled
	case EndedSizeLimit:
		return ReasonSizeLimit
	}
	return ReasonBodyCut
}

// bodyEndOf is how a body ended, as the record spells it.
func bodyEndOf(ended Ended, state codingState) BodyEnd {
	switch cutReason(ended, state) {
	case 0:
		return BodyComplete
	case ReasonDeadline:
		return BodyDeadline
	case ReasonCancelled:
		return BodyCancelled
	case ReasonSizeLimit:
		return BodySizeLimit
	}
	return BodyCut
}
