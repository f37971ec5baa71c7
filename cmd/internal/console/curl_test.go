package console

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/corpus"
)

func TestAsCurl(t *testing.T) {
	t.Parallel()
	const url = "http://127.0.0.1:1/mcp"
	for _, test := range []struct {
		name string
		r    capture.Request
		want string
	}{
		{"bytes that are no text", capture.Request{Method: "POST", URL: url, Body: []byte("-\xff\x00'%d\\n")},
			`printf '\055\377\000\047%%d\\n' | curl -sSi ` + url + " \\\n  --data-binary @-\n"},
		{"a file's name", capture.Request{Method: "POST", URL: url, Body: []byte("@/etc/passwd")}, "curl -sSi " + url + " \\\n  --data-raw @/etc/passwd\n"},
		{"HEAD", capture.Request{Method: "HEAD", URL: url}, "curl -sSi --head " + url + "\n"},
		{"DELETE", capture.Request{Method: "DELETE", URL: url}, "curl -sSi -X DELETE " + url + "\n"},
		{"fields", capture.Request{Method: "GET", URL: url, Headers: corpus.Headers{
			{Name: "X-Empty", Value: ""}, {Name: "X-Api-Key", Value: "hunter2"}, {Name: "Cookie", Value: "a=b"}, {Name: "Mcp-Session-Id", Value: "S"}, {Name: "X-Odd", Value: `a'b"`},
		}}, "curl -sSi -X GET " + url + " \\\n  -H 'X-Empty;' \\\n  -H 'X-Api-Key: …' \\\n  -H 'Cookie: …' \\\n  -H 'Mcp-Session-Id: S' \\\n  -H 'X-Odd: a'\\''b\"'\n"},
	} {
		if got := asCurl(&test.r); got != test.want {
			t.Errorf("%s: got\n%s, want\n%s", test.name, got, test.want)
		}
	}
	if got := asCurl(&capture.Request{Method: "GET", URL: url + "?token=hunter2hunter2"}); strings.Contains(got, "hunter2") {
		t.Errorf("got %s, want no secret of the URL", got)
	}
}

// TestOctal: a shell gives every byte back.
func TestOctal(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	all := []byte("--")
	for c := range 256 {
		all = append(all, byte(c), '7') // a digit after an escape is no part of it
	}
	got, err := exec.CommandContext(t.Context(), shell, "-c", "printf "+octal(all)).Output()
	if err != nil || string(got) != string(all) {
		t.Errorf("got %q and %v, want %q", got, err, all)
	}
}

// TestCopiesWholeBodiesAlone: of a body of which a part is kept there is no copy,
// which would be judged otherwise.
func TestCopiesWholeBodiesAlone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxBody)
	for _, test := range []struct {
		name, answer, padding   string
		asCase, asCurl, asHAR   bool
		lostRequest, lostAnswer bool
	}{
		{"short", `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`, "", true, true, true, false, false},
		{"a long answer", `{"jsonrpc":"2.0","id":7,"result":{"content":[],"a":"` + long + `"}}`, "", false, true, false, false, true},
		{"a long request", `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`, strings.Repeat(" ", maxBody), true, false, false, true, false},
	} {
		c, _ := newConsole(t)
		x := exchange(1, test.answer)
		x.Judged.Request.Body = append(x.Judged.Request.Body, test.padding...)
		c.Done(x)
		var d detail
		if err := json.Unmarshal(get(t, c, "GET", "/exchange/1", "").Body.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if (d.AsCase != "") != test.asCase || (d.NoCase == "") != test.asCase || (d.AsCurl != "") != test.asCurl || (d.NoCurl == "") != test.asCurl || (d.AsHAR != "") != test.asHAR || (d.NoHAR == "") != test.asHAR {
			t.Errorf("%s: got a case of %d bytes (%s), a command of %d (%s), an archive of %d (%s)", test.name, len(d.AsCase), d.NoCase, len(d.AsCurl), d.NoCurl, len(d.AsHAR), d.NoHAR)
		}
		if (d.Request.Lost > 0) != test.lostRequest || (d.Answer.Lost > 0) != test.lostAnswer || d.Answer.Size != len(test.answer) || d.Outcome != "TOOL_SUCCESS" {
			t.Errorf("%s: got %d and %d bytes lost, an answer of %d, %s", test.name, d.Request.Lost, d.Answer.Lost, d.Answer.Size, d.Outcome)
		}
	}
}
