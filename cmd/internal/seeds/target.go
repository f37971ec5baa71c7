// Package seeds lays out cases as the inputs of other people's fuzz functions,
// and reads such inputs back as cases. It is not for this project's own targets,
// which package fuzz seeds.
package seeds

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/corpus"
)

// Target is the layout of a fuzz function: what each of its arguments gets of
// an answer.
type Target []Argument

// Argument is one argument of a fuzz function.
type Argument struct {
	Name string // what it gets, one of [Names]
	Type string // of Go, such as []byte or int
}

// Names are the parts of an answer that an argument may get, and what each is.
func Names() [][2]string {
	return [][2]string{
		{"body", "the body as delivered"},
		{"answer", "the whole answer as an HTTP/1.1 message, its Content-Length the true one"},
		{"status", "the HTTP status; 0 without an answer"},
		{"content_type", "the Content-Type"},
		{"headers", "the header lines, each with its CRLF"},
		{"id", "the request's id, as JSON or as an integer"},
		{"ended", "how the answer ended, such as eof or reset"},
		{"notification", "whether the POST was a notification"},
		{"case", "all that goes over the wire, as a case in JSON"},
	}
}

var types = strings.Fields("[]byte string bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64")

// ParseTarget reads a layout: the name of a part, which is given as bytes, or
// the arguments as a Go function has them, such as "body []byte, status int".
func ParseTarget(text string) (Target, error) {
	var t Target
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 || len(fields) > 2 {
			return nil, fmt.Errorf("target %q: %q is no argument; write a name and a type, such as body []byte", text, strings.TrimSpace(part))
		}
		a := Argument{Name: fields[0], Type: "[]byte"}
		if len(fields) == 2 {
			a.Type = fields[1]
		}
		if !slices.ContainsFunc(Names(), func(n [2]string) bool { return n[0] == a.Name }) {
			var names []string
			for _, n := range Names() {
				names = append(names, n[0])
			}
			return nil, fmt.Errorf("target %q: %q is no part of an answer; the parts are %s", text, a.Name, strings.Join(names, ", "))
		}
		if !slices.Contains(types, a.Type) {
			return nil, fmt.Errorf("target %q: the type %s is not known; the types are %s", text, a.Type, strings.Join(types, ", "))
		}
		if isText := a.Type == "[]byte" || a.Type == "string"; !isText && !slices.Contains([]string{"status", "id", "notification"}, a.Name) ||
			a.Type == "bool" != (a.Name == "notification") {
			return nil, fmt.Errorf("target %q: %s does not go into a %s", text, a.Name, a.Type)
		}
		t = append(t, a)
	}
	return t, nil
}

// String is the layout as [ParseTarget] reads it.
func (t Target) String() string {
	var parts []string
	for _, a := range t {
		parts = append(parts, a.Name+" "+a.Type)
	}
	return strings.Join(parts, ", ")
}

// Single tells whether the layout is one run of bytes, which is all that
// libFuzzer and go-fuzz know.
func (t Target) Single() bool {
	return len(t) == 1 && (t[0].Type == "[]byte" || t[0].Type == "string")
}

