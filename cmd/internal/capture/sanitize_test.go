package capture

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Secrets and personal data that are planted, made of parts so that no scanner
// takes them for real ones.
var planted = []string{
	"sk" + "-abcdefghijklmnopqrstuvwx", "hunter" + "2-secret", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "gh" + "p_0123456789abcdefghijABCDEFGHIJ",
	"dXNlcjp" + "wYXNzd29yZA==", "session-cookie" + "-77", "query" + "-key-5", "anna.berg" + "@example.org", "4111 1111 " + "1111 1111", "DE89 3704 0044 " + "0532 0130 00",
	"+49 30 901" + "820", "custom" + "-field-9", "fragment" + "-key-8", "url-user" + ":url-pass", "state" + "-opaque-3", "aws" + "-value-4",
}

// laden is a call and an answer with every planted text in its usual place.
func laden(status int, typ string, body string) Exchange {
	p := planted
	x := Exchange{ID: "1", From: Place{"f", "entry 1"}}
	x.Request = &Request{
		Method: "POST", URL: "https://" + p[13] + "@example.com/mcp?api_key=" + p[6] + "#access_token=" + p[12],
		Headers: corpus.Headers{{Name: "Authorization", Value: "Bearer " + p[2]}, {Name: "Cookie", Value: "sid=" + p[5]}, {Name: "X-Acme-Thing", Value: p[11]}, {Name: "MCP-Protocol-Version", Value: "2026-07-28"}},
		Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mail","arguments":{"password":"` + p[1] + `","to":"` + p[7] + `","note":"card ` + p[8] + `, account ` + p[9] + `, call ` + p[10] + `"},"requestState":"` + p[14] +
			`","_meta":{"aws_secret_access_key":"` + p[15] + `","note":"Bearer ` + p[2] + `"}}}`),
	}
	x.RPC = ReadMessage(x.Request)
	x.Answer = &Answer{Status: status, Headers: corpus.Headers{{Name: "Content-Type", Value: typ}, {Name: "Set-Cookie", Value: "sid=" + p[5]}, {Name: "X-Acme-Thing", Value: p[11]},
		{Name: "WWW-Authenticate", Value: `Bearer realm="x", token="` + p[3] + `"`}}, Body: []byte(body)}
	return x
}

// bodies are answers that hold planted texts, and the media types they come in.
func bodies() map[string][2]string {
	p := planted
	text := `token ` + p[0] + ` of ` + p[7] + `, Basic ` + p[4] + `, card ` + p[8]
	rpc := `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"` + text + `","data":{"password":"` + p[1] + `","key":"` + p[3] + `","u":"https://` + p[13] + `@h/?key=` + p[6] + `"}}}`
	result := `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"` + text + `"}],"structuredContent":{"api_key":"` + p[0] + `","` + p[7] + `":1,"iban":"` + p[9] + `"}}}`
	return map[string][2]string{
		"an error":            {"application/json", rpc},
		"a result":            {"application/json", result},
		"a stream":            {"text/event-stream", ": for " + p[7] + "\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" + text + "\"}}\n\ndata: " + result + "\n\n"},
		"a stream over lines": {"text/event-stream", "data: " + strings.Replace(result, `,"result"`, ",\ndata: \"result\"", 1) + "\n\n"},
		"a page":              {"text/html", "<html><a href=\"https://h/?key=" + p[6] + "\">" + text + "</a> password=" + p[1]},
		"half of an answer":   {"application/json", result[:len(result)-6]},
		"no UTF-8":            {"application/json", "\xff" + rpc},
		"nothing":             {"application/json", ""},
	}
}

func shows(t *testing.T, where string, text []byte) {
	t.Helper()
	for _, secret := range planted {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s shows %q: %s", where, secret, text)
		}
	}
}

func TestPlantedSecretsAreTakenOut(t *testing.T) {
	for name, b := range bodies() {
		for _, status := range []int{200, 401, 503} {
			x := laden(status, b[0], b[1])
			before := VerdictKey(Judge(x).Verdict)
			clean := Sanitized(x)
			if after := VerdictKey(Judge(clean).Verdict); after != before || clean.Answer.BodyUnknown {
				t.Errorf("%s, %d: judged %s, and %s once it is clean", name, status, before, after)
			}
			j := Judge(x)
			j.Settle(Step{Attempt: 1})
			for limit, o := range map[string]LineOptions{"whole": {}, "short": {BodyLimit: 10}} {
				shows(t, name+", "+limit, written(t, []Judged{j}, o))
			}
			if raw := written(t, []Judged{j}, LineOptions{Raw: true}); !bytes.Contains(raw, []byte(planted[5])) {
				t.Errorf("%s: what was asked for raw is not", name)
			}
			if got := x.Answer.Headers[1].Value; got != "sid="+planted[5] || string(x.Answer.Body) != b[1] {
				t.Errorf("%s: the exchange itself was changed", name)
			}
		}
	}
}

