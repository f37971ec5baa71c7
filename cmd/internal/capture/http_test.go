package capture

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

// read gives what an input holds, and what was noted about it.
func read(t *testing.T, form Form, text string) (all []Exchange, notes string, err error) {
	t.Helper()
	var noted strings.Builder
	in := Input{Name: "in", Form: form, ID: classifier.IntID(7), IDAssumed: true, Limit: 1 << 20, Note: func(format string, args ...any) {
		fmt.Fprintf(&noted, format+"\n", args...)
	}}
	var faults []error
	for x, fault := range in.Exchanges(strings.NewReader(text)) {
		if fault != nil {
			faults = append(faults, fault)
			continue
		}
		all = append(all, x)
	}
	return all, noted.String(), errors.Join(faults...)
}

func TestHTTP(t *testing.T) {
	const eof, reset = classifier.EndedEOF, classifier.EndedReset
	type want struct {
		status int
		typ    string // of the Content-Type lines, joined by " | "
		body   string
		ended  classifier.Ended
	}
	tests := []struct {
		name string
		text string
		want []want
		note string
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
			[]want{{200, "application/json", "{}", eof}}, ""},
		{"a line end added by an editor", "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}\n", []want{{200, "", "{}", eof}}, ""},
		{"line feeds only, no length", "HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\ndata: x\n\n",
			[]want{{200, "text/event-stream", "data: x\n\n", eof}}, ""},
		{"HTTP/2 as curl prints it", "HTTP/2 503 \r\ncontent-type: text/html\r\n\r\n<html>", []want{{503, "text/html", "<html>", eof}}, ""},
		{"no reason phrase", "HTTP/1.1 404\r\n\r\n", []want{{404, "", "", eof}}, ""},
		{"an absurd status", "HTTP/1.1 99999 What\r\n\r\n", []want{{99999, "", "", eof}}, ""},
		{"cut", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", []want{{200, "", "{}", reset}}, "2 bytes of the 10"},
		{"more than the length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{} and more", []want{{200, "", "{}", eof}}, "9 bytes after"},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", []want{{200, "", "abcde", eof}}, ""},
		{"chunked with trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n", []want{{200, "", "a", eof}}, ""},
		{"chunks break off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n9\r\nde", []want{{200, "", "abcde", reset}}, "breaks off"},
		{"no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", []want{{200, "", "abc", reset}}, "missing or malformed"},
		{"a chunk longer than it says", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n", []want{{200, "", "ab", reset}}, "not followed by a line end"},
		{"unchunked already", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{\"a\":1}", []want{{200, "", `{"a":1}`, eof}}, "taken as unchunked"},
		{"a 204 has no body", "HTTP/1.1 204 No Content\r\n\r\nsurplus", []want{{204, "", "", eof}}, "7 bytes after"},
		{"100 and 103 before the answer", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok",
			[]want{{200, "", "ok", eof}}, "a 103 before the answer"},
		{"a 100 alone", "HTTP/1.1 100 Continue\r\n\r\n", []want{{100, "", "", eof}}, ""},
		{"a redirect followed", "HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok",
			[]want{{307, "", "", eof}, {200, "", "ok", eof}}, ""},
		{"a proxy's answer to CONNECT", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 502 Bad Gateway\r\n\r\n",
			[]want{{502, "", "", eof}}, "line 1: a proxy's 200 Connection established before the answer is passed over"},
		{"a proxy's answer to CONNECT alone", "HTTP/1.1 200 Connection established\r\n\r\n", []want{{200, "", "", eof}}, ""},
		{"a success that only looks like it", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 502 Bad Gateway\r\n\r\n",
			[]want{{200, "", "", eof}, {502, "", "", eof}}, ""},
		{"a type twice", "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type: c/d\r\n\r\n", []want{{200, "a/b | c/d", "", eof}}, ""},
		{"a folded line", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;\r\n charset=x\r\n\r\n", []want{{200, "text/event-stream; charset=x", "", eof}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all, notes, err := read(t, HTTP, test.text)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != len(test.want) {
				t.Fatalf("got %d answers, want %d: %+v", len(all), len(test.want), all)
			}
			for i, w := range test.want {
				a := all[i].Answer
				if a == nil {
					t.Fatalf("answer %d: got none", i)
				}
				wire := a.Wire()
				got := want{wire.Status, strings.Join(wire.Header["Content-Type"], " | "), string(wire.Body), wire.Ended}
				if got != w {
					t.Errorf("answer %d: got %+v, want %+v", i, got, w)
				}
			}
			if test.note == "" && notes != "" || !strings.Contains(notes, test.note) {
				t.Errorf("got notes %q, want %q", notes, test.note)
			}
		})
	}
}

func TestHTTPHeadThatBreaksOff(t *testing.T) {
	for _, text := range []string{
		"HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nContent-Ty", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
	} {
		all, notes, err := read(t, HTTP, text)
		if err != nil || len(all) != 1 || all[0].Answer != nil || all[0].NoAnswer != classifier.EndedReset {
			t.Errorf("%q: got %+v, %v, want one call without an answer, reset", text, all, err)
		}
		if !strings.Contains(notes, "breaks off") {
			t.Errorf("%q: got notes %q, want one that says that the head breaks off", text, notes)
		}
	}
}

