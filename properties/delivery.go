package properties

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// maxText is the longest text that the relations rewrite.
const maxText = 16 << 10

// object is the JSON object that the case's answer is, if it is one that can
// be rewritten: status 200, application/json, no coding, whole, and a text on
// which no two right parsers differ.
func (t *Trial) object() (*tree, bool) {
	if !t.read {
		t.read = true
		if n, ok := t.readObject(); ok {
			t.text = n
		}
	}
	return t.text, t.text != nil
}

func (t *Trial) readObject() (*tree, bool) {
	if !t.IsCall() || *t.Case.Status != http.StatusOK {
		return nil, false
	}
	lines := 0
	for _, h := range t.Case.Headers {
		switch {
		case strings.EqualFold(h.Name, "Content-Encoding"):
			return nil, false
		case !strings.EqualFold(h.Name, "Content-Type"):
		case strings.EqualFold(h.Value, "application/json"):
			lines++
		default:
			return nil, false
		}
	}
	wire := t.Case.Wire(t.Case.RequestID)
	if lines != 1 || wire.Ended != classifier.EndedEOF || len(wire.Body) > maxText {
		return nil, false
	}
	n, ok := parseTree(wire.Body)
	return n, ok && n.kind == '{'
}

// message is object for a text that a stream may carry as well: one that has
// result or error, and no method, which readers of streams may take for a
// request.
func (t *Trial) message() (*tree, bool) {
	n, ok := t.object()
	return n, ok && (n.get("result") != nil || n.get("error") != nil) && n.get("method") == nil
}

// final is message for the response to this call.
func (t *Trial) final() (*tree, bool) {
	n, ok := t.message()
	return n, ok && t.answers(n)
}

// answers tells whether the id of n is the call's, spelled in the plain way.
func (t *Trial) answers(n *tree) bool {
	id := n.get("id")
	if id == nil {
		return false
	}
	if text, ok := t.Case.RequestID.Text(); ok {
		return id.is(text)
	}
	return string(id.raw) == t.Case.RequestID.String()
}

// jsonAnswer is a 200 with that JSON body.
func jsonAnswer(body []byte) classifier.Answer {
	return classifier.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}
}

// streamAnswer is a 200 with that event stream.
func streamAnswer(body []byte) classifier.Answer {
	return classifier.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
}

// dataLines are the lines of an event that carries text, the blank one
// included. A line end in the text is white space between tokens, which a data
// line each keeps.
func dataLines(text []byte) []string {
	var lines []string
	for part := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)), "\n") {
		lines = append(lines, "data: "+part)
	}
	return append(lines, "")
}

// join writes the lines of a stream with one line end.
func join(lines []string, end string) []byte {
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line)
		b.WriteString(end)
	}
	return b.Bytes()
}

// joinMixed writes the lines of a stream, each with a line end of its own
// choice. A blank line after a CR never ends in an LF alone, which would belong
// to the CR.
func (t *Trial) joinMixed(lines []string) []byte {
	ends := []string{"\n", "\r\n", "\r"}
	var b bytes.Buffer
	last := ""
	for _, line := range lines {
		end := ends[t.N(3)]
		if line == "" && last == "\r" && end == "\n" {
			end = "\r"
		}
		b.WriteString(line)
		b.WriteString(end)
		last = end
	}
	return b.Bytes()
}

// delivery is how both answers of a relation are sent.
type delivery bool

// delivery chooses JSON or, where n may be sent so, a stream of one event.
func (t *Trial) delivery(n *tree) delivery {
	carries := (n.get("result") != nil || n.get("error") != nil) && n.get("method") == nil
	return delivery(carries && t.N(3) == 2)
}

func (stream delivery) answer(text []byte) classifier.Answer {
	if stream {
		return streamAnswer(join(dataLines(text), "\n"))
	}
	return jsonAnswer(text)
}
