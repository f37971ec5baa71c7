package capture

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/replyproof/replyproof/classifier"
)

func encode16(text string, order binary.AppendByteOrder, mark bool) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xFEFF)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

const (
	answerOK   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\",\"content\":[]}}"
	counted    = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 72\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\",\"content\":[]}}"
	callSeven  = "POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 71\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}"
	streamLF   = "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nContent-Length: 80\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n"
	streamCRLF = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 82\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\r\n\r\n"
)

// Texts that were saved in another encoding or with other line ends are told
// and read as what they were.
func TestEncodings(t *testing.T) {
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	unix := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	tests := []struct {
		name string
		form Form
		text string
		want string // outcome and reason
		note string
	}{
		{"UTF-16, little-endian, as PowerShell writes it", Auto, encode16(windows(unix(answerOK))+"\r\n", binary.LittleEndian, true), "TOOL_SUCCESS tool-success", "is UTF-16 (little-endian by its byte order mark)"},
		{"UTF-16, big-endian", Auto, encode16(answerOK, binary.BigEndian, true), "TOOL_SUCCESS tool-success", "big-endian by its byte order mark"},
		{"UTF-16 without a mark", Auto, encode16(answerOK, binary.LittleEndian, false), "TOOL_SUCCESS tool-success", "by its zero bytes"},
		{"a body in UTF-16", Auto, encode16(success, binary.LittleEndian, true), "TOOL_SUCCESS tool-success", "--from json judges its bytes as they are"},
		{"the same, taken as it is", JSON, encode16(success, binary.LittleEndian, true), "MALFORMED_JSON json-syntax", ""},
		{"a HAR in UTF-16", Auto, encode16(harHead+entry(`{"status":503}`)+harTail, binary.LittleEndian, true), "HTTP_ERROR http-status", "is UTF-16"},
		{"a mark before a status line", Auto, "\xEF\xBB\xBF" + answerOK, "TOOL_SUCCESS tool-success", ""},
		{"line ends of Windows, no length", Auto, windows(unix(answerOK)) + "\r\n", "TOOL_SUCCESS tool-success", ""},
		{"line ends became CRLF", HTTP, windows(streamLF), "TOOL_SUCCESS tool-success", "were LF and have become CRLF since"},
		{"line ends became LF", HTTP, unix(streamCRLF), "TOOL_SUCCESS tool-success", "were CRLF and have become LF since"},
		{"line ends as they came", HTTP, streamCRLF, "TOOL_SUCCESS tool-success", ""},
		{"cut by two bytes, and no changed line ends", HTTP, strings.TrimSuffix(streamCRLF, "\r\n"), "NO_FINAL_RESPONSE body-cut", "80 bytes of the 82"},
		{"a stream with line ends of Windows", Auto, "data: " + success + "\r\n\r\n", "TOOL_SUCCESS tool-success", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all, notes, err := read(t, test.form, test.text)
			if err != nil || len(all) != 1 {
				t.Fatalf("got %d exchanges, %v", len(all), err)
			}
			v := Judge(all[0]).Verdict
			if got := v.Outcome.String() + " " + v.Reason.String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if test.note == "" && strings.Contains(notes, "since") || !strings.Contains(notes, test.note) {
				t.Errorf("got notes %q, want %q", notes, test.note)
			}
		})
	}
}

