package loopback

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Modern is the revision that has no sessions and sends its version with each
// request.
const Modern = "2026-07-28"

// Legacy are the revisions that begin with initialize, the newest first.
func Legacy() []string { return slices.Clone(eras[:]) }

var eras = [...]string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Spoken is the revision in which a server answers an initialize that asks for
// another: the same if it is one of [Legacy], else the newest of them.
func Spoken(asked string) string {
	if slices.Contains(eras[:], asked) {
		return asked
	}
	return eras[0]
}

// answer answers one request. It tells whether the connection goes on.
func (s *Server) answer(ctx context.Context, p *Conn, request *http.Request, body []byte) bool {
	if request.Method != http.MethodPost {
		s.note(p, request, "405")
		return reply(p, "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n")
	}
	m, err := ReadMessage(body)
	if err != nil {
		s.note(p, request, "400, since it is no JSON object")
		return reply(p, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
	}
	id, called := m.RequestID()
	if m.Method == "tools/call" && called {
		if play := s.called(request, &m); play != nil {
			return s.perform(ctx, p, play, request, &m, id, body)
		}
	}
	switch {
	case m.Method != "tools/call":
		s.note(p, request, m.Method)
	case called:
		s.note(p, request, "tools/call, whose argument case names no case")
	default:
		s.note(p, request, "tools/call without an id")
	}
	if !m.Asks() {
		return reply(p, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	}
	status, text := m.respond(request)
	return reply(p, fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), len(text), text))
}

func reply(p *Conn, text string) bool {
	_, err := p.Write([]byte(text))
	return err == nil
}

// called is the play that a call names by its argument, or by its path.
func (s *Server) called(request *http.Request, m *Message) *Play {
	name, byPath := strings.CutPrefix(request.URL.Path, "/case/")
	if !byPath {
		var arguments members
		if json.Unmarshal(m.Params.Arguments, &arguments) != nil {
			return nil
		}
		name, _ = Text(arguments["case"])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plays[name]
}

// perform plays the next answer of a play.
func (s *Server) perform(ctx context.Context, p *Conn, play *Play, request *http.Request, m *Message, id classifier.ID, body []byte) bool {
	post, script := play.post(p.Number, request, m, id, body)
	if script.End == EndSilent {
		p.Hush()
	}
	became, err := script.perform(ctx, p, func() { play.writing(post) })
	if became == EndKeep && request.Close {
		became = EndClose // as the client asked
	}
	play.played(post, became, err)
	return err == nil && became == EndKeep
}

// respond is the result of a request other than a call of a case.
func (m *Message) respond(request *http.Request) (status int, text string) {
	version := m.Params.Meta.ProtocolVersion
	if version == "" {
		version = request.Header.Get("Mcp-Protocol-Version")
	}
	result := func(text string) (int, string) {
		return http.StatusOK, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
	}
	failure := func(status, code int, text string) (int, string) {
		if version != Modern {
			status = http.StatusOK
		}
		return status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
	}
	cached := ""
	if version == Modern {
		cached = `,"resultType":"complete","ttlMs":3600000,"cacheScope":"public"`
	}
	switch m.Method {
	case "initialize":
		return result(`{"protocolVersion":"` + Spoken(m.Params.ProtocolVersion) + `","capabilities":{"tools":{}},"serverInfo":` + self + `}`)
	case "server/discover":
		return result(`{"resultType":"complete","supportedVersions":["` + Modern + `"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":` +
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