func TestSanitizedKeepsWhatIsNoSecret(t *testing.T) {
	body := []byte("{ \"jsonrpc\":\"2.0\",\"id\" : 7,\n\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"caf\\u00e9 \\ud800 \xff 12\"}],\"n\":1.50e+9,\"progressToken\":3}}")
	if got := CleanBody(body); !bytes.Equal(got, body) {
		t.Errorf("got  %q\nwant %q", got, body)
	}
	one := `{"requestState":"a","x":["b","password: c"],"token":null,"tokens":5}`
	const want = `{"requestState":"[redacted ac8d8342]","x":["b","password: [redacted]"],"token":null,"tokens":5}`
	if got := string(CleanBody([]byte(one))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSanitizedCodings(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(bodies()["an error"][1]))
	_ = w.Close()
	x := laden(200, "application/json", zipped.String())
	x.Answer.Headers = append(x.Answer.Headers, corpus.Header{Name: "Content-Encoding", Value: "gzip"})
	clean := Sanitized(x)
	if clean.Answer.BodyUnknown || clean.Answer.Headers.Get("content-encoding") != "" || !bytes.Contains(clean.Answer.Body, []byte("-32000")) {
		t.Errorf("got %+v, want the body decoded", clean.Answer)
	}
	shows(t, "gzip", clean.Answer.Body)
	x.Answer.Body = x.Answer.Body[:len(x.Answer.Body)-12]
	if clean = Sanitized(x); !clean.Answer.BodyUnknown || clean.Answer.Lost.Size != int64(len(x.Answer.Body)) {
		t.Errorf("got %+v, want the damaged body left out", clean.Answer)
	}
}

func TestPersonal(t *testing.T) {
	for text, want := range map[string]string{
		"mail a.b+c@example.co.uk now":      "mail [redacted] now",
		"a@b and user@host":                 "a@b and user@host",
		"card 4111-1111-1111-1111.":         "card [redacted].",
		"not one: 4111 1111 1111 1112":      "not one: 4111 1111 1111 1112",
		"time 1764493276123, id 1234567890": "time 1764493276123, id 1234567890",
		"call +1 (202) 555-0143 or 555":     "call [redacted] or 555",
		"GB82 WEST 1234 5698 7654 32 and":   "[redacted] and",
		"GB83 WEST 1234 5698 7654 32":       "GB83 WEST 1234 5698 7654 32",
		"2026-11-30T09:00:00+0100":          "2026-11-30T09:00:00+0100",
	} {
		if got := withoutPersonal(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, b := range bodies() {
		f.Add([]byte(b[1]))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		x := Exchange{RPC: Message{Kind: Call, ID: classifier.IntID(7)}}
		for _, typ := range []string{"application/json", "text/event-stream"} {
			x.Answer = &Answer{Status: 200, Headers: corpus.Headers{{Name: "content-type", Value: typ}}, Body: body}
			clean := Sanitized(x)
			if clean.Answer.BodyUnknown {
				continue
			}
			if got, want := VerdictKey(Judge(clean).Verdict), VerdictKey(Judge(x).Verdict); got != want {
				t.Errorf("%q became %q: %s, want %s", body, clean.Answer.Body, got, want)
			}
		}
	})
}

// TestOpenedMembers: a secret inside an object or array is taken out where the
// text is not read as JSON too: cut short, or inside a string.
func TestOpenedMembers(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"whole", `x {"credentials":{"a":["v}","w"]},"b":1}`, `x {"credentials":"[redacted]","b":1}`},
		{"cut", `{"access_token" : ["v","w`, `{"access_token" : "[redacted]"`},
		{"inside a string", `"{\"secrets\":[\"a]\\\"b\",{\"c\":1}],\"d\":2}"`, `"{\"secrets\":\"[redacted]\",\"d\":2}"`},
		{"two", `{"secret":{},"tokens":[1],"e":{"cookies":{"f":1}}}`, `{"secret":"[redacted]","tokens":"[redacted]","e":{"cookies":"[redacted]"}}`},
		{"none", `{"content":[{"a":[1]}]`, `{"content":[{"a":[1]}]`},
	} {
		if got := CleanText(test.text); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// TestEvidenceTellsNoID that is a person's.
func TestEvidenceTellsNoID(t *testing.T) {
	var timeline Timeline
	for range 2 {
		j := post{1, "a", 0, 0, 503, classifier.HTTPError, false}.judged()
		j.RPC.ID = classifier.StringID(planted[7])
		if s := timeline.Add(j); strings.Contains(s.Evidence, planted[7]) || s.Post == 2 && !strings.Contains(s.Evidence, "[redacted]") {
			t.Errorf("got %q", s.Evidence)
		}
	}
}

// TestWhatAProxyDidIsKept in a record, without secrets.
func TestWhatAProxyDidIsKept(t *testing.T) {
	valid := recordSchema(t)
	for _, p := range []Proxied{
		{Injected: "success +status=503", Replaced: "TOOL_SUCCESS tool-success"},
		{Status: 502, Error: "dial https://" + planted[13] + "@h/?key=" + planted[6] + ": refused"},
	} {
		x := Exchange{ID: "1", RPC: Message{Kind: Call, Method: callMethod, ID: classifier.IntID(1)}, NoAnswer: classifier.EndedConnect, Proxied: &p}
		j := Judge(x)
		j.Settle(Step{Attempt: 1, Post: 1})
		line := written(t, []Judged{j}, LineOptions{})
		shows(t, "the record", line)
		if err := valid(line); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
		_, back, _ := judgeAll(t, "r", Record, line)
		got := back[0].Proxied
		if got == nil || got.Injected != p.Injected || got.Replaced != p.Replaced || got.Status != p.Status || (got.Error == "") != (p.Error == "") {
			t.Errorf("got %+v, want %+v", got, p)
		}
	}
}
