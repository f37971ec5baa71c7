package capture

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// callMethod is the method of a tool call.
const callMethod = "tools/call"

// Kind tells what a request carried, and so how its answer is judged.
type Kind uint8

const (
	// Unknown is a request of which the input does not tell what it carried.
	Unknown Kind = iota
	// Call is a tools/call with an id: its answer is judged by rules 1 to 9, S and T.
	Call
	// Notification is a POST of a JSON-RPC notification: rule N.
	Notification
	// OtherRequest is a JSON-RPC request of another method. Not judged.
	OtherRequest
	// Response is a POST of the client's answer to a request of the server's. Not judged.
	Response
	// Batch is an array of messages, which revision 2026-07-28 does not have. Not judged.
	Batch
	// Foreign is no POST of JSON-RPC at all, such as a GET. Not judged.
	Foreign

	kindEnd
)

var kindNames = [kindEnd]string{"unknown", "call", "notification", "request", "response", "batch", "foreign"}

// String is the word of the record, such as notification.
func (k Kind) String() string {
	if k >= kindEnd {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText writes the word.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a word, spelled exactly.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown kind of request %q; the kinds are %s", text, strings.Join(kindNames[:], ", "))
}

// Message is what a request carried.
type Message struct {
	Kind   Kind
	Method string // of JSON-RPC; of HTTP if Kind is Foreign
	ID     classifier.ID
	Tool   string // of a call
	// ProtocolVersion is that of the header field MCP-Protocol-Version, or of _meta.
	ProtocolVersion string
	Client          string // name@version, where the message tells it
	Meta            []byte // the _meta of its params, raw JSON
	// Arguments is a digest of tool and arguments: equal for calls that ask the
	// same, within one run of the program, whose key it has: a plain one would
	// tell short arguments to whoever tries. Empty where they are not known.
	Arguments string
	// Continues tells that the call carries answers to a request for input.
	Continues bool
	Why       string // of a Foreign or Unknown one: what is odd about it
}

// Describe names the message for people, such as "tools/call search, id 7".
func (m Message) Describe() string {
	switch m.Kind {
	case Call:
		text := callMethod
		if m.Tool != "" {
			text += " " + m.Tool
		}
		return text + ", id " + m.ID.String()
	case Notification:
		if m.Method == "" {
			return "a notification"
		}
		return "the notification " + m.Method
	case OtherRequest:
		return "the request " + m.Method
	case Response:
		return "a response of the client's"
	case Batch:
		return "a batch: " + m.Why
	case Foreign:
		return m.Method + ", " + m.Why
	}
	return "a request of which the input does not tell what it carried"
}

// ReadMessage tells what a request carried.
func ReadMessage(r *Request) Message {
	m := Message{Method: r.Method, ProtocolVersion: r.Headers.Get("mcp-protocol-version")}
	if !strings.EqualFold(r.Method, "POST") {
		m.Kind, m.Why = Foreign, "which is no POST of JSON-RPC"
		return m
	}
	if r.BodyUnknown {
		return m.unseen(r)
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(r.Body, byteOrderMark))
	if len(body) > 0 && body[0] == '[' && json.Valid(body) {
		m.Kind, m.Why = Batch, describeBatch(body)
		return m
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		m.Kind, m.Why = Foreign, "whose body is no JSON-RPC message"
		return m
	}
	var method string
	if json.Unmarshal(members["method"], &method) != nil || members["method"][0] != '"' {
		_, result := members["result"]
		_, fault := members["error"]
		if m.Kind, m.Why = Response, ""; !result && !fault {
			m.Kind, m.Why = Foreign, "whose body is no JSON-RPC message"
		}
		return m
	}
	m.Method = short(method)
	m.params(members["params"])
	id, present := members["id"]
	switch {
	case !present:
		m.Kind = Notification
	case method != callMethod:
		m.Kind = OtherRequest
	default:
		m.Kind = Call
	}
	if m.Kind != Notification {
		var ok bool
		if m.ID, ok = ReadID(id); !ok && m.Kind == Call {
			m.Kind, m.Why = Foreign, fmt.Sprintf("whose id %s is neither a string nor an integer of 64 bits", clip(string(id)))
		}
	}
	return m
}

// unseen is the message of a POST whose body is not known: a header field of
// revision 2026-07-28 may tell its method.
func (m Message) unseen(r *Request) Message {
	m.Method, m.Tool = r.Headers.Get("mcp-method"), r.Headers.Get("mcp-name")
	switch {
	case m.Method == "":
		m.Tool = ""
	case m.Method == callMethod:
		m.Kind = Call
	case strings.HasPrefix(m.Method, "notifications/"):
		m.Kind = Notification
	default:
		m.Kind = OtherRequest
	}
	return m
}

// params reads what a call's params tell.
func (m *Message) params(raw json.RawMessage) {
	var p map[string]json.RawMessage
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	if m.Method == callMethod {
		_ = json.Unmarshal(p["name"], &m.Tool)
		m.Tool = short(m.Tool)
		_, responses := p["inputResponses"]
		_, state := p["requestState"]
		m.Continues = responses || state
		m.Arguments = digest(p["name"], p["arguments"])
	}
	m.Meta = p["_meta"]
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(m.Meta, &meta)
	version, info := meta["io.modelcontextprotocol/protocolVersion"], meta["io.modelcontextprotocol/clientInfo"]
	if m.Method == "initialize" {
		version, info = p["protocolVersion"], p["clientInfo"]
	}
	if m.ProtocolVersion == "" {
		_ = json.Unmarshal(version, &m.ProtocolVersion)
	}
	var client struct{ Name, Version string }
	if json.Unmarshal(info, &client) == nil && client.Name != "" {
		m.Client = client.Name
		if client.Version != "" {
			m.Client += "@" + client.Version
		}
	}
}

// digest names a tool and its arguments: the same for the same values, however
// they are written.
func digest(tool, arguments json.RawMessage) string {
	var plain bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil {
		_ = json.NewEncoder(&plain).Encode(v) // members sorted
	} else {
		plain.Write(arguments)
	}
	sum := hmac.New(sha256.New, digestKey())
	fmt.Fprintf(sum, "%q %s", tool, plain.Bytes())
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// digestKey is of this run, and is written nowhere.
var digestKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
})

