package capture

import (
	"bytes"
	"compress/gzip"
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
		"bearer":       field("Authorization", "Bearer "+word),
		"no scheme":    field("authorization", word),
		"basic":        field("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+word))),
		"parameter":    field("Authorization", `Token token="`+word+`"`),
		"tab":          field("Authorization", "Bearer\t"+word),
		"field in it":  {Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"headers":{"Authorization":"Bearer ` + word + `"}}}}`)},
		"coded":        zipped(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"password":"` + word + `"}}}`),
		"session":      field("Mcp-Session-Id", word),
		"cookie":       field("Cookie", "a=b; sid="+word+"; c=d"),
		"key":          field("X-Api-Key", word),
		"query":        {URL: "https://h/mcp?access_token=" + word},
		"user":         {URL: "https://me:" + word + "@h/mcp"},
		"argument":     {Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"password":"` + word + `"}}}`)},
		"cut":          {Body: []byte(`{"jsonrpc":"2.0","id":7,"params":{"arguments":{"password":"` + word)},
		"with space":   field("X-Api-Key", secret),
		"user in one":  {Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"from":"git clone https:\/\/me:` + word + `@h/x.git"}}}`)},
		"query in one": {Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"from":"see https://h/x?access_token=` + word + ` there"}}}`)},
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

// TestKnownSecretsInOtherSpellings: a server that repeats a secret may write it otherwise.
func TestKnownSecretsInOtherSpellings(t *testing.T) {
	const secret = `blue "horse"/77&x`
	r := &Request{Headers: corpus.Headers{{Name: "X-Api-Key", Value: secret}}}
	for name, spelt := range map[string]string{
		"JSON in a text": `blue \"horse\"/77\u0026x`, "JSON of PHP": `blue \"horse\"\/77&x`, "URL": `blue%20%22horse%22%2F77&x`, "form": `blue+%22horse%22%2F77%26x`,
		"HTML": `blue &quot;horse&quot;/77&amp;x`, "HTML of Go": `blue &#34;horse&#34;/77&amp;x`, "capitals": `BLUE "HORSE"/77&X`,
		"base64": `Ymx1ZSAiaG9yc2UiLzc3Jng=`, "base64 without padding": `Ymx1ZSAiaG9yc2UiLzc3Jng`,
	} {
		x := Exchange{Request: r, RPC: Message{Kind: Call, ID: classifier.IntID(7)}, Answer: &Answer{Status: 502, Body: []byte("at " + spelt + " the gate"),
			Headers: corpus.Headers{{Name: "Content-Type", Value: "text/plain"}}}}
		if got := string(Sanitized(x).Answer.Body); !strings.HasPrefix(got, "at "+redacted) || !strings.HasSuffix(got, " the gate") || strings.Contains(strings.ToLower(got), "horse") {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// zipped is a request under gzip.
func zipped(body string) Request {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(body))
	_ = w.Close()
	return Request{Method: "POST", Headers: corpus.Headers{{Name: "Content-Encoding", Value: "gzip"}}, Body: b.Bytes()}
}

// TestCodedRequestsAreCleaned: what a coding hides is hidden from nobody.
func TestCodedRequestsAreCleaned(t *testing.T) {
	r := zipped(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"password":"letmein1"}}}`)
	got := Sanitized(Exchange{Request: &r}).Request
	const want = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"password":"[redacted]"}}}`
	if string(got.Body) != want || len(got.Headers) != 0 {
		t.Errorf("got %v %s, want no coding and %s", got.Headers, got.Body, want)
	}
	r.Body = r.Body[:20]
	if got := Sanitized(Exchange{Request: &r}).Request; len(got.Body) > 0 || !got.BodyUnknown || got.Lost.Size != 20 {
		t.Errorf("damaged: got %q, lost %d bytes, want none of its 20", got.Body, got.Lost.Size)
	}
	r.Body = []byte(want) // as an archive holds it
	if got := Sanitized(Exchange{Request: &r}).Request; string(got.Body) != want {
		t.Errorf("decoded already: got %s, want %s", got.Body, want)
	}
}

// TestWhatIsNoKnownSecret stays: words of the protocol and of HTTP, settings that
// a cookie holds, and short secrets within other words.
func TestWhatIsNoKnownSecret(t *testing.T) {
	r := &Request{URL: "https://h/mcp?page=2", Headers: corpus.Headers{{Name: "X-Api-Key", Value: "dark"}, {Name: "Accept-Language", Value: "en-US,en;q=0.9"},
		{Name: "Cookie", Value: "mode=complete; lang=en; fmt=json; kind=application; x=result; ttl=3600; show=image; on=event; theme=darker; b=resource_link; c=no-store, must"}}}
	for _, test := range []struct {
		status                  int
		typ, field, value, body string
		want                    string
	}{
		{200, "application/json", "Cache-Control", "no-store, must", `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"darkness; dark, en, page 2, darker"}]}}`,
			`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"darkness; [redacted], en, page 2, darker"}]}}`},
		{200, "text/event-stream", "Vary", "x", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"image\"}]}}\n\n",
			"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"image\"}]}}\n\n"},
		{503, "text/plain", "Retry-After", "3600", "busy", "busy"},
		{200, "application/json", "Vary", "x", `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"https://h/a?id=abc12345 or abc12345"}]}}`,
			`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"https://h/a?id=[redacted] or abc12345"}]}}`},
	} {
		x := Exchange{Request: r, RPC: Message{Kind: Call, ID: classifier.IntID(7)}}
		x.Answer = &Answer{Status: test.status, Headers: corpus.Headers{{Name: "content-type", Value: test.typ}, {Name: test.field, Value: test.value}}, Body: []byte(test.body)}
		got := Sanitized(x).Answer
		if string(got.Body) != test.want || got.Headers.Get("content-type") != test.typ || got.Headers.Get(test.field) != test.value {
			t.Errorf("got  %v %s\nwant %s", got.Headers, got.Body, test.want)
		}
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
