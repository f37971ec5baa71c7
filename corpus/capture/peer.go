package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

const (
	modern = "2026-07-28" // every request tells its version and capabilities itself
	legacy = "2025-11-25" // initialize first, then a session
)

// patience is how long one exchange may take.
const patience = 20 * time.Second

// object is a JSON object.
type object map[string]any

// peer is one running server, spoken to in one era of the protocol.
type peer struct {
	addr, path string
	version    string
	session    string // legacy only, after open
}

// open does what the legacy era wants before the first call.
func (p *peer) open() error {
	hello := object{"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": object{
		"protocolVersion": p.version,
		"capabilities":    object{"elicitation": object{}},
		"clientInfo":      object{"name": "replyproof-capture", "version": "1"},
	}}
	a, err := p.post(hello)
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	if a.Status != 200 {
		return fmt.Errorf("initialize: status %d: %s", a.Status, a.Body)
	}
	if p.session = a.first("Mcp-Session-Id"); p.session == "" {
		return errors.New("initialize: no Mcp-Session-Id in the answer")
	}
	if a, err = p.post(initialized); err != nil || a.Status != 202 {
		return fmt.Errorf("notifications/initialized: status %d, error %v", a.Status, err)
	}
	return nil
}

var initialized = object{"jsonrpc": "2.0", "method": "notifications/initialized"}

// fields are the header lines that a well-behaved client of the era sends with message.
func (p *peer) fields(message object) []field {
	all := []field{
		{"Content-Type", "application/json"},
		{"Accept", "application/json, text/event-stream"},
	}
	if message["method"] != "initialize" {
		all = append(all, field{"MCP-Protocol-Version", p.version})
	}
	if p.session != "" {
		all = append(all, field{"Mcp-Session-Id", p.session})
	}
	if p.version == modern {
		all = append(all, field{"Mcp-Method", fmt.Sprint(message["method"])})
		if params, ok := message["params"].(object); ok && params["name"] != nil {
			all = append(all, field{"Mcp-Name", fmt.Sprint(params["name"])})
		}
	}
	return all
}

// change alters a POST that would otherwise be well formed.
type change func(*wirePost)

// without drops a header line.
func without(name string) change {
	return func(p *wirePost) {
		kept := p.Fields[:0]
		for _, f := range p.Fields {
			if f.Name != name {
				kept = append(kept, f)
			}
		}
		p.Fields = kept
	}
}

// with replaces a header line.
func with(name, value string) change {
	return func(p *wirePost) {
		without(name)(p)
		p.Fields = append(p.Fields, field{name, value})
	}
}

// as names another host than the server's own.
func as(host string) change { return func(p *wirePost) { p.Host = host } }

// sending replaces the body.
func sending(body string) change { return func(p *wirePost) { p.Body = []byte(body) } }

// post sends one message as the era has it, and then altered.
func (p *peer) post(message object, changes ...change) (wireAnswer, error) {
	return p.postWithin(patience, message, changes...)
}

func (p *peer) postWithin(limit time.Duration, message object, changes ...change) (wireAnswer, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return wireAnswer{}, fmt.Errorf("marshal request: %w", err)
	}
	post := wirePost{Addr: p.addr, Path: p.path, Fields: p.fields(message), Body: body}
	for _, c := range changes {
		c(&post)
	}
	ctx, cancel := within(limit)
	defer cancel()
	return post.send(ctx)
}

// call is the message that calls a tool. progress asks for progress notifications.
func (p *peer) call(id any, tool string, arguments object, progress bool) object {
	params := object{"name": tool, "arguments": arguments}
	meta := object{}
	if p.version == modern {
		meta["io.modelcontextprotocol/protocolVersion"] = modern
		meta["io.modelcontextprotocol/clientInfo"] = object{"name": "replyproof-capture", "version": "1"}
		meta["io.modelcontextprotocol/clientCapabilities"] = object{"elicitation": object{}}
		meta["io.modelcontextprotocol/logLevel"] = "info"
	}
	if progress {
		meta["progressToken"] = "token-1"
	}
	if len(meta) > 0 {
		params["_meta"] = meta
	}
	return object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
}

// answerElicitation is a Progress function that looks for the server's
// elicitation/create in a stream and answers it once, with a POST of its own.
// That POST's answer, or what went wrong, is sent to done.
func (p *peer) answerElicitation(content object, done chan<- elicited) func([]byte) {
	answered := false
	return func(stream []byte) {
		if answered {
			return
		}
		for line := range bytes.Lines(stream) {
			data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data: "))
			if !ok || !bytes.HasSuffix(line, []byte("\n")) {
				continue
			}
			var request struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			if json.Unmarshal(data, &request) != nil || request.Method != "elicitation/create" {
				continue
			}
			answered = true
			a, err := p.post(object{"jsonrpc": "2.0", "id": request.ID,
				"result": object{"action": "accept", "content": content}})
			done <- elicited{a, err}
			return
		}
	}
}

// elicited is what came back for the POST of an elicitation's response.
type elicited struct {
	answer wireAnswer
	err    error
}

// watching sets the Progress function.
func watching(progress func([]byte)) change { return func(p *wirePost) { p.Progress = progress } }
