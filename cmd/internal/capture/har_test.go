package capture

import (
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

const (
	harHead = `{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"pages":[{"id":"p"}],"entries":[`
	harTail = `]}}`
	success = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}`
)

// entry is an entry of an archive: a call with the id 7 and its response.
func entry(response string) string {
	return `{"startedDateTime":"2026-11-30T09:00:00.000Z","time":12.5,"request":{"method":"POST","url":"https://example.com/mcp","headers":[{"name":":authority","value":"example.com"}],` +
		`"postData":{"mimeType":"application/json","text":"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}"}},"response":` + response + `}`
}

func response(status int, typ, content string) string {
	return fmt.Sprintf(`{"status":%d,"headers":[{"name":"content-type","value":%q},{"name":"content-encoding","value":"br"}],"content":%s}`, status, typ, content)
}

func TestHAR(t *testing.T) {
	quoted := strings.ReplaceAll(success, `"`, `\"`)
	text := response(200, "application/json", `{"text":"`+quoted+`"}`)
	good := entry(text)
	const call = "tools/call t, id 7: "
	at := fmt.Sprintf("x.har: entry 1 (byte %d): ", len(harHead))
	second := func(entry string) string { return harHead + good + ",\n " + entry + "," + good + harTail }
	two := []string{call + "200 TOOL_SUCCESS tool-success", call + "200 TOOL_SUCCESS tool-success"}
	atSecond := fmt.Sprintf("x.har: entry 2 (byte %d): ", len(harHead+good)+3)
	tests := []struct {
		name, text string
		lines      []string
		faults     []string
	}{
		{"a body whose coding the browser has undone", harHead + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"a mark before it", "\xEF\xBB\xBF" + harHead + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"base64", harHead + entry(response(200, "application/json", `{"encoding":"base64","text":"`+base64.StdEncoding.EncodeToString([]byte(success))+`"}`)) + harTail,
			[]string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"base64 without padding, over lines", harHead + entry(response(200, "application/json", `{"encoding":"base64","text":"`+strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(success+" ")), "=")[:40]+`\r\n`+strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(success+" ")), "=")[40:]+`"}`)) + harTail,
			[]string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"base64 that is none", harHead + entry(response(200, "application/json", `{"encoding":"base64","text":"%%%"}`)) + "," + good + harTail,
			[]string{call + "200 TOOL_SUCCESS tool-success"}, []string{at + "response.content: the text is no base64"}},
		{"another encoding", harHead + entry(response(200, "application/json", `{"encoding":"hex","text":"00"}`)) + harTail, nil, []string{`the encoding "hex" is not known; base64 is`}},
		{"cut off in an entry", harHead + good + "," + good[:60], []string{call + "200 TOOL_SUCCESS tool-success"}, []string{fmt.Sprintf("x.har: entry 2 (byte %d): the file ends here, in the middle of the archive; save or copy it anew; what came before was read", len(harHead+good)+61)}},
		{"cut off after an entry", harHead + good, []string{call + "200 TOOL_SUCCESS tool-success"}, []string{"the file ends here, in the middle of the archive"}},
		{"cut off before the entries", harHead[:50], nil, []string{"x.har: byte 50: the file ends here"}},
		{"broken in the middle", harHead + good + `,{"a":}` + "," + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, []string{fmt.Sprintf("x.har: entry 2 (byte %d): no JSON: invalid character '}' looking for beginning of value; nothing from here on is read, so save the archive anew; what came before was read", len(harHead+good)+6)}},
		{"no request", harHead + `{"response":` + text + `},` + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, []string{at + "there is no request in it"}},
		{"no method", harHead + `{"request":{"url":"x"},"response":` + text + `}` + harTail, nil, []string{"the request has no method"}},
		{"no response", harHead + strings.Replace(good, `"response"`, `"other"`, 1) + harTail, nil, []string{at + "there is no response in it"}},
		{"no status", harHead + entry(`{"headers":[]}`) + harTail, nil, []string{"the response has no status"}},
		{"a status that is a text", harHead + entry(`{"status":"200"}`) + "," + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, []string{at + "the member response.status holds a string where an integer should stand"}},
		{"an entry that is a number", second("5"), two, []string{atSecond + "the entry is a number, and must be an object"}},
		{"an entry that is an array", second("[{}]"), two, []string{atSecond + "the entry is an array, and must be an object"}},
		{"an entry that is null", second("null"), two, []string{atSecond + "the entry is null, and must be an object"}},
		{"headers that are an object", second(entry(`{"status":200,"headers":{}}`)), two, []string{atSecond + "the member response.headers holds an object where an array should stand"}},
		{"a header that is a number", second(entry(`{"status":200,"headers":[5]}`)), two, []string{atSecond + "the member response.headers holds a number where an object should stand"}},
		{"a response that is an array", second(entry(`[]`)), two, []string{atSecond + "the member response holds an array where an object should stand"}},
		{"a comma that is missing", harHead + good + "\n" + good + harTail, two[:1], []string{fmt.Sprintf("x.har: entry 2 (byte %d): no JSON: expected comma after array element", len(harHead+good)+1)}},
		{"a comma too many", harHead + good + "," + harTail, two[:1], []string{fmt.Sprintf("x.har: entry 2 (byte %d): no JSON: invalid character ']'", len(harHead+good)+1)}},
		{"a control in a text", second(`{"a":"b` + "\x01" + `"}`), two[:1], []string{fmt.Sprintf("x.har: entry 2 (byte %d): no JSON: invalid character '\\x01' in string", len(harHead+good)+3+7)}},
		{"cut off in the first name", `{"log": {"ver`, nil, []string{"x.har: byte 13: the file ends here, in the middle of the archive; save or copy it anew"}},
		{"a log that is an array", `{"log":[1]}`, nil, []string{"x.har: byte 7: no HAR", "log is an array, and must be an object"}},
		{"no content", harHead + entry(`{"status":200,"headers":[{"name":"content-type","value":"application/json"}]}`) + "," + good + harTail,
			[]string{call + "200 not judged", call + "200 TOOL_SUCCESS tool-success"}, []string{"x.har: entry 1: the body of the answer is not in the input"}},
		{"no content and an error's status", harHead + entry(`{"status":503}`) + harTail, []string{call + "503 HTTP_ERROR http-status"}, nil},
		{"no content in a foreign type", harHead + entry(`{"status":200,"headers":[{"name":"Content-Type","value":"text/html"}]}`) + harTail, []string{call + "200 UNEXPECTED_CONTENT_TYPE content-type-foreign"}, nil},
		{"an empty body that the size tells", harHead + entry(`{"status":202,"headers":[],"content":{"size":0}}`) + harTail, []string{call + "202 NO_FINAL_RESPONSE no-body"}, nil},
		{"blocked", harHead + entry(`{"status":0,"_error":"net::ERR_BLOCKED_BY_CLIENT"}`) + harTail, []string{call + "none NO_FINAL_RESPONSE connect"}, nil},
		{"no answer, and nothing said", harHead + entry(`{"status":-1}`) + harTail, []string{call + "none NO_FINAL_RESPONSE connect"}, nil},
		{"a failed handshake", harHead + entry(`{"status":0,"_error":"net::ERR_CERT_AUTHORITY_INVALID"}`) + harTail, []string{call + "none NO_FINAL_RESPONSE tls"}, nil},
		{"timed out", harHead + entry(`{"status":0,"_error":"net::ERR_TIMED_OUT"}`) + harTail, []string{call + "none NO_FINAL_RESPONSE deadline"}, nil},
		{"reset", harHead + entry(`{"status":0,"_error":"net::ERR_CONNECTION_RESET"}`) + harTail, []string{call + "none NO_FINAL_RESPONSE reset"}, nil},
		{"cut in a JSON body", harHead + strings.Replace(good, `"status":200`, `"_error":"net::ERR_CONTENT_LENGTH_MISMATCH","status":200`, 1) + harTail, []string{call + "200 NO_FINAL_RESPONSE body-cut"}, nil},
		{"a WebSocket", harHead + strings.Replace(good, `{"started`, `{"_resourceType":"websocket","started`, 1) + harTail, []string{"tools/call, which became a WebSocket: 200 not judged"}, nil},
		{"a POST with no body in the file", harHead + strings.Replace(good, `"postData"`, `"x"`, 1) + harTail,
			[]string{"a request of which the input does not tell what it carried: 200 not judged"}, []string{"x.har: entry 1: the request is not in the input"}},
		{"white space after it", harHead + good + harTail + strings.Repeat(" \t\r\n", 5000), []string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"members after the entries", harHead + good + `],"comment":"c"},"other":[1]}`, []string{call + "200 TOOL_SUCCESS tool-success"}, nil},
		{"another archive after it", harHead + good + harTail + "\n" + harHead + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"},
			[]string{fmt.Sprintf("x.har: byte %d: the archive ends before this", len(harHead+good+harTail)+1), "put each archive into a file of its own"}},
		{"another right after it, and marks", "\xEF\xBB\xBF" + harHead + good + harTail + "\xEF\xBB\xBF" + harHead + harTail, []string{call + "200 TOOL_SUCCESS tool-success"},
			[]string{fmt.Sprintf("x.har: byte %d: the archive ends before this", len(harHead+good+harTail)+3)}},
		{"garbage after it", harHead + good + harTail + strings.Repeat(" ", 20000) + "x", []string{call + "200 TOOL_SUCCESS tool-success"},
			[]string{fmt.Sprintf("x.har: byte %d: the archive ends before this", len(harHead+good+harTail)+20000)}},
		{"a bracket too many", harHead + good + harTail + "}", []string{call + "200 TOOL_SUCCESS tool-success"},
			[]string{fmt.Sprintf("x.har: byte %d: the archive ends before this", len(harHead+good+harTail))}},
		{"cut off after the entries", harHead + good + "]}", []string{call + "200 TOOL_SUCCESS tool-success"}, []string{"the file ends here, in the middle of the archive"}},
		{"entries twice", harHead + good + `],"entries":[` + good + harTail, []string{call + "200 TOOL_SUCCESS tool-success"}, []string{"there is a second member entries, which is not read"}},
		{"nothing in it", harHead + harTail, nil, nil},
		{"a log of something else", `{"log":{"lines":[]}}`, nil, []string{"x.har: byte 18: no HAR, which is {\"log\":{\"entries\":[…]}}: there is no member log.entries in it; --from tells another form"}},
		{"entries that are none", `{"log":{"entries":{}}}`, nil, []string{"x.har: byte 18: no HAR", "log.entries is an object, and must be an array"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines, _, faults := judgeAll(t, "x.har", Auto, []byte(test.text))
			if !slices.Equal(lines, test.lines) {
				t.Errorf("got  %q\nwant %q", lines, test.lines)
			}
			if len(faults) > 1 || (len(faults) == 0) != (len(test.faults) == 0) {
				t.Fatalf("got faults %v, want %q", faults, test.faults)
			}
			for _, want := range test.faults {
				if !strings.Contains(faults[0].Error(), want) {
					t.Errorf("got fault %v, want %q in it", faults[0], want)
				}
			}
		})
	}
}