// Values are the arguments for the answer of one exchange: of type []byte, int64,
// uint64 or bool. An error says why the layout cannot hold the answer at all.
func (t Target) Values(c corpus.Case) ([]any, error) {
	var values []any
	for _, a := range t {
		text, err := part(a.Name, c)
		if err != nil {
			return nil, err
		}
		v, err := typed(a, text)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// part is the text of a part of an answer.
func part(name string, c corpus.Case) ([]byte, error) {
	noAnswer := c.Status == nil
	switch name {
	case "body":
		if noAnswer {
			return nil, errors.New("there is no answer, and so no body")
		}
		return c.Answer().Body, nil
	case "answer":
		if noAnswer {
			return nil, errors.New("there is no answer")
		}
		return capture.AppendAnswer(nil, c), nil
	case "status":
		if noAnswer {
			return nil, errors.New("there is no answer, and so no status")
		}
		return strconv.AppendInt(nil, int64(*c.Status), 10), nil
	case "content_type":
		return []byte(strings.Join(c.HTTPHeader()["Content-Type"], ", ")), nil
	case "headers":
		var lines []byte
		for _, h := range c.Headers {
			lines = fmt.Appendf(lines, "%s: %s\r\n", h.Name, h.Value)
		}
		return lines, nil
	case "id":
		if c.Notification {
			return []byte("null"), nil
		}
		return capture.AppendID(nil, c.RequestID), nil
	case "ended":
		if noAnswer {
			return []byte(c.NoAnswer().String()), nil
		}
		return []byte(c.Answer().Ended.String()), nil
	case "notification":
		return strconv.AppendBool(nil, c.Notification), nil
	}
	return c.WireOnly().AppendJSON(nil)
}

// typed is a part's text as the value of an argument.
func typed(a Argument, text []byte) (any, error) {
	switch {
	case a.Type == "[]byte" || a.Type == "string":
		return text, nil
	case a.Type == "bool":
		return string(text) == "true", nil
	case strings.HasPrefix(a.Type, "u"):
		n, err := strconv.ParseUint(string(text), 10, bits(a.Type))
		if err != nil {
			return nil, fmt.Errorf("%s %s does not go into a %s", a.Name, text, a.Type)
		}
		return n, nil
	}
	n, err := strconv.ParseInt(string(text), 10, bits(a.Type))
	if err != nil {
		return nil, fmt.Errorf("%s %s does not go into a %s", a.Name, text, a.Type)
	}
	return n, nil
}

func bits(typ string) int {
	n, err := strconv.Atoi(strings.TrimLeft(typ, "uint"))
	if err != nil {
		return 64
	}
	return n
}

// Case is the answer that arguments stand for. What they do not tell is that of
// a call with the integer id 1, answered with a 200 of type application/json.
func (t Target) Case(values []any) (corpus.Case, error) {
	if len(values) != len(t) {
		return corpus.Case{}, fmt.Errorf("%d arguments where %s has %d", len(values), t, len(t))
	}
	c := corpus.Case{RequestID: classifier.IntID(1), Status: new(200), Headers: corpus.Headers{{Name: "content-type", Value: "application/json"}}}
	for i, a := range t {
		text := textOf(values[i])
		if err := put(&c, a.Name, text); err != nil {
			return c, err
		}
	}
	// An end that no answer has, and nothing that tells of an answer: there was none.
	if c.Ended != nil && (*c.Ended == classifier.EndedConnect || *c.Ended == classifier.EndedTLS) &&
		!slices.ContainsFunc(t, func(a Argument) bool { return slices.Contains([]string{"status", "answer", "body", "case"}, a.Name) }) {
		c.Status, c.Headers = nil, nil
	}
	return c, nil
}

func textOf(v any) []byte {
	if text, ok := v.([]byte); ok {
		return text
	}
	return fmt.Append(nil, v)
}

// put fills a part into a case.
func put(c *corpus.Case, name string, text []byte) error {
	switch name {
	case "body":
		c.Body = text
	case "answer", "case":
		read, err := whole(name, text)
		if err != nil {
			return err
		}
		*c = read
	case "status":
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return fmt.Errorf("status %s is no number", text)
		}
		c.Status = &n
	case "content_type":
		c.Headers = corpus.Headers{{Name: "content-type", Value: string(text)}}
	case "headers":
		c.Headers = corpus.Headers{}
		for line := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte("\r\n")), []byte("\r\n")) {
			name, value, ok := strings.Cut(string(line), ": ")
			if !ok && len(text) > 0 {
				return fmt.Errorf("%.40q is no header line", line)
			}
			if ok {
				c.Headers = append(c.Headers, corpus.Header{Name: name, Value: value})
			}
		}
	case "id":
		if string(text) == "null" {
			return nil
		}
		id, ok := capture.ReadID(text)
		if !ok {
			return fmt.Errorf("id %.40q is neither a string nor an integer", text)
		}
		c.RequestID = id
	case "ended":
		c.Ended = new(classifier.Ended)
		if err := c.Ended.UnmarshalText(text); err != nil {
			return err
		}
		if *c.Ended == classifier.EndedEOF {
			c.Ended = nil
		}
	case "notification":
		if c.Notification = string(text) == "true"; c.Notification {
			c.RequestID = classifier.ID{}
		}
	}
	return nil
}

// whole reads an answer or a case that is given whole.
func whole(name string, text []byte) (corpus.Case, error) {
	in := capture.Input{Name: name, Form: capture.HTTP, ID: classifier.IntID(1), IDAssumed: true}
	if name == "case" {
		for c, err := range corpus.ReadLines(bytes.NewReader(text), corpus.LineOptions{}) {
			c.ID = ""
			return c, err
		}
		return corpus.Case{}, errors.New("no case")
	}
	for x, err := range in.Exchanges(bytes.NewReader(text)) {
		if err != nil {
			return corpus.Case{}, err
		}
		c, err := x.Case()
		c.Headers = capture.WithoutFraming(c.Headers)
		return c, err
	}
	return corpus.Case{}, errors.New("no answer")
}
