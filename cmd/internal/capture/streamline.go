package capture

import "bytes"

// StreamLine is a line of an event stream: body[Start:End] is its text, and the
// next begins at Next.
type StreamLine struct {
	Start, End, Next int
	Data             bool // a data line, whose value begins at Value
	Value            int
}

// StreamLines cuts a stream into lines at CRLF, LF and CR (rule S1).
func StreamLines(body []byte) []StreamLine {
	var lines []StreamLine
	for at := 0; at < len(body); {
		l := StreamLine{Start: at}
		if at == 0 && bytes.HasPrefix(body, byteOrderMark) {
			at = len(byteOrderMark)
		}
		end := bytes.IndexAny(body[at:], "\r\n")
		if end < 0 {
			l.End, l.Next = len(body), len(body)
		} else {
			l.End = at + end
			l.Next = l.End + 1
			if body[l.End] == '\r' && l.Next < len(body) && body[l.Next] == '\n' {
				l.Next++
			}
		}
		if text := body[at:l.End]; bytes.HasPrefix(text, []byte("data:")) {
			l.Data, l.Value = true, at+len("data:")
			if l.Value < l.End && body[l.Value] == ' ' {
				l.Value++
			}
		}
		if string(body[at:l.End]) == "data" {
			l.Data, l.Value = true, l.End
		}
		lines = append(lines, l)
		at = l.Next
	}
	return lines
}
