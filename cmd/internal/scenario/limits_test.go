package scenario_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// More sessions than are known at once: the oldest are forgotten, and what each
// takes is little.
func TestManySessions(t *testing.T) {
	t.Parallel()
	const sessions = 10_200
	choice, err := scenario.Choose("baseline", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Serve(choice, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := &peer{t: t, server: s, client: &http.Client{Transport: &http.Transport{}}}
	defer p.client.CloseIdleConnections()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ids := make([]string, sessions)
	for i := range ids {
		ids[i] = p.legacy()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / sessions; after.HeapAlloc > before.HeapAlloc && each > 8<<10 {
		t.Errorf("got %d bytes for each session, want at most 8 KiB", each)
	}
	if got := p.legacyCall(ids[0], `{}`); got.status != http.StatusNotFound {
		t.Errorf("the first session: got %s, want 404", got)
	}
	if got := p.legacyCall(ids[sessions-1], `{}`); got.status != http.StatusOK {
		t.Errorf("the last session: got %s, want 200", got)
	}
}

// Clients that read nothing keep nobody else from being served, nor the server from
// ending.
func TestClientsThatNeverRead(t *testing.T) {
	t.Parallel()
	p := serve(t, "catalog.pagination", `{"pageSize":10000}`)
	address := strings.TrimSuffix(strings.TrimPrefix(p.server.URL(), "http://"), scenario.Path)
	for range 20 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		request := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if _, err := io.WriteString(conn, strings.Repeat(request, 10)); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.call(); got.status != http.StatusOK {
		t.Errorf("got %s, want 200", got)
	}
	ended := make(chan struct{})
	go func() {
		p.close()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the server has not ended after 20 s")
	}
}
