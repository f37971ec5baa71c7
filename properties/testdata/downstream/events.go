package downstream

import (
	"iter"
	"strings"
)

// events are the data of the message events of a stream.
func events(body []byte) iter.Seq[string] {
	text := strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return func(yield func(string) bool) {
		var data []string
		kind := ""
		for {
			line, rest, more := strings.Cut(text, "\n")
			if !more {
				return // what nothing ends is no event
			}
			text = rest
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case line == "":
				whole := strings.Join(data, "\n")
				if whole != "" && (kind == "" || kind == "message") && !yield(whole) {
					return
				}
				data, kind = nil, ""
			case name == "data":
				data = append(data, value)
			case name == "event":
				kind = value
			}
		}
	}
}
