package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// Client calls tools. It never sends a call again: whether that is safe is not
// for it to say.
type Client struct {
	URL    string
	HTTP   *http.Client
	lastID int
}

// Call makes one tool call.
func (c *Client) Call(ctx context.Context, tool string, arguments json.RawMessage) (Judgement, error) {
	c.lastID++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return Judgement{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return Judgement{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	client := *c.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	if err != nil {
		return Judgement{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return Judge(strconv.Itoa(c.lastID), response.StatusCode, response.Header, answer, err == nil), nil
}
