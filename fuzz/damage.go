package fuzz

import (
	"bytes"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
)

// damager changes samples at random. What it does follows from src alone.
type damager struct {
	src    generators.Source
	others [][]byte // bodies to splice from
}

// body makes between one and four changes to a body, in place where it can.
func (d *damager) body(b []byte) []byte {
	for range 1 + d.src.N(3)*d.src.N(2) {
		b = d.step(b)
	}
	return b
}

// step makes one change.
func (d *damager) step(b []byte) []byte {
	n := d.src.N
	if len(b) == 0 {
		return append(b, words[n(len(words))]...)
	}
	switch n(12) {
	case 0: // flip a bit
		b[n(len(b))] ^= 1 << n(8)
	case 1: // another byte
		b[n(len(b))] = byte(n(256))
	case 2: // leave out
		from, to := d.span(b)
		b = append(b[:from], b[to:]...)
	case 3: // say twice
		from, to := d.span(b)
		b = insert(b, to, string(b[from:to]))
	case 4: // end early
		b = b[:n(len(b)+1)]
	case 5, 6: // put a word in, at a place where one could stand
		b = insert(b, d.place(b), words[n(len(words))])
	case 7: // another value
		b = d.revalue(b)
	case 8: // another value, and again
		b = d.revalue(d.revalue(b))
	case 9: // another name, or a word for a word
		b = d.rename(b)
	case 10: // the head of this, the tail of another
		if len(d.others) > 0 {
			other := d.others[n(len(d.others))]
			b = append(b[:d.place(b)], other[d.place(other):]...)
		}
	case 11: // other line ends
		b = d.relines(b)
	}
	return b
}

// span is a short range of b, whole tokens half of the time.
func (d *damager) span(b []byte) (from, to int) {
	from = d.src.N(len(b))
	if d.src.N(2) == 0 {
		from = d.place(b)
	}
	return from, min(len(b), from+1+d.src.N(1<<d.src.N(6)))
}

// place is an offset in b, next to punctuation or a line end most of the time.
func (d *damager) place(b []byte) int {
	at := d.src.N(len(b) + 1)
	if d.src.N(8) == 0 {
		return at
	}
	if i := bytes.IndexAny(b[at:], "{}[]:,\"\r\n"); i >= 0 {
		return at + i + d.src.N(2)
	}
	return at
}

// revalue puts another value in the place of what follows a colon.
func (d *damager) revalue(b []byte) []byte {
	at := d.src.N(len(b) + 1)
	i := bytes.IndexByte(b[at:], ':')
	if i < 0 {
		at, i = 0, bytes.IndexByte(b, ':')
	}
	if i < 0 {
		return b
	}
	from := at + i + 1
	to := from + valueLength(b[from:])
	value := values[d.src.N(len(values))]
	if d.src.N(24) == 0 {
		depth := 90 + d.src.N(20)
		value = strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	return append(b[:from:from], append([]byte(value), b[to:]...)...)
}

// valueLength is how far what looks like a JSON value reaches.
func valueLength(b []byte) int {
	depth, inText := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return i
			}
		case c == ',' && depth == 0:
			return i
		}
	}
	return len(b)
}

// rename swaps a word that the rules read for one that resembles it.
func (d *damager) rename(b []byte) []byte {
	names := [...]string{
		`"jsonrpc"`, `"id"`, `"result"`, `"error"`, `"code"`, `"message"`, `"content"`, `"isError"`, `"resultType"`, `"type"`, `"text"`, `"method"`,
		`"inputRequests"`, `"requestState"`, `"_meta"`, `"data"`, `"2.0"`, `"complete"`, `"input_required"`, "data:", "event:", "message",
	}
	from := names[d.src.N(len(names))]
	i := bytes.Index(b, []byte(from))
	if i < 0 {
		return b
	}
	to := names[d.src.N(len(names))]
	switch d.src.N(4) {
	case 0:
		to = strings.ToUpper(from)
	case 1:
		to = strings.Replace(from, "e", `\u0065`, 1)
	}
	return append(b[:i:i], append([]byte(to), b[i+len(from):]...)...)
}

// relines changes one line end, or all.
func (d *damager) relines(b []byte) []byte {
	ends := [...]string{"\n", "\r\n", "\r", "\n\n", ""}
	from, to := ends[d.src.N(2)], ends[d.src.N(len(ends))]
	if d.src.N(2) == 0 {
		return bytes.ReplaceAll(b, []byte(from), []byte(to))
	}
	return bytes.Replace(b, []byte(from), []byte(to), 1+d.src.N(3))
}

func insert(b []byte, at int, text string) []byte {
	return append(b[:at:at], append([]byte(text), b[at:]...)...)
}

// headers changes one header field of s, which must be a clone.
func (d *damager) headers(s *Sample) {
	n := d.src.N
	h := s.Answer.Header
	switch n(7) {
	case 0, 1:
		h["Content-Type"] = []string{d.value(mediaTypes)}
	case 2:
		h["Content-Type"] = append(h["Content-Type"], d.value(mediaTypes))
	case 3:
		delete(h, "Content-Type")
	case 4:
		h["Content-Encoding"] = append(h["Content-Encoding"], d.value(encodings))
	case 5:
		h["Retry-After"] = append(h["Retry-After"], d.value(retries))
	case 6:
		h["Date"] = append(h["Date"], d.value(retries))
		h["Www-Authenticate"] = []string{"Bearer"}
	}
}

// value is one of all, damaged now and then.
func (d *damager) value(all []string) string {
	v := all[d.src.N(len(all))]
	if d.src.N(8) > 0 {
		return v
	}
	b := []byte(v)
	for range 1 + d.src.N(2) {
		if at := d.src.N(len(b) + 1); at < len(b) && d.src.N(2) == 0 {
			b[at] = byte(d.src.N(256))
		} else {
			b = insert(b, at, string(rune(d.src.N(256))))
		}
	}
	return strings.NewReplacer("\n", "", "\r", "").Replace(string(b)) // neither can stand in a field line
}

// sample changes what surrounds the body of s, which must be a clone, and often the body.
func (d *damager) sample(s *Sample) {
	n := d.src.N
	if s.NoAnswer {
		s.Answer.Ended = classifier.Ended(n(7))
		return
	}
	if n(8) > 0 {
		s.Answer.Body = d.body(s.Answer.Body)
	}
	if n(4) == 0 {
		d.headers(s)
	}
	if n(16) == 0 {
		s.Answer.Status = statuses[n(len(statuses))]
	}
	if n(16) == 0 {
		s.Answer.Ended = classifier.Ended(n(7))
	}
	if n(24) == 0 {
		s.Call.ID = ids[n(len(ids))]
	}
}

// ids are what takes the place of the request's id.
var ids = []classifier.ID{
	classifier.IntID(1), classifier.IntID(0), classifier.IntID(-1), classifier.IntID(2), classifier.IntID(1 << 53),
	classifier.StringID("1"), classifier.StringID(""), classifier.StringID("a"), classifier.StringID("\xed\xa0\x80"), classifier.StringID("é😀"), classifier.StringID("\ufffd"),
}
