package capture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Form is a form of input.
type Form string

const (
	Auto   Form = "auto"   // told from how the input begins
	JSONL  Form = "jsonl"  // cases, one JSON object a line
	Record Form = "record" // records of the command's own, one JSON object a line
	HAR    Form = "har"    // HTTP Archive 1.2, of a browser or a proxy
	HTTP   Form = "http"   // HTTP/1.x messages, responses alone or requests too; what curl -i prints
	Curl   Form = "curl"   // what curl -v prints, both of its streams in one
	SSE    Form = "sse"    // the body of an event stream; status 200
	JSON   Form = "json"   // a body alone; status 200, application/json
)

// Forms lists every form by name.
func Forms() []string {
	return []string{string(Auto), string(JSONL), string(Record), string(HAR), string(HTTP), string(Curl), string(SSE), string(JSON)}
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
