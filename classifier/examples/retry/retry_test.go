package retry_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/examples/retry"
	"github.com/replyproof/replyproof/properties/callers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client is a plain client of tools: it sends, and reads.
type client struct {
	url    string
	http   *http.Client
	lastID int64
}

func (c *client) send(arguments string) retry.Send {
	return func(ctx context.Context) classifier.Verdict {
		c.lastID++
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"run_configured_test_scenario","arguments":%s}}`, c.lastID, arguments)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		response, err := c.http.Do(r)
		if err != nil {
			return classifier.ClassifyNoAnswer(classifier.NoAnswerFromError(err))
		}
		return classifier.Read(ctx, classifier.Call{ID: classifier.IntID(c.lastID)}, response)
	}
}

// noRedirects lets no POST become a GET.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// newCaller is the client with retries, as it is checked.
func newCaller(line *callers.Line) callers.Caller {
	c := &client{url: line.URL(), http: &http.Client{Transport: line, CheckRedirect: noRedirects}}
	return func(ctx context.Context, call callers.ToolCall) callers.Told {
		if !call.Deadline.IsZero() {
			limited, cancel := context.WithDeadline(ctx, call.Deadline)
			defer cancel()
			ctx = limited
		}
		done := retry.Call(ctx, call.Safety, c.send(string(call.Arguments)))
		return callers.Told{Saw: done.Verdict.Outcome.String(), Code: string(done.Verdict.Error.Code)}
	}
}

// The waits are real ones, in a bubble where they take no time.
func TestCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { callers.Test(t, newCaller) })
}

// times plays a sequence to the client and gives the waits between its POSTs.
func times(t *testing.T, sequence string) (waits []time.Duration) {
	t.Helper()
	look := callers.Property{Name: "look", Rule: "none", Doc: "Looks on.", Check: func(t *callers.Transcript) *callers.Breach {
		if t.Next == nil {
			return nil
		}
		calls := t.Calls()
		for i := range calls[1:] {
			waits = append(waits, calls[i+1].At.Sub(calls[i].Answered))
		}
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		callers.Test(t, newCaller, callers.Add(look), callers.Play(sequence))
	})
	return waits
}

func TestWaits(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		sequence string
		want     []time.Duration // the least waits; each is below the least and the jitter
		jitter   []time.Duration
	}{
		{"safe > 503", []time.Duration{200 * ms}, []time.Duration{200 * ms}},
		{"safe > 503 x3", []time.Duration{200 * ms, 400 * ms}, []time.Duration{200 * ms, 400 * ms}},
		{"safe > 429 after=2 > cut-stream", []time.Duration{2000 * ms, 400 * ms}, []time.Duration{200 * ms, 400 * ms}},
		{"safe > 503 after=date", []time.Duration{5000 * ms}, []time.Duration{200 * ms}},
		{"safe left=300ms > 503 x2", []time.Duration{200 * ms}, []time.Duration{200 * ms}},
		{"safe left=1s > 503 after=2", nil, nil},
		{"safe > 503 after=61", nil, nil},
		{"unknown > 503", nil, nil},
		{"unsafe > cut-stream", nil, nil},
		{"safe > tool-error", nil, nil},
		{"safe > 401", nil, nil},
		{"safe > input", nil, nil},
	} {
		t.Run(test.sequence, func(t *testing.T) {
			got := times(t, test.sequence)
			if test.sequence == "safe left=300ms > 503 x2" {
				got = got[:min(len(got), 1)] // the wait may end with the time, and no POST come after it
				test.want = test.want[:len(got)]
			}
			ok := len(got) == len(test.want)
			for i := range min(len(got), len(test.want)) {
				ok = ok && got[i] >= test.want[i] && got[i] <= test.want[i]+test.jitter[i]
			}
			if !ok {
				t.Errorf("got waits %v, want %v with jitter %v", got, test.want, test.jitter)
			}
		})
	}
}

// A context that ends during a wait ends the call with the verdict that it had.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		began := time.Now()
		done := retry.Call(ctx, classifier.SafeCall, func(context.Context) classifier.Verdict {
			return classifier.Classify(classifier.Call{}, classifier.Answer{Status: 503})
		})
		if took := time.Since(began); done.Verdict.Status != 503 || len(done.Earlier) != 0 || took != 100*time.Millisecond {
			t.Errorf("got %d after %v and %d before it, want 503 after 100ms and none", done.Verdict.Status, took, len(done.Earlier))
		}
	})
}

// Over sockets: a 503, then a success.
func TestSocket(t *testing.T) {
	var statuses []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(statuses) == 0 {
			statuses = append(statuses, 503)
			w.WriteHeader(503)
			return
		}
		statuses = append(statuses, 200)
		id := body[strings.Index(string(body), `"id":`)+5 : strings.Index(string(body), `,"method"`)]
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[]}}`, id)
	}))
	defer server.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	c := &client{url: server.URL, http: &http.Client{Transport: transport}}
	done := retry.Call(t.Context(), classifier.SafeCall, c.send("{}"))
	if done.Verdict.Outcome != classifier.ToolSuccess || len(done.Earlier) != 1 || done.Earlier[0].Status != 503 || !slices.Equal(statuses, []int{503, 200}) {
		t.Errorf("got %v after %d others, statuses %v; want a success after one", done.Verdict.Outcome, len(done.Earlier), statuses)
	}
}

func ExampleCall() {
	statuses := []int{503, 200}
	send := func(context.Context) classifier.Verdict {
		a := classifier.Answer{Status: statuses[0], Header: http.Header{"Content-Type": {"application/json"}},
			Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`)}
		statuses = statuses[1:]
		return classifier.Classify(classifier.Call{ID: classifier.IntID(1)}, a)
	}
	done := retry.Call(context.Background(), classifier.SafeCall, send)
	fmt.Println(done.Verdict.Outcome, "after", len(done.Earlier), "other")

	statuses = []int{503, 200}
	done = retry.Call(context.Background(), classifier.SafetyUnknown, send)
	fmt.Println(done.Verdict.Outcome, done.Advice.Action)
	// Output:
	// TOOL_SUCCESS after 1 other
	// HTTP_ERROR ask
}
