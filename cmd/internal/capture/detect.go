package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
)

// peekSize is how much of an input is looked at to tell its form.
const peekSize = 64 << 10

var (
	eventField = regexp.MustCompile(`^(data|event|id|retry)(:|\r|\n|$)|^:`)
	// curlLine is how a line of curl -v begins, and its progress meter.
	curlLine = regexp.MustCompile(`^(\* |[<>] |[{}] \[\d+ bytes data\]|  % Total|curl: \(\d+\) )`)
	archive  = regexp.MustCompile(`"version"\s*:\s*"([0-9.]{1,8})"`)
	format   = regexp.MustCompile(`"format"\s*:\s*"([^"\\]{1,40})"`)
)

// FormOf tells the form of an input from how it begins, without taking anything
// of it; JSON where nothing else fits.
func FormOf(r *bufio.Reader) Form {
	head, _ := r.Peek(r.Size())
	form, _, err := detect(head)
	if err != nil {
		return JSON
	}
	return form
}

// listening is the first line of what record prints.
var listening = regexp.MustCompile(`^listening http://[^\n]*\n\{"format":"replyproof-record`)

// detect tells the form of an input from how it begins, and why.
func detect(head []byte) (form Form, why string, err error) {
	text := bytes.TrimPrefix(head, byteOrderMark)
	if bytes.HasPrefix(text, []byte("curl: (")) {
		return Curl, "begins with what curl says when it fails", nil
	}
	if curlLine.Match(text) {
		return Curl, "begins with a line of curl -v", nil
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(text) == 0:
		return JSON, "white space only", nil
	case bytes.HasPrefix(text, []byte("HTTP/")):
		return HTTP, "begins with a status line", nil
	case requestStart.Match(text):
		return HTTP, "begins with a request line", nil
	case bytes.HasPrefix(text, []byte("== Info: ")):
		return "", "", errors.New("looks like curl --trace; curl -v or curl -i prints what classify reads")
	case curlLine.Match(text):
		return Curl, "begins with a line of curl -v", nil
	case eventField.Match(text):
		return SSE, "begins with a field of an event stream", nil
	case listening.Match(text):
		return Record, "begins with what replyproof record prints", nil
	case text[0] != '{':
		return JSON, "none of the other forms, so a bare body", nil
	}
	return detectObject(text)
}

// detectObject tells the form of an input that begins with an object.
func detectObject(text []byte) (form Form, why string, err error) {
	keys := topKeys(text)
	if keys["format"] && !keys["status"] {
		if m := format.FindSubmatch(text); m != nil && string(m[1]) == RecordFormat {
			return Record, "an object of the format " + RecordFormat, nil
		}
	}
	switch {
	case keys["jsonrpc"] || keys["result"] || keys["error"]:
		return JSON, "an object with members of JSON-RPC", nil
	case keys["format"] && !keys["status"]:
		return "", "", errors.New("looks like a corpus file; replyproof corpus verify reads those, classify reads cases as JSON lines")
	case keys["log"]:
		version := ""
		if m := archive.FindSubmatch(text); m != nil {
			version = " " + string(m[1])
		}
		return HAR, "an object with a log, HAR" + version, nil
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
		key, ok := name.(string)
		if !ok {
			break
		}
		keys[key] = true
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
	}
	return keys
}
