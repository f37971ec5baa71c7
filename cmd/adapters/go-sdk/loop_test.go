package main

import (
	"os"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkLoop calls the tool with nothing between two calls, for
// BenchmarkRate of the folder above, which names the server and the case.
func BenchmarkLoop(b *testing.B) {
	url, name, protocol := os.Getenv("LOOP_URL"), os.Getenv("LOOP_CASE"), os.Getenv("LOOP_PROTOCOL")
	if url == "" {
		b.Skip("LOOP_URL names no server")
	}
	c := newClient(protocol)
	c.timeout = 10 * time.Second
	if err := c.connect(url); err != nil {
		b.Fatal(err)
	}
	defer c.close()
	for b.Loop() {
		result, err := c.session.CallTool(b.Context(), &mcp.CallToolParams{Name: "synthetic", Arguments: map[string]any{"case": name}})
		if v := judge(result, err); v.Saw != "SUCCESS" {
			b.Fatalf("got %+v, want SUCCESS", v)
		}
	}
}
