package fuzz

import (
	"bytes"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Sample is one thing to judge: the answer to a call or to a notification, or
// that there was none.
type Sample struct {
	Call         classifier.Call
	Notification bool
	// NoAnswer is a POST that got no HTTP answer; of Answer only Ended counts.
	NoAnswer bool
	Answer   classifier.Answer
}

// SampleOf is what a judge gets to see of a case.
func SampleOf(c corpus.Case) Sample {
	s := Sample{Call: classifier.Call{ID: c.RequestID}, Notification: c.Notification}
	if c.Status == nil {
		s.NoAnswer = true
		s.Answer.Ended = c.NoAnswer()
		return s
	}
	s.Answer = c.Answer()
	return s
}

// clone copies all that a change of the sample could write to.
func (s Sample) clone() Sample {
	s.Answer.Header = s.Answer.Header.Clone()
	s.Answer.Body = bytes.Clone(s.Answer.Body)
	return s
}

// ParseSample reads the form of [Sample.String]. It takes any bytes, a raw
// HTTP/1.1 response among them: what it does not understand of the first line
// it leaves out, and a header line without a colon is a header of that name.
func ParseSample(data []byte) Sample {
	s := Sample{Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{Status: 200, Header: http.Header{}}}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	for _, word := range strings.Fields(string(first)) {
		s.take(word)
	}
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			break
		}
		name, value, _ := strings.Cut(string(line), ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		s.Answer.Header[name] = append(s.Answer.Header[name], strings.TrimPrefix(value, " "))
	}
	s.Answer.Body = rest
	return s
}

// take reads one word of the first line.
func (s *Sample) take(word string) {
	switch word {
	case "notification":
		s.Notification = true
		return
	case "no-answer":
		s.NoAnswer = true
		return
	}
	if number, ok := strings.CutPrefix(word, "id="); ok {
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			s.Call.ID = classifier.IntID(n)
		}
		return
	}
	if text, ok := strings.CutPrefix(word, "id-text="); ok {
		if id, err := url.QueryUnescape(text); err == nil {
			s.Call.ID = classifier.StringID(id)
		}
		return
	}
	if n, err := strconv.Atoi(word); err == nil {
		s.Answer.Status = n
		return
	}
	s.Answer.Ended.UnmarshalText([]byte(word)) //nolint:errcheck // any other word says nothing
}

// String is the sample as text: a line with kind, id, status and end, the header
// lines, an empty line, the body. [ParseSample] reads it.
func (s Sample) String() string {
	var out strings.Builder
	if s.Notification {
		out.WriteString("notification ")
	} else if n, ok := s.Call.ID.Int(); ok {
		fmt.Fprintf(&out, "id=%d ", n)
	} else {
		text, _ := s.Call.ID.Text()
		fmt.Fprintf(&out, "id-text=%s ", url.QueryEscape(text))
	}
	if s.NoAnswer {
		fmt.Fprintf(&out, "no-answer %s\n\n", s.Answer.Ended)
		return out.String()
	}
	fmt.Fprintf(&out, "%d %s\n", s.Answer.Status, s.Answer.Ended)
	names := make([]string, 0, len(s.Answer.Header))
	for name := range s.Answer.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range s.Answer.Header[name] {
			fmt.Fprintf(&out, "%s: %s\n", name, value)
		}
	}
	out.WriteByte('\n')
	out.Write(s.Answer.Body)
	return out.String()
}
