//go:build unix

package main

import (
	"compress/flate"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRecordRawDeflate: a body under deflate without zlib around it, which the
// classifier reads, is recorded with its coding undone, and can be made a case.
func TestRecordRawDeflate(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"pressed together"}]}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "deflate")
		z, err := flate.NewWriter(w, flate.BestCompression)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	file, cases := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "case.json")
	r := startRecording(t, "record", "--upstream", s.URL+"/mcp", "--out", file)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	if status := r.call(client, 5, "t"); status != 200 {
		t.Fatalf("got %d, want 200", status)
	}
	if _, status, _ := r.end(syscall.SIGINT); status != 0 {
		t.Fatalf("got status %d, want 0: %s", status, &r.said)
	}
	if text := read(t, file); !strings.Contains(text, "pressed together") || strings.Contains(strings.ToLower(text), `"content-encoding"`) {
		t.Errorf("got the record %s, want its body plain, and no content coding", text)
	}
	if got, want := fmt.Sprint(classified(t, file)), "map[1:TOOL_SUCCESS]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if out, err := exec.Command("replyproof", "corpus", "add", file, "--to", cases, "--yes", "--even-if-shipped").CombinedOutput(); err != nil {
		t.Fatalf("corpus add: %v: %s", err, out)
	}
	text := read(t, cases)
	if !strings.Contains(text, "TOOL_SUCCESS") || strings.Contains(strings.ToLower(text), "content-encoding") {
		t.Errorf("got %s, want a success without a coding", text)
	}
}
