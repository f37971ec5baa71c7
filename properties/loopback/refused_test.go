package loopback_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/replyproof/replyproof/properties/loopback"
)

// hosted is a host that answers every request with an empty 204, and its address.
func hosted(t *testing.T, o loopback.Options) string {
	t.Helper()
	h, err := loopback.Serve(o, func(_ context.Context, conn *loopback.Conn, _ *http.Request, _ []byte) bool {
		_, err := io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return fmt.Sprintf("127.0.0.1:%d", h.Port())
}

// dial sends some bytes.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// What cannot be read is refused, and told; of what broke off there is nobody to tell.
func TestHostRefusesWhatItCannotRead(t *testing.T) {
	const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	tests := []struct {
		name, text string
		want       string // the status line; "" for none
		told       string
	}{
		{"no HTTP", "hello\r\n\r\n", "HTTP/1.1 400 Bad Request", `400 read the head of a request: malformed HTTP request "hello"`},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", "HTTP/1.1 400 Bad Request", "400 read the head of a request: malformed HTTP request"},
		{"two hosts", head + "Host: other\r\n\r\n", "HTTP/1.1 400 Bad Request", "400 read the head of a request: too many Host headers"},
		{"a length below zero", head + "Content-Length: -1\r\n\r\n", "HTTP/1.1 400 Bad Request", "400 read the head of a request: bad Content-Length"},
		{"a chunk without a size", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400 Bad Request", "400 read the body of a request: invalid byte in chunk length"},
		{"a long head", head + "X: " + strings.Repeat("x", 2000) + "\r\n\r\n", "HTTP/1.1 431 Request Header Fields Too Large", "431 read the head of a request: the head is too large"},
		{"a long body", head + "Content-Length: 1001\r\n\r\n", "HTTP/1.1 413 Content Too Large", "413 read the body of a request: the body is too large"},
		{"a long body in chunks", head + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + strings.Repeat("x", 1001) + "\r\n0\r\n\r\n", "HTTP/1.1 413 Content Too Large", "413 read the body of a request: the body is too large"},
		{"half a head", head, "", ""},
		{"half a body", head + "Content-Length: 10\r\n\r\nabc", "", ""},
	}
	for _, test := range tests {
		told := make(chan string, 1)
		address := hosted(t, loopback.Options{MaxHeader: 1000, MaxBody: 1000, Refused: func(status int, why error) {
			told <- fmt.Sprintf("%d %v", status, why)
		}})
		conn := dial(t, address, test.text)
		// A host that has refused may have closed already, and there is no end left to send.
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) {
			t.Fatal(err)
		}
		// The rest of what was sent may make a reset of the end.
		answer, _ := io.ReadAll(conn)
		line, _, _ := strings.Cut(string(answer), "\r\n")
		said := ""
		select {
		case said = <-told:
		default:
		}
		if line != test.want || !strings.HasPrefix(said, test.told) || (said == "") != (test.told == "") {
			t.Errorf("%s: got %q, told %q, want %q and %q", test.name, line, said, test.want, test.told)
		}
	}
}

// Clients that send half a request and no more must not take all connections there are.
func TestHostGivesUpHalfRequests(t *testing.T) {
	for _, half := range []string{"POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nabc"} {
		address := hosted(t, loopback.Options{MaxConns: 4})
		for range 12 {
			dial(t, address, half)
		}
		conn := dial(t, address, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		answer := make([]byte, len("HTTP/1.1 204"))
		if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 204" {
			t.Errorf("after 12 of %q: got %q, %v, want HTTP/1.1 204", half, answer, err)
		}
	}
}

// The bodies that are held at once have a bound in all, and small ones go by.
func TestHostBoundsWhatItHolds(t *testing.T) {
	release, held := make(chan struct{}), make(chan struct{}, 8)
	told := make(chan string, 8)
	h, err := loopback.Serve(loopback.Options{MaxBody: 100_000, MaxHeld: 150_000, Refused: func(status int, why error) {
		told <- fmt.Sprintf("%d %v", status, why)
	}}, func(_ context.Context, conn *loopback.Conn, _ *http.Request, body []byte) bool {
		if len(body) > 0 && body[0] == 'h' {
			held <- struct{}{}
			<-release
		}
		_, err := io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	address := fmt.Sprintf("127.0.0.1:%d", h.Port())
	const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	body := func(n int, begins string) string {
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s%s", n, begins, strings.Repeat("x", n-len(begins)))
	}
	status := func(conn net.Conn) string {
		t.Helper()
		line := make([]byte, len("HTTP/1.1 204 No Content\r\n\r\n"))
		if _, err := io.ReadFull(conn, line); err != nil {
			t.Fatal(err)
		}
		return string(line[:len("HTTP/1.1 204")])
	}
	first := dial(t, address, head+body(100_000, "h"))
	<-held
	// Of these the host reads the heads alone.
	for _, text := range []string{head + "Content-Length: 70000\r\n\r\n", head + "Transfer-Encoding: chunked\r\n\r\n"} {
		if got := status(dial(t, address, text)); got != "HTTP/1.1 503" {
			t.Errorf("beyond the bound: got %s, want 503", got)
		}
		if got, want := <-told, "503 read the body of a request: the bodies that are held are as many bytes as may be"; got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	if got := status(dial(t, address, head+body(65_536, "x"))); got != "HTTP/1.1 204" {
		t.Errorf("a small body: got %s, want 204", got)
	}
	close(release)
	if got := status(first); got != "HTTP/1.1 204" {
		t.Errorf("the first: got %s, want 204", got)
	}
	// The next request of a connection is read once the body before is put down.
	if _, err := io.WriteString(first, head+body(100_000, "x")); err != nil {
		t.Fatal(err)
	}
	if got := status(first); got != "HTTP/1.1 204" {
		t.Errorf("once there is room: got %s, want 204", got)
	}
}
