package scenario_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// A tool that a scenario lists can be called, and no other; answers that are for
// whatever is called are given to any.
func TestOffersWhatItLists(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, settings string
		calls          string // the tools that are called, in order
		want           string // for each: y if it is known
	}{
		{"baseline", "", scenario.Tool + " other", "yn"},
		{"catalog.empty", "", scenario.Tool, "n"},
		{"catalog.pagination", `{"tools":20}`, scenario.Tool + " tool_00019 tool_00020 tool_00000 tool_19 tool_x", "yynnnn"},
		{"catalog.bad_schema", "", "bad_schema " + scenario.Tool + " other", "yyn"},
		{"catalog.bad_schema", `{"besideAGoodTool":false}`, "bad_schema " + scenario.Tool, "yn"},
		{"catalog.mutation", "", "goes_away goes_away came_later " + scenario.Tool, "ynyy"},
		{"compat.sdk_v2", "", "show_negotiated_mcp_protocol other", "yn"},
		{"errors.tool_error", "", "other", "n"},
		{"case:article/baseline-complete", "", "other", "y"},
		{"recipe:success", "", "other", "y"},
	} {
		p := serve(t, test.name, test.settings)
		got := ""
		for name := range strings.FieldsSeq(test.calls) {
			a := p.modern("tools/call", fmt.Sprintf(`"name":%q,"arguments":{}`, name))
			if strings.Contains(a.body, `"code":-32602`) {
				got += "n"
			} else {
				got += "y"
			}
		}
		if got != test.want {
			t.Errorf("%s %s: calls of %s: got %s, want %s", test.name, test.settings, test.calls, got, test.want)
		}
	}
}

// The challenge leads to a document that names the resource.
func TestServesWhatTheChallengeNames(t *testing.T) {
	t.Parallel()
	p := serve(t, "auth.challenge", "")
	challenge := p.call().header.Get("WWW-Authenticate")
	_, url, _ := strings.Cut(challenge, `resource_metadata="`)
	url, _, ok := strings.Cut(url, `"`)
	base := strings.TrimSuffix(p.server.URL(), scenario.Path)
	if want := base + "/.well-known/oauth-protected-resource/mcp"; !ok || url != want {
		t.Fatalf("got the challenge %s, want in it %s", challenge, want)
	}
	for _, place := range []string{url, base + "/.well-known/oauth-protected-resource"} {
		response, err := p.client.Get(place)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		var told struct {
			Resource string
			Servers  []string `json:"authorization_servers"`
		}
		if err != nil || json.Unmarshal(text, &told) != nil || response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "application/json" ||
			told.Resource != p.server.URL() || len(told.Servers) != 1 || told.Servers[0] != base {
			t.Errorf("%s: got %d %s, %v; want the resource %s", place, response.StatusCode, text, err, p.server.URL())
		}
	}
	response, err := p.client.Post(url, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: got %d, want 405", response.StatusCode)
	}
}

// What would order the text around it on a terminal is escaped.
func TestLineIsVisible(t *testing.T) {
	t.Parallel()
	p := serve(t, "baseline", "")
	p.send(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\u202egpj.exe\u001b[31m"}}`)
	seen := p.close()
	line := seen[0].Line()
	if strings.ContainsAny(line, "\u202e\x1b") || !strings.Contains(line, `a\u202Egpj.exe\u001B[31m`) {
		t.Errorf("got %q, want the controls as escapes", line)
	}
}

// A response of the client's is refused under no id: what is answered under the same
// is a request of the client's own.
func TestOtherVersionIsAnsweredUnderTheIDOfARequest(t *testing.T) {
	t.Parallel()
	p := serve(t, "baseline", "")
	for body, want := range map[string]bool{
		`{"jsonrpc":"1.0","id":7,"method":"tools/list"}`:      true,
		`{"id":7,"method":"tools/list"}`:                      true,
		`{"jsonrpc":"1.0","id":7,"result":{}}`:                false,
		`{"id":7,"error":{"code":1,"message":"m"}}`:           false,
		`{"jsonrpc":"1.0","method":"notifications/progress"}`: false,
	} {
		got := p.send(http.MethodPost, body)
		if got.status != http.StatusBadRequest || strings.Contains(got.body, `"id":7`) != want || !strings.Contains(got.body, "-32600") {
			t.Errorf("%s: got %d %s, want 400, under the id %t", body, got.status, got.body, want)
		}
	}
}

// What is clipped of a long text is whole characters.
func TestUnknownToolIsWholeCharacters(t *testing.T) {
	t.Parallel()
	p := serve(t, "baseline", "")
	got := p.modern("tools/call", `"name":"a`+strings.Repeat("ж", 60)+`","arguments":{}`).body
	if want := "Unknown tool: a" + strings.Repeat("ж", 39) + "…"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}
