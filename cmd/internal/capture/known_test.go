package capture

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// TestKnownSecretsAreTakenOutEverywhere: what the request shows to be a secret
// stands nowhere in what is kept, however the answer repeats it.
func TestKnownSecretsAreTakenOutEverywhere(t *testing.T) {
	const secret = "blue horse/77"
	const word = "correct-horse"
	field := func(name, value string) Request { return Request{Headers: corpus.Headers{{Name: name, Value: value}}} }
	requests := map[string]Request{
		"bearer":     field("Authorization", "Bearer "+word),
		"no scheme":  field("authorization", word),
		"basic":      field("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+word))),
		"session":    field("Mcp-Session-Id", word),
		"cookie":     field("Cookie", "a=b; sid="+word+"; c=d"),
		"key":        field("X-Api-Key", word),
		"query":      {URL: "https://h/mcp?access_token=" + word},
		"user":       {URL: "https://me:" + word + "@h/mcp"},
		"argument":   {Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"password":"` + word + `"}}}`)},
		"cut":        {Body: []byte(`{"jsonrpc":"2.0","id":7,"params":{"arguments":{"password":"` + word)},
		"with space": field("X-Api-Key", secret),
	}
	for name, r := range requests {
		held := word
		if name == "with space" {
			held = secret
		}
		for place, answer := range map[string]struct {
			status                  int
			field, value, typ, body string
		}{
			"error_description": {401, "WWW-Authenticate", `Bearer error="invalid_token", error_description="{s} is over"`, "text/plain", "no"},
			"realm":             {401, "WWW-Authenticate", `Bearer realm="of {s}"`, "text/plain", "no"},
			"another parameter": {401, "WWW-Authenticate", `Acme hint='{s}'`, "text/plain", "no"},
			"a plain field":     {503, "Via", `1.1 {s}`, "text/plain", "no"},
			"id":                {200, "Via", "x", "application/json", `{"jsonrpc":"2.0","id":"{s}","result":{"content":[]}}`},
			"message":           {200, "Via", "x", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no session {s}."}}`},
			"name":              {200, "Via", "x", "application/json", `{"jsonrpc":"2.0","id":7,"result":{"content":[],"{s}":1}}`},
			"data":              {200, "Via", "x", "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1,\"message\":\"{s}\"}}\n\n"},
			"comment":           {200, "Via", "x", "text/event-stream", ": {s}\n\n"},
			"cut":               {200, "Via", "x", "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"{s}`},
			"page":              {502, "Via", "x", "text/html", `<p>{s}</p>`},
		} {
			x := Exchange{ID: "1", Request: &r, RPC: Message{Kind: Call, Method: callMethod, ID: classifier.IntID(7)}}
			body := strings.ReplaceAll(answer.body, "{s}", held)
			x.Answer = &Answer{Status: answer.status, Body: []byte(body), Headers: corpus.Headers{
				{Name: "Content-Type", Value: answer.typ}, {Name: answer.field, Value: strings.ReplaceAll(answer.value, "{s}", held)}}}
			before := VerdictKey(Judge(x).Verdict)
			clean := Sanitized(x)
			if after := VerdictKey(Judge(clean).Verdict); after != before || clean.Answer.BodyUnknown {
				t.Errorf("%s, %s: judged %s, and %s once it is clean", name, place, before, after)
			}
			if got := fmt.Sprintf("%+v %s", clean.Answer.Headers, clean.Answer.Body); strings.Contains(got, held) || !strings.Contains(got, redacted) {
				t.Errorf("%s, %s: got %s", name, place, got)
			}
			j := Judge(x)
			j.Settle(Step{Attempt: 1})
			for limit, o := range map[string]LineOptions{"whole": {}, "short": {BodyLimit: 1}} {
				if line := written(t, []Judged{j}, o); bytes.Contains(line, []byte(held)) {
					t.Errorf("%s, %s, %s: the record shows it: %s", name, place, limit, line)
				}
			}
		}
	}
}

// TestWhatIsNoKnownSecret stays: words of the protocol, and short ones within others.
func TestWhatIsNoKnownSecret(t *testing.T) {
	r := &Request{Headers: corpus.Headers{{Name: "Cookie", Value: "mode=complete; lang=en; theme=dark; x=result"}, {Name: "Accept-Language", Value: "en-US,en;q=0.9"}}, URL: "https://h/mcp?page=2"}
	x := Exchange{Request: r, RPC: Message{Kind: Call, ID: classifier.IntID(7)}}
	const body = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"darkness; dark, en, page 2"}]}}`
	const want = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"darkness; [redacted], en, page 2"}]}}`
	x.Answer = &Answer{Status: 200, Headers: corpus.Headers{{Name: "content-type", Value: "application/json"}}, Body: []byte(body)}
	if got := string(Sanitized(x).Answer.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestChallenge(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"plain", `Bearer realm="tools of h", error="invalid_token", scope="files:read"`, `Bearer realm="tools of h", error="invalid_token", scope="files:read"`},
		{"a description", `Bearer error="invalid_token", error_description="The token letmein is over"`, `Bearer error="invalid_token", error_description="[redacted]"`},
		{"one with a quote in it", `Bearer error_description="a \"b\" c", error="x"`, `Bearer error_description="[redacted]", error="x"`},
		{"one without its end", `Bearer error_description="a, b`, `Bearer error_description="[redacted]`},
		{"bare", `Digest nonce=abc, stale=true`, `Digest nonce=[redacted], stale=true`},
		{"a token in a realm", `Bearer realm="x a1b2c3d4e5"`, `Bearer realm="x [redacted]"`},
		{"metadata", `Bearer resource_metadata="https://h/.well-known/oauth-protected-resource/mcp2"`, `Bearer resource_metadata="https://h/.well-known/oauth-protected-resource/mcp2"`},
		{"credentials", `Acme YWJj/ZGVmZw==`, `Acme [redacted]`},
		{"two", `Basic realm="a", Bearer hint="b"`, `Basic realm="a", Bearer hint="[redacted]"`},
		{"empty", ``, ``},
		{"an empty parameter", `Bearer realm=""`, `Bearer realm=""`},
	} {
		if got := known(nil).challenge(test.value); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}
