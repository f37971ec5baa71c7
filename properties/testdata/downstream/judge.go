// Package downstream is somebody else's repository: it has a judge of answers to
// tool calls of its own, and checks it with replyproof.
package downstream

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// Kind is what the judge makes of an answer.
type Kind int

// The kinds of answers.
const (
	Failed   Kind = iota // transport or protocol
	Success              // a tool's result
	ToolFail             // a tool's own failure
	Question             // the server wants more
	RPCError             // a JSON-RPC error
)

// Judgement is the verdict on an answer.
type Judgement struct {
	Kind Kind
	Code string // of an RPCError
}

// Judge judges the answer to the call with that id, given as JSON. whole tells
// whether the body arrived whole.
func Judge(id string, status int, header http.Header, body []byte, whole bool) Judgement {
	if status < 200 || status > 299 {
		return Judgement{}
	}
	media, ok := mediaType(header)
	if !ok {
		return Judgement{}
	}
	body, sound := decoded(header, body)
	whole = whole && sound
	if media == "text/event-stream" {
		for data := range events(body) {
			if j, final := message(id, data); final {
				return j
			}
		}
		return Judgement{}
	}
	if !whole {
		return Judgement{}
	}
	j, _ := message(id, string(bytes.TrimPrefix(body, []byte("\ufeff"))))
	return j
}

// mediaType is the media type of an answer, if it is one of the two.
func mediaType(header http.Header) (string, bool) {
	lines := header.Values("Content-Type")
	if len(lines) == 0 {
		return "", false
	}
	first := ""
	for i, line := range lines {
		media, _, _ := strings.Cut(line, ";")
		media = strings.ToLower(strings.Trim(media, " \t"))
		if i > 0 && media != first {
			return "", false
		}
		first = media
	}
	return first, first == "application/json" || first == "text/event-stream"
}

// message judges one JSON-RPC message. final is false for one that does not
// decide: not JSON, or not the response to this call.
func message(id, body string) (j Judgement, final bool) {
	m, ok := object([]byte(body))
	if !ok {
		return j, false
	}
	result, isResult := m["result"]
	failure, isError := m["error"]
	if !isResult && !isError || !sameID(id, m["id"]) {
		return j, false
	}
	if text(m["jsonrpc"]) != "2.0" || isResult == isError {
		return j, true
	}
	if isError {
		return rpcError(failure), true
	}
	return toolResult(result), true
}

func rpcError(raw json.RawMessage) Judgement {
	e, ok := object(raw)
	var message *string
	if !ok || json.Unmarshal(e["message"], &message) != nil || message == nil || !integer(e["code"]) {
		return Judgement{}
	}
	return Judgement{RPCError, string(e["code"])}
}

func toolResult(raw json.RawMessage) Judgement {
	r, ok := object(raw)
	if !ok {
		return Judgement{}
	}
	if kind, there := r["resultType"]; there {
		switch text(kind) {
		case "input_required":
			return Judgement{Kind: Question}
		case "complete":
		default:
			return Judgement{}
		}
	}
	content := r["content"]
	if len(content) == 0 || content[0] != '[' {
		return Judgement{}
	}
	switch string(r["isError"]) {
	case "", "false":
		return Judgement{Kind: Success}
	case "true":
		return Judgement{Kind: ToolFail}
	}
	return Judgement{}
}

// object reads a JSON object; encoding/json compares the names of a map exactly.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, false
	}
	return m, true
}

// text is the value of a JSON string, "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}
