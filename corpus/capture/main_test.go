package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// TestGoSDK asks the server of the official Go SDK again: the verdicts of what
// it answers are those of the frozen cases.
func TestGoSDK(t *testing.T) {
	differences, err := run(t.Context(), "../cases", ".", "go-sdk", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		t.Error(d)
	}
}

// TestCompareTells gives compare answers that it must not let pass.
func TestCompareTells(t *testing.T) {
	var all []corpus.Case
	for _, c := range corpus.All() {
		if strings.HasPrefix(c.ID, "real/go-sdk-") {
			all = append(all, c)
		}
	}
	path := filepath.Join(t.TempDir(), "real-go-sdk.json")
	if err := corpus.WriteFile(path, "real", all); err != nil {
		t.Fatal(err)
	}
	at := func(id string) int {
		for i := range all {
			if all[i].ID == id {
				return i
			}
		}
		t.Fatalf("no case %s", id)
		return 0
	}
	for _, c := range []struct {
		name, want string
		change     func([]corpus.Case) []corpus.Case
	}{
		{"nothing", "", func(fresh []corpus.Case) []corpus.Case { return fresh }},
		{"outcome", `layer: frozen "application", fresh "protocol"`, func(fresh []corpus.Case) []corpus.Case {
			fresh[at("real/go-sdk-modern-json-success")].Body = []byte("{")
			return fresh
		}},
		{"code", `code: frozen "-32602", fresh "-32603"`, func(fresh []corpus.Case) []corpus.Case {
			fresh[at("real/go-sdk-legacy-json-unknown-tool")].Body = []byte(`{"jsonrpc":"2.0","id":51,"error":{"code":-32603,"message":"m"}}`)
			return fresh
		}},
		{"new", "not frozen yet", func(fresh []corpus.Case) []corpus.Case {
			fresh[0].ID = "real/go-sdk-new"
			return fresh
		}},
		{"gone", "no longer captured", func(fresh []corpus.Case) []corpus.Case { return fresh[1:] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := compare(path, c.change(append([]corpus.Case(nil), all...)))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, "\n"); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
}
