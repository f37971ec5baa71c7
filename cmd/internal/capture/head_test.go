package capture

import (
	"strings"
	"testing"
)

func TestHeadHidesWhatIsEscaped(t *testing.T) {
	secret := "hunter" + "2-secret"
	tests := []struct{ name, body, want string }{
		{"plain", `{"note":"a","password":"` + secret + `","n":1`, `{"note":"a","password":"[redacted]","n":1`},
		{"an escaped name", `{"pass\u0077ord":"` + secret + `","n":1`, `{"password":"[redacted]","n":1`},
		{"a name all escaped", `{"\u0074\u006F\u006b\u0065\u006E":"` + secret + `"`, `{"token":"[redacted]"`},
		{"an escaped name of an object", `{"pass\u0077ord":{"a":"` + secret + `"},"n":1`, `{"password":"[redacted]","n":1`},
		{"a name with an invisible character", `{"pass\u200bword":"` + secret + `","n":1`, `{"redacted_secret":"[redacted]","n":1`},
		{"a name over lines", "{\"password\"\n:\n\"" + secret + "\",\"n\":1", `{"password": "[redacted]","n":1`},
		{"an escaped e-mail", `{"to":"bob\u0040example.com","n":1`, `{"to":"[redacted]","n":1`},
		{"an e-mail in a text that is cut", `{"to":"bob\u0040example.com`, `{"to":"[redacted]`},
		{"escaped slashes", `{"u":"https:\/\/h\/a","n":1`, `{"u":"https://h/a","n":1`},
		{"JSON in a text", `{"text":"{\"pass\\u0077ord\":\"` + secret + `\"}","n":1`, `{"text":"[redacted]","n":1`},
		{"JSON in a text, its quotes escaped", `{"text":"{\u0022password\u0022:\u0022` + secret + `\u0022}"`, `{"text":"[redacted]"`},
		{"a header line in a text", `{"text":"a\nX-Api-Key: ` + secret + `\n","n":1`, `{"text":"[redacted]","n":1`},
		{"cut in an escape", `{"to":"` + secret + `\u00`, `{"to":"[redacted]`},
		{"cut after a backslash", `{"to":"` + secret + `\`, `{"to":"[redacted]`},
		{"one quote too many before it", `say " {"pass\u0077ord":"` + secret + `","n":1`, `say " {"password":"[redacted]","n":1`},
		{"letters of others", `{"a":"caf\u00e9"`, `{"a":"café"`},
		{"an event on one line", "data: {\"pass\\u0077ord\":\"" + secret + "\"}\n\n", "data: {\"password\":\"[redacted]\"}\n\n"},
		{"an event over lines", "data: {\"password\":\ndata: \"" + secret + "\"}\n\ndata: {}\n\n", "data: [redacted]\ndata: [redacted]\n\ndata: {}\n\n"},
		{"an event over lines, others between", "data: {\"password\":\r\n: c\r\ndata:\"" + secret + "\"", "data: [redacted]\r\n: c\r\ndata:[redacted]"},
		{"no secret", `{"jsonrpc":"2.0","id":7,"result":{"text":"a b"`, `{"jsonrpc":"2.0","id":7,"result":{"text":"a b"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Head([]byte(test.body), false)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := string(Head([]byte(test.body), true)); got != test.body {
				t.Errorf("raw: got %q, want %q", got, test.body)
			}
		})
	}
}

// TestHeadShowsNoEdge: much is taken out, so that what stands where the looking
// ended would come into the head, half a secret.
func TestHeadShowsNoEdge(t *testing.T) {
	filler := `{"a":"\n` + strings.Repeat("x", HeadSeen-40) + `","m":"`
	body := filler + strings.Repeat("y", HeadSeen-len(filler)-8) + "bob@exam" + "ple.com" + `"}`
	if got := string(Head([]byte(body), false)); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestHeadsInARecord: neither the request nor the answer shows in its head
// what is escaped or spread over lines.
func TestHeadsInARecord(t *testing.T) {
	secret, mail := "hunter"+"2-secret", "bob"+`\u0040`+"example.com"
	long := strings.Repeat("x", 3000)
	x := Exchange{ID: "1", From: Place{"f", "entry 1"}}
	x.Request = &Request{Method: "POST", URL: "https://example.com/mcp", Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{"pass\u0077ord":"` + secret + `","to":"` + mail + `","x":"` + long + `"}}}`)}
	x.RPC = ReadMessage(x.Request)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":7,"result":{"pass\u0077ord":"` + secret + `","to":"` + mail + `","x":"` + long + `"}}`,
		"data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"password\":\ndata: \"" + secret + "\",\"to\":\"" + mail + "\",\ndata: \"x\":\"" + long + "\"}}\n\n",
	} {
		x.Answer = &Answer{Status: 200, Body: []byte(body)}
		j := Judge(x)
		j.Settle(Step{Attempt: 1})
		line := string(written(t, []Judged{j}, LineOptions{BodyLimit: 2000}))
		if strings.Contains(line, secret) || strings.Contains(line, "bob") || strings.Count(line, "body_head") != 2 {
			t.Errorf("got %s, want two heads without secrets", line)
		}
	}
}
