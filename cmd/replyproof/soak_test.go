//go:build linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// resident is how much memory a process holds, in KiB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("/proc/%d/status has no VmRSS", pid)
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSoak has 50 callers at once, each with arguments of its own, while a page is
// open, another one reads nothing, and so do a few clients; make soak does that for
// ten minutes. What the server holds must not grow once it is warm.
func TestSoak(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil {
		long = 2 * time.Second
	}
	transcript := filepath.Join(t.TempDir(), "seen.jsonl")
	sequence := write(t, "mixed.yaml", `steps:
  - pass
  - status: 503
  - {scenario: errors.tool_error}
  - {scenario: sse.drip, settings: {everyMs: 1}}
  - {scenario: errors.connection_close, settings: {where: body}}
  - {scenario: sse.cut}
then: again
`)
	s := startServe(t, "--sequence", sequence, "--transcript", transcript)
	go io.Copy(io.Discard, s.out)
	base := strings.TrimSuffix(s.url, "/mcp")
	for i := range 8 { // who ask and read nothing
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		path := []string{"/mcp", "/events"}[i%2]
		if path == "/events" {
			fmt.Fprintf(conn, "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
			continue
		}
		go func() {
			for range 100_000 {
				body := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
				if _, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
					return
				}
			}
		}()
	}
	page, err := http.Get(base + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	go io.Copy(io.Discard, page.Body)

	var callers sync.WaitGroup
	var calls atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	end := time.Now().Add(long)
	for caller := range 50 {
		callers.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a","arguments":{"caller":%d,"n":%d},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, n, caller, n)
				request, err := http.NewRequest(http.MethodPost, s.url, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				request.Header = http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"a"}}
				if response, err := client.Do(request); err == nil {
					io.Copy(io.Discard, response.Body) // some break off, as they should
					response.Body.Close()
				}
				calls.Add(1)
			}
		})
	}
	var held []int
	for part := range 10 {
		time.Sleep(time.Until(end.Add(-long * time.Duration(9-part) / 10)))
		held = append(held, resident(t, s.cmd.Process.Pid))
		t.Logf("after %s: %d calls, %d KiB", long*time.Duration(part+1)/10, calls.Load(), held[part])
	}
	callers.Wait()
	if calls.Load() < 50 {
		t.Errorf("got %d calls, want more", calls.Load())
	}
	// The first fifth fills what is kept of the exchanges.
	if warm, last := held[1], held[9]; last > warm+warm/2+(32<<10) {
		t.Errorf("the server held %d KiB after a fifth of the time and %d KiB at its end", warm, last)
	}
	began := time.Now()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, s.said.String())
	}
	t.Logf("ended %s after Ctrl-C", time.Since(began).Round(time.Millisecond))
	text, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	told := regexp.MustCompile(`(\d+) exchanges`).FindStringSubmatch(s.said.String())
	if lines := strings.Count(string(text), "\n"); told == nil || told[1] != strconv.Itoa(lines) || lines < int(calls.Load()) {
		t.Errorf("the transcript has %d lines for %d calls; the command told %v", lines, calls.Load(), told)
	}
}
