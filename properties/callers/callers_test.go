package callers_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/callers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSound(t *testing.T) {
	t.Parallel()
	callers.Test(t, broken.SoundCaller)
}

// shrunk is what the fault of each broken caller comes down to.
var shrunk = map[string]string{
	"same-id-again":            "REPEATED_CALL safe > 503",
	"ids-start-anew":           "REPEATED_CALL unknown",
	"jsonrpc-as-number":        "MIXED_LAYERS unknown",
	"retries-any-5xx":          "REPEATED_CALL unknown > 503",
	"retries-any-429":          "REPEATED_CALL unknown > 429",
	"retries-timeout":          "REPEATED_CALL unknown > timeout",
	"reissues-lost-stream":     "REISSUED unknown > cut-stream",
	"retries-cut-body":         "REPEATED_CALL unknown > cut",
	"retries-rpc-error":        "REPEATED_CALL unknown > rpc-internal",
	"retries-thrice":           "REPEATED_CALL safe > 503 x3",
	"retries-for-ever":         "REPEATED_CALL safe > 503 x50",
	"retries-counted-by-round": "REPEATED_CALL safe > 503 > input > 503 x2",
	"retry-after-ignored":      "REPEATED_CALL safe > 503 after=2",
	"retry-date-ignored":       "REPEATED_CALL safe > 503 after=date",
	"retries-at-once":          "REPEATED_CALL safe > 503",
	"same-backoff":             "REPEATED_CALL safe > 503 x2",
	"waits-an-hour":            "REPEATED_CALL safe > 503 after=61",
	"deadline-ignored":         "REPEATED_CALL safe left=100ms > 503",
	"sends-after-success":      "REPEATED_CALL unknown",
	"retries-tool-error":       "REPEATED_CALL unknown > tool-error",
	"retries-malformed":        "REPEATED_CALL unknown > malformed",
	"same-version-again":       "REPEATED_CALL unknown > version",
	"same-token-again":         "REPEATED_CALL unknown > 401",
	"same-arguments-again":     "REPEATED_CALL unknown > rpc-params",
	"state-dropped":            "MIXED_LAYERS unknown > input",
	"state-trimmed":            "MIXED_LAYERS unknown > input state=blank",
	"state-through-utf-8":      "MIXED_LAYERS unknown > input state=surrogate",
	"state-parsed":             "MIXED_LAYERS unknown > input state=json",
	"state-stale":              "MIXED_LAYERS unknown > input > input state=none",
	"state-of-last-call":       "MIXED_LAYERS unknown > input",
	"responses-for-state":      "MIXED_LAYERS unknown > input keys=none",
	"keys-in-lower-case":       "MIXED_LAYERS unknown > input keys=odd",
	"first-input-only":         "MIXED_LAYERS unknown > input keys=two",
	"foreign-input-answered":   "REPEATED_CALL unknown no-inputs > input",
	"malformed-input-answered": "REPEATED_CALL unknown no-inputs > input",
	"endless-rounds":           "REPEATED_CALL unknown > input x11",
	"inputs-lost-on-retry":     "MIXED_LAYERS safe > input > 503",
	"attempt-in-arguments":     "MIXED_LAYERS safe > 503",
	"redirect-to-get":          "MIXED_LAYERS unknown > 302",
	"success-under-503":        "FALSE_SUCCESS unknown > 503-with-success",
	"first-failure-told":       "LOST_RESULT safe > 503",
	"notification-is-response": "MIXED_LAYERS unknown > success sse+1",
	"dead-after-reset":         "DEAD_CONNECTION unknown > refused",
	"dead-after-malformed":     "DEAD_CONNECTION unknown > malformed",
	"hangs-on-202":             "HANG safe > accepted",
	"panics-without-type":      "CRASH unknown > 503",
}

// Each broken caller is found out by the property that it names, with all others
// switched off, and its fault comes down to the least that shows it.
func TestBrokenCallersDie(t *testing.T) {
	t.Parallel()
	kills := map[string]int{}
	for _, c := range broken.Callers() {
		kills[c.KilledBy]++
		var err error
		check := func() { err = callers.Check(c.Make, callers.Only(c.KilledBy), callers.First()) }
		if c.Name == "hangs-on-202" {
			synctest.Test(t, func(*testing.T) { check() }) // where it hangs in no time
		} else {
			check()
		}
		var failures *callers.Failures
		if !errors.As(err, &failures) {
			t.Errorf("%s survives %s: %s (%v)", c.Name, c.KilledBy, c.Doc, err)
			continue
		}
		f := failures.List[0]
		if got := f.Deviation.String() + " " + f.Sequence.String(); got != shrunk[c.Name] || f.Property.Name != c.KilledBy {
			t.Errorf("%s: got %s, want %s", c.Name, got, shrunk[c.Name])
		}
	}
	for _, p := range callers.All() {
		if kills[p.Name] == 0 {
			t.Errorf("%s kills no broken caller", p.Name)
		}
	}
	if got := len(broken.Callers()); got != len(shrunk) {
		t.Errorf("got %d broken callers, want %d", got, len(shrunk))
	}
}

