package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
)

// peekSize is how much of an input is looked at to tell its form.
const peekSize = 64 << 10

var eventField = regexp.MustCompile(`^(data|event|id|retry)(:|\r|\n|$)|^:`)

// detect tells the form of an input from how it begins, and why.
func detect(head []byte) (form Form, why string, err error) {
	text := bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	text = bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(text) == 0:
		return JSON, "white space only", nil
	case bytes.HasPrefix(text, []byte("HTTP/")):
		return HTTP, "begins with a status line", nil
	case eventField.Match(text):
		return SSE, "begins with a field of an event stream", nil
	case text[0] != '{':
		return JSON, "none of the other forms, so a bare body", nil
	}
	keys := topKeys(text)
	switch {
	case keys["jsonrpc"] || keys["result"] || keys["error"]:
		return JSON, "an object with members of JSON-RPC", nil
	case keys["format"] && !keys["status"]:
		return "", "", errors.New("looks like a corpus file; replyproof corpus verify reads those, classify reads cases as JSON lines")
	case keys["status"] || keys["request_id"] || keys["headers"] || keys["body"] || keys["body_base64"] || keys["expect"]:
		return JSONL, "an object with keys of a case", nil
	}
	return JSON, "an object with no key of a case", nil
}

// topKeys are the names of the first object's members, as far as it can be read.
func topKeys(text []byte) map[string]bool {
	keys := make(map[string]bool)
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return keys
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			break
		}
		keys[name.(string)] = true
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
	}
	return keys
}
