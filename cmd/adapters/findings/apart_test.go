package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/runs"
)

// reportOf is a report of the corpus, as text: what a subject tells, and what it
// made of some cases.
func reportOf(t *testing.T, tells, observed string) *runs.Run {
	t.Helper()
	r, err := runs.Parse([]byte(`{"format":"replyproof-report/1","ok":false,"complete":true,"seed":"1","catalogue":"1-a",
 "subject":{"name":"mine","version":"3","kind":"client","tells":[` + tells + `]},"observed":[` + observed + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Of each outcome the part counts in which it was told by a word of its own, and
// what is claimed and never shown in the right place does not.
func TestApart(t *testing.T) {
	t.Parallel()
	fine := reportOf(t, `"SUCCESS","TOOL_ERROR","RPC_ERROR","HTTP_ERROR","MALFORMED_JSON|INVALID_ENVELOPE","NO_FINAL_RESPONSE","UNEXPECTED_CONTENT_TYPE|ERROR","ERROR"`,
		`{"case":"article/baseline-complete","became":"passed","saw":"SUCCESS"},
 {"case":"streams/crlf","became":"deviated","deviation":"LOST_RESULT","saw":"ERROR"},
 {"case":"streams/line-feeds","became":"passed","saw":"SUCCESS"},
 {"case":"article/tool-is-error","became":"known","deviation":"FALSE_SUCCESS","saw":"SUCCESS"},
 {"case":"article/jsonrpc-error","became":"passed","saw":"RPC_ERROR"},
 {"case":"article/transport-precedence","became":"passed","saw":"HTTP_ERROR"},
 {"case":"article/malformed-json","became":"passed","saw":"INVALID_ENVELOPE|MALFORMED_JSON"},
 {"case":"article/conflicting-envelope","became":"deviated","deviation":"MIXED_LAYERS","saw":"HTTP_ERROR"},
 {"case":"article/invalid-tool-result","became":"passed","saw":"ERROR"},
 {"case":"cut/deadline","became":"deviated","deviation":"HANG","saw":"HANG"},
 {"case":"cut/reset-in-text","became":"unrepeated","deviation":"HANG","saw":"HANG"},
 {"case":"media-type/foreign-text-plain","became":"passed","saw":"ERROR|UNEXPECTED_CONTENT_TYPE"},
 {"case":"article/input-required","became":"skipped","text":"no"},
 {"case":"mine/not-shipped","became":"passed","saw":"SUCCESS"}`)
	coarse := reportOf(t, `"SUCCESS","ERROR"`, `{"case":"article/baseline-complete","became":"passed","saw":"SUCCESS"},
 {"case":"article/tool-is-error","became":"passed","saw":"ERROR"}`)
	var all []found
	for _, r := range []*runs.Run{fine, coarse} {
		f := found{client: client{name: r.Subject.Name, protocol: "2025-11-25"}}
		add(t, &f, "corpus", []record{{"replyproof check", r}})
		all = append(all, f)
	}
	all = append(all, found{client: client{name: "of pairs alone"}})

	_, table, ok := strings.Cut(apartTable(all), "| client |")
	const want = " protocol version | `TOOL_SUCCESS` | `TOOL_ERROR` | `INPUT_REQUIRED` | `JSONRPC_ERROR` | `MALFORMED_JSON` | `INVALID_ENVELOPE` | " +
		"`INVALID_TOOL_RESULT` | `HTTP_ERROR` | `NO_FINAL_RESPONSE` | `UNEXPECTED_CONTENT_TYPE` | in all |\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" +
		"| mine | 2025-11-25 | 67% | 0% | not asked | 100% | merged | merged | – | 100% | 0% | – | 2.7 of 9 |\n" +
		"| mine | 2025-11-25 | 100% | – | not asked | not asked | not asked | not asked | not asked | not asked | not asked | not asked | 1.0 of 2 |\n"
	if !ok || table != want {
		t.Errorf("got\n%s\nwant\n%s", table, want)
	}
	if got := apartTable(all[2:]); got != "" {
		t.Errorf("of a client that was not given the corpus: got %q, want nothing", got)
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ told, asked, want int }{
		{0, 3, 0}, {1, 3, 33}, {2, 3, 67}, {3, 3, 100}, {1, 1000, 1}, {999, 1000, 99},
	} {
		if got := (credit{asked: test.asked, told: test.told}).share(); got != test.want {
			t.Errorf("%d of %d: got %d, want %d", test.told, test.asked, got, test.want)
		}
	}
}

// The table stands between the two comments of the README, after the summary; what
// stands around them is left as it is, and a second time nothing changes.
func TestWithTable(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(name, []byte("before\n"+begin+"stale\n"+end+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := found{client: client{name: "mine", protocol: "2026-07-28"}}
	add(t, &f, "corpus", []record{{"replyproof check --cases corpus", reportOf(t, `"SUCCESS","ERROR"`, `{"case":"article/baseline-complete","became":"passed","saw":"SUCCESS"}`)}})
	var first string
	for range 2 {
		text, err := withTable(name, options{seed: 1}, []found{f})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got := string(text)
		if !strings.HasPrefix(got, "before\n"+begin+"| client | version |") || !strings.HasSuffix(got, " | 1.0 of 1 |\n"+end+"after\n") || strings.Contains(got, "stale") {
			t.Errorf("got %s", got)
		}
		if first == "" {
			first = got
		} else if got != first {
			t.Errorf("the second time: got %s, want %s", got, first)
		}
	}
}
