package loopback

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// modern is the revision that has no sessions and sends its version with each
// request.
const modern = "2026-07-28"

// eras are the revisions that begin with initialize, the newest first.
var eras = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// message is what the server reads of a POST.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string          `json:"name"`
		Arguments       json.RawMessage `json:"arguments"`
		ProtocolVersion string          `json:"protocolVersion"`
		RequestState    *string         `json:"requestState"`
		InputResponses  json.RawMessage `json:"inputResponses"`
		Meta            struct {
			ProtocolVersion string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// callID is the id of a request; ok is false for a notification and for an id
// that no request may have.
func (m *message) callID() (id classifier.ID, ok bool) {
	if len(m.ID) == 0 {
		return id, false
	}
	if m.ID[0] == '"' {
		var text string
		if json.Unmarshal(m.ID, &text) != nil {
			return id, false
		}
		return classifier.StringID(text), true
	}
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	return classifier.IntID(n), err == nil
}

// answer answers one request. It tells whether the connection goes on.
func (s *Server) answer(p *peer, request *http.Request, body []byte) bool {
	if request.Method != http.MethodPost {
		s.note(p, request, "405")
		return reply(p, "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n")
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.note(p, request, "400, since it is not JSON")
		return reply(p, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
	}
	id, called := m.callID()
	if m.Method == "tools/call" && called {
		if play := s.called(request, &m); play != nil {
			return s.perform(p, play, request, &m, id, body)
		}
	}
	s.note(p, request, m.Method)
	if m.Method == "" || len(m.ID) == 0 {
		return reply(p, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	}
	status, text := m.respond(request)
	return reply(p, fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), len(text), text))
}

func reply(p *peer, text string) bool {
	_, err := p.Write([]byte(text))
	return err == nil
}

// called is the play that a call names by its argument, or by its path.
func (s *Server) called(request *http.Request, m *message) *Play {
	var arguments struct {
		Case string `json:"case"`
	}
	name, byPath := strings.CutPrefix(request.URL.Path, "/case/")
	if !byPath {
		if json.Unmarshal(m.Params.Arguments, &arguments) != nil {
			return nil
		}
		name = arguments.Case
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plays[name]
}

// perform plays the next answer of a play.
func (s *Server) perform(p *peer, play *Play, request *http.Request, m *message, id classifier.ID, body []byte) bool {
	post, script := play.post(p.number, request, m, id, body)
	if script.End == EndSilent {
		s.hush(p)
	}
	err := script.Play(s.ctx, p)
	play.played(post, err)
	return err == nil && script.End == EndKeep
}

// respond is the result of a request other than a call of a case.
func (m *message) respond(request *http.Request) (status int, text string) {
	version := m.Params.Meta.ProtocolVersion
	if version == "" {
		version = request.Header.Get("Mcp-Protocol-Version")
	}
	result := func(text string) (int, string) {
		return http.StatusOK, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
	}
	failure := func(status, code int, text string) (int, string) {
		if version != modern {
			status = http.StatusOK
		}
		return status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
	}
	cached := ""
	if version == modern {
		cached = `,"resultType":"complete","ttlMs":3600000,"cacheScope":"public"`
	}
	switch m.Method {
	case "initialize":
		spoken := eras[0]
		if slices.Contains(eras, m.Params.ProtocolVersion) {
			spoken = m.Params.ProtocolVersion
		}
		return result(`{"protocolVersion":"` + spoken + `","capabilities":{"tools":{}},"serverInfo":` + self + `}`)
	case "server/discover":
		return result(`{"resultType":"complete","supportedVersions":["` + modern + `"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":` +
			self + `},"ttlMs":3600000,"cacheScope":"public"}`)
	case "tools/list":
		tools := tool
		if strings.HasPrefix(request.URL.Path, "/case/") {
			tools = usualTool
		}
		return result(`{"tools":[` + tools + `]` + cached + `}`)
	case "ping":
		return result(`{}`)
	case "tools/call":
		return failure(http.StatusBadRequest, -32602, "the argument case names no case of this server")
	}
	return failure(http.StatusNotFound, -32601, "method not found")
}

const (
	self = `{"name":"replyproof-loopback","version":"1"}`
	tool = `{"name":"` + Tool + `","description":"Answers with the case that is named.","inputSchema":{"type":"object","properties":{"case":{"type":"string"}},"required":["case"]}}`
	// usualTool is what clients of the official conformance suite call.
	usualTool = `{"name":"add_numbers","description":"Answers with the case of the URL.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}`
)
