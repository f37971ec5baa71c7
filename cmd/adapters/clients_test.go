package adapters_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// all, in the environment, makes an adapter that cannot be built or run a
// failure; else its tests are skipped, with the reason.
const all = "REPLYPROOF_ADAPTERS"

// lacking skips a test, or fails it where every adapter must be there.
func lacking(t testing.TB, why string) {
	t.Helper()
	if os.Getenv(all) == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// built builds a program for the test.
func built(t testing.TB, folder string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), filepath.Base(folder))
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	command := exec.Command("go", slices.Concat([]string{"build"}, flags, []string{"-o", name, "."})...)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", folder, err, out)
	}
	return name
}

// inNode is the command of an adapter that runs in Node.
func inNode(t testing.TB, folder string) string {
	t.Helper()
	return node(t, folder) + " " + folder + "/adapter.mjs"
}

// node is the Node that the packages of a folder bring, or else the one that is
// installed.
func node(t testing.TB, folder string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		lacking(t, "the packages of "+folder+" are not installed: make adapters")
	}
	own := folder + "/node_modules/.bin/node"
	if _, err := os.Stat(own); err == nil {
		return own
	}
	if _, err := exec.LookPath("node"); err != nil {
		lacking(t, "node is not installed")
	}
	return "node"
}

// inJava is the command of an adapter that runs in Java.
func inJava(t testing.TB, folder string) string {
	t.Helper()
	if _, err := exec.LookPath("java"); err != nil {
		lacking(t, "java is not installed")
	}
	return "java -jar " + made(t, folder+"/target/"+folder+".jar")
}

// made is a file that make adapters makes.
func made(t testing.TB, name string) string {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		lacking(t, name+" is not built: make adapters")
	}
	return name
}

// inPython is the command of an adapter that runs in its virtual environment.
func inPython(t testing.TB, folder string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, ".venv/.installed")); err != nil {
		lacking(t, "the packages of "+folder+" are not installed, which needs Python 3.11: make adapters")
	}
	return folder + "/.venv/bin/python " + folder + "/adapter.py"
}

// command starts the adapter in a folder.
func command(t testing.TB, folder string) string {
	t.Helper()
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	}
	switch {
	case there("go.mod"):
		return built(t, folder)
	case there("Cargo.toml"):
		return made(t, "bin/"+folder)
	case there("pom.xml"):
		return inJava(t, folder)
	case there("package.json"):
		return inNode(t, folder)
	}
	return inPython(t, folder)
}

// deviated is what check found.
type deviated struct {
	Subject struct {
		Version         string
		ProtocolVersion string `json:"protocol_version"`
	}
	OK                     bool
	Cases, Passed, Skipped int
	Causes                 []struct {
		Deviation, First, Recipe, Saw, Text string
	}
	Flaky []struct{ Case, Deviation, Saw, Then string }
}

// check runs replyproof check.
func check(t *testing.T, program string, env []string, args ...string) deviated {
	t.Helper()
	command := exec.Command(program, append([]string{"check", "--json", "--seed", "1", "--jobs", "1"}, args...)...)
	command.Env = append(os.Environ(), env...)
	var text, faults bytes.Buffer
	command.Stdout, command.Stderr = &text, &faults
	var exit *exec.ExitError
	if err := command.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("check %q: %v\n%s", args, err, &faults)
	}
	var d deviated
	if err := json.Unmarshal(text.Bytes(), &d); err != nil {
		t.Fatalf("check %q: %v\n%s", args, err, &text)
	}
	return d
}

// asked are the cases that each client is asked; of the last one there is never
// a whole answer.
var asked = []string{
	"article/baseline-complete", "article/tool-is-error", "article/jsonrpc-error", "article/explicit-http-503-then-200",
	"article/malformed-json", "article/input-required", "article/conflicting-envelope", "article/invalid-tool-result",
	"article/transport-precedence", "streams/crlf", "streams/line-feeds", "envelope/both-error-null", "result/type-other",
	"result/input-state-only", "cut/deadline",
}