// TestHARInUTF16: what is wrong is told by the place in the text, and half a
// character at the end is an end like another.
func TestHARInUTF16(t *testing.T) {
	text := harHead + entry(`{"status":503}`) + "," + entry(`{"status":503}`)
	for name, test := range map[string]struct {
		text string
		odd  bool
		want string
	}{
		"broken":              {harHead + "{]", false, fmt.Sprintf("x.har: entry 1 (byte %d of it as UTF-8): no JSON: invalid character ']'", len(harHead)+1)},
		"cut off between two": {harHead[:len(harHead)-1] + "\n\n", true, fmt.Sprintf("x.har: byte %d of it as UTF-8: the file ends here", len(harHead))},
		"cut off":             {text[:len(text)-9], false, fmt.Sprintf("x.har: entry 2 (byte %d of it as UTF-8): the file ends here", len(text)-9)},
		"cut off in a letter": {text[:len(text)-9], true, fmt.Sprintf("x.har: entry 2 (byte %d of it as UTF-8): the file ends here", len(text)-10+len("\uFFFD"))},
	} {
		coded := []byte{0xFF, 0xFE}
		for _, c := range []byte(test.text) {
			coded = append(coded, c, 0)
		}
		if test.odd {
			coded = coded[:len(coded)-1]
		}
		_, _, faults := judgeAll(t, "x.har", HAR, coded)
		if len(faults) != 1 || !strings.Contains(faults[0].Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, faults, test.want)
		}
	}
}

