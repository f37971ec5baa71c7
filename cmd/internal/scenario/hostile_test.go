package scenario_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// TestEchoesWhatItIsGiven: what a client or the settings say comes back as it is,
// also where it looks like the place of an id.
func TestEchoesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	const version = "2025-11-25"
	for _, test := range []struct{ name, settings, body, want string }{
		{"baseline", "", `{"jsonrpc":"2.0","id":"{{id}}","method":"tools/call","params":{"name":"run_configured_test_scenario"}}`, `"{{id}}"`},
		{"sse.drip", `{"everyMs":0}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_configured_test_scenario","_meta":{"progressToken":"{{id}}"}}}`, `"progressToken":"{{id}}"`},
		{"sse.drip", `{"everyMs":0}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_configured_test_scenario","_meta":{"progressToken":{` + "\r\n" + `"a":1}}}}`, `"progressToken":{  "a":1}`},
		{"errors.jsonrpc_error", `{"message":"{{id}}","data":["{{id}}"]}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_configured_test_scenario"}}`, `"message":"{{id}}","data":["{{id}}"]`},
		{"elicitation.approval", "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_configured_test_scenario","arguments":{"closeReason":"{{id}}"}}}`, `Done, since: {{id}}`},
	} {
		p := serve(t, test.name, test.settings)
		got := p.send(http.MethodPost, test.body, "MCP-Protocol-Version", version)
		for line := range strings.Lines(got.body) {
			text := strings.TrimSpace(strings.TrimPrefix(line, "data: "))
			if text != "" && !json.Valid([]byte(text)) {
				t.Errorf("%s: got %s, which is no JSON", test.name, text)
			}
		}
		if plain := strings.ReplaceAll(got.body, `\u007b`, "{"); got.status != 200 || !strings.Contains(plain, test.want) {
			t.Errorf("%s: got %s, want in it %s", test.name, got, test.want)
		}
	}
	// A body that is told byte for byte has a place for the id.
	p := serve(t, "errors.malformed_payload", `{"body":"{\"id\":{{id}},"}`)
	if got := p.legacyCall(p.legacy(), "{}"); got.body != `{"id":1,` {
		t.Errorf("got %s, want the id in its place", got)
	}
}

// TestTellsTokensBySchemeInAnyCase: the name of a scheme has no case.
func TestTellsTokensBySchemeInAnyCase(t *testing.T) {
	t.Parallel()
	p := serve(t, "auth.token_lifecycle", "")
	for value, want := range map[string]int{"Bearer a": 200, "bearer b": 200, "BEARER c": 200, "Basic d": 401, "Bearer": 401, "Bearer ": 401, "Bearerx": 401} {
		if got := p.call("Authorization", value); got.status != want {
			t.Errorf("%q: got %s, want %d", value, got, want)
		}
	}
}

// TestStatelessWhateverIsChosen: a server that gives no sessions gives none while
// another scenario is chosen.
func TestStatelessWhateverIsChosen(t *testing.T) {
	t.Parallel()
	choice, err := scenario.Choose("baseline", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Serve(choice, scenario.Options{Stateless: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, server: s, client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		p.client.CloseIdleConnections()
		s.Close()
	})
	var choosing sync.WaitGroup
	defer choosing.Wait()
	over := make(chan struct{})
	defer close(over)
	choosing.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				s.Choose(choice)
			}
		}
	})
	for range 300 {
		a := p.send(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
		if id := a.header.Get("Mcp-Session-Id"); a.status != http.StatusOK || id != "" {
			t.Fatalf("got %s and the session %q, want none", a, id)
		}
	}
}

// TestHeadOfAPage: HEAD is answered with the fields alone.
func TestHeadOfAPage(t *testing.T) {
	t.Parallel()
	choice, err := scenario.Choose("baseline", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Serve(choice, scenario.Options{Pages: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "a page")
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for method, want := range map[string]string{
		"HEAD": "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n",
		"GET":  "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\na page",
	} {
		conn, err := net.Dial("tcp4", strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), scenario.Path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, method+" / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		conn.Close()
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q and %v, want %q", method, got, err, want)
		}
	}
}
