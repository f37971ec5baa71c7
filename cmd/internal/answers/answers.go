// Package answers reads answers to tool calls in the forms in which people have
// them: cases as JSON lines, a response as it came over HTTP, a dump of an
// event stream, a bare body.
package answers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Answer is one answer, ready to be judged.
type Answer struct {
	ID           string          // of the case, or its number in the input, from 1
	Call         classifier.Call // what it answers
	Notification bool            // it answers a POST that has no id
	IDAssumed    bool            // nothing told the call's id; the usual one was taken
	Answered     bool            // there was an HTTP answer
	Wire         classifier.Answer
	NoAnswer     classifier.Ended // how a call without an HTTP answer ended
}

// Judge gives the verdict on the answer.
func (a Answer) Judge() classifier.Verdict {
	switch {
	case !a.Answered:
		return classifier.ClassifyNoAnswer(a.NoAnswer)
	case a.Notification:
		return classifier.ClassifyNotification(a.Wire)
	}
	return classifier.Classify(a.Call, a.Wire)
}

// Form is a form of input.
type Form string

const (
	Auto  Form = "auto"  // told from how the input begins
	JSONL Form = "jsonl" // cases, one JSON object a line
	HTTP  Form = "http"  // HTTP/1.x response messages, or what curl -i prints
	SSE   Form = "sse"   // the body of an event stream; status 200
	JSON  Form = "json"  // a body alone; status 200, application/json
)

// Forms lists every form by name.
func Forms() []string {
	return []string{string(Auto), string(JSONL), string(HTTP), string(SSE), string(JSON)}
}

// ParseForm is the form of that name.
func ParseForm(name string) (Form, error) {
	for _, known := range Forms() {
		if known == name {
			return Form(name), nil
		}
	}
	return "", fmt.Errorf("unknown form %q; the forms are %s", name, strings.Join(Forms(), ", "))
}

// ParseID reads a request's id from a command line: an integer is one, anything
// else is a string, and so is whatever stands in double quotes.
func ParseID(text string) (classifier.ID, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return classifier.IntID(n), nil
	}
	if strings.HasPrefix(text, `"`) {
		s, err := strconv.Unquote(text)
		if err != nil {
			return classifier.ID{}, fmt.Errorf("id %s: not a quoted string", text)
		}
		return classifier.StringID(s), nil
	}
	return classifier.StringID(text), nil
}

// Input is where answers are read from.
type Input struct {
	Name string // for messages
	Form Form
	ID   classifier.ID // of the call, where the input does not tell it
	// IDAssumed tells that nobody named ID: it is the usual one.
	IDAssumed bool
	Limit     int64 // bytes of one answer, or of one line
	Note      func(format string, args ...any)
}

// Open opens a file, or standard input for "-". A directory is an error here,
// which says so in plainer words than reading it would.
func Open(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		if f, ok := stdin.(*os.File); ok {
			return f, nil
		}
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("read %s: is a directory; name a file, or - for standard input", name)
	}
	return f, nil
}

// Each calls yield with every answer of r, in order. Answers before the place
// that cannot be read are yielded; the error names the place. A form that was
// told from how the input begins is noted, or stands in the error. An empty input
// is an error whatever its form: whoever meant to send an answer sent none.
func (in Input) Each(r io.Reader, yield func(Answer) error) error {
	buffered := bufio.NewReaderSize(r, peekSize)
	if _, err := buffered.Peek(1); errors.Is(err, io.EOF) {
		return fmt.Errorf("%s is empty: no answer came", in.Name)
	}
	if in.Form != Auto {
		return in.each(in.Form, r, buffered, yield)
	}
	head, err := buffered.Peek(peekSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("read %s: %w", in.Name, err)
	}
	form, why, err := detect(head)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if err := in.each(form, r, buffered, yield); err != nil {
		return fmt.Errorf("%w (taken for %s: %s; --from says otherwise)", err, form, why)
	}
	in.Note("%s: taken for %s (%s); --from says otherwise", in.Name, form, why)
	return nil
}

func (in Input) each(form Form, r io.Reader, buffered *bufio.Reader, yield func(Answer) error) error {
	if form == JSONL {
		return in.lines(buffered, yield)
	}
	data, err := in.whole(r, buffered)
	if err != nil {
		return err
	}
	switch form {
	case HTTP:
		return in.http(data, yield)
	case SSE:
		return yield(in.bare("text/event-stream", data))
	default:
		return yield(in.bare("application/json", data))
	}
}

// whole reads all of an input that holds one answer. A file that is too large
// is refused before it is read.
func (in Input) whole(r io.Reader, buffered *bufio.Reader) ([]byte, error) {
	tooLarge := fmt.Errorf("%s: larger than %d MiB, the most that one answer may have; --limit allows more", in.Name, in.Limit>>20)
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > in.Limit {
			return nil, tooLarge
		}
	}
	data, err := io.ReadAll(io.LimitReader(buffered, in.Limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	if int64(len(data)) > in.Limit {
		return nil, tooLarge
	}
	return data, nil
}

func (in Input) bare(mediaType string, body []byte) Answer {
	return Answer{
		ID: "1", Call: classifier.Call{ID: in.ID}, IDAssumed: in.IDAssumed, Answered: true,
		Wire: classifier.Answer{Status: 200, Header: map[string][]string{"Content-Type": {mediaType}}, Body: body},
	}
}
