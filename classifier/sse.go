package classifier

import "bytes"

// eventParser reads an event stream as WHATWG HTML 9.2 says (S1 to S3), fed
// with chunks cut anywhere. Each chunk is given to feed, and next is called
// until it wants more. It keeps the data of the pending event and a few bytes
// of state, nothing else; an event whose only data line lies whole in the chunk
// in which the event ends is not copied.
type eventParser struct {
	limit int64 // of an event's data, in bytes

	chunk  []byte
	pos    int
	lf, cr int // where the next LF and CR at or after pos are, len(chunk) if there is none; below pos if unknown

	hasBOM   bool
	bomBytes int  // how many bytes of a BOM the stream began with so far; -1 once that is settled
	afterCR  bool // the last line ended in CR, so that an LF directly after it is part of its end

	// The line that began in an earlier chunk.
	line  linePart
	field field
	n     int // bytes of the field name seen so far

	// The pending event.
	hasData bool
	held    bool   // its data is in buf
	data    []byte // its data in the chunk; nil if held
	buf     []byte
	other   bool // its type is not message
	typ     [len(typeMessage)]byte
	typLen  int // len(typ)+1 if it is longer
}

const typeMessage = "message"

// linePart is how far a line has come that is not whole yet.
type linePart uint8

const (
	lineStart   linePart = iota
	lineName             // within a name that so far is data or event
	lineColon            // after its colon, where one space is dropped
	lineValue            // within its value
	lineIgnored          // a comment, or a field that nothing reads
)

type field uint8

const (
	fieldData field = iota
	fieldEvent
)

var fieldNames = [...]string{fieldData: "data", fieldEvent: "event"}

// step is what next came upon.
type step uint8

const (
	stepMore  step = iota // the chunk is used up
	stepEvent             // an event is over and was dispatched
	stepLimit             // the pending event's data passed the limit
)

// event is a dispatched event. Its data is good until the next call.
type event struct {
	data    []byte
	inChunk bool // data is part of the chunk
	other   bool // its type is not message
}

// reset makes the parser ready for another stream and keeps its buffer.
func (p *eventParser) reset() {
	*p = eventParser{limit: p.limit, buf: p.buf[:0]}
}

// feed gives the parser its next chunk, which it needs until next wants more.
func (p *eventParser) feed(chunk []byte) {
	p.chunk, p.pos, p.lf, p.cr = chunk, 0, -1, -1
}

func (p *eventParser) next() (event, step) {
	for p.pos < len(p.chunk) {
		if p.bomBytes >= 0 {
			p.skipBOM()
			continue
		}
		if p.line == lineStart {
			if ev, step := p.wholeLines(); step != stepMore {
				return ev, step
			}
		}
		end := p.lineEnd()
		p.partOfLine(p.chunk[p.pos:end])
		p.pos = end
		if end < len(p.chunk) {
			p.endLine()
			p.afterCR = p.chunk[end] == '\r'
			p.pos++
		}
		if p.passed() {
			return event{}, stepLimit
		}
	}
	p.hold()
	p.chunk = nil
	return event{}, stepMore
}

// wholeLines takes lines that lie whole in the chunk. It stops after an event
// and before a line whose end is not there.
func (p *eventParser) wholeLines() (event, step) {
	chunk, pos, afterCR := p.chunk, p.pos, p.afterCR
	for pos < len(chunk) {
		c := chunk[pos]
		if c == '\n' || c == '\r' {
			pos++
			ofCRLF := afterCR && c == '\n'
			afterCR = c == '\r'
			switch {
			case ofCRLF:
			case p.hasData:
				p.pos, p.afterCR = pos, afterCR
				return p.dispatch(), stepEvent
			default:
				p.other = false
			}
			continue
		}
		afterCR = false
		const ofMessage = "event: message\n" // as most events begin, if they name their type at all
		if c == 'e' && len(chunk)-pos >= len(ofMessage) && string(chunk[pos:pos+len(ofMessage)]) == ofMessage {
			pos += len(ofMessage)
			p.other = false
			continue
		}
		if p.lf < pos {
			p.lf = indexFrom(chunk, pos, '\n')
		}
		if p.cr < pos {
			p.cr = indexFrom(chunk, pos, '\r')
		}
		end := min(p.lf, p.cr)
		if end == len(chunk) {
			break
		}
		line := chunk[pos:end]
		pos = end + 1
		afterCR = end == p.cr
		switch c {
		case 'd':
			if value, ok := valueOf(line, "data"); ok {
				if !p.hasData && pos < len(chunk) && chunk[pos] == '\n' && !afterCR {
					// This line is all of the event's data, and a blank line follows.
					if int64(len(value)) > p.limit {
						p.pos = pos
						return event{}, stepLimit
					}
					ev := event{data: value, inChunk: true, other: p.other}
					p.pos, p.afterCR, p.other = pos+1, false, false
					return ev, stepEvent
				}
				p.addData(value)
				if p.passed() {
					p.pos, p.afterCR = pos, afterCR
					return event{}, stepLimit
				}
			}
		case 'e':
			if value, ok := valueOf(line, "event"); ok {
				p.other = len(value) > 0 && string(value) != typeMessage
			}
		}
	}
	p.pos, p.afterCR = pos, afterCR
	return event{}, stepMore
}

