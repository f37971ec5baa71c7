package classifier

import (
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
)

// Read judges a live response to one tools/call, as [Classify] would judge the
// same head and bytes. It reads no more than the verdict needs: of a stream up
// to the final response, with no more in memory than the largest event; of a
// JSON body or an HTTP error all; and of a media type or coding that cannot be
// read nothing. It always closes the body, at once if ctx ends: a context that
// is cancelled is the reason cancelled, one whose deadline passes deadline.
// Close may be called while Read of the body is under way, as net/http allows.
//
// A body that net/http has decompressed (resp.Uncompressed) is taken as it
// comes. There a single gzip member followed by fewer than ten other bytes
// looks like one that ends early.
//
// Of a coded body, what comes over the wire may be no more than a megabyte above
// what it may decode to, since a coding can go on for ever and give nothing.
// Codings that net/http undoes itself are out of reach: there a deadline helps.
// A stream with more than 16 codings is read to its end.
//
// For a POST that got no response see [NoAnswerFromError].
func Read(ctx context.Context, call Call, resp *http.Response, options ...ReadOption) Verdict {
	r, cancel := newReader(ctx, resp, options)
	defer cancel()
	v := r.read(call)
	r.close(&v)
	return v
}

// ReadNotification judges a live response to the POST of a notification, as
// [ClassifyNotification] would. Otherwise it is like [Read].
func ReadNotification(ctx context.Context, resp *http.Response, options ...ReadOption) Verdict {
	r, cancel := newReader(ctx, resp, options)
	defer cancel()
	v := classifyNotification(r.whole(r.failed(), true))
	r.close(&v)
	return v
}

// reader reads one response.
type reader struct {
	config  readConfig
	status  int
	header  http.Header
	fields  fields
	codings []string // to be undone here; nil if there are none or an unknown one
	known   bool
	decoded bool // the HTTP library has undone a coding
	wire    *wire
}

func newReader(ctx context.Context, resp *http.Response, options []ReadOption) (*reader, context.CancelFunc) {
	r := &reader{config: newReadConfig(options), status: resp.StatusCode, header: resp.Header, known: true, decoded: resp.Uncompressed}
	if r.decoded {
		r.header = withoutField(r.header, "Content-Encoding")
	}
	r.fields.read(r.header)
	if r.fields.contentEncoding != nil {
		if r.codings, r.known = parseCodings(r.header); !r.known {
			r.codings = nil
		}
	}
	cancel := context.CancelFunc(func() {})
	if r.config.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, r.config.timeout)
	}
	r.wire = newWire(ctx, resp.Body, r.config.idle, promised(resp))
	return r, cancel
}

// promised is the Content-Length that the body must reach, 0 for none.
// net/http checks it itself; other transports may not.
func promised(resp *http.Response) int64 {
	bodiless := resp.StatusCode < 200 || resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusNotModified ||
		resp.Request != nil && resp.Request.Method == http.MethodHead
	if resp.Uncompressed || bodiless {
		return 0
	}
	return max(resp.ContentLength, 0)
}

func withoutField(header http.Header, name string) http.Header {
	header = maps.Clone(header)
	maps.DeleteFunc(header, func(key string, _ []string) bool { return equalFold(key, name) })
	return header
}

func (r *reader) read(call Call) Verdict {
	switch useOf(r.status, r.header) {
	case bodyUnread:
		return Classify(call, Answer{Status: r.status, Header: r.header})
	case bodyInEvents:
		return r.events(call)
	}
	_, unreadable := mediaOf(r.fields.contentType)
	if bodyOptional(r.status) && (unreadable != 0 || !r.known) {
		return r.optional(call)
	}
	a, f, body := r.whole(true, r.failed())
	return classify(call, a, f, body)
}

// failed tells whether the status is that of an HTTP error.
func (r *reader) failed() bool { return r.status < 200 || r.status > 299 }

