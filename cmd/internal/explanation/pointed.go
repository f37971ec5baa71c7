package explanation

import (
	"bytes"
	"fmt"
	"mime"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
)

// pointed shows where in the body the member stands that decided: the text
// around it with a mark beneath. Nil where no member did, or the body is coded
// or not JSON.
func (clean cleaning) pointed(v classifier.Verdict, a classifier.Answer) []string {
	path, _, _ := strings.Cut(pointers[v.Reason], " and ")
	if !strings.HasPrefix(path, "/") || len(a.Header["Content-Encoding"]) > 0 || !v.Answered {
		return nil
	}
	where := ""
	start, end := 0, len(a.Body)
	if isStream(a) {
		var ok bool
		if start, end, ok = event(a.Body, v.EventCount); !ok {
			return nil
		}
		where = fmt.Sprintf("event %d, ", v.EventCount)
	}
	at, ok := find(a.Body[start:end], path)
	if !ok {
		return nil
	}
	at += start
	line := bytes.Count(a.Body[:at], []byte("\n")) + 1
	where += fmt.Sprintf("byte %d of %d, line %d", at, len(a.Body), line)
	return append([]string{where}, clean.caret(a.Body, at)...)
}

func isStream(a classifier.Answer) bool {
	essence, _, _ := mime.ParseMediaType(strings.Join(a.Header["Content-Type"], ","))
	return essence == "text/event-stream"
}

// event is where the data of the n-th event of a stream that has data stands; ok
// is false if it stands on several lines.
func event(body []byte, n int) (start, end int, ok bool) {
	count, lines := 0, 0
	for _, l := range capture.StreamLines(body) {
		switch {
		case l.Data:
			start, end = l.Value, l.End
			lines++
		case l.End == l.Start && lines > 0:
			if count++; count == n {
				return start, end, lines == 1
			}
			lines = 0
		}
	}
	return 0, 0, false
}

// find is where the member at a path begins, the last of several of one name.
func find(text []byte, path string) (at int, ok bool) {
	v, ok := jsonspan.Parse(text)
	if !ok {
		return 0, false
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		var inner jsonspan.Value
		found := false
		for _, item := range v.Items {
			if item.NameEnd > 0 && item.Name(text) == name {
				at, inner, found = item.Start(), item.Value, true
			}
		}
		if !found {
			return 0, false
		}
		v = inner
	}
	return at, true
}