// Requests in raw messages give the id, and tell what is a call.
func TestMessagesWithRequests(t *testing.T) {
	post := func(body string, fields ...string) string {
		return "POST /mcp HTTP/1.1\r\nHost: h\r\n" + strings.Join(append(fields, ""), "\r\n") + "\r\n" + body + "\r\n"
	}
	const accepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a call", callSeven + answerOK, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"two, one after the other", callSeven + counted + callSeven + answerOK, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success", "tools/call find, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"two answers after two requests", callSeven + callSeven + counted + answerOK, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success", "tools/call find, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"a second request and no answer to it", callSeven + counted + callSeven, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success", "tools/call find, id 7: none NO_FINAL_RESPONSE reset"}},
		{"a request without a length", post(`{"jsonrpc":"2.0","id":"a","method":"tools/call"}`) + "HTTP/1.1 500 -\r\n\r\n", []string{`tools/call, id "a": 500 HTTP_ERROR http-status`}},
		{"a notification", post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`) + accepted, []string{"the notification notifications/initialized: 202 ACCEPTED accepted"}},
		{"a notification that is answered", post(`{"jsonrpc":"2.0","method":"notifications/x"}`) + answerOK, []string{"the notification notifications/x: 200 UNEXPECTED_REPLY unexpected-reply"}},
		{"another request", post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`) + answerOK, []string{"the request tools/list: 200 not judged"}},
		{"the client's answer", post(`{"jsonrpc":"2.0","id":1,"result":{}}`) + accepted, []string{"a response of the client's: 202 not judged"}},
		{"a batch", post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call"},{"jsonrpc":"2.0","method":"x"},{"id":1,"result":{}}]`) + answerOK, []string{"a batch: 3 messages (tools/call, x, a response): 200 not judged"}},
		{"no JSON-RPC", post("a=b") + answerOK, []string{"POST, whose body is no JSON-RPC message: 200 not judged"}},
		{"a GET", "GET /mcp HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 405 -\r\nContent-Length: 0\r\n\r\n", []string{"GET, which is no POST of JSON-RPC: 405 not judged"}},
		{"an id that no call has", post(`{"jsonrpc":"2.0","id":1.5,"method":"tools/call"}`) + answerOK, []string{`tools/call, whose id "1.5" is neither a string nor an integer of 64 bits: 200 not judged`}},
		{"an id in another spelling", post(`{"jsonrpc":"2.0","id":70e-1,"method":"tools/call"}`) + answerOK, []string{"tools/call, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"half a surrogate pair in an id", post(`{"jsonrpc":"2.0","id":"\ud800","method":"tools/call"}`) + strings.Replace(answerOK, `"id":7`, `"id":"\uD800"`, 1), []string{"tools/call, id \"\\xed\\xa0\\x80\": 200 TOOL_SUCCESS tool-success"}},
		{"a 100 before the request's body", strings.Replace(callSeven, "\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", 1) + answerOK, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"through a tunnel", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 200 Connection established\r\n\r\n" + callSeven + answerOK, []string{"tools/call find, id 7: 200 TOOL_SUCCESS tool-success"}},
		{"two that curl -i printed, with no length", "HTTP/2 200 \r\ncontent-type: application/json\r\n\r\n" + strings.Replace(success, "7", "1", 1) + "HTTP/2 503 \r\nserver: x\r\n\r\n<html>\n",
			[]string{"tools/call, id 1: 200 TOOL_SUCCESS tool-success", "tools/call, id 1: 503 HTTP_ERROR http-status"}},
		{"a status line in a text", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nit said HTTP/1.1 503 Down\n and no more", []string{"tools/call, id 1: 200 UNEXPECTED_CONTENT_TYPE content-type-foreign"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, _, faults := judgeAll(t, "x", Auto, []byte(test.text))
			if !slices.Equal(got, test.want) || len(faults) > 0 {
				t.Errorf("got  %q, %v\nwant %q", got, faults, test.want)
			}
		})
	}
}

// What cannot be read is told with its line, and the rest is still judged.
func TestMessagesAfterAFault(t *testing.T) {
	lines, _, faults := judgeAll(t, "x.http", HTTP, []byte(counted+"HTTP/1.1 200 OK\r\nno header\r\n\r\nbody\r\n"+counted+"\r\nHTTP/1.1 OK\r\n\r\n"+answerOK))
	if want := slices.Repeat([]string{"tools/call, id 1: 200 INVALID_ENVELOPE id-mismatch"}, 3); !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
	var told []string
	for _, f := range faults {
		told = append(told, f.Error())
	}
	if got := strings.Join(told, "\n"); len(told) != 1 || !strings.Contains(got, `x.http: line 6: "no header" is no header line`) {
		t.Errorf("got %s", got)
	}
}

