package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// careless is an adapter of a client that takes every 200 that holds a result for
// a success, and looks at neither its id nor its media type.
func careless() {
	client := &http.Client{}
	adapter([]string{"SUCCESS", "ERROR"}, func(line []byte) map[string]any {
		var asked struct {
			URL, Tool string
			Arguments json.RawMessage
		}
		if json.Unmarshal(line, &asked) != nil {
			os.Exit(1)
		}
		return map[string]any{"saw": carelessCall(client, asked.URL, asked.Tool, string(asked.Arguments))}
	})
}

func carelessCall(client *http.Client, url, tool, arguments string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		return "ERROR"
	}
	response, err := client.Do(request)
	if err != nil {
		return "ERROR"
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"result"`) {
		return "ERROR"
	}
	return "SUCCESS"
}

// oneShot is the same client, started for each case.
func oneShot() {
	fmt.Println("scenario", os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"))
	if carelessCall(&http.Client{}, os.Args[len(os.Args)-1], "add_numbers", `{"a":2,"b":3}`) != "SUCCESS" {
		os.Exit(1)
	}
}
