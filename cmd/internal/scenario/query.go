package scenario

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Tool is the name of the tool that every scenario offers, unless it says else.
const Tool = "run_configured_test_scenario"

// query is a POST as a scenario sees it.
type query struct {
	loopback.Message
	id      classifier.ID
	asked   bool // a request with an id: it wants a response
	modern  bool
	version string // of the protocol
	header  http.Header
	session string // of Mcp-Session-Id; "" for none
	posts   int    // of the session with this one
	calls   int    // tools/call among them, with this one
	base    string // address of the server, http://127.0.0.1:PORT
}

// reply is what a scenario answers.
type reply struct {
	answer corpus.Case
	pace   time.Duration // between the writes of the answer
	beat   string        // again and again while it is silent
	every  time.Duration
	said   string // what the scenario did, for people
}

// saying is the reply with what was done.
func (r *reply) saying(text string) *reply {
	r.said = text
	return r
}

// pass lets a request go on, and says what was made of it.
func pass(said string) *reply { return &reply{said: said} }

// passes tells whether there is no answer in it.
func (r *reply) passes() bool { return r == nil || r.answer.Status == nil && r.answer.Ended == nil }

var (
	asJSON   = corpus.Header{Name: "Content-Type", Value: "application/json"}
	asStream = corpus.Header{Name: "Content-Type", Value: "text/event-stream"}
)

// status is an answer with a status and a body. What a case takes for the place of
// the id can only stand in a text of JSON here, where it came from a client or from
// the settings, and stays what it is.
func status(code int, body string, headers ...corpus.Header) *reply {
	body = strings.ReplaceAll(body, corpus.Placeholder, `{\u007bid}}`)
	return &reply{answer: corpus.Case{Status: &code, Headers: headers, Body: []byte(body)}}
}

// empty is an answer with nothing but a status.
func empty(code int) *reply { return status(code, "") }

// response is the text of a result under the id of the request. members are those
// of the result.
func (q *query) response(members string) string {
	if q.modern && !strings.Contains(members, `"resultType"`) {
		members = join(`"resultType":"complete"`, members)
	}
	return `{"jsonrpc":"2.0","id":` + q.rawID() + `,"result":{` + members + `}}`
}

// rawID is the id as it came, null if there is none.
func (q *query) rawID() string {
	if len(q.ID) == 0 {
		return "null"
	}
	return string(q.ID)
}

// result is an answer with a result.
func (q *query) result(members string) *reply { return status(200, q.response(members), asJSON) }

// fault is an answer with a JSON-RPC error; data may be empty. Revisions that begin
// with initialize tell it with 200, whatever code is.
func (q *query) fault(code, rpc int, message, data string) *reply {
	if !q.modern {
		code = http.StatusOK
	}
	return status(code, q.failure(rpc, message, data), asJSON)
}

func (q *query) failure(rpc int, message, data string) string {
	text := `{"jsonrpc":"2.0","id":` + q.rawID() + `,"error":{"code":` + number(rpc) + `,"message":` + quoted(message)
	if data != "" {
		text += `,"data":` + data
	}
	return text + `}}`
}

// told are the members of a tool's result.
func told(text string, failed bool) string {
	members := `"content":[{"type":"text","text":` + quoted(text) + `}]`
	if failed {
		members += `,"isError":true`
	}
	return members
}

// fine is the plain success of a call.
func (q *query) fine() string {
	return told("Call "+number(q.calls)+" of this session went well.", false)
}

// argument is a string among the arguments of a call; "" if there is none.
func (q *query) argument(name string) string {
	var arguments map[string]json.RawMessage
	var text string
	if json.Unmarshal(q.Params.Arguments, &arguments) != nil || json.Unmarshal(arguments[name], &text) != nil {
		return ""
	}
	return text
}

// can tells whether the client said that it has a capability.
func (q *query) can(capability string) bool {
	var has map[string]json.RawMessage
	return json.Unmarshal(q.Params.Meta.Capabilities, &has) == nil && has[capability] != nil
}

// progress is a notification that a call goes on, under the token that the client
// gave, or under one of its own.
func (q *query) progress(n int) string {
	token := string(q.Params.Meta.ProgressToken)
	if token == "" {
		token = `"unasked"`
	}
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token +
		`,"progress":` + number(n) + `,"message":` + quoted("step "+number(n)) + `}}`
}

// event is a message as an event of a stream. A line end in it is white space of
// what the client sent, since a text of JSON holds none.
func event(message string) string {
	return "data: " + strings.NewReplacer("\r", " ", "\n", " ").Replace(message) + "\n\n"
}

// decoded is a header value of which a part may be encoded.
func decoded(value string) (string, bool) {
	inner, found := strings.CutPrefix(value, "=?base64?")
	if !found || !strings.HasSuffix(inner, "?=") {
		return value, true
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	return string(text), err == nil
}

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return `""` // a string cannot fail
	}
	return string(raw)
}

func number(n int) string { return strconv.Itoa(n) }

// join puts parts of an object together.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ",")
}
