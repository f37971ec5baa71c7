package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// serverName is what the server says of itself.
const serverName = `{"name":"replyproof-serve","version":"1"}`

// foreign is the answer to a request from a page of somebody else's; nil if it is
// from none. A name that leads here is as good as a page: it is how one gets around
// the rule that pages ask their own hosts only.
func foreign(request *http.Request) *reply {
	if loopback.Local(request) {
		return nil
	}
	origin := strings.Join(request.Header.Values("Origin"), ", ")
	text := `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Forbidden: only requests from this machine are answered"}}`
	return status(http.StatusForbidden, text, asJSON).saying(fmt.Sprintf("Origin %q, Host %q: not from here", clip(origin), clip(request.Host)))
}

// unreadable is the answer to a body that is no message.
func unreadable(body []byte) *reply {
	text, code, why := "Parse error", -32700, "the body is no JSON"
	if json.Valid(body) {
		text, code, why = "Invalid Request", -32600, "the body is no single message of JSON-RPC"
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
			why = "the body is a batch, which this protocol does not have"
		}
	}
	return status(http.StatusBadRequest, `{"jsonrpc":"2.0","error":{"code":`+number(code)+`,"message":`+quoted(text)+`}}`, asJSON).saying(why)
}

// otherVersion is the answer to a message whose jsonrpc is not "2.0", under its id if
// it is a request that has one: under that of a response it would be the answer to
// whatever the client has asked under the same.
func (q *query) otherVersion() *reply {
	const why = "Invalid Request: jsonrpc must be \"2.0\""
	id := ""
	if _, ok := q.RequestID(); ok && q.Method != "" {
		id = `,"id":` + q.rawID()
	}
	return status(http.StatusBadRequest, `{"jsonrpc":"2.0"`+id+`,"error":{"code":-32600,"message":`+quoted(why)+`}}`, asJSON).saying(why)
}

// era fills in the version of the protocol and whether it is the one without
// sessions.
func (q *query) era() {
	field, body := q.header.Get("Mcp-Protocol-Version"), q.Params.Meta.ProtocolVersion
	q.version = body
	if body == "" {
		q.version = field
	}
	if q.Method == "initialize" {
		q.version = loopback.Spoken(q.Params.ProtocolVersion)
		return
	}
	q.modern = body != "" || field != "" && !slices.Contains(loopback.Legacy(), field)
	if q.version == "" {
		q.version = "2025-03-26" // what a request without the field is taken for
	}
}

// validate refuses a request whose header does not say what its body says.
func (q *query) validate() *reply {
	mismatch := func(format string, args ...any) *reply {
		why := "Header mismatch: " + fmt.Sprintf(format, args...)
		return q.fault(http.StatusBadRequest, -32020, why, "").saying(why)
	}
	field, body := q.header.Get("Mcp-Protocol-Version"), q.Params.Meta.ProtocolVersion
	switch {
	case !q.modern && q.Odd != "":
		return q.oddParams()
	case !q.modern:
		return nil
	case field == "":
		return mismatch("MCP-Protocol-Version header is missing")
	case len(q.header.Values("Mcp-Protocol-Version")) > 1:
		return mismatch("MCP-Protocol-Version header stands %d times", len(q.header.Values("Mcp-Protocol-Version")))
	case body != "" && field != body:
		return mismatch("MCP-Protocol-Version header value %q does not match body value %q", clip(field), clip(body))
	case q.version != loopback.Modern:
		supported, err := json.Marshal(append([]string{loopback.Modern}, loopback.Legacy()...))
		if err != nil {
			return q.fault(http.StatusInternalServerError, -32603, err.Error(), "")
		}
		return q.fault(http.StatusBadRequest, -32022, "Unsupported protocol version", `{"supported":`+string(supported)+`,"requested":`+quoted(q.version)+`}`).
			saying(fmt.Sprintf("version %s is not served", clip(q.version)))
	case q.Odd != "":
		return q.oddParams()
	case !q.asked:
		return nil // what the header of a notification must hold is not defined
	case body == "":
		why := "_meta lacks io.modelcontextprotocol/protocolVersion"
		return q.fault(http.StatusBadRequest, -32602, why, "").saying(why)
	case q.header.Get("Mcp-Method") != q.Method:
		return mismatch("Mcp-Method header value %q does not match body value %q", clip(q.header.Get("Mcp-Method")), clip(q.Method))
	}
	if q.Method != "tools/call" {
		return nil
	}
	if name, ok := decoded(q.header.Get("Mcp-Name")); !ok || name != q.Params.Name {
		return mismatch("Mcp-Name header value %q does not match body value %q", clip(q.header.Get("Mcp-Name")), clip(q.Params.Name))
	}
	return nil
}

