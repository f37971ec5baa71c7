package properties_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/subject"
)

// naiveClient takes any answer that has a result for a success, whatever its
// status and its id.
type naiveClient struct{ http.Client }

func (c *naiveClient) Call(ctx context.Context, url, tool string, arguments map[string]any) subject.Observation {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return subject.Observation{Saw: "ERROR", Text: err.Error()}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return subject.Observation{Saw: "ERROR", Text: err.Error()}
	}
	response, err := c.Do(request)
	if err != nil {
		return subject.Observation{Saw: "ERROR", Text: err.Error()}
	}
	defer response.Body.Close()
	var answer struct{ Result json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Result == nil {
		return subject.Observation{Saw: "ERROR", Status: &response.StatusCode}
	}
	return subject.Observation{Saw: "SUCCESS"}
}

func (c *naiveClient) Close() error {
	c.CloseIdleConnections()
	return nil
}

// A client is given answers over a real socket. In a test of one's own it is
// properties.TestClient(t, open).
func ExampleCheckClient() {
	open := func() (subject.Caller, error) {
		return &naiveClient{http.Client{Transport: &http.Transport{}}}, nil
	}
	err := properties.CheckClient(open, properties.Recipe("success +status=503"))
	var failures *properties.ClientFailures
	if errors.As(err, &failures) {
		f := failures.List[0]
		fmt.Println(f.Deviation, f.Deviation.Severity())
		fmt.Println("want", f.Want())
		fmt.Println("got", f.Saw.Saw)
		fmt.Println("again", f.Reproduce())
	}
	// Output:
	// FALSE_SUCCESS critical
	// want [HTTP_ERROR]
	// got SUCCESS
	// again properties.Recipe("success +status=503")
}