// Each adapter still tells of its client what it told when its version was
// pinned: what is not named here passes.
func TestClients(t *testing.T) {
	t.Parallel()
	program := built(t, "../replyproof")
	for _, test := range []struct {
		folder, protocol string
		skipped, passed  int
		deviate          map[string]string // by the first case of each cause
	}{
		{"go-sdk", "2026-07-28", 0, 10, map[string]string{
			"article/malformed-json":       "DEAD_CONNECTION ERROR",
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
			"result/type-other":            "FALSE_SUCCESS SUCCESS",
		}},
		{"go-sdk", "2025-11-25", 3, 8, map[string]string{
			"article/malformed-json":       "DEAD_CONNECTION ERROR",
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
		}},
		{"mcp-go", "2026-07-28", 0, 10, map[string]string{
			"article/explicit-http-503-then-200": "MIXED_LAYERS RPC_ERROR|INVALID_TOOL_RESULT",
			"article/transport-precedence":       "FALSE_SUCCESS SUCCESS",
			"article/conflicting-envelope":       "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":           "FALSE_SUCCESS SUCCESS",
			"result/type-other":                  "FALSE_SUCCESS SUCCESS",
		}},
		{"mcp-go", "2025-11-25", 3, 8, map[string]string{
			"article/explicit-http-503-then-200": "MIXED_LAYERS RPC_ERROR|INVALID_TOOL_RESULT",
			"article/transport-precedence":       "FALSE_SUCCESS SUCCESS",
			"article/conflicting-envelope":       "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":           "FALSE_SUCCESS SUCCESS",
		}},
		{"ts-sdk-v1", "2025-11-25", 3, 12, nil},
		{"ts-client-v2", "2026-07-28", 0, 15, nil},
		{"ts-client-v2", "2025-11-25", 3, 12, nil},
		{"ai-sdk", "2026-07-28", 0, 14, map[string]string{"result/type-other": "FALSE_SUCCESS SUCCESS"}},
		{"ai-sdk", "2025-11-25", 3, 12, nil},
		{"langchain-js", "2025-11-25", 3, 12, nil},
		{"mcp-use-ts", "2025-11-25", 3, 12, nil},
		{"rmcp", "2026-07-28", 0, 15, nil},
		{"rmcp", "2025-11-25", 3, 12, nil},
		{"java-sdk", "2025-11-25", 3, 11, map[string]string{"envelope/both-error-null": "FALSE_SUCCESS SUCCESS"}},
		{"py-sdk", "2026-07-28", 0, 12, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
			"result/type-other":            "FALSE_SUCCESS SUCCESS",
		}},
		{"py-sdk", "2025-11-25", 3, 10, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
		}},
		{"pydantic-ai", "2026-07-28", 0, 12, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
			"result/type-other":            "FALSE_SUCCESS SUCCESS",
		}},
		{"pydantic-ai", "2025-11-25", 3, 10, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
		}},
		{"openai-agents", "2026-07-28", 0, 12, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
			"result/type-other":            "FALSE_SUCCESS SUCCESS",
		}},
		{"langchain-mcp-adapters", "2025-11-25", 3, 8, map[string]string{
			"article/explicit-http-503-then-200": "DEAD_CONNECTION HTTP_ERROR",
			"article/conflicting-envelope":       "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":           "FALSE_SUCCESS SUCCESS",
		}},
		{"mcp-use", "2025-11-25", 3, 10, map[string]string{
			"article/conflicting-envelope": "MIXED_LAYERS RPC_ERROR",
			"envelope/both-error-null":     "FALSE_SUCCESS SUCCESS",
		}},
	} {
		t.Run(test.folder+"-"+test.protocol, func(t *testing.T) {
			t.Parallel()
			args := []string{"--adapter", command(t, test.folder) + " " + test.protocol, "--deadline", "10s", "--start-timeout", "3m"}
			ids := asked
			if test.folder == "go-sdk" {
				// Whether its session outlives the deadline is a race inside of it.
				ids = asked[:len(asked)-1]
			}
			for _, id := range ids {
				args = append(args, "--case", id)
			}
			got := check(t, program, nil, args...)
			found := map[string]string{}
			for _, c := range got.Causes {
				found[c.First] = c.Deviation + " " + c.Saw
			}
			for _, id := range ids {
				if found[id] != test.deviate[id] {
					t.Errorf("%s: got %q, want %q", id, found[id], test.deviate[id])
				}
			}
			if got.Cases != len(ids) || got.Skipped != test.skipped || got.Passed != test.passed || len(got.Causes) != len(test.deviate) || len(got.Flaky) > 0 {
				t.Errorf("got %d cases, %d skipped, %d passed, flaky %v; want %d, %d, %d and none",
					got.Cases, got.Skipped, got.Passed, got.Flaky, len(ids), test.skipped, test.passed)
			}
			if got.Subject.ProtocolVersion != test.protocol || got.Subject.Version == "" {
				t.Errorf("got version %q and protocol version %q, want one and %q", got.Subject.Version, got.Subject.ProtocolVersion, test.protocol)
			}
		})
	}
}