// oddParams is the answer to a request of whose params one is of another type than
// the protocol's. It goes before what the header must repeat: there is nothing to
// compare it with.
func (q *query) oddParams() *reply {
	why := "Invalid params: " + q.Odd + " is of a wrong type"
	return q.fault(http.StatusBadRequest, -32602, why, "").saying(why)
}

// answer answers a message that has passed the checks, in a session.
func (q *query) answer(p *play) *reply {
	if !q.asked {
		return empty(http.StatusAccepted)
	}
	can := `"capabilities":{"tools":{}}`
	if p.listen != nil {
		can = `"capabilities":{"tools":{"listChanged":true}}`
	}
	ask := func(hook func(*query) *reply) *reply {
		if hook == nil {
			return nil
		}
		return hook(q)
	}
	switch q.Method {
	case "initialize":
		if q.modern {
			break
		}
		return q.result(`"protocolVersion":` + quoted(q.version) + `,` + can + `,"serverInfo":` + serverName)
	case "server/discover":
		if !q.modern {
			break
		}
		return q.result(`"resultType":"complete","supportedVersions":["` + loopback.Modern + `"],` + can +
			`,"_meta":{"io.modelcontextprotocol/serverInfo":` + serverName + `},"ttlMs":0,"cacheScope":"private"`)
	case "ping":
		if q.modern {
			break
		}
		return q.result("")
	case "tools/list":
		if r := ask(p.list); !r.passes() {
			return r
		}
		return listOf(plainTool)(q)
	case "tools/call":
		if r := q.unknownTool(p); r != nil {
			return r
		}
		r := ask(p.call)
		if !r.passes() {
			return r
		}
		fine := q.result(q.fine())
		if r != nil {
			fine.said = r.said
		}
		return fine
	case "subscriptions/listen":
		if r := ask(p.listen); q.modern && !r.passes() {
			return r
		}
	}
	return q.fault(http.StatusNotFound, -32601, "Method not found", "").saying("method " + clip(q.Method) + " is not served")
}

// unknownTool is the answer to a call of a tool that a play does not offer; nil for
// one that it does.
func (q *query) unknownTool(p *play) *reply {
	offers := p.offers
	if offers == nil {
		offers = func(q *query) bool { return q.Params.Name == Tool }
	}
	switch {
	case offers(q):
		return nil
	case q.Params.Name == "":
		return q.fault(http.StatusOK, -32602, "the call names no tool", "").saying("the call names no tool")
	}
	why := "Unknown tool: " + clip(q.Params.Name)
	return q.fault(http.StatusOK, -32602, why, "").saying(why)
}

// notAllowed is the answer to another HTTP method than POST.
func notAllowed() *reply {
	return status(http.StatusMethodNotAllowed, "", corpus.Header{Name: "Allow", Value: "POST"})
}

// unknownSession is the answer to a request of a session that is not known.
func unknownSession(id string) *reply {
	text := `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}`
	return status(http.StatusNotFound, text, asJSON).saying("session " + clip(strings.TrimSpace(id)) + " is not known, or was forgotten")
}
