package capture

import (
	"fmt"
	"strings"
	"testing"
)

// TestNotesTellTheirPlace: what is said of an HTTP message names file and line.
func TestNotesTellTheirPlace(t *testing.T) {
	const first = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" // lines 1 to 4
	for _, test := range []struct{ name, text, want string }{
		{"a body that is cut", first + "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", "a.http: line 4: 2 bytes of the 9 that Content-Length announces: the body was cut"},
		{"bytes after a body", first + "and more", "a.http: line 1: 8 bytes after the 2 that Content-Length announces are passed over"},
		{"no chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}", "a.http: line 1: the headers say chunked, the body is not"},
		{"a chunk that is cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok", "a.http: line 1: the last chunk breaks off: the body was cut"},
		{"a 100 before", "HTTP/1.1 100 Continue\r\n\r\n" + first, "a.http: line 1: a 100 before the answer is passed over"},
		{"bytes after the last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nabc", "a.http: line 6: 3 bytes after the last chunk are passed over"},
	} {
		var notes []string
		in := Input{Name: "a.http", Form: HTTP, Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}
		for range in.Exchanges(strings.NewReader(test.text)) {
		}
		if got := strings.Join(notes, "\n"); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