// lineEnd is where the line at pos ends, len(chunk) if its end is not there.
// It keeps the places of the next LF and the next CR, so that each byte is
// looked at twice at most, however often it is called.
func (p *eventParser) lineEnd() int {
	if p.lf < p.pos {
		p.lf = indexFrom(p.chunk, p.pos, '\n')
	}
	if p.cr < p.pos {
		p.cr = indexFrom(p.chunk, p.pos, '\r')
	}
	return min(p.lf, p.cr)
}

// indexFrom is the index from i on of the first byte that is c, len(b) if none is.
func indexFrom(b []byte, i int, c byte) int {
	if k := bytes.IndexByte(b[i:], c); k >= 0 {
		return i + k
	}
	return len(b)
}

// skipBOM goes on with a BOM at the start of the stream. Bytes that turn out
// to be none begin a line whose field nothing reads.
func (p *eventParser) skipBOM() {
	if p.chunk[p.pos] != bom[p.bomBytes] {
		if p.bomBytes > 0 {
			p.line = lineIgnored
		}
		p.bomBytes = -1
		return
	}
	p.pos++
	p.bomBytes++
	if p.bomBytes == len(bom) {
		p.hasBOM = true
		p.bomBytes = -1
	}
}

// valueOf is the value of the line's field if that has the name.
func valueOf(line []byte, name string) (value []byte, ok bool) {
	if len(line) < len(name) || string(line[:len(name)]) != name {
		return nil, false
	}
	value = line[len(name):]
	if len(value) == 0 {
		return value, true
	}
	if value[0] != ':' {
		return nil, false
	}
	value = value[1:]
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	return value, true
}

// addData takes the value of a data line that lies whole in the chunk.
func (p *eventParser) addData(value []byte) {
	if !p.hasData {
		p.hasData = true
		p.data = value
		return
	}
	p.hold()
	p.buf = append(p.buf, '\n')
	p.buf = append(p.buf, value...)
}

// hold moves the pending data out of the chunk.
func (p *eventParser) hold() {
	if p.hasData && !p.held {
		p.held = true
		p.buf = append(p.buf[:0], p.data...)
		p.data = nil
	}
}

// passed tells whether the pending event's data is longer than the limit.
func (p *eventParser) passed() bool {
	n := len(p.data)
	if p.held {
		n = len(p.buf)
	}
	return int64(n) > p.limit
}

// partOfLine takes a piece of a line that began in an earlier chunk, or does
// not end in this one.
func (p *eventParser) partOfLine(piece []byte) {
	for len(piece) > 0 {
		switch p.line {
		case lineStart:
			p.line, p.n = lineName, 0
			switch piece[0] {
			case 'd':
				p.field = fieldData
			case 'e':
				p.field = fieldEvent
			default:
				p.line = lineIgnored
			}
		case lineName:
			name := fieldNames[p.field]
			switch {
			case p.n < len(name) && piece[0] == name[p.n]:
				p.n++
			case p.n == len(name) && piece[0] == ':':
				p.beginValue()
			default:
				p.line = lineIgnored
			}
			piece = piece[1:]
		case lineColon:
			p.line = lineValue
			if piece[0] == ' ' {
				piece = piece[1:]
			}
		case lineValue:
			if p.field == fieldData {
				p.buf = append(p.buf, piece...)
			} else {
				copy(p.typ[min(p.typLen, len(p.typ)):], piece)
				p.typLen = min(p.typLen+len(piece), len(p.typ)+1)
			}
			return
		case lineIgnored:
			return
		}
	}
}

// beginValue is at the colon of a data or event field, or at the end of a line
// that has none.
func (p *eventParser) beginValue() {
	p.line = lineColon
	if p.field == fieldEvent {
		p.typLen = 0
		return
	}
	p.hold()
	if p.hasData {
		p.buf = append(p.buf, '\n')
	} else {
		p.hasData, p.held = true, true
		p.buf = p.buf[:0]
	}
}

// endLine ends a line that was taken in parts.
func (p *eventParser) endLine() {
	if p.line == lineName && p.n == len(fieldNames[p.field]) {
		p.beginValue()
	}
	if (p.line == lineColon || p.line == lineValue) && p.field == fieldEvent {
		p.other = p.typLen > 0 && (p.typLen != len(p.typ) || string(p.typ[:]) != typeMessage)
	}
	p.line = lineStart
}

// dispatch ends the pending event, which has data.
func (p *eventParser) dispatch() event {
	ev := event{data: p.data, inChunk: true, other: p.other}
	if p.held {
		ev.data, ev.inChunk = p.buf, false
	}
	p.hasData, p.held, p.data, p.other = false, false, nil, false
	return ev
}

// end is the end of the stream. It tells whether an event was left
// unterminated, its last line taken as if it had ended.
func (p *eventParser) end() (unterminated bool) {
	if p.line != lineStart {
		p.endLine()
	}
	return p.hasData
}