func TestCurlOddities(t *testing.T) {
	const head = "> POST /mcp HTTP/1.1\r\n> Host: h\r\n> Mcp-Method: tools/call\r\n> Mcp-Name: find\r\n> MCP-Protocol-Version: 2026-07-28\r\n> \r\n"
	one := strings.Replace(success, "7", "1", 1)
	for _, test := range []struct{ name, text, want string }{
		{"a method in the header", head + "< HTTP/1.1 200 OK\r\n< Content-Type: application/json\r\n< \r\n" + one + "* Connection #0 to host h left intact\n", "tools/call find, id 1: 200 TOOL_SUCCESS tool-success"},
		{"another method in the header", strings.Replace(head, "tools/call", "tools/list", 1) + "< HTTP/1.1 200 OK\r\n< \r\n{}", "the request tools/list: 200 not judged"},
		{"a notification in the header", strings.Replace(head, "tools/call", "notifications/cancelled", 1) + "< HTTP/1.1 202 -\r\n< \r\n", "the notification notifications/cancelled: 202 ACCEPTED accepted"},
		{"HTTP/2", "* using HTTP/2\n* [HTTP/2] [1] [:method: POST]\n> POST /mcp HTTP/2\r\n> Host: h\r\n> \r\n< HTTP/2 503 \r\n< \r\n<html>\n", "tools/call, id 1: 503 HTTP_ERROR http-status"},
		{"the body before the rest", one + "* Connected to h\n" + head + "< HTTP/1.1 200 OK\r\n< content-type: application/json\r\n< content-length: 72\r\n< \r\n", "tools/call find, id 1: 200 TOOL_SUCCESS tool-success"},
		{"headers twice, by -i", head + "< HTTP/1.1 204 No Content\r\n< \r\n* Connection #0 to host h left intact\n", "tools/call find, id 1: 204 NO_FINAL_RESPONSE no-body"},
		{"a body of marked lines", head + "< HTTP/1.1 502 Bad\r\n< \r\n<html>\n<body>* * *</body>\n", "tools/call find, id 1: 502 HTTP_ERROR http-status"},
		{"no certificate", "* SSL certificate problem\n* Closing connection 0\ncurl: (60) SSL certificate problem: self-signed certificate\n", "tools/call, id 1: none NO_FINAL_RESPONSE tls"},
		{"no name", "curl: (6) Could not resolve host: example.invalid\n", "tools/call, id 1: none NO_FINAL_RESPONSE connect"},
		{"an empty reply", head + "* Empty reply from server\n* Closing connection 0\ncurl: (52) Empty reply from server\n", "tools/call find, id 1: none NO_FINAL_RESPONSE reset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, _, faults := judgeAll(t, "x", Curl, []byte(test.text))
			if len(faults) > 0 || len(lines) != 1 || lines[0] != test.want {
				t.Errorf("got %q, %v, want %q", lines, faults, test.want)
			}
		})
	}
	if lines, _, faults := judgeAll(t, "x", Curl, []byte("hello\n")); len(lines) > 0 || len(faults) != 1 || !strings.Contains(faults[0].Error(), "x: line 1: holds no line of curl -v") {
		t.Errorf("got %q, %v", lines, faults)
	}
}

func TestDetectTheOthers(t *testing.T) {
	for text, want := range map[string]Form{
		"POST /mcp HTTP/1.1\r\n":             HTTP,
		"* Trying 127.0.0.1:80...\n":         Curl,
		"> GET / HTTP/1.1\r\n":               Curl,
		"< HTTP/1.1 200 OK\r\n":              Curl,
		"curl: (7) Failed\n":                 Curl,
		"  % Total    % Received % Xferd":    Curl,
		`{"log":{"version":"1.2"}}`:          HAR,
		`{"format":"replyproof-record/1"}`:   Record,
		"<html>":                             JSON,
		"POST is what it said":               JSON,
		`{"log":"x","jsonrpc":"2.0"}`:        JSON,
		`{"status":200,"log":{}}`:            HAR,
		" \n{\"log\":{\"entries\":[{\"a\":1": HAR,
	} {
		if got, why, err := detect([]byte(text)); err != nil || got != want {
			t.Errorf("%q: got %s (%s), %v, want %s", text, got, why, err, want)
		}
	}
	for _, text := range []string{"== Info: Trying", `{"format":"replyproof-cases/1"}`} {
		if got, _, err := detect([]byte(text)); err == nil {
			t.Errorf("%q: got %s, want an error that says what to do", text, got)
		}
	}
}

func TestKindWords(t *testing.T) {
	for k := range kindEnd {
		var back Kind
		if text, err := k.MarshalText(); err != nil || back.UnmarshalText(text) != nil || back != k {
			t.Errorf("%d: got %v, %s", k, back, text)
		}
	}
	if got := Judge(Exchange{RPC: Message{Kind: Unknown}}).Why; !strings.Contains(got, "does not tell what it carried") {
		t.Errorf("got %q", got)
	}
	if c, err := (&Exchange{RPC: Message{Kind: OtherRequest, Method: "tools/list"}}).Case(); err == nil {
		t.Errorf("got %+v, want no case of a tools/list", c)
	}
	if _, err := (&Exchange{RPC: Message{Kind: Call, ID: classifier.IntID(1)}, Answer: &Answer{BodyUnknown: true}}).Case(); err == nil {
		t.Error("got a case of an answer without its body")
	}
}
