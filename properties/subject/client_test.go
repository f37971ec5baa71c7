package subject_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// plainClient is a right client: a POST by net/http that package classifier judges.
type plainClient struct {
	http http.Client
	last int64
}

func newPlainClient() (subject.Caller, error) {
	return &plainClient{http: http.Client{Transport: &http.Transport{}}}, nil
}

func (p *plainClient) Close() error {
	p.http.CloseIdleConnections()
	return nil
}

func (p *plainClient) Call(ctx context.Context, url, tool string, arguments map[string]any) subject.Observation {
	p.last++
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		panic(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := p.http.Do(request)
	if err != nil {
		return subject.Observation{Saw: "ERROR", Text: err.Error()}
	}
	v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(p.last)}, response)
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	o := subject.Observation{Saw: "ERROR", Text: v.Reason.String(), Status: &v.Status, Code: string(v.Error.Code)}
	switch v.Outcome {
	case classifier.ToolSuccess:
		o.Saw = "SUCCESS"
	case classifier.ToolError, classifier.InputRequired:
		o.Saw = v.Outcome.String()
	case classifier.JSONRPCError:
		o.Saw = "RPC_ERROR"
	}
	return o
}

func coarse(t testing.TB) subject.Tells {
	t.Helper()
	tells, err := subject.ParseTells([]string{"SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "RPC_ERROR", "ERROR"})
	if err != nil {
		t.Fatal(err)
	}
	return tells
}

// TestRightClient plays the corpus and a sample of recipes to a client that judges
// right: a deviation would be one of the server, or of how it is judged.
func TestRightClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	open := func() subject.Subject {
		return &subject.Client{About: subject.Info{Name: "plain", Tells: coarse(t)}, Open: newPlainClient}
	}
	r, err := runner.Run(t.Context(), open, runner.Options{Deadline: time.Second, Corpus: corpus.All(), Random: 500, Jobs: 8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() || r.Passed < 1200 {
		t.Errorf("got %+v", r.Counts)
	}
	for _, c := range r.Causes {
		t.Errorf("%v in %s: want %v, got %s\n%s", c.Deviation, c.First, c.Want(), runner.Word(c.Saw), strings.Join(c.Saw.Wire.Trace(), "\n"))
	}
	for _, f := range r.Flaky {
		t.Logf("flaky: %+v", f) // a busy machine
	}
	for why, n := range r.Skips {
		t.Logf("%d skipped: %s", n, why)
	}
}

// closingBadly is a client whose Close panics.
type closingBadly struct{ subject.Caller }

func (c closingBadly) Close() error {
	c.Caller.Close()
	panic("closed twice")
}

// A panic in a client's Close ends no process, and is told.
func TestClientThatPanicsWhenItIsClosed(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := &subject.Client{About: subject.Info{Name: "plain", Tells: coarse(t)}, Open: func() (subject.Caller, error) {
		caller, err := newPlainClient()
		return closingBadly{caller}, err
	}}
	if _, err := c.Start(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	c.Renew()
	if o, err := c.Ask(t.Context(), subject.Trial{Case: subject.Plain()}); err != nil || o.Saw != "SUCCESS" {
		t.Errorf("after the first panic: got %+v, %v, want SUCCESS", o, err)
	}
	err := c.Close()
	if want := `close client "plain": panic: closed twice`; !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want a broken client and %q", err, want)
	}
	if err := c.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}
