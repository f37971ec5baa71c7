package generators

import (
	"bytes"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// placed is an event in a stream that has been written.
type placed struct {
	event *Event // nil for the final event
	end   int    // bytes of the stream after which it is dispatched; -1 if it never is
}

// The line ends of a frame.
const (
	linesNone = iota
	linesLF
	linesCRLF
	linesCR
	linesMixed
)

var notifications = [...]Event{
	{Kind: EventNotification, Lines: []string{`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}`}},
	{Kind: EventNotification, Lines: []string{"event: message", `data: {"jsonrpc":"2.0","method":"notifications/message",`, `data: "params":{"level":"info","data":"working"}}`}},
	{Kind: EventNotification, Lines: []string{"id: 7", `data:{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`}},
}

var afterNotification = Event{Kind: EventNotification, Lines: []string{`data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"late"}}`}}

var longComment = ":" + strings.Repeat(" keep-alive", 100)

// lineEnd ends a line. A line of no bytes is empty; a lone CR is never followed
// by the LF of an empty line, which would be the same line end.
func (d *Renderer) lineEnd(empty bool) {
	lines := d.plan.frame.Lines
	if lines == linesMixed {
		lines = linesLF + uint8((len(d.plain)*7/3)%3)
		if lines == linesLF && empty && len(d.plain) > 0 && d.plain[len(d.plain)-1] == '\r' {
			lines = linesCR
		}
	}
	switch lines {
	case linesCRLF:
		d.plain = append(d.plain, '\r', '\n')
	case linesCR:
		d.plain = append(d.plain, '\r')
	default:
		d.plain = append(d.plain, '\n')
	}
}

func (d *Renderer) line(text string) {
	d.plain = append(d.plain, text...)
	d.lineEnd(text == "")
}

// blank ends an event and tells after how many bytes it is dispatched: a CR
// ends a line at once, also where an LF follows.
func (d *Renderer) blank() int {
	from := len(d.plain)
	d.lineEnd(true)
	return from + 1
}

// event writes an event beside the final one, up to its blank line.
func (d *Renderer) event(e *Event) {
	for _, text := range e.Lines {
		d.lineOf(text)
	}
}

// lineOf writes a line in which the placeholder stands for the request's id.
func (d *Renderer) lineOf(text string) {
	if strings.Contains(text, corpus.Placeholder) {
		text = strings.ReplaceAll(text, corpus.Placeholder, d.plan.Req.Raw)
	}
	d.line(text)
}

// writeStream writes the event stream around the text.
func (d *Renderer) writeStream() {
	p := &d.plan
	s := &p.Stream
	for range s.Marks {
		d.plain = append(d.plain, 0xEF, 0xBB, 0xBF)
	}
	switch {
	case s.Marks > 1 && s.Spoilt != "":
		d.event(&Event{Lines: []string{s.Spoilt}})
		d.blank()
	case s.Marks > 1:
		d.line(": spoilt by the second mark")
	}
	switch p.frame.Comments {
	case 1:
		d.line(": connected")
		d.blank()
	case 3:
		d.line(longComment)
		d.blank()
	}
	for i := range p.frame.Notifications {
		d.placed(&notifications[i])
	}
	for i := range s.Before {
		d.placed(&s.Before[i])
	}
	if !s.NoFinal {
		d.writeFinal()
	}
	if s.Tail == TailLine || s.Tail == TailNothing {
		return
	}
	for i := range s.After {
		d.placed(&s.After[i])
	}
	switch p.frame.After {
	case 1:
		d.line(": bye")
		d.blank()
	case 2:
		d.placed(&afterNotification)
	}
	if s.Tail == TailComments {
		d.plain = append(d.plain, ": not ended"...)
	}
}

// placed writes an event whole and books where it is dispatched.
func (d *Renderer) placed(e *Event) {
	d.event(e)
	end := d.blank()
	if e.Kind == EventNone {
		end = -1
	}
	d.events = append(d.events, placed{e, end})
}

// writeFinal writes the event that holds the text.
func (d *Renderer) writeFinal() {
	p := &d.plan
	s := &p.Stream
	between := p.frame.Comments == 2
	if between {
		d.line(":")
	}
	if s.Type != "" {
		d.line("event: " + s.Type)
	} else {
		switch p.frame.EventName {
		case 1:
			d.line("event: message")
		case 2:
			d.line("event:")
		}
	}
	switch p.frame.EventID {
	case 1:
		d.line("id: 42")
	case 2:
		d.line("id")
	case 3:
		d.line("id: a\x00b")
	}
	switch p.frame.Retry {
	case 1:
		d.line("retry: 3000")
	case 2:
		d.line("retry: soon")
	}
	d.writeData()
	if s.Tail == TailNothing {
		d.plain = trimLineEnd(d.plain)
	}
	end := -1
	if s.Tail != TailLine && s.Tail != TailNothing {
		end = d.blank()
	}
	if s.Lost {
		end = -1
	}
	d.events = append(d.events, placed{nil, end})
}

// writeData writes the data lines of the final event.
func (d *Renderer) writeData() {
	p := &d.plan
	if p.Stream.Lines != nil {
		for _, text := range p.Stream.Lines {
			d.lineOf(text)
		}
		return
	}
	text := d.text
	for at := 0; ; {
		rest := text[at:]
		n := bytes.IndexByte(rest, '\n')
		if split := p.split - at; split >= 0 && split <= len(rest) && (n < 0 || split <= n) && p.split >= 0 {
			d.data(rest[:split])
			at += split
			p.split = -1
			continue
		}
		if n < 0 {
			d.data(rest)
			return
		}
		d.data(rest[:n])
		at += n + 1
	}
}

// data writes one data line.
func (d *Renderer) data(text []byte) {
	p := &d.plan
	switch {
	case p.frame.Space == 0:
		d.plain = append(d.plain, "data: "...)
	case len(text) > 0 && text[0] == ' ':
		d.plain = append(d.plain, "data: "...) // the first space would be dropped
	default:
		d.plain = append(d.plain, "data:"...)
	}
	d.plain = append(d.plain, text...)
	d.lineEnd(false)
	if p.frame.Comments == 2 {
		d.line(": between")
	}
}

func trimLineEnd(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// finalAt is the number of bytes after which the final event is dispatched.
func (d *Renderer) finalAt() int {
	for _, e := range d.events {
		if e.event == nil && e.end >= 0 {
			return e.end
		}
	}
	return len(d.plain)
}

// splitDamages tells whether a line feed at offset at of a whole JSON text
// stands inside a string, a number or a literal.
func splitDamages(text []byte, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	inside := false
	for i := 0; i < at; i++ {
		switch {
		case inside && text[i] == '\\':
			i++
		case text[i] == '"':
			inside = !inside
		}
	}
	return inside || scalarByte(text[at-1]) && scalarByte(text[at])
}

func scalarByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '+' || b == '.'
}
