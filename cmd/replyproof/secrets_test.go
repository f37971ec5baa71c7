package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Secrets that are planted in an input, made of parts so that no scanner takes
// them for real ones.
var plantedSecrets = map[string]string{
	"bearer": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0", "cookie": "sid" + "-5512-cookie", "query": "query" + "-key-5", "user": "url-user" + ":url-pass",
	"password": "hunter" + "2-secret", "key": "sk" + "-abcdefghijklmnopqrstuvwx", "mail": "anna.berg" + "@example.org", "card": "4111 1111 " + "1111 1111", "header": "custom" + "-field-9",
}

// plant puts the secrets in for {name} in a text.
func plant(text string) string {
	for name, secret := range plantedSecrets {
		text = strings.ReplaceAll(text, "{"+name+"}", secret)
	}
	return text
}

// TestPlantedSecretsAreInNoOutput: whatever the command prints or writes of an
// exchange, what stands in headers, URLs, bodies and errors as a secret does not
// stand in it.
func TestPlantedSecretsAreInNoOutput(t *testing.T) {
	request := plant(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mail {mail}","arguments":{"password":"{password}","to":"{mail}"},"_meta":{"note":"Bearer {bearer}"}}}`)
	message := plant(`refused: token {key}, Bearer {bearer}, for {mail}, card {card}, at https://{user}@host/x?key={query}`)
	answers := map[string]string{
		"error":  fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":%q,"data":{"password":%q}}}`, message, plantedSecrets["password"]),
		"result": fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":%q}]}}`, message),
		"other":  fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"resultType":"complete","content":[]}}`, message),
		"type":   fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"result":{"resultType":%q,"content":[]}}`, message),
		"syntax": fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":%q,"password":"%s`, message, plantedSecrets["password"]+"\n"),
		"echo":   fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":1,"message":"no %s, nor %s"}}`, plantedSecrets["header"], plantedSecrets["cookie"], plantedSecrets["password"]),
	}
	fields := [][2]string{{"Content-Type", "application/json"}, {"Set-Cookie", plant("{cookie}; Path=/")}, {"X-Acme", plant("{header}")}, {"WWW-Authenticate", plant("Bearer {bearer}")},
		{"WWW-Authenticate", plant(`Acme error_description="{password} of {cookie} is over", hint="{header}"`)}}
	for name, body := range answers {
		for _, status := range []int{200, 401} {
			t.Run(fmt.Sprintf("%s %d", name, status), func(t *testing.T) {
				t.Parallel()
				secretsOf(t, request, status, fields, body)
			})
		}
	}
}

func secretsOf(t *testing.T, request string, status int, fields [][2]string, body string) {
	url := plant("https://{user}@host.example/mcp?api_key={query}#token={query}")
	dir := t.TempDir()
	var head, marked strings.Builder
	var list []map[string]string
	for _, f := range fields {
		fmt.Fprintf(&head, "%s: %s\r\n", f[0], f[1])
		fmt.Fprintf(&marked, "< %s: %s\r\n", f[0], f[1])
		list = append(list, map[string]string{"name": f[0], "value": f[1]})
	}
	mine := plant("Authorization: Bearer {bearer}\r\nCookie: {cookie}\r\nX-Acme: {header}\r\n")
	entry := map[string]any{
		"startedDateTime": "2026-11-30T09:00:00Z", "time": 3,
		"request":  map[string]any{"method": "POST", "url": url, "headers": []map[string]string{{"name": "Authorization", "value": plant("Bearer {bearer}")}}, "postData": map[string]string{"text": request}},
		"response": map[string]any{"status": status, "headers": list, "content": map[string]string{"text": body}, "cookies": []map[string]string{{"name": "sid", "value": plantedSecrets["cookie"]}}},
	}
	har, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": []any{entry, entry}}})
	if err != nil {
		t.Fatal(err)
	}
	path := plant("/mcp?api_key={query}")
	inputs := map[string]string{
		"two.har": string(har),
		"one.http": fmt.Sprintf("POST %s HTTP/1.1\r\nHost: h\r\n%sContent-Length: %d\r\n\r\n%sHTTP/1.1 %d -\r\n%sContent-Length: %d\r\n\r\n%s",
			path, mine, len(request), request, status, head.String(), len(body), body),
		"one.txt": fmt.Sprintf("> POST %s HTTP/1.1\r\n> Host: h\r\n> %s> \r\n< HTTP/1.1 %d -\r\n%s< \r\n%s", path, strings.ReplaceAll(mine, "\r\n", "\r\n> ")[:len(strings.ReplaceAll(mine, "\r\n", "\r\n> "))-2], status, marked.String(), body),
	}
	for file, text := range inputs {
		for _, planted := range []string{"bearer", "cookie", "query", "header"} {
			if !strings.Contains(text, plantedSecrets[planted]) {
				t.Fatalf("%s holds no planted %s", file, planted)
			}
		}
		name := filepath.Join(dir, file)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"classify", "--id", "7", name},
			{"classify", "--id", "7", "--json", name},
			{"corpus", "add", "--id", "7", name, "--all", "--yes", "--even-if-shipped", "--to", filepath.Join(dir, file+".add.json")},
			{"corpus", "add", "--id", "7", name, "--all", "--yes", "--even-if-shipped", "--whole", "--to", filepath.Join(dir, file+".whole.json")},
			{"corpus", "import", "--id", "7", name, "--group", "seen"},
		} {
			cmd := exec.Command("replyproof", args...) // TestMain puts it into PATH
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
			noSecret(t, strings.Join(args[:2], " ")+" of "+file, string(out))
		}
		for _, written := range []string{".add.json", ".whole.json"} {
			text, err := os.ReadFile(filepath.Join(dir, file+written))
			if err != nil {
				t.Error(err)
			}
			noSecret(t, file+written, string(text))
		}
	}
}

func noSecret(t *testing.T, where, text string) {
	t.Helper()
	for name, secret := range plantedSecrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows the %s:\n%s", where, name, text)
		}
	}
}