// The id that the caller names makes a call of a POST whose body is not in the file.
func TestHARWithAnIDNamed(t *testing.T) {
	text := harHead + strings.Replace(entry(response(200, "application/json", `{"text":"`+strings.ReplaceAll(success, `"`, `\"`)+`"}`)), `"postData"`, `"x"`, 1) + harTail
	in := Input{Name: "x", Form: HAR, ID: classifier.IntID(7)}
	for x, err := range in.Exchanges(strings.NewReader(text)) {
		if v := Judge(x).Verdict; err != nil || v.Outcome != classifier.ToolSuccess {
			t.Errorf("got %v, %v, want a success", v.Outcome, err)
		}
	}
}

func TestHARTellsTimes(t *testing.T) {
	_, judged, _ := judgeAll(t, "x", HAR, []byte(harHead+entry(`{"status":503}`)+harTail))
	if got := judged[0].Started.Format("15:04:05") + " " + judged[0].Duration.String(); got != "09:00:00 12.5ms" {
		t.Errorf("got %s", got)
	}
	if n := len(judged[0].Request.Headers); n != 0 {
		t.Errorf("got %d header fields, want none of HTTP/2's pseudo fields", n)
	}
}

// endless is an archive of so many entries, made as it is read.
type endless struct {
	head, entry string
	entries     int
	rest        string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		switch {
		case e.head != "":
			e.rest, e.head = e.head+e.entry, ""
		case e.entries > 0:
			e.rest = "," + e.entry
			e.entries--
		case e.entries == 0:
			e.rest = harTail
			e.entries--
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// The size of an archive does not matter: one entry is in memory at a time.
func TestHARIsReadInBoundedMemory(t *testing.T) {
	body := strings.ReplaceAll(strings.Replace(success, "[]", `[{"type":"text","text":"`+strings.Repeat("a", 100_000)+`"}]`, 1), `"`, `\"`)
	source := &endless{head: harHead, entry: entry(response(200, "application/json", `{"text":"`+body+`"}`)), entries: 600} // 60 MB
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, most := 0, uint64(0)
	in := Input{Name: "x", Form: HAR, IDAssumed: true}
	for x, err := range in.Exchanges(source) {
		if err != nil || Judge(x).Verdict.Outcome != classifier.ToolSuccess {
			t.Fatal(err)
		}
		if n++; n%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
	if grown := int64(most) - int64(before.HeapAlloc); n != 601 || grown > 10<<20 {
		t.Errorf("got %d entries and %d bytes more in use, want 601 and at most 10 MB", n, grown)
	}
}

func TestHAREntryOverTheLimit(t *testing.T) {
	text := harHead + entry(`{"status":503}`) + `,{"x":"` + strings.Repeat("a", 300_000) + `"}` + harTail
	in := Input{Name: "x", Form: HAR, Limit: 200_000}
	var told []string
	n := 0
	for _, err := range in.Exchanges(strings.NewReader(text)) {
		if err != nil {
			told = append(told, err.Error())
			continue
		}
		n++
	}
	if n != 1 || len(told) != 1 || !strings.Contains(told[0], "larger than 0 MiB") {
		t.Errorf("got %d exchanges and %q, want the first and that the second is too large", n, told)
	}
}