// close ends the wire. Where the verdict needed no more of the body, its end is
// waited for a little, so that the connection can be used again.
func (r *reader) close(v *Verdict) {
	if v.Ended == BodySettledEarly {
		r.wire.drain(r.config.linger)
	}
	r.wire.close()
}

// limit is how much the body may come to once its codings are undone.
func (r *reader) limit() int64 {
	if r.decoded || len(r.codings) > 0 {
		return r.config.decoded
	}
	return limitOf(0)
}

// end tells what an error says of the body and of its coding.
func (r *reader) end(err error) (Ended, codingState) {
	source, isSource := err.(*sourceError)
	if isSource {
		err = source.err
	} else if state := stateOf(err); state != codingWhole {
		return EndedEOF, state
	}
	switch {
	case err == io.EOF:
		return EndedEOF, codingWhole
	case r.wire.cause != EndedEOF:
		return r.wire.cause, codingWhole
	case r.decoded && isGzipDamage(err):
		return EndedEOF, codingDamaged
	}
	return endedOf(err), codingWhole
}

// whole reads all of the body, as far as the limits allow, and keeps it, or
// only whether it is empty. Past damage to a coding it goes on only if toEnd
// says that how the body ends matters still.
func (r *reader) whole(keep, toEnd bool) (*Answer, *fields, *encodedBody) {
	a := &Answer{Status: r.status, Header: r.header}
	body := &encodedBody{header: r.header, encoded: true, parsed: true, isKnown: r.known, opened: true}
	keep = keep && r.known
	limit := min(r.config.body, r.limit())
	var size int64
	next := r.pieces(limit, false)
	for {
		piece, err := next()
		if size += int64(len(piece)); size > limit {
			a.Ended = EndedSizeLimit
			return a, &r.fields, body
		}
		if keep {
			body.plain = append(room(body.plain, len(piece), r.wire.want), piece...)
		} else if size > 0 {
			body.plain = []byte{0}
		}
		if err == nil {
			continue
		}
		var state codingState
		if a.Ended, state = r.end(err); body.state == codingWhole {
			body.state = state
		}
		if state != codingDamaged || !toEnd {
			return a, &r.fields, body
		}
		keep, toEnd, next = false, false, r.wire.next
	}
}

// room is b with room for n more bytes. It doubles what is there, and at first
// believes a Content-Length of up to a megabyte.
func room(b []byte, n int, promised int64) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return slices.Grow(b, max(n, len(b), int(min(promised, 1<<20))-len(b)))
}

// optional is a status of rule 3 whose body cannot be read: only whether there
// is any counts.
func (r *reader) optional(call Call) Verdict {
	ended := EndedReset
	if _, err := r.pieces(r.limit(), false)(); err != nil { // and so no byte
		if end, state := r.end(err); state == codingWhole {
			ended = end
		}
	}
	return Classify(call, Answer{Status: r.status, Header: r.header, Ended: ended})
}

// events reads a stream up to the final response.
func (r *reader) events(call Call) Verdict {
	s := newHTTPStream(call, r.status, r.header, EventLimit(r.config.event))
	left := r.limit()
	for next := r.pieces(left, true); ; {
		piece, err := next()
		if int64(len(piece)) > left {
			piece, err = piece[:left], errOverLimit
		}
		left -= int64(len(piece))
		s.Write(piece)
		if s.Settled() {
			return s.Close(EndedEOF)
		}
		if err != nil {
			return s.finish(r.end(err))
		}
	}
}

// pieces gives the decoded body piece by piece; each is good until the next.
func (r *reader) pieces(limit int64, exact bool) func() ([]byte, error) {
	if len(r.codings) == 0 {
		return r.wire.next
	}
	d := newDecoder(slices.Clip(r.codings), &codedBytes{r: r.wire, left: codedLimit(limit)}, limit, exact)
	buf := make([]byte, 16<<10)
	return func() ([]byte, error) {
		n, err := d.Read(buf)
		return buf[:n], err
	}
}
