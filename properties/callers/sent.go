package callers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Sent is a request that the line saw.
type Sent struct {
	HTTPMethod string
	Path       string
	Header     http.Header
	Body       []byte
	// At and Answered are when it came and when it was answered, by the clock of
	// the line.
	At, Answered time.Time

	// Call tells whether it is a POST of tools/call; the fields below are of such.
	Call bool
	// Method is the JSON-RPC method; "" where the body is no JSON-RPC.
	Method string
	// ID, Name, Arguments, State and Responses are raw JSON, nil where absent.
	ID        json.RawMessage
	Name      json.RawMessage
	Arguments json.RawMessage
	State     json.RawMessage // requestState
	Responses json.RawMessage // inputResponses
	// Keys are the names in inputResponses, if that is an object.
	Keys map[string]json.RawMessage
	// Fault tells why the body of a call is no JSON-RPC request; "" if it is one.
	Fault string

	answer *answer
}

// Moved tells whether the request went to where a redirect pointed.
func (s *Sent) Moved() bool { return s.Path == movedPath }

func newSent(r *http.Request, body []byte) *Sent {
	s := &Sent{HTTPMethod: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	if r.Method != http.MethodPost {
		return s
	}
	var message map[string]json.RawMessage
	if json.Unmarshal(body, &message) != nil {
		return s
	}
	_ = json.Unmarshal(message["method"], &s.Method)
	s.ID = message["id"]
	if s.Call = s.Method == "tools/call"; !s.Call {
		return s
	}
	var params map[string]json.RawMessage
	switch {
	case string(message["jsonrpc"]) != `"2.0"`:
		s.Fault = fmt.Sprintf("jsonrpc is %s", shown(message["jsonrpc"]))
	case !usable(s.ID):
		s.Fault = fmt.Sprintf("the id is %s, not a string or an integer of 64 bits", shown(s.ID))
	case json.Unmarshal(message["params"], &params) != nil:
		s.Fault = "params is not an object"
	}
	s.Name, s.Arguments = params["name"], params["arguments"]
	s.State, s.Responses = params["requestState"], params["inputResponses"]
	if s.Responses != nil && json.Unmarshal(s.Responses, &s.Keys) != nil {
		s.Fault = "inputResponses is not an object"
	}
	return s
}

// shown is raw JSON for people.
func shown(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	return string(raw)
}

func usable(id json.RawMessage) bool {
	_, ok := loopback.ID(id)
	return ok
}

// idOf is the id of a request from its raw JSON, for the answer to it.
func idOf(raw json.RawMessage) classifier.ID {
	id, _ := loopback.ID(raw)
	return id
}

// reply is the answer to a request that is no call of a tool.
func reply(s *Sent) corpus.Case {
	if s.HTTPMethod != http.MethodPost {
		return corpus.Case{Status: new(http.StatusMethodNotAllowed)}
	}
	m, err := loopback.ReadMessage(s.Body)
	switch {
	case err != nil:
		return corpus.Case{Status: new(http.StatusBadRequest)}
	case !m.Asks():
		return corpus.Case{Status: new(http.StatusAccepted), Notification: true}
	}
	var result string
	switch m.Method {
	case "initialize":
		result = `{"protocolVersion":"` + loopback.Spoken(m.Params.ProtocolVersion) + `","capabilities":{"tools":{}},"serverInfo":{"name":"synthetic","version":"1"}}`
	case "server/discover":
		result = `{"resultType":"complete","supportedVersions":["` + loopback.Modern + `","` + loopback.Spoken("") + `"],"capabilities":{"tools":{}},"serverInfo":{"name":"synthetic","version":"1"}}`
	case "tools/list":
		result = `{"resultType":"complete","tools":[{"name":"` + loopback.Tool + `","inputSchema":{"type":"object"}}]}`
	case "ping":
		result = `{}`
	}
	body := `{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"no such method"}}`
	if result != "" {
		body = `{"jsonrpc":"2.0","id":{{id}},"result":` + result + `}`
	}
	return corpus.Case{Status: new(http.StatusOK), Body: []byte(body), Headers: corpus.Headers{{Name: "content-type", Value: jsonMedia}}}
}