// The clients that are started once for each case still do what they did when
// their versions were pinned.
func TestCommandLineClients(t *testing.T) {
	t.Parallel()
	program := built(t, "../replyproof")
	for _, test := range []struct{ script, protocol, id, deviates string }{
		{"inspector.sh", "2026-07-28", "envelope/not-object-array", "FALSE_SUCCESS SUCCESS"},
		{"mcporter.sh", "2025-11-25", "result/tool-error-says-unknown-tool", "REPEATED_CALL ERROR"},
	} {
		t.Run(test.script+"-"+test.protocol, func(t *testing.T) {
			t.Parallel()
			if node(t, "cli-clients") == "node" {
				lacking(t, "its packages bring no Node for this system, and it wants a newer one than many have")
			}
			got := check(t, program, []string{"LIMIT=110"},
				"--client", "cli-clients/"+test.script, "--protocol-version", test.protocol, "--deadline", "2m",
				"--case", "article/jsonrpc-error", "--case", test.id)
			if got.Cases != 2 || got.Passed != 1 || len(got.Causes) != 1 || len(got.Flaky) > 0 {
				t.Fatalf("got %+v, want two cases, of which one passes", got)
			}
			if c := got.Causes[0]; c.First != test.id || c.Deviation+" "+c.Saw != test.deviates {
				t.Errorf("got %s of %s, saw %s; want %s of %s", c.Deviation, c.First, c.Saw, test.deviates, test.id)
			}
		})
	}
}

// A server that falls silent is waited for no longer than the deadline that the
// adapter is told, and the next call is answered.
func TestSilence(t *testing.T) {
	t.Parallel()
	program := built(t, "../replyproof")
	for _, test := range []struct{ folder, protocol string }{
		{"rmcp", "2026-07-28"}, {"rmcp", "2025-11-25"}, {"java-sdk", "2025-11-25"},
	} {
		t.Run(test.folder+"-"+test.protocol, func(t *testing.T) {
			t.Parallel()
			got := check(t, program, nil, "--adapter", command(t, test.folder)+" "+test.protocol, "--start-timeout", "1m", "--deadline", "10s",
				"--case", "no-answer/deadline", "--case", "streams/deadline", "--case", "article/tool-is-error")
			if got.Cases != 3 || got.Passed != 3 || len(got.Flaky) > 0 {
				t.Errorf("got %+v, want three that pass", got)
			}
		})
	}
}

// The part of two adapters in one language that speaks the protocol is the same,
// as it is in a copy for another client.
func TestProtocolPartIsTheSame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, begins, one, other string }{
		{"main.go", "\npackage main\n", "go-sdk", "mcp-go"},
		{"adapter.mjs", "\nconst say = ", "ts-sdk-v1", "ts-client-v2"},
		{"adapter.mjs", "\nconst say = ", "ts-sdk-v1", "ai-sdk"},
		{"adapter.mjs", "\nconst say = ", "ts-sdk-v1", "langchain-js"},
		{"adapter.mjs", "\nconst say = ", "ts-sdk-v1", "mcp-use-ts"},
	} {
		part := func(folder string) string {
			text, err := os.ReadFile(filepath.Join(folder, test.file))
			if err != nil {
				t.Fatal(err)
			}
			_, code, ok := strings.Cut(string(text), test.begins)
			if !ok || !strings.Contains(code, "deadline_ms") {
				t.Fatalf("%s/%s: no part that begins with %q and shakes hands", folder, test.file, test.begins)
			}
			return code
		}
		if part(test.one) != part(test.other) {
			t.Errorf("%s of %s and of %s differ after %q", test.file, test.one, test.other, test.begins)
		}
	}
}

// So is that of the adapters in Python, in a file of its own.
func TestPythonProtocolIsTheSame(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/protocol.py")
	if err != nil || len(files) < 2 {
		t.Fatalf("got %q, %v; want the files of some adapters", files, err)
	}
	var first []byte
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = text
		} else if !bytes.Equal(text, first) {
			t.Errorf("%s and %s differ", files[0], name)
		}
	}
}
