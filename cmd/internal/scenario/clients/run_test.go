package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// did is what a client made of a scenario.
type did struct {
	Connected string `json:"connected"` // yes, or how it failed
	Listed    string `json:"listed"`    // how many tools, or how it failed
	Called    string `json:"called"`    // success, isError, or how it failed
}

// String is how far the client came.
func (d did) String() string {
	if d.Connected != "yes" {
		return "did not connect: " + d.Connected
	}
	listed := d.Listed + " tools"
	if strings.Trim(d.Listed, "0123456789") != "" {
		listed = "no list: " + d.Listed
	}
	return d.Called + "; " + listed
}

// client runs one client against a URL.
type client struct {
	name string
	run  func(ctx context.Context, url string) (did, error)
}

// patience is how long a client waits for one answer.
const patience = 4 * time.Second

// goSDK is the official client in Go, with its usual options and a person who
// accepts whatever is asked.
func goSDK(protocol string) client {
	return client{"go-sdk " + protocol, func(ctx context.Context, url string) (did, error) {
		pool := http.DefaultTransport.(*http.Transport).Clone()
		defer pool.CloseIdleConnections()
		options := &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"reason": "it is fine"}}, nil
		}}
		transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: pool}}
		first, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, options).
			Connect(first, transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			return did{Connected: told(err)}, nil
		}
		defer session.Close()
		d := did{Connected: "yes"}
		second, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		tools := 0
		for _, err := range session.Tools(second, nil) {
			if err != nil {
				d.Listed = told(err)
				break
			}
			if tools++; tools == 20_000 { // a quick machine comes to this before its time is over
				d.Listed = "gave up"
				break
			}
		}
		if d.Listed == "" {
			d.Listed = fmt.Sprint(tools)
		}
		third, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		result, err := session.CallTool(third, &mcp.CallToolParams{Name: scenario.Tool, Arguments: map[string]any{}})
		switch {
		case err != nil:
			d.Called = told(err)
		case result.IsError:
			d.Called = "isError"
		default:
			d.Called = "success"
		}
		return d, nil
	}}
}

// told is an error in a few words that do not change from run to run.
func told(err error) string {
	var rpc *jsonrpc.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "gave up"
	case errors.As(err, &rpc) && rpc.Code != -32005:
		return fmt.Sprintf("JSON-RPC error %d", rpc.Code)
	}
	if status := regexp.MustCompile(`Unauthorized|Forbidden|Too Many Requests|Service Unavailable|Internal Server Error`).FindString(err.Error()); status != "" {
		return "error, " + status
	}
	return "error"
}

// tsSDK is the official client in TypeScript, in a process that serves every run.
func tsSDK(t *testing.T, protocol string) client {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "client.mjs")
	cmd.Stderr = io.Discard
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait() // it is killed with the test if it does not end
	})
	lines := bufio.NewReader(out)
	var one sync.Mutex
	return client{"ts-client " + protocol, func(_ context.Context, url string) (d did, err error) {
		one.Lock()
		defer one.Unlock()
		if err := json.NewEncoder(in).Encode(map[string]string{"url": url, "protocol": protocol}); err != nil {
			return d, err
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return d, fmt.Errorf("the client ended: %w", err)
		}
		return d, json.Unmarshal(line, &d)
	}}
}

// inspector is the MCP Inspector in its command-line mode: a process for the list,
// and one for the call, which lists the tools itself. It keeps its files in the
// folder catalog.
func inspector(catalog string) client {
	run := func(ctx context.Context, url string, args ...string) (string, string) {
		ctx, cancel := context.WithTimeout(ctx, 40*time.Second) // of which a busy machine may need most for the start
		defer cancel()
		cmd := exec.CommandContext(ctx, "node_modules/.bin/mcp-inspector", append([]string{"--cli", url, "--transport", "http"}, args...)...)
		cmd.Env = append(os.Environ(), "MCP_CATALOG_PATH="+filepath.Join(catalog, "mcp.json"))
		kill(cmd)
		cmd.WaitDelay = time.Second
		var said, failed strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &failed
		err := cmd.Run()
		switch {
		case ctx.Err() != nil:
			return "", "still waits"
		case err != nil:
			return "", fmt.Sprintf("exit status %d", cmd.ProcessState.ExitCode())
		}
		return said.String(), ""
	}
	return client{"inspector", func(ctx context.Context, url string) (did, error) {
		d := did{Connected: "yes"}
		text, failed := run(ctx, url, "--method", "tools/list")
		var list struct{ Tools []json.RawMessage }
		if d.Listed = failed; failed == "" {
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				return d, fmt.Errorf("the list is no JSON: %w", err)
			}
			d.Listed = fmt.Sprint(len(list.Tools))
		}
		text, d.Called = run(ctx, url, "--method", "tools/call", "--tool-name", scenario.Tool)
		if d.Called == "" {
			if d.Called = "success"; strings.Contains(text, `"isError": true`) {
				d.Called = "isError"
			}
		}
		return d, nil
	}}
}

// installed tells why the clients of Node cannot be run; "" if they can.
func installed() string {
	if _, err := exec.LookPath("node"); err != nil {
		return "node is not installed"
	}
	if _, err := os.Stat("node_modules/.bin/mcp-inspector"); err != nil {
		return "npm ci has not been run in cmd/internal/scenario/clients"
	}
	return ""
}
