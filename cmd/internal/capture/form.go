package capture

import (
	"encoding/json"
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
// else is a string, and so is whatever stands in double quotes. A number that no
// request may have as its id (rule 7) is an error: as a string it would fit no
// answer, and nothing would tell why.
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
	if strings.Trim(text, "0123456789+-.eE") == "" && json.Valid([]byte(text)) {
		id, ok := ReadID(json.RawMessage(text))
		if !ok {
			return id, fmt.Errorf("id %s: a number that is no integer of 64 bits, which no request has as its id; \"%s\" in quotes is a string", text, text)
		}
		return id, nil
	}
	return classifier.StringID(text), nil
}