// short is a name as far as it is shown.
func short(name string) string {
	const longest = 200
	if len(name) <= longest {
		return name
	}
	return strings.ToValidUTF8(name[:longest], "") + "…"
}

// ReadID is a request's id; ok is false for what is none that a call may have.
func ReadID(raw json.RawMessage) (id classifier.ID, ok bool) {
	if len(raw) == 0 {
		return id, false
	}
	if raw[0] == '"' {
		// The corpus reads half a surrogate pair, which encoding/json replaces.
		for c, err := range corpus.ReadLines(bytes.NewReader(fmt.Appendf(nil, `{"status":0,"request_id":%s}`, raw)), corpus.LineOptions{}) {
			return c.RequestID, err == nil
		}
	}
	text := string(raw)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return classifier.IntID(n), true
	}
	if len(text) < 100 && strings.Trim(text, "0123456789.eE+-") == "" {
		_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
		if n, err := strconv.Atoi(exponent); exponent != "" && (err != nil || n > 40 || n < -40) {
			return id, false
		}
		if r, ok := new(big.Rat).SetString(text); ok && r.IsInt() && r.Num().IsInt64() {
			return classifier.IntID(r.Num().Int64()), true
		}
	}
	return id, false
}

func describeBatch(body []byte) string {
	var all []map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return "an array that is no batch of messages"
	}
	var methods []string
	for _, one := range all {
		method := "a response"
		if raw, ok := one["method"]; ok {
			_ = json.Unmarshal(raw, &method)
		}
		if len(methods) == 5 {
			methods = append(methods, "…")
			break
		}
		methods = append(methods, method)
	}
	return fmt.Sprintf("%d messages (%s)", len(all), strings.Join(methods, ", "))
}
