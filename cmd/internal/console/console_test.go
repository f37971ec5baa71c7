package console

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
	"github.com/replyproof/replyproof/corpus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a server that only remembers what was chosen.
type fake struct{ choice *scenario.Choice }

func (f *fake) URL() string               { return "http://127.0.0.1:1/mcp" }
func (f *fake) Choose(c *scenario.Choice) { f.choice = c }
func (f *fake) Chosen() *scenario.Choice  { return f.choice }

func newConsole(t *testing.T) (*Console, *fake) {
	t.Helper()
	choice, err := scenario.Choose("baseline", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, f := New(), &fake{choice}
	c.attach(f)
	return c, f
}

// exchange is a call with its answer.
func exchange(number int, body string) *scenario.Exchange {
	request := &capture.Request{
		Method: "POST", URL: "http://127.0.0.1:1/mcp", Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"it's"}}`),
		Headers: corpus.Headers{{Name: "Content-Type", Value: "application/json"}, {Name: "Authorization", Value: "Bearer secret"}, {Name: "Host", Value: "127.0.0.1:1"}},
	}
	x := capture.Exchange{
		ID: fmt.Sprint(number), Request: request, RPC: capture.ReadMessage(request), Started: time.Unix(1, 0),
		Answer: &capture.Answer{Status: 200, Headers: corpus.Headers{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(body), Ended: classifier.EndedEOF},
	}
	j := capture.Judge(x)
	j.Settle(capture.Step{Attempt: 1})
	return &scenario.Exchange{Number: number, Session: "n1", Post: number, Call: number, Scenario: "baseline", Judged: j}
}

// A page that is open for days costs no more than one that was opened now: what is
// kept is bounded in number and in bytes, and one that does not read is cut off.
func TestKeepsALimitedPast(t *testing.T) {
	t.Parallel()
	c, _ := newConsole(t)
	slow := make(chan []byte, maxBehind)
	c.mu.Lock()
	c.pages[slow] = struct{}{}
	c.mu.Unlock()
	for n := range 3 * maxKept {
		c.Began(scenario.Start{Number: n + 1})
		c.Done(exchange(n+1, "{}"))
	}
	if len(c.kept) != maxKept || c.kept[0].Number != 2*maxKept+1 || c.lost != 2*maxKept || len(c.busy) != 0 {
		t.Errorf("got %d kept from %d on, %d lost, %d under way", len(c.kept), c.kept[0].Number, c.lost, len(c.busy))
	}
	if len(c.pages) != 0 {
		t.Error("the page that does not read is still told")
	}
	told := 0
	for range slow {
		told++
	}
	if told != maxBehind {
		t.Errorf("got %d messages for the page that does not read, want %d", told, maxBehind)
	}
	long := exchange(0, strings.Repeat("x", maxBody+1))
	for n := range 40 {
		one := *long
		one.Number = n
		c.Done(&one)
	}
	if c.bytes > maxBytes || len(c.kept) < 20 || len(c.kept[0].Judged.Answer.Body) != maxBody {
		t.Errorf("got %d bytes of %d exchanges, want at most %d bytes", c.bytes, len(c.kept), maxBytes)
	}
}

func get(t *testing.T, c *Console, method, path, body string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(fields); i += 2 {
		request.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, request)
	return w
}

func TestOpensAnExchange(t *testing.T) {
	t.Parallel()
	c, _ := newConsole(t)
	c.Done(exchange(3, "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\x00"))
	w := get(t, c, "GET", "/exchange/3", "")
	var d detail
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusOK {
		t.Fatalf("got %d and %v", w.Code, err)
	}
	if d.Outcome != "MALFORMED_JSON" || d.Verdict[0].Text != "MALFORMED_JSON, protocol layer" || d.Verdict[1].Name != "decided by" || !strings.HasPrefix(d.Verdict[1].Text, "rule 5, ") {
		t.Errorf("got %s with %v", d.Outcome, d.Verdict)
	}
	if !strings.HasSuffix(d.Answer.Body, `}\u0000`) || !strings.Contains(d.Answer.Hex, "7b 22 6a 73") || d.Answer.Size != 37 {
		t.Errorf("got the body %q of %d bytes, %s", d.Answer.Body, d.Answer.Size, d.Answer.Hex)
	}
	want := `curl -sSi http://127.0.0.1:1/mcp \
  -H 'Content-Type: application/json' \
  -H 'Authorization: …' \
  --data-raw '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"it'\''s"}}'