// A failure tells the rule, the exchanges and how to see it again, which does.
func TestFailureReproduces(t *testing.T) {
	t.Parallel()
	c := brokenCaller(t, "retries-any-5xx")
	var failures *callers.Failures
	if err := callers.Check(c.Make, callers.Sampled(), callers.Cases(300)); !errors.As(err, &failures) {
		t.Fatalf("got %v, want a failure", err)
	}
	text := failures.Error()
	for _, want := range []string{"REPEATED_CALL (critical) by retry-only-safe", "rule: A call that failed", "sequence: unknown > 503\n", "← 503",
		`reproduce: callers.Test(t, maker, callers.Only("retry-only-safe"), callers.Play("unknown > 503"))`} {
		if !strings.Contains(text, want) {
			t.Errorf("got %s\nwant %s in it", text, want)
		}
	}
	if err := callers.Check(c.Make, callers.Only("retry-only-safe"), callers.Play("unknown > 503")); !errors.As(err, &failures) {
		t.Errorf("got %v, want the same failure", err)
	}
}

// brokenCaller is the broken caller of that name, which there must be.
func brokenCaller(t *testing.T, name string) broken.Caller {
	t.Helper()
	all := broken.Callers()
	i := slices.IndexFunc(all, func(c broken.Caller) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no broken caller is named %s", name)
	}
	return all[i]
}

// A caller behind a socket is checked in the same way.
func TestSockets(t *testing.T) {
	server := func(line *callers.Line) string {
		s := httptest.NewServer(line)
		line.Cleanup(s.Close)
		return s.URL
	}
	maker := func(line *callers.Line) callers.Caller {
		transport := &http.Transport{}
		line.Cleanup(transport.CloseIdleConnections)
		return broken.SoundCallerAt(line, server(line)+"/mcp", transport)
	}
	callers.Test(t, maker, callers.Sampled(), callers.Cases(150))
	c := brokenCaller(t, "retries-cut-body")
	again := func(line *callers.Line) callers.Caller {
		transport := &http.Transport{}
		line.Cleanup(transport.CloseIdleConnections)
		return c.MakeAt(line, server(line)+"/mcp", transport)
	}
	var failures *callers.Failures
	if err := callers.Check(again, callers.Play("unknown > cut")); !errors.As(err, &failures) {
		t.Errorf("got %v, want a failure", err)
	}
}

// A caller that waits by package time is run in a bubble.
func TestSleepingCaller(t *testing.T) {
	for _, test := range []struct {
		name string
		wait time.Duration
		want string
	}{
		{"too short", 3 * time.Second, `by retry-after`},
		{"long enough", 31 * time.Second, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := callers.Check(sleeper(test.wait), callers.Play("safe > 503 after=30"))
				if got := ""; err != nil {
					got = err.Error()
					if test.want == "" || !strings.Contains(got, test.want) {
						t.Errorf("got %v, want %q", got, test.want)
					}
				} else if test.want != "" {
					t.Errorf("got nothing, want %q", test.want)
				}
			})
		})
	}
}

