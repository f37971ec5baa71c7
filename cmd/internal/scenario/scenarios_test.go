package scenario_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// outcomes makes calls and gives the outcomes that were told of them.
func outcomes(p *peer, calls int) string {
	p.t.Helper()
	for range calls {
		p.call()
	}
	var got []string
	for _, x := range p.close() {
		if x.Call > 0 {
			got = append(got, x.Judged.Verdict.Outcome.String())
		}
	}
	return strings.Join(got, " ")
}

// TestTable makes two calls in each scenario, with a client that waits for a
// second at most. A scenario that is not here fails the test.
func TestTable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, settings, want string }{
		{"baseline", `{"slowReportDelayMs":1}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"errors.http_status_sequence", "", "HTTP_ERROR TOOL_SUCCESS"},
		{"errors.http_status_sequence", `{"statusCodes":[503,200,429],"count":"calls"}`, "HTTP_ERROR TOOL_SUCCESS"},
		{"errors.http_status_sequence", `{"statusCodes":[]}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"errors.http_status_per_method", `{"statusCodes":{"tools/call":500}}`, "HTTP_ERROR HTTP_ERROR"},
		{"errors.jsonrpc_error", "", "JSONRPC_ERROR JSONRPC_ERROR"},
		{"errors.jsonrpc_error", `{"data":{"a":[1]},"onInvocation":2}`, "TOOL_SUCCESS JSONRPC_ERROR"},
		{"errors.tool_error", "", "TOOL_ERROR TOOL_ERROR"},
		{"errors.rate_limit", "", "HTTP_ERROR TOOL_SUCCESS"},
		{"errors.rate_limit", `{"form":"date","failures":0}`, "HTTP_ERROR HTTP_ERROR"},
		{"errors.connection_close", "", "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"errors.connection_close", `{"where":"body"}`, "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"errors.malformed_payload", "", "MALFORMED_JSON MALFORMED_JSON"},
		{"errors.non_compliant_envelope", "", "INVALID_ENVELOPE INVALID_ENVELOPE"},
		{"errors.non_compliant_envelope", `{"kind":"batch"}`, "INVALID_ENVELOPE INVALID_ENVELOPE"},
		{"elicitation.approval", "", "INPUT_REQUIRED INPUT_REQUIRED"},
		{"elicitation.approval", `{"mode":"state"}`, "INPUT_REQUIRED INPUT_REQUIRED"},
		{"compat.sdk_v2", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"timeout.uncooperative_hang", "", "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"timeout.uncooperative_hang", `{"where":"bytes"}`, "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"timeout.uncooperative_hang", `{"where":"progress"}`, "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"timeout.late_response", `{"delayMs":1}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"timeout.late_response", `{"delayMs":1,"where":"bytes"}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"timeout.late_response", `{"delayMs":1,"where":"progress"}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"timeout.init_hang", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"timeout.cooperative_deadline", `{"deadlineMs":1}`, "TOOL_ERROR TOOL_ERROR"},
		{"auth.challenge", "", "HTTP_ERROR HTTP_ERROR"},
		{"auth.challenge", `{"status":403,"method":"tools/list"}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"auth.token_lifecycle", "", "HTTP_ERROR HTTP_ERROR"},
		{"catalog.empty", "", "JSONRPC_ERROR JSONRPC_ERROR"},
		{"catalog.pagination", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"catalog.loop", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"catalog.bad_schema", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"catalog.mutation", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"catalog.facet_unavailable", "", "TOOL_SUCCESS TOOL_SUCCESS"},
		{"sse.stall", "", "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"sse.drip", `{"everyMs":0}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"sse.cut", "", "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"sse.cut", `{"afterBytes":-1}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"sse.keep_alives", `{"everyMs":1}`, "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
		{"sse.keep_alives", `{"everyMs":1,"count":3}`, "TOOL_SUCCESS TOOL_SUCCESS"},
		{"case:article/tool-is-error", "", "TOOL_ERROR TOOL_ERROR"},
		{"recipe:success +status=503", "", "HTTP_ERROR HTTP_ERROR"},
		{"recipe:no-answer", "", "NO_FINAL_RESPONSE NO_FINAL_RESPONSE"},
	}
	tried := make(map[string]bool)
	for _, test := range tests {
		tried[test.name] = true
		t.Run(test.name+test.settings, func(t *testing.T) {
			t.Parallel()
			p := serve(t, test.name, test.settings)
			p.client.Timeout = time.Second
			if got := outcomes(p, 2); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	for _, s := range scenario.Table() {
		if !tried[s.Name] {
			t.Errorf("%s is not tried", s.Name)
		}
		if s.Doc == "" {
			t.Errorf("%s has no doc", s.Name)
		}
		for _, setting := range s.Settings() {
			if setting.Name == "" || setting.Doc == "" || len(setting.Default) == 0 {
				t.Errorf("%s: setting %+v lacks a name, a doc or a default", s.Name, setting)
			}
		}
	}
}

func TestRetryAfterInBothForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{"seconds": `^7$`, "date": `^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$`} {
		p := serve(t, "errors.rate_limit", fmt.Sprintf(`{"seconds":7,"form":%q}`, form))
		got := p.call()
		if after := got.header.Get("Retry-After"); got.status != 429 || !regexp.MustCompile(want).MatchString(after) || got.header.Get("Date") == "" {
			t.Errorf("%s: got %s with Retry-After %q, want %s", form, got, after, want)
		}
	}
}

func TestApproval(t *testing.T) {
	t.Parallel()
	p := serve(t, "elicitation.approval", `{"rounds":2}`)
	ask := func(params string) (answer, string) {
		t.Helper()
		got := p.modern("tools/call", `"name":"`+scenario.Tool+`","arguments":{"a":1}`+params)
		var body struct{ Result struct{ RequestState string } }
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatal(err)
		}
		return got, body.Result.RequestState
	}
	with := func(state, action string) string {
		return fmt.Sprintf(`,"requestState":%q,"inputResponses":{"approval":{"action":%q,"content":{"reason":"it is fine"}}}`, state, action)
	}
	_, first := ask("")
	if got, _ := ask(with(first+"x", "accept")); got.status != 400 || !strings.Contains(got.body, "-32602") {
		t.Errorf("a changed state: got %s, want -32602", got)
	}
	_, second := ask(with(first, "accept"))
	if second == "" || second == first {
		t.Fatalf("the second round: got the state %q, want another than %q", second, first)
	}
	if got, _ := ask(with(first, "accept")); got.status != 400 {
		t.Errorf("the first state again: got %s, want 400", got)
	}
	if got, _ := ask(`,"inputResponses":{"approval":{"action":"accept"}}`); got.status != 400 {
		t.Errorf("no state: got %s, want 400", got)
	}
	if got, _ := ask(with(second, "accept")); !strings.Contains(got.body, "Approved") {
		t.Errorf("the end: got %s, want it approved", got)
	}
	_, third := ask("")
	if got, _ := ask(with(third, "decline")); !strings.Contains(got.body, `"isError":true`) {
		t.Errorf("declined: got %s, want isError", got)
	}
	old := p.legacy()
	if got := p.legacyCall(old, `{}`); !strings.Contains(got.body, "closeReason") || !strings.Contains(got.body, `"isError":true`) {
		t.Errorf("an older client: got %s, want to be asked for closeReason", got)
	}
	if got := p.legacyCall(old, `{"closeReason":"done"}`); !strings.Contains(got.body, "Done, since: done") {
		t.Errorf("an older client with closeReason: got %s", got)
	}
	// A client that cannot ask is told so.
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + scenario.Tool + `","_meta":{"` + versionKey + `":"2026-07-28"}}}`
	if got := p.send("POST", body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", scenario.Tool); got.status != 400 || !strings.Contains(got.body, "-32021") {
		t.Errorf("no capability: got %s, want -32021", got)
	}
}

func TestCompatTellsWhatIsServed(t *testing.T) {
	t.Parallel()
	p := serve(t, "compat.sdk_v2", "")
	if got := p.call(); !strings.Contains(got.body, `"compatMatrix":[{"protocol":"2026-07-28","session":"stateless","mrtr":"native","available":true`) {
		t.Errorf("got %s, want the matrix", got)
	}
	region := `"name":"verify_order_region_param_header","arguments":{"region":"é"}`
	if got := p.modern("tools/call", region); got.status != 400 || !strings.Contains(got.body, "-32020") {
		t.Errorf("no header field: got %s, want -32020", got)
	}
	if got := p.modern("tools/call", region, "Mcp-Param-Region", "=?base64?w6k=?="); got.status != 200 {
		t.Errorf("the header field: got %s, want 200", got)
	}
	got := p.send("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
	if got.status != 200 || got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("initialize: got %s with session %q, want none", got, got.header.Get("Mcp-Session-Id"))
	}
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	p := serve(t, "auth.token_lifecycle", `{"calls":1}`)
	if got := p.call(); got.status != 401 || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), `Bearer resource_metadata="http://127.0.0.1:`) {
		t.Errorf("no token: got %s, %q", got, got.header.Get("WWW-Authenticate"))
	}
	if got := p.call("Authorization", "Bearer a"); got.status != 200 {
		t.Errorf("a token: got %s, want 200", got)
	}
	if got := p.call("Authorization", "Bearer a"); got.status != 401 || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), `Bearer error="invalid_token", resource_metadata=`) {
		t.Errorf("the token again: got %s, %q", got, got.header.Get("WWW-Authenticate"))
	}
	if got := p.call("Authorization", "Bearer b"); got.status != 200 {
		t.Errorf("another token: got %s, want 200", got)
	}
}

