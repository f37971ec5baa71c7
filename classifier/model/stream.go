package model

import (
	"bytes"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// event is one event of a stream as far as its lines have come.
type event struct {
	name    string   // the value of its last event field
	isNamed bool     // there was an event field
	data    [][]byte // the values of its data fields
	nulInID bool     // an id field holds a NUL
}

// judgeStream is rules S1 to S6. What was decoded of the body is split into
// lines, the lines are gathered into events, and the events are sorted.
func (c *judging) judgeStream(isWhole bool, why classifier.Reason) {
	text := c.body.plain
	if !c.has(StreamBOMKept) {
		var dropped int
		if text, dropped = cutBOM(text); dropped > 0 {
			c.find(classifier.FindingBOM)
		}
	}
	if c.has(UnfinishedEventTaken) && isWhole || c.has(CutEventTaken) && !isWhole {
		text = append(bytes.Clone(text), "\n\n"...)
	}

	var e event
	if c.has(LateCutCounts) && !isWhole {
		c.settle(classifier.NoFinalResponse, why)
		return
	}
	var strays [][]byte // the data of the events of S6
	var last []byte     // the last response, for a quirk
	for len(text) > 0 {
		line, rest, ended := c.nextLine(text, isWhole)
		text = rest
		if c.has(LinesOf64K) && len(line) >= 64<<10 {
			break
		}
		if c.has(CommentsBreak) && len(line) > 0 && line[0] == ':' {
			c.settle(classifier.MalformedJSON, classifier.ReasonJSONSyntax)
			c.v.SyntaxOffset = 0
			return
		}
		if len(line) > 0 {
			e.add(line, c.Quirk)
		}
		if !ended {
			break
		}
		if len(line) > 0 {
			continue
		}

		// A blank line ends the event.
		done := e
		e = event{}
		if c.has(EventTypeSticks) {
			e.name, e.isNamed = done.name, done.isNamed
		}
		if len(done.data) == 0 || c.has(NULDropsEvent) && done.nulInID {
			continue
		}
		c.v.EventCount++
		data := c.join(done.data)
		if c.has(EventBOMDropped) {
			data, _ = cutBOM(data)
		}
		kind, d := c.sort(done, data)
		switch kind {
		case decides:
			if c.has(LastResponseWins) {
				last = data
				continue
			}
			if len(strays) > 0 {
				c.find(classifier.FindingStrayMessage)
			}
			if d != nil {
				c.judgeDocument(d)
			} else {
				c.judgeText(data, 0)
			}
			c.v.Ended = classifier.BodySettledEarly
			return
		case stray:
			strays = append(strays, data)
		}
	}
	if last != nil {
		c.judgeText(last, 0)
		c.v.Ended = classifier.BodySettledEarly
		return
	}

	// No response.
	if isWhole && c.body.state == whole {
		if len(e.data) > 0 {
			c.find(classifier.FindingUnterminatedEvent)
		}
		if len(strays) > 0 {
			if len(strays) > 1 {
				c.find(classifier.FindingStrayMessage)
			}
			if c.has(LastStrayCounts) {
				strays = strays[len(strays)-1:]
			}
			c.judgeText(strays[0], 0)
			return
		}
		if c.has(EmptyStreamIsSuccess) {
			c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
			return
		}
		c.settle(classifier.NoFinalResponse, classifier.ReasonNoResponseInStream)
		return
	}
	if len(strays) > 0 {
		c.find(classifier.FindingStrayMessage)
		if c.has(CutTellsStray) {
			c.judgeText(strays[0], 0)
			return
		}
	}
	if c.body.state == damaged {
		c.settle(classifier.UnexpectedContentType, classifier.ReasonContentEncoding)
		return
	}
	c.settle(classifier.NoFinalResponse, why)
}

// nextLine is the first line of text, what follows its end, and whether it has
// an end: CRLF, LF or CR.
func (c *judging) nextLine(text []byte, isWhole bool) (line, rest []byte, ended bool) {
	for i, b := range text {
		switch {
		case b == '\n':
			return text[:i], text[i+1:], true
		case b == '\r':
			hasLF := i+1 < len(text) && text[i+1] == '\n'
			switch {
			case c.has(LFOnly) || c.has(LoneCRKept) && !hasLF:
			case i+1 == len(text) && (c.has(CRWaitsForMore) || c.has(CRLFNeedsItsLF) && !isWhole):
				return text[:i], nil, false
			case hasLF && !c.has(CRLFEndsTwoLines):
				return text[:i], text[i+2:], true
			default:
				return text[:i], text[i+1:], true
			}
		case c.has(UnicodeLineEnds) && b >= 0xC2:
			for _, end := range []string{"\u0085", "\u2028", "\u2029"} {
				if bytes.HasPrefix(text[i:], []byte(end)) {
					return text[:i], text[i+len(end):], true
				}
			}
		}
	}
	return text, nil, false
}

// add puts one line that is not blank to its event: S2.
func (e *event) add(line []byte, quirk Quirk) {
	if quirk == BareJSONTaken && line[0] == '{' {
		e.data = append(e.data, line)
		return
	}
	name, value, hasColon := bytes.Cut(line, []byte(":"))
	trimmed, hasSpace := bytes.CutPrefix(value, []byte(" "))
	if quirk == AllSpacesDropped {
		trimmed = bytes.TrimLeft(trimmed, " ")
	}
	if quirk == SpaceRequired && !hasSpace {
		return
	}
	field := string(name)
	if quirk == FieldNamesAnyCase {
		field = strings.ToLower(field)
	}
	switch field {
	case "data":
		if quirk == DataCutAtMarker {
			trimmed, _, _ = bytes.Cut(trimmed, []byte("data:"))
		}
		e.data = append(e.data, trimmed)
	case "event":
		if quirk == BareEventIgnored && !hasColon {
			return
		}
		e.name, e.isNamed = string(trimmed), true
	case "id":
		e.nulInID = e.nulInID || bytes.IndexByte(trimmed, 0) >= 0
	}
}

// join joins the data lines of an event.
func (c *judging) join(data [][]byte) []byte {
	switch {
	case len(data) == 1:
		return data[0]
	case c.has(DataLinesGlued):
		return bytes.Join(data, nil)
	case c.has(LastDataLineOnly):
		return data[len(data)-1]
	}
	return bytes.Join(data, []byte("\n"))
}

// sorted is what an event is to the call.
type sorted uint8

const (
	skipped sorted = iota
	stray
	decides
)

// sort is rules S3 to S6 for one event that was dispatched. It hands back the
// event's data as a tree where it has one.
func (c *judging) sort(e event, data []byte) (sorted, *document) {
	if c.has(FirstEventDecides) {
		return decides, nil
	}
	if !c.carriesMessages(e) {
		c.find(classifier.FindingEventTypeIgnored)
		return skipped, nil
	}
	if len(data) == 0 {
		if c.has(EmptyDataBreaks) {
			return decides, nil
		}
		return skipped, nil
	}
	d, f := c.parse(data)
	if f.reason != 0 {
		return stray, nil
	}
	message := c.message(d)
	if d.kind(message) != object {
		return stray, nil
	}
	id, hasMethod := d.get(message, "id"), d.get(message, "method") != none
	isResponse := d.get(message, "result") != none || d.get(message, "error") != none
	if hasMethod && c.has(MethodBesideResultSkipped) {
		isResponse = false
	}
	switch {
	case isResponse && c.has(ErrorResponsesSkipped) && d.get(root, "error") != none:
		return skipped, d
	case isResponse && (c.sameID(d, id) || c.has(ForeignIDEndsStream)):
		return decides, d
	case isResponse:
		return stray, d
	case hasMethod && c.has(NotificationTaken):
		return decides, d
	case hasMethod && c.has(RequestTaken) && id != none && c.sameID(d, id):
		return decides, d
	case hasMethod:
		if id != none {
			c.find(classifier.FindingServerRequest)
		}
		return skipped, d
	}
	return stray, d
}

// carriesMessages is S3: whether the event is of type message, the default.
func (c *judging) carriesMessages(e event) bool {
	switch {
	case c.has(AnyEventTaken), c.has(ErrorEventTaken) && e.name == "error":
		return true
	case c.has(EventTypeAnyCase) && strings.EqualFold(e.name, "message"):
		return true
	case c.has(EmptyTypeIsType) && e.isNamed:
		return e.name == "message"
	}
	return e.name == "" || e.name == "message"
}
