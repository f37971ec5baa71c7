//go:build unix

package subject_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// expecting is a case that expects an error of HTTP.
func expecting(name string) corpus.Case {
	c := answered(500)
	c.ID, c.Rule = "status/"+name, "1"
	c.Expect = &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError}
	return c
}

// TestBadClientAdapters has each kind of bad adapter drive a client: what is
// broken is told as broken, what the client did as its deviation, and each run
// ends. That nothing is left of them is for the other tests of processes.
func TestBadClientAdapters(t *testing.T) {
	for _, test := range []struct {
		mode   string
		broken string           // the run ends with an error that says so
		want   runner.Deviation // of the one cause, where nothing is broken
	}{
		{"good", "", 0},
		{"silent", "handshake of adapter", 0},
		{"exits", "no such module", 0},
		{"chatty", `no JSON object: "Listening…"`, 0},
		{"early", "its first line is", 0},
		{"blind", "it saw ERROR where it must see success", 0},
		{"deaf", "the call never reached the server", 0},
		{"own-arguments", "POST /mcp tools/call, whose argument case names no case", 0},
		{"bad-body", "POST /mcp/1 400, since it is no JSON object", 0},
		{"long-url", "a request that was refused with 431: read the head of a request: the head is too large", 0},
		{"older", `it is of protocol version "2026-07-28", and its call came in "2025-11-25"`, 0},
		{"two-answers", "adapter broken", 0},
		{"wrong-seq", "where", 0},
		{"long-line", "a line of more than 1048576 bytes", 0},
		{"no-json", "no JSON object", 0},
		{"crash", "", runner.Crash},
		{"half-line", "", runner.Crash},
		{"killed", "", runner.Crash},
		{"third", "", runner.Crash},
		{"dies-with-child", "", runner.Crash},
		{"hang", "", runner.Hang},
		{"hang-with-child", "", runner.Hang},
		{"code", "", runner.DeadConnection},
		{"twice", "", runner.RepeatedCall},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			deadline := 20 * time.Second
			if test.want == runner.Hang {
				deadline = 200 * time.Millisecond
			}
			r, err := runner.Run(t.Context(), func() subject.Subject {
				p := process("client-" + test.mode)
				if test.mode == "silent" {
					p.StartTimeout = 300 * time.Millisecond
				}
				return p
			}, runner.Options{Deadline: deadline, Corpus: []corpus.Case{expecting("one"), expecting("two")}})
			if test.broken != "" {
				if !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), test.broken) {
					t.Errorf("got %v, want a broken adapter and %q", err, test.broken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.mode == "third" {
				// It dies on its third, whatever that is: run alone it does not.
				if len(r.Flaky) != 1 || r.Flaky[0].Deviation != test.want {
					t.Errorf("got %+v, want a crash that does not repeat", r.Flaky)
				}
				return
			}
			if test.want == 0 && (!r.OK() || r.Passed != 2) || test.want != 0 && (len(r.Causes) != 1 || r.Causes[0].Deviation != test.want || r.ByDeviation[test.want] != 2) {
				t.Errorf("got %+v, %+v", r.Counts, r.Causes)
			}
			if test.want != 0 && (len(r.Causes[0].Trace()) == 0 || r.Causes[0].Saw.Posts == 0) {
				t.Errorf("got no trace of %+v", r.Causes[0].Saw)
			}
		})
	}
}

// TestCommand runs a client that is started for each case, and is told the
// server's URL as its last argument.
func TestCommand(t *testing.T) {
	c := &subject.Command{Command: []string{os.Args[0]}, Env: append(os.Environ(), adapterEnv+"=command"), ProtocolVersion: "2025-11-25"}
	defer c.Close()
	info, err := c.Start(t.Context(), 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if info.Kind != subject.KindClient || info.ProtocolVersion != "2025-11-25" {
		t.Errorf("got %+v", info)
	}
	toolError := answered(200)
	toolError.Body = []byte(`{"jsonrpc":"2.0","id":{{id}},"result":{"content":[],"isError":true}}`)
	toolError.Expect = &corpus.Expect{Layer: classifier.Application, Outcome: classifier.ToolError}
	late := classifier.EndedDeadline
	for _, test := range []struct {
		name string
		c    corpus.Case
		ok   func(o subject.Observation) bool
	}{
		{"success", answered(200), func(o subject.Observation) bool { return o.Saw == "SUCCESS" && o.Posts == 1 && !o.Untold }},
		{"error", answered(500), func(o subject.Observation) bool { return o.Saw == "ERROR" && strings.Contains(o.Text, "exit status 1") }},
		{"what its status does not tell", toolError, func(o subject.Observation) bool { return o.Saw == "SUCCESS" && o.Untold }},
		{"crash", answered(511), func(o subject.Observation) bool { return o.Fate == subject.Crashed && o.Posts == 1 }},
		{"what it prints", answered(501), func(o subject.Observation) bool {
			return strings.Contains(o.Stderr, "scenario tools_call of 2025-11-25 at http://127.0.0.1:") && strings.Contains(o.Stderr, "status 501")
		}},
		{"refused", corpus.Case{}, func(o subject.Observation) bool { return o.Saw == "ERROR" && o.Posts == 0 }},
		{"silence", corpus.Case{Ended: &late}, func(o subject.Observation) bool { return o.Fate == subject.Skipped }},
	} {
		if o, err := c.Ask(t.Context(), subject.Trial{Case: test.c}); err != nil || !test.ok(o) {
			t.Errorf("%s: got %v, %v", test.name, unfold(o), err)
		}
	}
	c.Start(t.Context(), 300*time.Millisecond)
	if o, err := c.Ask(t.Context(), subject.Trial{Case: answered(599)}); err != nil || o.Fate != subject.Hung {
		t.Errorf("hang: got %v, %v", unfold(o), err)
	}
	broken := &subject.Command{Command: []string{os.Args[0]}, Env: append(os.Environ(), adapterEnv+"=exits")}
	if _, err := broken.Start(t.Context(), 0); !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), "no such module") {
		t.Errorf("got %v, want a broken client that says no such module", err)
	}
	other := &subject.Command{Command: c.Command, Env: c.Env, ProtocolVersion: "2026-07-28"}
	if _, err := other.Start(t.Context(), 30*time.Second); !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), "have it told so by --protocol-version") {
		t.Errorf("got %v, want a client that speaks another revision than it was told", err)
	}
}

// command is a client in the manner of the official conformance suite.
func command() {
	url := os.Args[len(os.Args)-1]
	fmt.Printf("scenario %s of %s at %s\n", os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"), url)
	status := postOnce(url, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add_numbers","arguments":{"a":2,"b":3},
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`)
	fmt.Fprintln(os.Stderr, "status "+strconv.Itoa(status))
	switch status {
	case 200:
		os.Exit(0)
	case 511:
		misbehave("killed", 0, os.Stdout)
	case 599:
		time.Sleep(time.Hour)
	}
	os.Exit(1)
}
