package adapters_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// block is the code of a language that TEMPLATE.md has people copy.
func block(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("TEMPLATE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n```"+language+"\n")
	code, _, closed := strings.Cut(rest, "\n```\n")
	if !ok || !closed || strings.Contains(rest, "\n```"+language+"\n") {
		t.Fatalf("TEMPLATE.md: got none or several blocks of %s, want one", language)
	}
	return code + "\n"
}

// copied writes a block to a file of that name, in a folder of its own.
func copied(t *testing.T, language, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(block(t, language)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// templated are the cases that the templates are asked.
var templated = []string{
	"article/baseline-complete", "article/tool-is-error", "article/jsonrpc-error", "article/transport-precedence",
	"article/malformed-json", "article/conflicting-envelope", "fault/id-other", "streams/crlf", "cut/deadline",
	"errors/code-huge-exponent",
}

// What TEMPLATE.md has people copy is an adapter as it stands. The small clients
// in it look at no ids and read no streams, as the page says, and are told so; all
// else they tell, and a baseline then makes of it what is known.
func TestTemplates(t *testing.T) {
	t.Parallel()
	program := built(t, "../replyproof")
	deviate := map[string]string{
		"fault/id-other":               "FALSE_SUCCESS SUCCESS",
		"streams/crlf":                 "LOST_RESULT MALFORMED_JSON",
		"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
	}
	for _, test := range []struct {
		language string
		command  func(t *testing.T) string
	}{
		{"go", func(t *testing.T) string {
			folder := filepath.Dir(copied(t, "go", "main.go"))
			if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module mine\n\ngo 1.24\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return built(t, folder)
		}},
		{"ts", func(t *testing.T) string {
			if exec.Command("node", "-e", "AbortSignal.timeout(1); fetch").Run() != nil {
				lacking(t, "node is not installed, or before 18")
			}
			return "node " + copied(t, "ts", "adapter.mjs")
		}},
		{"python", func(t *testing.T) string {
			if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
				lacking(t, "python3 is not installed, or before 3.10")
			}
			return "python3 " + copied(t, "python", "adapter.py")
		}},
	} {
		t.Run(test.language, func(t *testing.T) {
			t.Parallel()
			known := filepath.Join(t.TempDir(), "known.json")
			args := []string{"--adapter", test.command(t), "--deadline", "10s", "--start-timeout", "3m", "--baseline", known}
			for _, id := range templated {
				args = append(args, "--case", id)
			}
			got := check(t, program, nil, append(args, "--update-baseline")...)
			found := map[string]string{}
			for _, c := range got.Causes {
				found[c.First] = c.Deviation + " " + c.Saw
			}
			if !maps.Equal(found, deviate) || got.Cases != 10 || got.Passed != 7 || len(got.Flaky) > 0 {
				t.Errorf("got %v, %d cases, %d passed, flaky %v; want %v, 10, 7 and none", found, got.Cases, got.Passed, got.Flaky, deviate)
			}
			if got := check(t, program, nil, args...); !got.OK || got.Passed != 7 || len(got.Causes) > 0 {
				t.Errorf("with the baseline: got %+v, want it as expected", got)
			}
		})
	}
}

// The page is plain where it names what is elsewhere: every case, word and folder
// that it names is there.
func TestTemplateNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("TEMPLATE.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := regexp.MustCompile(`--case ([a-z0-9-]+/[a-z0-9-]+)`).FindAllStringSubmatch(string(text), -1)
	if len(cases) == 0 {
		t.Error("TEMPLATE.md names no case, want some")
	}
	for _, m := range cases {
		if _, ok := corpus.ByID(m[1]); !ok {
			t.Errorf("TEMPLATE.md names the case %s, which is not shipped", m[1])
		}
	}
	words := regexp.MustCompile("`([A-Z]+(?:_[A-Z]+)+)`").FindAllStringSubmatch(string(text), -1)
	if len(words) < 10 {
		t.Errorf("TEMPLATE.md: got %d words, want those of the table and of the deviations", len(words))
	}
	for _, m := range words {
		var d runner.Deviation
		if _, err := subject.ParseTells([]string{"SUCCESS", m[1]}); err != nil && d.UnmarshalText([]byte(m[1])) != nil {
			t.Errorf("TEMPLATE.md names %s, which is no word of an adapter and no deviation", m[1])
		}
	}
}
