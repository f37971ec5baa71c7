package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// A case that is added says what a correct third party may tell instead.
func TestCorpusAddTellsWhatMayBeSaidInstead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, to := filepath.Join(folder, "answer.http"), filepath.Join(folder, "met.json")
	const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[]}}\n\n"
	if err := os.WriteFile(from, []byte(answer), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "replyproof", "corpus", "add", from, "--to", to, "--yes", "--even-if-shipped").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	file, err := corpus.ParseFile("met.json", text)
	if err != nil || len(file.Cases) != 1 {
		t.Fatalf("got %v, %s; want one case", err, text)
	}
	if got := file.Cases[0].AlsoAcceptable; len(got) != 1 || got[0] != "NO_FINAL_RESPONSE" {
		t.Errorf("got also_acceptable %q, want NO_FINAL_RESPONSE", got)
	}
}