func TestHTTPThatIsNone(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"white space", "\n", `line 1: "" is no status line`},
		{"no status", "HTTP/1.1 OK\r\n\r\n", `line 1: "HTTP/1.1 OK" is no status line`},
		{"a line without a colon", "HTTP/1.1 200 OK\r\nA: b\r\nwhat is this\r\n\r\n", `line 3: "what is this" is no header line`},
		{"a space before the colon", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", `line 2: "A : b" is no header line`},
		{"lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "differ: 1 and 2"},
		{"a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", `Content-Length "-1" is no length`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, HTTP, test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestDetect(t *testing.T) {
	tests := []struct {
		name, text string
		want       Form
	}{
		{"status line", "HTTP/1.1 200 OK\r\n\r\n", HTTP},
		{"data", "data: {}\n\n", SSE},
		{"comment", ": hello\n\n", SSE},
		{"event after a mark and blank lines", "\xEF\xBB\xBF\n\nevent: message\n", SSE},
		{"a word that begins like a field", "database is down", JSON},
		{"response", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, JSON},
		{"response over lines", "{\n  \"id\": 1,\n  \"result\": {}\n}", JSON},
		{"response with a status of its own", `{"jsonrpc":"2.0","status":200}`, JSON},
		{"case", `{"status":200,"body":"{}"}`, JSONL},
		{"case that begins with an id", `{"id":"a","status":null}`, JSONL},
		{"half a case", `{"status":200,"bo`, JSONL},
		{"other object", `{"a":1}`, JSON},
		{"array", `[{"jsonrpc":"2.0"}]`, JSON},
		{"page", `<html>`, JSON},
		{"white space", "  \n", JSON},
		{"half an object", `{"jso`, JSON},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, why, err := detect([]byte(test.text))
			if err != nil || got != test.want {
				t.Errorf("got %s (%s), %v, want %s", got, why, err, test.want)
			}
		})
	}
	for name, text := range map[string]string{"corpus file": `{"format":"replyproof-cases/1","cases":[]}`} {
		if form, _, err := detect([]byte(text)); err == nil {
			t.Errorf("%s: got %s, want an error", name, form)
		}
	}
}

// An empty input is no answer, not an empty one, whatever its form.
func TestEmptyInput(t *testing.T) {
	for _, form := range Forms() {
		all, _, err := read(t, Form(form), "")
		if err == nil || err.Error() != "in is empty: no answer came" || len(all) > 0 {
			t.Errorf("%s: got %+v, %v", form, all, err)
		}
	}
}

func TestParseID(t *testing.T) {
	tests := []struct {
		text string
		want classifier.ID
	}{
		{"1", classifier.IntID(1)},
		{"-5", classifier.IntID(-5)},
		{"abc", classifier.StringID("abc")},
		{`"1"`, classifier.StringID("1")},
		{`"1.5"`, classifier.StringID("1.5")},
		{"1.0", classifier.IntID(1)},
		{"10e-1", classifier.IntID(1)},
		{"1.5.0", classifier.StringID("1.5.0")},
		{"-", classifier.StringID("-")},
		{"1e", classifier.StringID("1e")},
		{"", classifier.StringID("")},
	}
	for _, test := range tests {
		got, err := ParseID(test.text)
		if err != nil || got != test.want {
			t.Errorf("%q: got %v, %v, want %v", test.text, got, err, test.want)
		}
	}
	for text, want := range map[string]string{
		`"half`:               "not a quoted string",
		"1.5":                 `id 1.5: a number that is no integer of 64 bits, which no request has as its id; "1.5" in quotes is a string`,
		"1e-3":                "no integer",
		"9223372036854775808": "no integer of 64 bits",
		"1e400":               "no integer of 64 bits",
	} {
		if got, err := ParseID(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %q", text, got, err, want)
		}
	}
}

func TestTooLargeIsRefusedInBoundedMemory(t *testing.T) {
	_, _, err := read(t, JSON, strings.Repeat("0", 1<<20+1))
	if err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("got %v, want an error that names the limit", err)
	}
}

func TestBodyIsTakenAsItIs(t *testing.T) {
	const body = "\xEF\xBB\xBF{{id}}\r\n"
	for _, form := range []Form{JSON, SSE} {
		all, _, err := read(t, form, body)
		if err != nil || len(all) != 1 || !bytes.Equal(all[0].Answer.Body, []byte(body)) {
			t.Errorf("%s: got %+v, %v, want the body unchanged", form, all, err)
		}
	}
}

func TestLinesBeforeABrokenOneAreYielded(t *testing.T) {
	all, _, err := read(t, JSONL, `{"status":200,"body":"{}"}`+"\n"+`{"status":null,"note":"unknown keys are fine"}`+"\n"+`{"status":2`)
	if err == nil || !strings.Contains(err.Error(), "3") {
		t.Errorf("got %v, want an error that names line 3", err)
	}
	if len(all) != 2 || all[0].Answer == nil || all[1].Answer != nil || all[0].RPC.ID != classifier.IntID(7) {
		t.Errorf("got %+v, want an answer to call 7 and a call without one", all)
	}
}

func TestStopEndsTheReading(t *testing.T) {
	for form, text := range map[Form]string{
		JSONL: `{"status":200}` + "\n" + `{"status":`,
		HTTP:  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 OK",
		HAR:   `{"log":{"entries":[{"request":{"method":"GET"},"response":{"status":200}},{`,
		Curl:  "> GET / HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\n> GET / HTTP/1.1\n",
	} {
		in := Input{Name: "in", Form: form, Limit: 1 << 20, Note: t.Logf}
		n := 0
		for _, err := range in.Exchanges(strings.NewReader(text)) {
			if n++; err != nil || n > 1 {
				t.Errorf("%s: got more after the caller had stopped: %v", form, err)
			}
			break
		}
		if n != 1 {
			t.Errorf("%s: got %d exchanges, want 1", form, n)
		}
	}
}
