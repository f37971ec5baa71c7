// Command server answers tool calls on loopback in the ways that the captures of
// this folder show. It prints its address. See make.sh.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>calls</title>")
	})
	mux.HandleFunc("POST /moved", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/mcp")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("POST /mcp", (&server{seen: map[string]int{}}).post)
	log.Fatal(http.Serve(listener, mux))
}

type server struct {
	mu   sync.Mutex
	seen map[string]int
}

func (s *server) post(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m message
	if json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch {
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "tools/list":
		reply(w, m, `"result":{"resultType":"complete","tools":[]}`)
	case m.Method == "tools/call":
		s.call(w, m)
	default:
		reply(w, m, `"error":{"code":-32601,"message":"Method not found"}`)
	}
}

const done = `"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}`

func (s *server) call(w http.ResponseWriter, m message) {
	s.mu.Lock()
	s.seen[m.Params.Name]++
	times := s.seen[m.Params.Name]
	s.mu.Unlock()
	switch m.Params.Name {
	case "ok":
		reply(w, m, done)
	case "fails":
		reply(w, m, `"result":{"resultType":"complete","content":[{"type":"text","text":"no such city"}],"isError":true}`)
	case "params":
		reply(w, m, `"error":{"code":-32602,"message":"Invalid params","data":{"missing":"city"}}`)
	case "input":
		reply(w, m, `"result":{"resultType":"input_required","inputRequests":{"city":{"method":"elicitation/create","params":{"message":"Which city?","requestedSchema":{"type":"object","properties":{}}}}},"requestState":"round-1"}`)
	case "other":
		m.ID = json.RawMessage(`"another"`)
		reply(w, m, done)
	case "down":
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "<h1>503 Service Unavailable</h1>\n")
	case "flaky":
		if times%2 == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		reply(w, m, done)
	case "login":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<title>Sign in</title>")
	case "stream", "unfinished", "cut":
		s.stream(w, m)
	case "late":
		time.Sleep(3 * time.Second)
		reply(w, m, done)
	case "bytes":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}}", m.ID)
	}
}

func (s *server) stream(w http.ResponseWriter, m message) {
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}\n\n")
	w.(http.Flusher).Flush()
	time.Sleep(50 * time.Millisecond)
	switch m.Params.Name {
	case "stream":
		fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n\n", m.ID, done)
	case "cut":
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"res", m.ID)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func reply(w http.ResponseWriter, m message, rest string) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, rest)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	io.WriteString(w, body)
}
