package loopback

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Message is what a server reads of a POST: a request, or with no ID a
// notification, or with no Method a response.
type Message struct {
	// Version is the member jsonrpc, "2.0" of every message of the protocol; "" where
	// it is absent or no string.
	Version string
	ID      json.RawMessage
	Method  string
	Params  Params
	// Odd names a member of those below whose type is not that of the protocol,
	// such as params.name; "" if there is none. What is raw is as it came, and all
	// else stands as if it were absent.
	Odd string
}

// Params are the params of a message. Raw members are nil where they are absent,
// or null.
type Params struct {
	Name            string
	Arguments       json.RawMessage
	ProtocolVersion string
	RequestState    json.RawMessage // of whatever type it came
	InputResponses  json.RawMessage
	Cursor          *string
	Capabilities    json.RawMessage
	Meta            Meta
}

// Meta is the _meta of params.
type Meta struct {
	ProtocolVersion string
	Capabilities    json.RawMessage
	ProgressToken   json.RawMessage
}

// ReadMessage reads the body of a POST. Names count as they are written, which
// encoding/json would not have of a struct. Only a body that is no JSON object
// is an error: whatever its members are, it was sent.
func ReadMessage(body []byte) (Message, error) {
	var top members
	if json.Unmarshal(body, &top) != nil || top == nil {
		return Message{}, errors.New("loopback: the body is no JSON object")
	}
	var m Message
	m.Version, _ = Text(top.raw("jsonrpc"))
	m.ID, m.Method = top["id"], m.text(top, "method", "method")
	params := m.object(top, "params", "params")
	meta := m.object(params, "_meta", "params._meta")
	m.Params = Params{
		Name:            m.text(params, "name", "params.name"),
		Arguments:       m.typed(params, "arguments", "params.arguments", '{'),
		ProtocolVersion: m.text(params, "protocolVersion", "params.protocolVersion"),
		RequestState:    m.typed(params, "requestState", "params.requestState", '"'),
		InputResponses:  m.typed(params, "inputResponses", "params.inputResponses", '{'),
		Capabilities:    m.typed(params, "capabilities", "params.capabilities", '{'),
		Meta: Meta{
			ProtocolVersion: m.text(meta, "io.modelcontextprotocol/protocolVersion", "params._meta"),
			Capabilities:    m.typed(meta, "io.modelcontextprotocol/clientCapabilities", "params._meta", '{'),
			ProgressToken:   meta.raw("progressToken"),
		},
	}
	m.typed(params, "clientInfo", "params.clientInfo", '{')
	m.typed(meta, "io.modelcontextprotocol/clientInfo", "params._meta", '{')
	if params.raw("cursor") != nil {
		m.Params.Cursor = new(m.text(params, "cursor", "params.cursor"))
	}
	return m, nil
}

// Asks tells whether a response is due: to a request, whatever its id is. To a
// notification, which has none, and to a response none is.
func (m *Message) Asks() bool { return m.Method != "" && m.ID != nil }

// RequestID is the id of a request; ok is false for a notification and for an id
// that no request may have.
func (m *Message) RequestID() (id classifier.ID, ok bool) { return ID(m.ID) }

// ID is an id from its raw JSON: a string, or an integer of 64 bits in whatever
// spelling. ok is false for anything else.
func ID(raw json.RawMessage) (id classifier.ID, ok bool) {
	if text, ok := Text(raw); ok {
		return classifier.StringID(text), true
	}
	if !json.Valid(raw) {
		return id, false
	}
	n, ok := integer(Key(raw))
	return classifier.IntID(n), ok
}

// integer is that of a [Key]; ok is false where it is none of 64 bits.
func integer(key string) (n int64, ok bool) {
	if digits, power, found := strings.Cut(key, "e"); found {
		zeros, err := strconv.Atoi(power)
		if err != nil || zeros < 0 || zeros > 18 {
			return 0, false
		}
		key = digits + strings.Repeat("0", zeros)
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return n, err == nil
}

// members are those of an object, as they stand.
type members map[string]json.RawMessage

func (o members) raw(name string) json.RawMessage {
	if raw := o[name]; string(raw) != "null" {
		return raw
	}
	return nil
}

// text is a member that is a string, and path its name among those of the message.
func (m *Message) text(o members, name, path string) string {
	raw := o.raw(name)
	text, ok := Text(raw)
	if raw != nil && !ok {
		m.Odd = path
	}
	return text
}

// typed is a member as it stands, whose type is that of values that begin with first.
func (m *Message) typed(o members, name, path string, first byte) json.RawMessage {
	raw := o.raw(name)
	if raw != nil && raw[0] != first {
		m.Odd = path
	}
	return raw
}

func (m *Message) object(o members, name, path string) (inside members) {
	if raw := o.raw(name); raw != nil && json.Unmarshal(raw, &inside) != nil {
		m.Odd = path
	}
	return inside
}