// sleeper is a caller that tries twice, with a sleep between.
func sleeper(wait time.Duration) callers.Maker {
	return func(line *callers.Line) callers.Caller {
		client := &http.Client{Transport: line}
		id := 0
		return func(ctx context.Context, call callers.ToolCall) callers.Told {
			for range 2 {
				id++
				body := `{"jsonrpc":"2.0","id":` + strings.Repeat("1", id) + `,"method":"tools/call","params":{"name":"synthetic","arguments":` + string(call.Arguments) + `}}`
				response, err := client.Post(line.URL(), "application/json", strings.NewReader(body))
				if err != nil {
					return callers.Told{Saw: "ERROR"}
				}
				response.Body.Close()
				if response.StatusCode == 200 {
					return callers.Told{Saw: "SUCCESS"}
				}
				time.Sleep(wait)
			}
			return callers.Told{Saw: "ERROR"}
		}
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	silent := func(*callers.Line) callers.Caller {
		return func(context.Context, callers.ToolCall) callers.Told { return callers.Told{Saw: "SUCCESS"} }
	}
	for _, test := range []struct {
		name    string
		maker   callers.Maker
		options []callers.Option
		want    string
	}{
		{"no maker", nil, nil, "the maker is nil"},
		{"unknown property", broken.SoundCaller, []callers.Option{callers.Only("no-such")}, `no property is named "no-such"`},
		{"nothing left", broken.SoundCaller, []callers.Option{callers.Only("told"), callers.Without("told")}, "no property is left"},
		{"a name twice", broken.SoundCaller, []callers.Option{callers.Add(callers.All()[0])}, `property "ends" has no name of its own`},
		{"a sequence that is none", broken.SoundCaller, []callers.Option{callers.Play("unknown > 599")}, `no answer is named "599"`},
		{"tells that are none", broken.SoundCaller, []callers.Option{callers.Tells("SUCCESS")}, "a subject must tell success from the rest"},
		{"a word that it does not tell", broken.SoundCaller, []callers.Option{callers.Tells("SUCCESS", "ERROR")}, `told "TOOL_SUCCESS", which is no word`},
		{"no POST", silent, nil, "no POST of tools/call came over the line"},
	} {
		if err := callers.Check(test.maker, test.options...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// A property of one's own is tried as well, and its failure shrinks.
func TestOwnProperty(t *testing.T) {
	t.Parallel()
	own := callers.Property{Name: "two-posts-at-most", Rule: "mine", Doc: "No call takes more than two POSTs.",
		Check: func(t *callers.Transcript) *callers.Breach {
			if n := len(t.Calls()); n > 2 {
				return &callers.Breach{Deviation: 1, Want: "two", Got: "more"}
			}
			return nil
		}}
	var failures *callers.Failures
	if err := callers.Check(broken.SoundCaller, callers.Add(own), callers.First()); !errors.As(err, &failures) {
		t.Fatalf("got %v, want a failure", err)
	}
	if got, want := failures.List[0].Sequence.String(), "safe > 503 x2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What a caller merges is not held against it.
func TestTells(t *testing.T) {
	t.Parallel()
	maker := func(line *callers.Line) callers.Caller {
		call := broken.SoundCaller(line)
		return func(ctx context.Context, asked callers.ToolCall) callers.Told {
			told := call(ctx, asked)
			if told.Saw == "TOOL_SUCCESS" {
				return callers.Told{Saw: "SUCCESS"}
			}
			return callers.Told{Saw: "ERROR"}
		}
	}
	callers.Test(t, maker, callers.Tells("SUCCESS", "ERROR"), callers.Sampled(), callers.Cases(1000))
	if err := callers.Check(maker, callers.Only("told"), callers.Play("unknown > tool-error")); err == nil {
		t.Error("an ERROR for a tool's failure passed, though the caller claims to tell them apart")
	}
}

// The seed alone decides what random sequences come.
func TestBuildRepeats(t *testing.T) {
	t.Parallel()
	first, second := generators.NewPlain(7), generators.NewPlain(7)
	for range 1000 {
		a, b := callers.Build(first), callers.Build(second)
		if a.String() != b.String() {
			t.Fatalf("got %s, want %s", b, a)
		}
		back, err := callers.Parse(a.String())
		if err != nil || back.String() != a.String() {
			t.Fatalf("%s reads as %s (%v)", a, back, err)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want, fault string }{
		{"", "unknown", ""},
		{"safe left=1s no-inputs>503  after=2 x3", "safe no-inputs left=1s > 503 after=2 x3", ""},
		{"unsafe > input keys=two state=none sse+3 x12", "unsafe > input keys=two state=none sse+3 x12", ""},
		{"left=0s", "", `"left=0s" is no time left`},
		{"no-inputs safe", "", `"safe" is none of`},
		{"safe >", "", "a step is empty"},
		{"safe > 503 sse", "", `"sse" does not fit 503`},
		{"safe > 307 after=2", "", `"after=2" does not fit 307`},
		{"safe > 503 after=3", "", `"after=3" does not fit 503`},
	} {
		s, err := callers.Parse(test.text)
		switch {
		case test.fault != "":
			if err == nil || !strings.Contains(err.Error(), test.fault) {
				t.Errorf("%q: got %v, want %q", test.text, err, test.fault)
			}
		case err != nil || s.String() != test.want:
			t.Errorf("%q: got %q (%v), want %q", test.text, s, err, test.want)
		}
	}
}

// What the table says of each answer is what the classifier and its advice say,
// which had no part in it.
func TestAnswersAreJudgedSo(t *testing.T) {
	t.Parallel()
	n := 0
	for s := range callers.Enumerate() {
		if s.Safety != classifier.SafetyUnknown {
			continue
		}
		for _, c := range s.Case().Exchanges() {
			n++
			v := c.Classify()
			if v.Outcome != c.Expect.Outcome || v.Layer != c.Expect.Layer || string(v.Error.Code) != c.Expect.Code {
				t.Fatalf("%s: got %v %s, want %v %s", s, v.Outcome, v.Error.Code, c.Expect.Outcome, c.Expect.Code)
			}
		}
	}
	if n < 1000 {
		t.Errorf("got %d answers, want many", n)
	}
}