func TestCatalogues(t *testing.T) {
	t.Parallel()
	pages := func(p *peer, most int) (tools, pages int) {
		cursor := ""
		for pages < most {
			got := p.modern("tools/list", cursor)
			var body struct {
				Result struct {
					Tools      []struct{ Name string }
					NextCursor string
				}
			}
			if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.status != 200 {
				t.Fatalf("got %s", got)
			}
			tools, pages = tools+len(body.Result.Tools), pages+1
			if body.Result.NextCursor == "" {
				break
			}
			cursor = fmt.Sprintf(`"cursor":%q`, body.Result.NextCursor)
		}
		return tools, pages
	}
	for _, test := range []struct {
		name, settings string
		tools, pages   int
	}{
		{"catalog.empty", "", 0, 1},
		{"catalog.pagination", "", 10_000, 20},
		{"catalog.pagination", `{"tools":7,"pageSize":3}`, 7, 3},
		{"catalog.loop", "", 500, 50},
		{"catalog.bad_schema", "", 2, 1},
	} {
		if tools, n := pages(serve(t, test.name, test.settings), 50); tools != test.tools || n != test.pages {
			t.Errorf("%s %s: got %d tools on %d pages, want %d on %d", test.name, test.settings, tools, n, test.tools, test.pages)
		}
	}
	if got := serve(t, "catalog.pagination", "").modern("tools/list", `"cursor":"x"`); got.status != 400 {
		t.Errorf("a bad cursor: got %s, want 400", got)
	}
	p := serve(t, "catalog.mutation", `{"notifyAfterMs":1}`)
	if got := p.modern("tools/list", ""); !strings.Contains(got.body, "goes_away") {
		t.Errorf("got %s, want goes_away", got)
	}
	p.call()
	if got := p.modern("tools/list", ""); !strings.Contains(got.body, "came_later") {
		t.Errorf("got %s, want came_later", got)
	}
	p.client.Timeout = time.Second
	if got := p.modern("subscriptions/listen", `"notifications":{"toolsListChanged":true}`); !strings.Contains(got.body, "acknowledged") || !strings.Contains(got.body, "notifications/tools/list_changed") {
		t.Errorf("got %s, want both notifications", got)
	}
	if got := p.send(http.MethodGet, "", "Mcp-Session-Id", p.legacy()); !strings.Contains(got.body, "notifications/tools/list_changed") {
		t.Errorf("GET: got %s, want the notification", got)
	}
}

func TestChooseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, settings, want string }{
		{"errors.tool_eror", "", "did you mean errors.tool_error?"},
		{"nonsense at all", "", "serve --list"},
		{"errors.tool_error", `{"onInvocation":1`, "no JSON from byte 17"},
		{"errors.tool_error", `[1]`, "is no JSON object"},
		{"errors.tool_error", `{"onInvocation":1} 2`, "more follows"},
		{"errors.tool_error", `{"onInvocation":"1"}`, `onInvocation: got "1", want a whole number`},
		{"errors.tool_error", `{"onInvocation":null}`, "onInvocation: got null"},
		{"errors.tool_error", `{"onInvocation":1,"onInvocation":1}`, "set twice"},
		{"elicitation.approval", `{"reasonMaxLength":-1}`, "settings of elicitation.approval: reasonMaxLength: got -1, want 1 to 1000000"},
		{"elicitation.approval", `{"reasonMaxLength":-1,"requireReason":false}`, "reasonMaxLength: got -1, want 0 to 1000000"},
		{"errors.tool_error", `{"OnInvocation":1}`, `unknown setting "OnInvocation"; there are errorMessage, onInvocation`},
		{"errors.tool_error", `{"onInvocation":-1}`, "got -1, want 0 to"},
		{"errors.http_status_sequence", `{"statusCodes":[5]}`, "statusCodes: got 5, want 100 to 999"},
		{"errors.http_status_sequence", `{"statusCodes":503}`, "want a list, each of it a whole number"},
		{"errors.http_status_sequence", `{"count":"x"}`, `count: got "x", want posts or calls`},
		{"auth.challenge", `{"status":402}`, "want 401 or 403"},
		{"catalog.empty", `{"a":1}`, "has none"},
		{"case:article/tool-is-eror", "", "did you mean case:article/tool-is-error"},
		{"case:article/tool-is-error", `{"a":1}`, "there are none"},
		{"case:codings/br", "", "cannot be played"},
		{"recipe:success +nonsense", "", "nonsense"},
		{"recipe:accepted", "", "notification"},
	} {
		if _, err := scenario.Choose(test.name, []byte(test.settings)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: got %v, want in it %q", test.name, test.settings, err, test.want)
		}
	}
}
