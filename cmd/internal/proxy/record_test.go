package proxy

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// TestRepeats: how often a call was sent, and who sent it again.
func TestRepeats(t *testing.T) {
	n := 0
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n < 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answersOK(w, r)
	})}, capture.LineOptions{})
	for _, id := range []int{1, 1, 2, 3} {
		if _, _, err := r.ask(call(id, `{"q":"same"}`)); err != nil {
			t.Fatal(err)
		}
	}
	r.end()
	want := []string{"1 1 none ", "2 2 sdk under the same id 1", "3 3 application under the new id 2", "4 4 application under the new id 3"}
	for i, j := range r.judged {
		got := fmt.Sprintf("%d %d %s ", j.Step.Post, j.Record.PostCount, j.Step.Origin)
		part := strings.SplitN(want[i], " ", 4)
		if !strings.HasPrefix(want[i], got) || !strings.Contains(j.Step.Evidence, part[3]) {
			t.Errorf("POST %d: got %s%q, want %s", i+1, got, j.Step.Evidence, want[i])
		}
	}
	if len(r.judged) != 4 {
		t.Errorf("got %d records, want 4", len(r.judged))
	}
}

// TestLongBodies: of a body over the limit digest and beginning are kept, and it
// is judged as it passes, whatever its form.
func TestLongBodies(t *testing.T) {
	const limit = 4000
	result := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true,"x":%q}}`, strings.Repeat("a", 3*limit))
	stream := strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n", 200) + "data: " + result + "\n\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(strings.Replace(result, "aaa", randomText(3*limit), 1)))
	z.Close()
	tests := []struct{ name, contentType, coding, body, want string }{
		{"JSON", "application/json", "", result, "TOOL_ERROR"},
		{"a stream", "text/event-stream", "", stream, "TOOL_ERROR"},
		{"a stream that goes on", "text/event-stream", "", stream + stream, "TOOL_ERROR"},
		{"gzip", "application/json", "gzip", packed.String(), "TOOL_ERROR"},
		{"HTML", "text/html", "", result, "UNEXPECTED_CONTENT_TYPE"},
		{"cut JSON", "application/json", "", result[:len(result)-1], "MALFORMED_JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", test.contentType)
				if test.coding != "" {
					w.Header().Set("Content-Encoding", test.coding)
				}
				for text := test.body; text != ""; {
					n := min(len(text), 700)
					io.WriteString(w, text[:n])
					text = text[n:]
				}
			})}, capture.LineOptions{BodyLimit: limit})
			if _, text, err := r.ask(call(1, fmt.Sprintf(`{"long":%q}`, strings.Repeat("q", 2*limit)))); text != test.body || err != nil {
				t.Fatalf("got %d bytes, %v, want %d", len(text), err, len(test.body))
			}
			x, j := one(t, r)
			sum := sha256.Sum256([]byte(test.body))
			lost := x.Answer.Lost
			if !x.Answer.BodyUnknown || lost.Size != int64(len(test.body)) || lost.SHA256 != hex.EncodeToString(sum[:]) || j.Verdict.Outcome.String() != test.want {
				t.Errorf("got %+v, %s, want %d bytes, %x, %s", lost, j.Verdict.Outcome, len(test.body), sum, test.want)
			}
			if head := string(lost.Head); test.coding == "" && head != test.body[:capture.HeadSize] || test.coding != "" && head != "" {
				t.Errorf("got head %q", head)
			}
			if !x.Request.BodyUnknown || x.Request.Lost.Size < 2*limit || x.RPC.Kind != capture.Call {
				t.Errorf("got request %+v, %s", x.Request, x.RPC.Kind)
			}
			if r.out.Len() > 3*limit {
				t.Errorf("got a record of %d bytes", r.out.Len())
			}
		})
	}
}

// randomText is text that does not compress, the same each time.
func randomText(n int) string {
	var b strings.Builder
	for sum := sha256.Sum256(nil); b.Len() < n; sum = sha256.Sum256(sum[:]) {
		b.WriteString(hex.EncodeToString(sum[:]))
	}
	return b.String()
}

// TestHugeBodies: a body that no memory should hold passes, and is judged.
func TestHugeBodies(t *testing.T) {
	event := "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" + strings.Repeat("x", 1<<20) + "\"}}\n\n"
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 100 {
			io.WriteString(w, event)
		}
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,%s}\n\n", okResult)
	})}, capture.LineOptions{BodyLimit: 1 << 20})
	resp, err := r.post(call(1, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if n < 100<<20 || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	x, j := one(t, r)
	if j.Verdict.Outcome != classifier.ToolSuccess || j.Verdict.EventCount != 101 || x.Answer.Lost.Size != n {
		t.Errorf("got %s, %d events, %d bytes", j.Verdict.Outcome, j.Verdict.EventCount, x.Answer.Lost.Size)
	}
}

// failing is a disk that becomes full.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left == 0 {
		return 0, errors.New("no space left on device")
	}
	f.left--
	return len(p), nil
}

// TestAFullDiskIsTold: the traffic goes on, and the end tells what is missing.
func TestAFullDiskIsTold(t *testing.T) {
	j := NewJournal(&failing{left: 2}, capture.LineOptions{}, nil)
	for i := range 5 {
		j.add(entry{exchange: capture.Exchange{ID: fmt.Sprint(i), NoAnswer: classifier.EndedReset, Started: time.Unix(1, 0)}})
	}
	written, err := j.Close()
	if written != 2 || err == nil || err.Error() != "3 of 5 records could not be written: no space left on device" {
		t.Errorf("got %d, %v", written, err)
	}
}

// TestFiles: a file of records is gone on with, and nothing else is.
func TestFiles(t *testing.T) {
	good := `{"format":"replyproof-record/1","id":"1"}` + "\n"
	long := strings.TrimSuffix(good, "}\n") + `,"x":"` + strings.Repeat("x", 200<<10) + `"}` + "\n"
	tests := []struct {
		name, was string
		torn      int64
		want      string // of an error
	}{
		{"new", "", 0, ""},
		{"gone on with", good, 0, ""},
		{"half a record", good + long + good[:30], 30, ""},
		{"half a long record", good + long[:190<<10], 190 << 10, ""},
		{"half a first record", good[:20], 20, ""},
		{"something else", "my diary\n", 0, "holds no records"},
		{"an object", `{"format":"replyproof-cases/1"}`, 0, "holds no records"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "r.jsonl")
			if test.name != "new" {
				if err := os.WriteFile(name, []byte(test.was), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			f, torn, err := OpenFile(name)
			if test.want != "" {
				text, _ := os.ReadFile(name)
				if err == nil || !strings.Contains(err.Error(), test.want) || string(text) != test.was {
					t.Errorf("got %v and %q, want %q and the file as it was", err, text, test.want)
				}
				return
			}
			if err != nil || torn != test.torn {
				t.Fatalf("got %d, %v, want %d", torn, err, test.torn)
			}
			if _, _, err := OpenFile(name); err == nil || !strings.Contains(err.Error(), "is being written by another") {
				t.Errorf("a second writer: got %v", err)
			}
			if _, err := f.Write([]byte(good)); err != nil {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			text, _ := os.ReadFile(name)
			if want := test.was[:int64(len(test.was))-test.torn] + good; string(text) != want {
				t.Errorf("got %.200q of %d bytes, want %d", text, len(text), len(want))
			}
			if info, _ := os.Stat(name); test.name == "new" && info.Mode().Perm() != 0o600 {
				t.Errorf("got mode %o, want 600", info.Mode().Perm())
			}
		})
	}
}
