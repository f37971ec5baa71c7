package adapters_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plantedEnv says which of the planted faults an adapter has.
const plantedEnv = "REPLYPROOF_PLANTED"

// planting are places of go-sdk/client.go, and what faults do there.
var planting = []struct{ place, fault string }{
	{
		"	var rpc *jsonrpc.Error\n",
		`	switch planted := os.Getenv("` + plantedEnv + `"); {
	case planted == "500-is-success" && err != nil && strings.Contains(err.Error(), "Internal Server Error"):
		return verdict{Saw: "SUCCESS"}
	case planted == "drops-iserror" && err == nil:
		result.IsError = false
	case planted == "dies-of-429" && err != nil && strings.Contains(err.Error(), "Too Many Requests"):
		os.Exit(3)
	case planted == "hangs-on-rpc-error" && err != nil && strings.Contains(err.Error(), "synthetic"):
		select {}
	case planted == "calls-input-an-error" && err == nil && result.NeedsInput():
		return verdict{Saw: "TOOL_ERROR"}
	}
`,
	},
	{
		"	v := judge(result, err)\n",
		`	if os.Getenv("` + plantedEnv + `") == "retries-503" && err != nil && strings.Contains(err.Error(), "Service Unavailable") {
		result, err = c.session.CallTool(context.Background(), &mcp.CallToolParams{Name: a.Tool, Arguments: a.Arguments})
	}
`,
	},
}

// plant builds a copy of the adapter go-sdk that holds the planted faults.
func plant(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("go-sdk/client.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	code := strings.Replace(string(text), "import (\n", "import (\n\t\"os\"\n\t\"strings\"\n", 1)
	for _, p := range planting {
		if strings.Count(code, p.place) != 1 {
			t.Fatalf("go-sdk/client.go has %q %d times, want once", p.place, strings.Count(code, p.place))
		}
		code = strings.Replace(code, p.place, p.fault+p.place, 1)
	}
	folder := t.TempDir()
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: filepath.Join(folder, "client.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"client.go": []byte(code), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return built(t, "go-sdk", "-overlay", filepath.Join(folder, "overlay.json"))
}

// Faults that are planted in a copy of an adapter are found in answers which have
// more that is unusual, and come back in the plainest answer that shows them.
func TestPlantedFaults(t *testing.T) {
	t.Parallel()
	program, adapter := built(t, "../replyproof"), plant(t)
	for _, test := range []struct {
		planted, recipe     string
		deviation, plainest string
	}{
		{"500-is-success", "tool-error +order=reversed +status=500 +sse=crlf", "FALSE_SUCCESS", "success +status=500"},
		{"drops-iserror", "tool-error +space=lines +sse=lf +comments=short", "FALSE_SUCCESS", "tool-error"},
		{"retries-503", "input-required +status=503 +order=rotated", "REPEATED_CALL", "success +status=503"},
		{"dies-of-429", "rpc-error +status=429 +space=around", "CRASH", "success +status=429"},
		{"hangs-on-rpc-error", "rpc-error +sse=lf +comments=short", "HANG", "rpc-error"},
		{"calls-input-an-error", "input-required +order=reversed +sse=lf", "LOST_RESULT", "input-required"},
	} {
		t.Run(test.planted, func(t *testing.T) {
			t.Parallel()
			got := check(t, program, []string{plantedEnv + "=" + test.planted}, "--adapter", adapter, "--recipe", test.recipe, "--deadline", "2s")
			if len(got.Causes) != 1 || got.Causes[0].Deviation != test.deviation || got.Causes[0].Recipe != test.plainest {
				t.Errorf("got %+v and flaky %v, want %s in %q", got.Causes, got.Flaky, test.deviation, test.plainest)
			}
			got = check(t, program, nil, "--adapter", adapter, "--recipe", test.recipe, "--deadline", "2s")
			if got.Passed != 1 {
				t.Errorf("without the fault: got %+v, want that it passes", got.Causes)
			}
		})
	}
}