`
	if d.AsCurl != want {
		t.Errorf("got the command\n%s, want\n%s", d.AsCurl, want)
	}
	cases, err := corpus.Parse("case", []byte(d.AsCase))
	if err != nil || len(cases) != 1 || len(corpus.Verify(cases)) != 0 {
		t.Errorf("got the case %s: %v, %v", d.AsCase, err, corpus.Verify(cases))
	}
	in := capture.Input{Name: "x.har", Form: capture.HAR, Limit: 1 << 20, Note: func(string, ...any) {}}
	n := 0
	for x, err := range in.Exchanges(strings.NewReader(d.AsHAR)) {
		n++
		if j := capture.Judge(x); err != nil || j.Verdict.Outcome != classifier.MalformedJSON {
			t.Errorf("the archive: got %s and %v, want MALFORMED_JSON", j.Verdict.Outcome, err)
		}
	}
	if n != 1 || strings.Contains(d.AsHAR, "secret") {
		t.Errorf("the archive: got %d exchanges of %s", n, d.AsHAR)
	}
	for path, code := range map[string]int{"/exchange/4": 404, "/exchange/x": 400, "/nothing": 404} {
		if w := get(t, c, "GET", path, ""); w.Code != code {
			t.Errorf("%s: got %d, want %d", path, w.Code, code)
		}
	}
}

// TestCaseExpectsAll: a case to be frozen has no fields of the delivery, and
// expects all that the verdict tells.
func TestCaseExpectsAll(t *testing.T) {
	t.Parallel()
	x := exchange(4, `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"},"error":{"code":-32602,"message":"no"}}`)
	x.Judged.Answer.Headers = append(x.Judged.Answer.Headers, corpus.Header{Name: "Content-Length", Value: "104"}, corpus.Header{Name: "Cache-Control", Value: "no-store"})
	x.Judged.Verdict = capture.Judge(x.Judged.Exchange).Verdict
	text, err := asCase(x)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := corpus.Parse("case", []byte(text))
	if err != nil || len(cases) != 1 {
		t.Fatalf("got %s, %v", text, err)
	}
	c := cases[0]
	if c.Headers.Get("content-length") != "" || c.Headers.Get("cache-control") != "no-store" {
		t.Errorf("got the fields %v, want none of the delivery", c.Headers)
	}
	if got, want := fmt.Sprintf("%s %s %s %v", c.Expect.Outcome, c.Expect.Reason, c.Expect.Code, c.Expect.Findings), "JSONRPC_ERROR rpc-error -32602 [duplicate-member]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestExplainedWithoutColour: a page is told no colours, wherever it is asked for.
func TestExplainedWithoutColour(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "1")
	t.Setenv("NO_COLOR", "")
	lines, err := explained(&exchange(1, `{"jsonrpc":"2.0","id":8,"result":{"content":[]}}`).Judged)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range lines {
		names = append(names, l.Name)
		if strings.Contains(l.Text, "\x1b") || l.Text == "" {
			t.Errorf("%s: got %q", l.Name, l.Text)
		}
		if laid := strings.Contains(l.Text, "\n"); laid && !l.Bare {
			t.Errorf("%s: got lines in a text that flows: %q", l.Name, l.Text)
		}
	}
	if got, want := strings.Join(names, ", "), "verdict, decided by, where, in the body, known, not known, send again?, log"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		body string
		code int
		want string // what was chosen, or what is told
	}{
		{`{"name":"errors.tool_error","settings":"{\"onInvocation\":2}"}`, 200, "errors.tool_error"},
		{`{"name":"case:article/tool-is-error"}`, 200, "case:article/tool-is-error"},
		{`{"sequence":"steps: [pass]"}`, 200, "sequence"},
		{`{"sequence":"steps: [no]"}`, 422, "sequence:1: got"},
		{`{"name":"errors.tool_eror"}`, 422, "did you mean errors.tool_error?"},
		{`{`, 400, "no JSON"},
	} {
		c, f := newConsole(t)
		w := get(t, c, "POST", "/choose", test.body, "Content-Type", "application/json")
		got := f.choice.Name
		if w.Code != http.StatusOK {
			got = w.Body.String()
		}
		if w.Code != test.code || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %d and %s, want %d and %s", test.body, w.Code, got, test.code, test.want)
		}
		if w.Code != http.StatusOK && f.choice.Name != "baseline" {
			t.Errorf("%s: %s was chosen", test.body, f.choice.Name)
		}
	}
	c, _ := newConsole(t)
	if w := get(t, c, "POST", "/choose", `{"name":"baseline"}`, "Content-Type", "text/plain"); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a form: got %d, want 415", w.Code)
	}
	if w := get(t, c, "POST", "/choose", `{"name":"baseline"}`, "Content-Type", "application/json; charset=utf-8"); w.Code != http.StatusOK {
		t.Errorf("JSON with a charset: got %d, want 200", w.Code)
	}
	if w := get(t, c, "HEAD", "/events", ""); w.Code != http.StatusOK || w.Body.Len() != 0 {
		t.Errorf("HEAD of the events: got %d and %q, want 200 and nothing", w.Code, w.Body)
	}
	if w := get(t, New(), "GET", "/", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("no server yet: got %d, want 503", w.Code)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	c, _ := newConsole(t)
	c.Done(exchange(1, "{}"))
	server := httptest.NewServer(c)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	next := func() string {
		var all []string
		for lines.Scan() && lines.Text() != "" {
			all = append(all, lines.Text())
		}
		return strings.Join(all, "\n")
	}
	if got := next(); !strings.HasPrefix(got, "event: all\ndata: {") || !strings.Contains(got, `"chosen":{"name":"baseline"`) || !strings.Contains(got, `"rows":[{"number":1,`) {
		t.Errorf("got %s", got)
	}
	c.Began(scenario.Start{Number: 2, What: "tools/call"})
	if got := next(); !strings.HasPrefix(got, `event: began`+"\n"+`data: {"number":2,`) || !strings.Contains(got, `"open":true`) {
		t.Errorf("got %s", got)
	}
	c.Done(exchange(2, "{}"))
	if got := next(); !strings.HasPrefix(got, `event: done`+"\n"+`data: {"number":2,`) || !strings.Contains(got, `"outcome":"INVALID_ENVELOPE"`) {
		t.Errorf("got %s", got)
	}
	cancel()
	io.Copy(io.Discard, response.Body)
}
