package minimal

import (
	"bytes"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
)

// mostUnits bounds the texts that are reduced byte by byte.
const mostUnits = 1 << 16

// body makes the body smaller by its structure, and by bytes where it has none.
func (m *minimizer) body() {
	if len(m.best.Body) == 0 || m.tryBody(nil) {
		return
	}
	if isStream(m.best) && m.best.Headers.Get("content-encoding") == "" {
		m.stream()
		return
	}
	m.best.Body = m.text(m.best.Body, m.tryBody)
}

// text reduces a text: JSON as such, anything else by characters.
func (m *minimizer) text(text []byte, holds func([]byte) bool) []byte {
	text = peel(text, holds)
	if small, ok := reduceJSON(text, holds); ok {
		return small
	}
	return reduceText(text, holds)
}

// peel makes deep nesting shallower: it takes equal numbers of brackets away
// from the longest runs of opening and of closing ones.
func peel(text []byte, holds func([]byte) bool) []byte {
	for length := len(text) / 2; length >= 8; {
		open, close := longest(text, '['), longest(text, ']')
		length = min(length, open[1], close[1])
		if length < 8 {
			break
		}
		rest := bytes.Join([][]byte{text[:open[0]], text[open[0]+length : close[0]], text[min(close[0]+length, len(text)):]}, nil)
		if open[0] < close[0] && holds(rest) {
			text = rest
		} else {
			length /= 2
		}
	}
	return text
}

// longest is where the longest run of a byte begins, and its length.
func longest(text []byte, of byte) (run [2]int) {
	for at := 0; at < len(text); {
		n := 0
		for at+n < len(text) && text[at+n] == of {
			n++
		}
		if n > run[1] {
			run = [2]int{at, n}
		}
		at += max(n, 1)
	}
	return run
}

// reduceText leaves out characters, or bytes that are none.
func reduceText(text []byte, holds func([]byte) bool) []byte {
	units := characters(text)
	if len(units) > mostUnits {
		return text
	}
	keep := reduce(len(units), func(keep []int) bool { return holds(bytes.Join(pick(units, keep), nil)) })
	return bytes.Join(pick(units, keep), nil)
}

func characters(text []byte) [][]byte {
	var units [][]byte
	for len(text) > 0 {
		_, n := utf8.DecodeRune(text)
		units = append(units, text[:n:n])
		text = text[n:]
	}
	return units
}

// stream reduces an event stream: events, then lines, then the data of each line.
func (m *minimizer) stream() {
	m.units(events(m.best.Body))
	m.units(lines(m.best.Body))
	m.lineEnds()
	for i := 0; ; i++ {
		all := capture.StreamLines(m.best.Body)
		if i >= len(all) {
			break
		}
		body, l := m.best.Body, all[i]
		from := l.Start
		if l.Data {
			from = l.Value
		}
		around := func(part []byte) []byte { return bytes.Join([][]byte{body[:from], part, body[l.End:]}, nil) }
		m.best.Body = around(m.text(body[from:l.End], func(part []byte) bool { return m.tryBody(around(part)) }))
		if body = m.best.Body; l.Data && body[l.Value-1] == ' ' {
			m.tryBody(bytes.Join([][]byte{body[:l.Value-1], body[l.Value:]}, nil))
		}
	}
	if len(m.best.Body) < 4096 {
		m.best.Body = reduceText(m.best.Body, m.tryBody)
	}
}

func (m *minimizer) units(all [][]byte) {
	keep := reduce(len(all), func(keep []int) bool { return m.tryBody(bytes.Join(pick(all, keep), nil)) })
	m.best.Body = bytes.Join(pick(all, keep), nil)
}

// lineEnds writes every line end as LF.
func (m *minimizer) lineEnds() {
	var plain []byte
	for _, l := range capture.StreamLines(m.best.Body) {
		plain = append(plain, m.best.Body[l.Start:l.End]...)
		if l.Next > l.End {
			plain = append(plain, '\n')
		}
	}
	if !bytes.Equal(plain, m.best.Body) {
		m.tryBody(plain)
	}
}

func lines(body []byte) [][]byte {
	var all [][]byte
	for _, l := range capture.StreamLines(body) {
		all = append(all, body[l.Start:l.Next:l.Next])
	}
	return all
}

// events are runs of lines up to an empty one.
func events(body []byte) [][]byte {
	var all [][]byte
	start := 0
	for _, l := range capture.StreamLines(body) {
		if l.Start == l.End || l.Next == len(body) {
			all = append(all, body[start:l.Next:l.Next])
			start = l.Next
		}
	}
	return all
}

// withID puts 1 in place of an id wherever it is that of a message.
func withID(body []byte, id classifier.ID, stream bool) []byte {
	if !stream {
		return messageID(body, id)
	}
	var out []byte
	for _, l := range capture.StreamLines(body) {
		from := l.Start
		if l.Data {
			from = l.Value
			out = append(out, body[l.Start:from]...)
		}
		out = append(append(out, messageID(body[from:l.End], id)...), body[l.End:l.Next]...)
	}
	return out
}

func messageID(text []byte, id classifier.ID) []byte {
	v, ok := jsonspan.Parse(text)
	if !ok || v.Kind != '{' {
		return text
	}
	var edits []jsonspan.Edit
	for _, item := range v.Items {
		if item.Name(text) != "id" {
			continue
		}
		if own, ok := capture.ReadID(text[item.Value.Start:item.Value.End]); ok && own == id {
			edits = append(edits, jsonspan.Edit{Start: item.Value.Start, End: item.Value.End, With: []byte("1")})
		}
	}
	return jsonspan.Apply(text, edits)
}
