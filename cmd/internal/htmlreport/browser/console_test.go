package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	control "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp/kb"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/replyproof/replyproof/cmd/internal/console"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
	"github.com/replyproof/replyproof/corpus"
)

// served starts a scenario server with its page, and gives its URL without the path.
func served(t *testing.T, name, settings string) (server *scenario.Server, base string) {
	t.Helper()
	choice, err := scenario.Choose(name, []byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	c := console.New()
	server, err = scenario.Serve(choice, scenario.Options{Pages: c, Began: c.Began, Done: c.Done})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	c.Attach(server)
	return server, strings.TrimSuffix(server.URL(), scenario.Path)
}

// dial connects the Go SDK's client.
func dial(t *testing.T, url string) *mcp.ClientSession {
	t.Helper()
	pool := &http.Transport{}
	t.Cleanup(pool.CloseIdleConnections)
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: pool}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil).
		Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls the tool, and tells what the client made of it.
func callTool(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: scenario.Tool, Arguments: map[string]any{"message": "<b>é</b>"}})
	switch {
	case err != nil:
		return "error"
	case result.IsError:
		return "tool error"
	}
	return "success"
}

// await waits until an expression of the page is true.
func await(b *tab, what, expression string) {
	b.t.Helper()
	for range 200 {
		if eval[bool](b, expression) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("%s: it never came", what)
}

// TestConsole watches a real client, opens an exchange, copies it, and chooses
// another scenario for what comes next.
func TestConsole(t *testing.T) {
	server, base := served(t, "errors.tool_error", "")
	b := visit(t, base+"/", "", desk, base)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		call(b, control.SetPermission, control.SetPermissionParams{Permission: &control.PermissionDescriptor{Name: name}, Setting: control.PermissionSettingGranted, Origin: base})
	}
	want(b, "nothing yet", "document.getElementById('none').hidden", false)
	client := dial(t, server.URL())
	if got := callTool(t, client); got != "tool error" {
		t.Errorf("the client got %s, want a tool error", got)
	}
	const first = "[...document.querySelectorAll('#rows tr')].find(line => line.dataset.call === 'true')"
	await(b, "the call", first+" !== undefined && !"+first+".querySelector('button').disabled")
	want(b, "the verdict", first+".querySelector('.outcome').textContent", "TOOL_ERROR")

	b.js(first + ".querySelector('button').click()")
	await(b, "the detail", "!document.getElementById('detail').hidden")
	want(b, "the focus", "document.activeElement.id", "detail")
	for id, text := range map[string]string{
		"verdict": "decided byrule 9, tool-error: isError is true", "request-head": "Mcp-Method: tools/call", "request-body": `"<b>é</b>"`,
		"answer-head": "HTTP/1.1 200 OK", "answer-body": "Tool-side failure", "answer-hex": "|{\"jsonrpc\"",
	} {
		if got := eval[string](b, fmt.Sprintf("document.getElementById(%q).textContent", id)); !strings.Contains(got, text) {
			t.Errorf("%s: got %q, want in it %q", id, got, text)
		}
	}
	want(b, "markup from outside", "document.querySelectorAll('#detail b').length", 0)

	copied := func(what string) string {
		t.Helper()
		b.js("document.getElementById('copied').textContent = ''")
		b.js(fmt.Sprintf("document.querySelector('[data-copy=%q]').click()", what))
		await(b, "a copy of "+what, "document.getElementById('copied').textContent.endsWith('copied')")
		return eval[string](b, "navigator.clipboard.readText()")
	}
	cases, err := corpus.Parse("clipboard", []byte(copied("case")))
	if err != nil || len(cases) != 1 || cases[0].Expect == nil || cases[0].Expect.Outcome.String() != "TOOL_ERROR" {
		t.Errorf("the case: got %v and %v, want one of TOOL_ERROR", cases, err)
	}
	for _, wrong := range corpus.Verify(cases) {
		t.Errorf("the case: %v", wrong)
	}
	if got := copied("curl"); !strings.HasPrefix(got, "curl -sSi "+server.URL()+" ") || !strings.Contains(got, "--data-raw '") {
		t.Errorf("curl: got %s", got)
	}
	var har struct {
		Log struct{ Entries []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(copied("har")), &har); err != nil || len(har.Log.Entries) != 1 {
		t.Errorf("HAR: got %d entries and %v", len(har.Log.Entries), err)
	}
	b.key(kb.Escape)
	want(b, "closed by Escape", "document.getElementById('detail').hidden", true)

	choose := func(name, settings string) {
		t.Helper()
		b.js(fmt.Sprintf("(() => { const name = document.getElementById('name'); name.value = %q; name.dispatchEvent(new Event('change')); const s = document.getElementById('settings'); if (%q) s.value = %q; })()", name, settings, settings))
		b.js("document.getElementById('told').textContent = ''")
		b.js("document.querySelector('#choose button').click()")
		await(b, "an answer to the choice", "document.getElementById('told').textContent !== ''")
	}
	choose("baseline", "")
	await(b, "the choice", "document.getElementById('chosen').textContent === 'baseline'")
	if got := callTool(t, client); got != "success" {
		t.Errorf("after the choice the client got %s, want a success", got)
	}
	choose("sequence", "")
	if got := []string{callTool(t, client), callTool(t, client)}; got[0] != "error" || got[1] != "error" {
		t.Errorf("in a sequence the client got %q, want two errors", got)
	}
	await(b, "a repetition", "document.querySelectorAll('.retry').length > 0")
}

// TestConsoleRefuses tells what is wrong with a choice, in the page.
func TestConsoleRefuses(t *testing.T) {
	_, base := served(t, "baseline", "")
	b := visit(t, base+"/", "", desk, base)
	answer := eval[string](b, `fetch('/choose', {method: 'POST', headers: {'Content-Type': 'text/plain'}, body: '{}'}).then(r => String(r.status))`)
	if answer != "415" {
		t.Errorf("a form's type: got %s, want 415", answer)
	}
	b.mu.Lock()
	b.faults = nil // the browser tells of the 415
	b.mu.Unlock()
}

// TestConsoleLook takes pictures in both themes and on a phone.
func TestConsoleLook(t *testing.T) {
	server, base := served(t, "errors.http_status_sequence", `{"statusCodes":[503,200,429],"count":"calls"}`)
	client := dial(t, server.URL())
	for range 4 {
		callTool(t, client)
	}
	next, err := scenario.Choose("sse.cut", nil)
	if err != nil {
		t.Fatal(err)
	}
	server.Choose(next)
	callTool(t, client)
	for _, w := range []struct {
		name string
		window
	}{{"light", desk}, {"dark", night}, {"phone", phone}, {"phone-dark", window{width: 360, height: 740, theme: "dark", phone: true}}} {
		t.Run(w.name, func(t *testing.T) {
			b := visit(t, base+"/", "", w.window, base)
			fits := func(part string) {
				t.Helper()
				if over := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
					t.Errorf("%s: the page is %d pixels wider than its window", part, over)
				}
			}
			fits("list")
			b.shot("console-" + w.name)
			b.js("document.querySelector('#rows tr[data-call=true] button').click()")
			await(b, "the detail", "!document.getElementById('detail').hidden")
			b.js(settle)
			fits("detail")
			b.shot("console-" + w.name + "-open")
			want(b, "controls without a name", `[...document.querySelectorAll('button, select, textarea, input')].filter(e => !e.hidden && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length`, 0)
		})
	}
}
