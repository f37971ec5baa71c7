package scenario_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is a server with a client of its own, and what was told of it.
type peer struct {
	t      testing.TB
	server *scenario.Server
	client *http.Client
	began  atomic.Int64

	mu   sync.Mutex
	seen []*scenario.Exchange
	ids  int
}

func serve(t testing.TB, name, settings string) *peer {
	t.Helper()
	choice, err := scenario.Choose(name, []byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return serveChoice(t, choice)
}

func serveChoice(t testing.TB, choice *scenario.Choice) *peer {
	t.Helper()
	p := &peer{t: t, client: &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	var err error
	p.server, err = scenario.Serve(choice, scenario.Options{
		Began: func(scenario.Start) { p.began.Add(1) },
		Done: func(x *scenario.Exchange) {
			p.mu.Lock()
			p.seen = append(p.seen, x)
			p.mu.Unlock()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.client.CloseIdleConnections()
		if err := p.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// close ends the server and gives what it told.
func (p *peer) close() []*scenario.Exchange {
	p.t.Helper()
	if err := p.server.Close(); err != nil {
		p.t.Error(err)
	}
	return p.seen
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
}

// String is the status with what decides of the body.
func (a answer) String() string {
	if a.err != nil {
		return fmt.Sprintf("%d %s error", a.status, a.body)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", a.status, a.body))
}

// send sends a request with header fields in pairs; one that stands more than once
// has a line for each value.
func (p *peer) send(method, body string, fields ...string) answer {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.server.URL(), strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "Host" {
			request.Host = fields[i+1]
		}
		request.Header[http.CanonicalHeaderKey(fields[i])] = strings.Split(fields[i+1], "\n")
	}
	response, err := p.client.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text), err}
}

const (
	versionKey      = "io.modelcontextprotocol/protocolVersion"
	capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
)

// modern sends a request of revision 2026-07-28 under an id of its own. params are
// members of its params.
func (p *peer) modern(method, params string, fields ...string) answer {
	p.t.Helper()
	p.ids++
	if params != "" {
		params += ","
	}
	var named struct {
		Name string `json:"name"`
	}
	all := `{` + params + `"_meta":{"` + versionKey + `":"2026-07-28","` + capabilitiesKey + `":{"elicitation":{}}}}`
	if err := json.Unmarshal([]byte(all), &named); err != nil {
		p.t.Fatal(err)
	}
	header := []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if named.Name != "" {
		header = append(header, "Mcp-Name", named.Name)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, p.ids, method, all)
	return p.send(http.MethodPost, body, append(header, fields...)...)
}

func (p *peer) call(fields ...string) answer {
	p.t.Helper()
	return p.modern("tools/call", `"name":"`+scenario.Tool+`","arguments":{}`, fields...)
}

// legacy begins a session of 2025-11-25 and gives its id.
func (p *peer) legacy() string {
	p.t.Helper()
	a := p.send(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if a.status != http.StatusOK || a.header.Get("Mcp-Session-Id") == "" {
		p.t.Fatalf("initialize: got %s, session %q", a, a.header.Get("Mcp-Session-Id"))
	}
	return a.header.Get("Mcp-Session-Id")
}

func (p *peer) legacyCall(session, arguments string) answer {
	p.t.Helper()
	p.ids++
	return p.send(http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, p.ids, scenario.Tool, arguments),
		"Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25")
}

func TestBothEras(t *testing.T) {
	t.Parallel()
	const (
		now  = `"_meta":{"` + versionKey + `":"2026-07-28"}`
		list = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + now + `}}`
		call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"é","arguments":{},` + now + `}}`
	)
	version := []string{"MCP-Protocol-Version", "2026-07-28"}
	listing := append(slices.Clone(version), "Mcp-Method", "tools/list")
	calling := append(slices.Clone(version), "Mcp-Method", "tools/call")
	tests := []struct {
		name, method, body string
		fields             []string
		status             int
		want               []string // in the body
	}{
		{"a list", "POST", list, listing, 200, []string{`"id":7`, `"resultType":"complete"`, scenario.Tool, `"ttlMs":`}},
		{"a name in base64", "POST", strings.ReplaceAll(call, "é", scenario.Tool), append(slices.Clone(calling), "Mcp-Name", "=?base64?cnVuX2NvbmZpZ3VyZWRfdGVzdF9zY2VuYXJpbw==?="), 200, []string{`"content":[`}},
		{"an unknown tool", "POST", call, append(slices.Clone(calling), "Mcp-Name", "=?base64?w6k=?="), 200, []string{`"code":-32602`, `"id":7`, "Unknown tool: é"}},
		{"no tool", "POST", strings.ReplaceAll(call, "é", ""), append(slices.Clone(calling), "Mcp-Name", ""), 200, []string{`"code":-32602`, `"id":7`}},
		{"an unknown tool of old", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other"}}`, nil, 200, []string{`"code":-32602`, `"id":7`, "Unknown tool: other"}},
		{"a number for a name", "POST", strings.Replace(call, `"é"`, `5`, 1), append(slices.Clone(calling), "Mcp-Name", "5"), 400, []string{`"code":-32602`, `"id":7`, "params.name"}},
		{"an object for a name", "POST", strings.Replace(call, `"é"`, `{}`, 1), calling, 400, []string{`"code":-32602`, `"id":7`, "params.name"}},
		{"a number for a name of old", "POST", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}`, nil, 200, []string{`"code":-32602`, `"id":"a"`, "params.name"}},
		{"a list for arguments", "POST", strings.Replace(call, `{}`, `[]`, 1), append(slices.Clone(calling), "Mcp-Name", "=?base64?w6k=?="), 400, []string{`"code":-32602`, `"id":7`, "params.arguments"}},
		{"a number for requestState", "POST", strings.Replace(call, `"arguments"`, `"requestState":1,"arguments"`, 1), append(slices.Clone(calling), "Mcp-Name", "=?base64?w6k=?="), 400, []string{`"code":-32602`, `"id":7`, "params.requestState"}},
		{"a text for clientInfo of old", "POST", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":"x"}}`, nil, 200, []string{`"code":-32602`, `"id":7`, "params.clientInfo"}},
		{"a list for params", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}`, listing, 400, []string{`"code":-32602`, `"id":7`, "params is"}},
		{"a list for params of old", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, nil, 200, []string{`"code":-32602`, `"id":7`}},
		{"a text for _meta", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":"x"}}`, listing, 400, []string{`"code":-32602`, `"id":7`, "params._meta"}},
		{"a number for a cursor", "POST", strings.Replace(list, `{"_meta"`, `{"cursor":1,"_meta"`, 1), listing, 400, []string{`"code":-32602`, `"id":7`, "params.cursor"}},
		{"a number for a version that is asked for", "POST", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}`, nil, 200, []string{`"code":-32602`, `"id":7`}},
		{"a version that is not served, with a number for a name", "POST", strings.ReplaceAll(strings.Replace(call, `"é"`, `5`, 1), "2026-07-28", "2099-01-01"),
			[]string{"MCP-Protocol-Version", "2099-01-01", "Mcp-Method", "tools/call"}, 400, []string{`"code":-32022`, `"id":7`}},
		{"a notification with a list for params", "POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, nil, 400, []string{`"code":-32600`}},
		{"a number for a method", "POST", `{"jsonrpc":"2.0","id":7,"method":5}`, nil, 400, []string{`"code":-32600`}},
		{"no jsonrpc", "POST", `{"id":7,"method":"tools/list"}`, nil, 400, []string{`"code":-32600`, `"id":7`}},
		{"another jsonrpc", "POST", strings.Replace(list, `"2.0"`, `"1.0"`, 1), listing, 400, []string{`"code":-32600`, `"id":7`}},
		{"a number for jsonrpc", "POST", strings.Replace(list, `"2.0"`, `2.0`, 1), listing, 400, []string{`"code":-32600`, `"id":7`}},
		{"a notification without jsonrpc", "POST", `{"method":"notifications/initialized"}`, nil, 400, []string{`"code":-32600`}},
		{"a response without jsonrpc", "POST", `{"id":7,"result":{}}`, nil, 400, []string{`"code":-32600`}},
		{"a name that differs", "POST", call, append(slices.Clone(calling), "Mcp-Name", "other"), 400, []string{`"code":-32020`, `"id":7`, "Mcp-Name"}},
		{"a name in bad base64", "POST", call, append(slices.Clone(calling), "Mcp-Name", "=?base64?%?="), 400, []string{`"code":-32020`}},
		{"no name", "POST", call, calling, 400, []string{`"code":-32020`}},
		{"no method", "POST", list, version, 400, []string{`"code":-32020`, "Mcp-Method"}},
		{"another method", "POST", list, calling, 400, []string{`"code":-32020`}},
		{"no version in the header", "POST", list, []string{"Mcp-Method", "tools/list"}, 400, []string{`"code":-32020`, "missing"}},
		{"two versions", "POST", list, []string{"MCP-Protocol-Version", "2026-07-28\n2025-11-25", "Mcp-Method", "tools/list"}, 400, []string{`"code":-32020`, "2 times"}},
		{"versions that differ", "POST", list, []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Method", "tools/list"}, 400, []string{`"code":-32020`}},
		{"no version in the body", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, listing, 400, []string{`"code":-32602`}},
		{"a version that is not served", "POST", strings.ReplaceAll(list, "2026-07-28", "2099-01-01"), []string{"MCP-Protocol-Version", "2099-01-01", "Mcp-Method", "tools/list"}, 400,
			[]string{`"code":-32022`, `"supported":["2026-07-28","2025-11-25",`, `"requested":"2099-01-01"`}},
		{"an unknown method", "POST", strings.ReplaceAll(list, "tools/list", "prompts/list"), append(slices.Clone(version), "Mcp-Method", "prompts/list"), 404, []string{`"code":-32601`, `"id":7`}},
		{"an unknown method of old", "POST", `{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`, nil, 200, []string{`"code":-32601`}},
		{"ping of old", "POST", `{"jsonrpc":"2.0","id":"a","method":"ping"}`, nil, 200, []string{`"id":"a","result":{}`}},
		{"a notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, nil},
		{"a response", "POST", `{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 202, nil},
		{"no JSON", "POST", `{`, nil, 400, []string{`"code":-32700`}},
		{"nothing", "POST", ``, nil, 400, []string{`"code":-32700`}},
		{"a batch", "POST", `[` + list + `]`, listing, 400, []string{`"code":-32600`}},
		{"an id that is none", "POST", strings.Replace(list, `"id":7`, `"id":1.5`, 1), listing, 400, []string{`"code":-32600`}},
		{"a session that is not known", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, []string{"Mcp-Session-Id", "x"}, 404, []string{`"code":-32001`}},
		{"GET", "GET", "", nil, 405, nil},
		{"DELETE", "DELETE", "", nil, 405, nil},
		{"a page of somebody else's", "POST", list, append(slices.Clone(listing), "Origin", "http://evil.example"), 403, nil},
		{"no origin at all", "POST", list, append(slices.Clone(listing), "Origin", "null"), 403, nil},
		{"a name that leads here", "POST", list, append(slices.Clone(listing), "Host", "evil.example"), 403, nil},
		{"a page of this machine", "POST", list, append(slices.Clone(listing), "Origin", "http://localhost:6274"), 200, nil},
	}
	p := serve(t, "baseline", "")
	for _, test := range tests {
		got := p.send(test.method, test.body, test.fields...)
		if got.status != test.status || got.err != nil {
			t.Errorf("%s: got %s, want %d", test.name, got, test.status)
		}
		for _, want := range test.want {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: got %s, want in it %s", test.name, got.body, want)
			}
		}
		if got.status == 405 && got.header.Get("Allow") != "POST" {
			t.Errorf("%s: got Allow %q", test.name, got.header.Get("Allow"))
		}
		if got.status == 202 && got.body != "" {
			t.Errorf("%s: got the body %q", test.name, got.body)
		}
		if id := got.header.Get("Mcp-Session-Id"); id != "" {
			t.Errorf("%s: got the session %s, want none", test.name, id)
		}
	}
}

func TestSessionsOfOld(t *testing.T) {
	t.Parallel()
	p := serve(t, "errors.tool_error", `{"onInvocation":2}`)
	one, two := p.legacy(), p.legacy()
	for i, want := range []bool{false, true, false} {
		if got := p.legacyCall(one, `{}`); strings.Contains(got.body, `"isError":true`) != want {
			t.Errorf("call %d: got %s, want an error: %t", i+1, got, want)
		}
	}
	if got := p.legacyCall(two, `{}`); strings.Contains(got.body, "isError") {
		t.Errorf("the other session's first call: got %s, want no error", got)
	}
	if got := p.send("GET", "", "Mcp-Session-Id", one); got.status != 405 {
		t.Errorf("GET: got %s, want 405", got)
	}
	if got := p.send("DELETE", "", "Mcp-Session-Id", one); got.status != 200 {
		t.Errorf("DELETE: got %s, want 200", got)
	}
	if got := p.legacyCall(one, `{}`); got.status != 404 {
		t.Errorf("a call after DELETE: got %s, want 404", got)
	}
}

// What is chosen is for what begins after it.
func TestChooseLeavesSessionsAlone(t *testing.T) {
	t.Parallel()
	p := serve(t, "errors.http_status_sequence", `{"statusCodes":[200,200,503]}`)
	old := p.legacy()
	if got := p.call(); got.status != 200 {
		t.Errorf("got %s", got)
	}
	next, err := scenario.Choose("errors.tool_error", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.server.Choose(next)
	if got := p.legacyCall(old, `{}`); got.status != 200 || strings.Contains(got.body, "isError") {
		t.Errorf("POST 2 of the old session: got %s, want a success", got)
	}
	if got := p.legacyCall(old, `{}`); got.status != 503 {
		t.Errorf("POST 3 of the old session: got %s, want 503", got)
	}
	if got := p.call(); !strings.Contains(got.body, "isError") {
		t.Errorf("a call with no session: got %s, want isError", got)
	}
	if got := p.legacyCall(p.legacy(), `{}`); !strings.Contains(got.body, "isError") {
		t.Errorf("a call of a new session: got %s, want isError", got)
	}
}

func TestTranscriptTellsRetries(t *testing.T) {
	t.Parallel()
	p := serve(t, "errors.http_status_sequence", `{"statusCodes":[503,503,200],"count":"calls"}`)
	p.modern("tools/list", "")
	p.call()
	p.ids-- // the same id again
	p.call()
	p.call()
	seen := p.close()
	var got []string
	for _, x := range seen {
		j := &x.Judged
		got = append(got, fmt.Sprintf("%s %d.%d %s %d %s", x.Session, x.Post, x.Call, j.Record.RetryOrigin, len(j.Record.HTTPStatuses), j.Record.Scenario))
	}
	want := []string{
		"n1 1.0 none 0 ", "n1 2.1 none 1 errors.http_status_sequence", "n1 3.2 sdk 2 errors.http_status_sequence", "n1 4.3 application 3 errors.http_status_sequence",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if e := seen[2].Judged.Step.Evidence; !strings.Contains(e, "same id 2") {
		t.Errorf("got the evidence %q, want the same id 2", e)
	}
	if line := seen[1].Line(); !strings.Contains(line, "n1 POST 2 tools/call "+scenario.Tool+", id 2 → 503 HTTP_ERROR") || !strings.Contains(line, "calls alone count") {
		t.Errorf("got the line %q", line)
	}
}

// What is under way when the server ends is told as broken off.
func TestCloseTellsWhatWasUnderWay(t *testing.T) {
	t.Parallel()
	p := serve(t, "timeout.uncooperative_hang", `{"where":"progress"}`)
	done := make(chan answer, 1)
	go func() { done <- p.call() }()
	began := time.Now()
	for !p.underWay() && time.Since(began) < time.Minute {
		time.Sleep(time.Millisecond)
	}
	if seen := p.close(); len(seen) != 1 || seen[0].Judged.Verdict.Outcome.String() != "NO_FINAL_RESPONSE" {
		t.Errorf("got %d exchanges, want one without a final response", len(seen))
	}
	if got := <-done; got.err == nil {
		t.Errorf("the client got %s, want an error", got)
	}
}

// underWay tells whether the first call has begun.
func (p *peer) underWay() bool { return p.began.Load() > 0 }

// A client that sends the next request as soon as it has an answer is told of in
// its own order, whichever goroutine of the server is quicker.
func TestOrder(t *testing.T) {
	t.Parallel()
	p := serve(t, "errors.http_status_sequence", `{"statusCodes":[500,501,502,503],"count":"calls"}`)
	const calls = 200
	for n := range calls {
		if n%2 == 0 {
			p.client.CloseIdleConnections() // the next one comes on another connection
		}
		p.call()
	}
	seen := p.close()
	if len(seen) != calls {
		t.Fatalf("got %d exchanges, want %d", len(seen), calls)
	}
	for i, x := range seen {
		if x.Post != i+1 {
			t.Errorf("exchange %d: got POST %d, want %d", i+1, x.Post, i+1)
		}
		if i > 0 && i < 5 && x.Judged.Step.Post != i+1 {
			t.Errorf("exchange %d: got POST %d of its call, want %d", i+1, x.Judged.Step.Post, i+1)
		}
	}
}

// A client of the older revisions may give up a call by a notification and keep its
// connection open: what it sends next is a repetition, answered or not.
func TestCancelledCallIsOver(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{
		"timeout.uncooperative_hang": `{"onInvocation":1}`,
		"sse.stall":                  `{"onInvocation":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, name, settings)
			session := p.legacy()
			hung := make(chan answer, 1)
			go func() {
				hung <- p.send(http.MethodPost, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"`+scenario.Tool+`","arguments":{}}}`,
					"Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25")
			}()
			for began := time.Now(); p.began.Load() < 2 && time.Since(began) < time.Minute; {
				time.Sleep(time.Millisecond)
			}
			for told, began := false, time.Now(); !told && time.Since(began) < time.Minute; { // until the server has come to its silence
				p.send(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`,
					"Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25")
				p.mu.Lock()
				told = slices.ContainsFunc(p.seen, func(x *scenario.Exchange) bool { return x.Call == 1 })
				p.mu.Unlock()
			}
			if got := p.legacyCall(session, "{}"); got.status != http.StatusOK {
				t.Fatalf("the second call: got %s", got)
			}
			var calls []*scenario.Exchange
			for _, x := range p.close() {
				if x.Call > 0 {
					calls = append(calls, x)
				}
			}
			<-hung
			if len(calls) != 2 {
				t.Fatalf("got %d calls, want 2", len(calls))
			}
			if first := calls[0]; first.Judged.Verdict.Outcome.String() != "NO_FINAL_RESPONSE" || !strings.Contains(first.Said, "the client cancelled it") || !first.Left {
				t.Errorf("the first call: got %s", first.Line())
			}
			if step := calls[1].Judged.Step; step.Call != 1 || step.Post != 2 || step.Origin.String() != "application" {
				t.Errorf("the second call: got call %d, POST %d, origin %s, want call 1, POST 2, application", step.Call, step.Post, step.Origin)
			}
		})
	}
}
