package proxy

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// Secrets that are planted in what passes, made of parts so that no scanner
// takes them for real ones.
var planted = map[string]string{
	"bearer": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0", "cookie": "sid" + "-5512-cookie", "query": "query" + "-key-5", "user": "url-user" + ":url-pass",
	"password": "hunter" + "2-secret", "key": "sk" + "-abcdefghijklmnopqrstuvwx", "mail": "anna.berg" + "@example.org", "card": "4111 1111 " + "1111 1111",
	"header": "custom" + "-field-9", "deep": "deep" + "-value-31", "state": "opaque" + "-state-44", "session": "sess" + "-8812-id",
}

// plant puts the secrets in for {name} in a text.
func plant(text string) string {
	for name, secret := range planted {
		text = strings.ReplaceAll(text, "{"+name+"}", secret)
	}
	return text
}

// TestSecretsAreNotWritten: whatever passes with secrets in it, in header fields,
// URLs, bodies, streams, errors and ids, no record holds one of them, however
// long the body is; unless they were asked for.
func TestSecretsAreNotWritten(t *testing.T) {
	request := plant(`{"jsonrpc":"2.0","id":"{mail}","method":"tools/call","params":{"name":"send {mail}","arguments":{"password":"{password}","to":"{mail}","credentials":{"x":["{deep}"]}},"requestState":"{state}","_meta":{"note":"Bearer {bearer}","io.modelcontextprotocol/clientInfo":{"name":"c {key}","version":"1"}}}}`)
	said := plant(`refused: token {key}, Bearer {bearer}, for {mail}, card {card}, at https://{user}@host/x?key={query}`)
	padding := strings.Repeat("p", 3000)
	result := fmt.Sprintf(plant(`{"jsonrpc":"2.0","id":"{mail}","result":{"resultType":"input_required","requestState":"{state}","credentials":{"x":["{deep}"]},"password":"{password}","content":[{"type":"text","text":%q}]}}`), said)
	failure := fmt.Sprintf(plant(`{"jsonrpc":"2.0","id":"{mail}","error":{"code":-32000,"message":%q,"data":{"api_key":"{password}","token":["{deep}"]}}}`), said)
	answers := map[string]struct {
		status      int
		contentType string
		body        string
	}{
		"a result":             {200, "application/json", result},
		"a long result":        {200, "application/json", result[:len(result)-2] + `,"z":"` + padding + `"}}`},
		"an error":             {200, "application/json", failure},
		"an HTTP error":        {401, "application/json", failure},
		"a page":               {500, "text/html", "<p>" + said + plant(" password={password} Cookie: {cookie}\n")},
		"a long page":          {500, "text/html", "<p>" + said + plant(" password={password}") + padding},
		"a stream":             {200, "text/event-stream", "id: 1\ndata: " + failure[:40] + "\ndata: " + failure[40:] + "\n\n"},
		"a stream with splits": {200, "text/event-stream", ": " + said + "\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"password\":\ndata: \"" + planted["password"] + "\"}}\n\ndata: " + result + "\n\n"},
		"a long stream":        {200, "text/event-stream", "data: " + result + "\n\n: " + padding + "\n\n"},
		"a cut body":           {200, "application/json", result[:len(result)-20]},
	}
	for name, answer := range answers {
		for _, keep := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, kept %v", name, keep), func(t *testing.T) {
				r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, _ *http.Request) {
					for field, value := range map[string]string{
						"Content-Type": answer.contentType, "Set-Cookie": "{cookie}; Path=/", "X-Acme": "{header}", "WWW-Authenticate": "Bearer {bearer}", "Mcp-Session-Id": "{session}",
						"Location": "https://{user}@h/?key={query}",
					} {
						w.Header().Set(field, plant(value))
					}
					w.WriteHeader(answer.status)
					io.WriteString(w, answer.body)
				}) + plant("?token={query}")}, capture.LineOptions{BodyLimit: 2500, Raw: keep})
				for _, padded := range []string{"", padding} {
					body := strings.TrimSuffix(request, "}") + `,"pad":"` + padded + `"}`
					req, _ := http.NewRequest("POST", r.url+plant("?api_key={query}&x=1"), strings.NewReader(body))
					for field, value := range map[string]string{"Authorization": "Bearer {bearer}", "Cookie": "{cookie}", "X-Acme": "{header}", "Mcp-Session-Id": "{session}", "Mcp-Protocol-Version": "Bearer {bearer}", "Mcp-Name": "send {mail}"} {
						req.Header.Set(field, plant(value))
					}
					resp, err := r.client.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					if text, err := io.ReadAll(resp.Body); string(text) != answer.body || err != nil {
						t.Errorf("the client got %q, %v", text, err)
					}
					resp.Body.Close()
				}
				r.end()
				shown := 0
				for secret, text := range planted {
					if strings.Contains(r.out.String(), text) {
						if shown++; !keep {
							t.Errorf("the %s is written:\n%s", secret, r.out.String())
						}
					}
				}
				if keep && shown < len(planted)-2 {
					t.Errorf("only %d secrets are kept, though they were asked for", shown)
				}
			})
		}
	}
}

// TestErrorsTellNoSecrets: what the proxy itself says of an upstream with a
// password in its URL does not hold it.
func TestErrorsTellNoSecrets(t *testing.T) {
	at := strings.Replace(nobody(t), "http://", "http://"+planted["user"]+"@", 1) + "?key=" + planted["query"]
	r := run(t, Options{Upstream: at}, capture.LineOptions{})
	_, text, err := r.ask(call(1, "{}"))
	r.end()
	for _, all := range []string{text, r.out.String(), r.url} {
		if strings.Contains(all, planted["user"]) || strings.Contains(all, "url-pass") || strings.Contains(all, planted["query"]) || all == "" {
			t.Errorf("got %q, %v", all, err)
		}
	}
}
