package scenario_test

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

func TestSequence(t *testing.T) {
	t.Parallel()
	const ok, failed = "TOOL_SUCCESS", "HTTP_ERROR"
	for _, test := range []struct{ name, text, want string }{
		{"in turn, then pass", "steps:\n  - status: 503\n  - case: article/tool-is-error\n  - pass\n  - recipe: rpc-error\n", failed + " TOOL_ERROR " + ok + " JSONRPC_ERROR " + ok + " " + ok},
		{"the first n fail", "steps:\n  - fail_first: 2\n", failed + " " + failed + " " + ok + " " + ok + " " + ok + " " + ok},
		{"the first n fail with something else", "steps:\n  - fail_first: 2\n    with: {scenario: errors.rate_limit, settings: {seconds: 1}}\n", failed + " " + failed + " " + ok + " " + ok + " " + ok + " " + ok},
		{"a loop, then the last", "steps:\n  - repeat: 2\n    steps:\n      - pass\n      - {status: 500, times: 1}\nthen: last\n", ok + " " + failed + " " + ok + " " + failed + " " + failed + " " + failed},
		{"again and again", "steps: [{status: 500}, pass]\nthen: again\n", failed + " " + ok + " " + failed + " " + ok + " " + failed + " " + ok},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			choice, err := scenario.Sequence("s.yaml", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := outcomes(serveChoice(t, choice), 6); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Every POST takes a step where they count, and a round of inputs goes on in the
// next step.
func TestSequenceCountsPosts(t *testing.T) {
	t.Parallel()
	choice, err := scenario.Sequence("s.yaml", []byte("count: posts\nsteps: [{status: 503}, {status: 200}, {status: 429}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := serveChoice(t, choice)
	for i, want := range []int{503, 200, 429, 200} {
		if got := p.modern("tools/list", ""); got.status != want {
			t.Errorf("POST %d: got %s, want %d", i+1, got, want)
		}
	}
}

func TestSequenceSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", "s.yaml: is empty"},
		{"- 1", "s.yaml:1: got a list, want a mapping with count, steps, then"},
		{"steps:\n  - status: 503\nmore: 1\n", "s.yaml:3: unknown key"},
		{"steps:\n  - status: 503\n    statuss: 1\n", "s.yaml:3: unknown key"},
		{"steps:\n  - status: 503\nsteps: []\n", "s.yaml:3: steps stands here twice"},
		{"count: calls\n", "s.yaml:1: steps are missing"},
		{"steps: []\n", "s.yaml:1: steps"},
		{"steps:\n  - fail\n", "s.yaml:2: got \"fail\", want a mapping"},
		{"steps:\n  - status: x\n", "s.yaml:2: status: got \"x\", want a number"},
		{"steps:\n  - status: 99\n", "s.yaml:2: settings of errors.http_status_sequence"},
		{"steps:\n  - pass\n  - status: 503\n    case: a/b\n", "s.yaml:3: a step has one of"},
		{"steps:\n  - scenario: errors.tool_eror\n", "did you mean errors.tool_error"},
		{"steps:\n  - scenario: errors.tool_error\n    settings: {on: 1}\n", "s.yaml:2: settings of errors.tool_error: unknown setting"},
		{"steps:\n  - scenario: errors.tool_error\n    settings: {1: {2: 3}}\n", "s.yaml:3: settings: got a mapping"},
		{"steps:\n  - scenario: errors.tool_error\n    settings: [1]\n", "is no JSON object"},
		{"steps:\n  - repeat: 0\n    steps: [pass]\n", "s.yaml:2: repeat: got \"0\", want 1 to 10000"},
		{"steps:\n  - repeat: 10000\n    steps: [pass, pass]\n", "s.yaml:2: repeat: more than 10000 steps"},
		{"steps:\n  - fail_first: 2\n    with: pass\n", "s.yaml:3: with: want one answer that fails"},
		{"steps:\n  - fail_first: 2\n    with: {status: 200}\n", "s.yaml:3: with: this lets the request through, and fail_first wants what fails"},
		{"steps:\n  - fail_first: 2\n    with: {status: 204}\n", "s.yaml:3: with: this lets the request through"},
		{"count: posts\nsteps:\n  - fail_first: 2\n    with: {status: 200}\n", "s.yaml:4: with: this lets the request through"},
		{"steps:\n  - pass\n  - fail_first: 2\n    with: {repeat: 1, steps: [{status: 202}]}\n", "s.yaml:4: with: this lets the request through"},
		{"steps:\n  - fail_first: 2\n    with: {scenario: baseline}\n", "s.yaml:3: with: this is a result"},
		{"steps:\n  - fail_first: 2\n    with: {scenario: compat.sdk_v2}\n", "s.yaml:3: with: this is a result"},
		{"steps:\n  - fail_first: 2\n    with: {case: article/baseline-complete}\n", "s.yaml:3: with: this is a result"},
		{"steps:\n  - fail_first: 2\n    with: {case: article/input-required}\n", "s.yaml:3: with: this is a result"},
		{"steps:\n  - fail_first: 2\n    with: {recipe: success}\n", "s.yaml:3: with: this is a result"},
		{"count: posts\nsteps:\n  - fail_first: 2\n    with: {scenario: catalog.empty}\n", "s.yaml:4: with: this is a result"},
		{"steps: [pass]\nthen: stop\n", "s.yaml:2: then: got \"stop\", want pass or last or again"},
		{"steps: [pass]\n---\nsteps: [pass]\n", "a second document"},
		{"steps:\n  - scenario: baseline\n    settings: {1: 2}\n", "settings: got a mapping, want a mapping that JSON can hold"},
		{"steps: [pass\n", "s.yaml: "},
		{"steps:\n  - pass\n  - scenario: catalog.empty\n", "s.yaml:3: catalog.empty with these settings does nothing to the first call"},
		{"steps:\n  - scenario: errors.tool_error\n    settings: {onInvocation: 2}\n", "s.yaml:2: errors.tool_error with these settings does nothing"},
		{"steps:\n  - repeat: 2\n    steps:\n      - scenario: auth.challenge\n        settings: {method: tools/list}\n", "s.yaml:4: auth.challenge with these settings does nothing"},
		{"steps:\n  - fail_first: 2\n    with: {scenario: errors.http_status_per_method}\n", "s.yaml:3: errors.http_status_per_method with these settings does nothing"},
	} {
		if _, err := scenario.Sequence("s.yaml", []byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want in it %q", test.text, err, test.want)
		}
	}
}

// A step that may act is taken, whatever takes the steps.
func TestSequenceTakesWhatMayAct(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"count: posts\nsteps: [{scenario: catalog.empty}]\n",
		"count: posts\nsteps: [{scenario: auth.challenge, settings: {method: tools/list}}]\n",
		"steps: [{scenario: auth.token_lifecycle, settings: {required: false}}]\n",
		"steps: [{scenario: compat.sdk_v2}, {scenario: baseline}, {status: 200}, {scenario: elicitation.approval}]\n",
	} {
		if _, err := scenario.Sequence("s.yaml", []byte(text)); err != nil {
			t.Errorf("%q: got %v, want none", text, err)
		}
	}
}

// What may fail a request of some client is taken as a failure.
func TestSequenceFailsFirstWithWhatMayFail(t *testing.T) {
	t.Parallel()
	for _, with := range []string{
		"{status: 404}", "{status: 302}", "{case: article/tool-is-error}", "{case: article/jsonrpc-error}", "{case: article/malformed-json}",
		"{case: cut/reset-in-text}", "{recipe: rpc-error}", "{scenario: errors.connection_close}", "{scenario: errors.tool_error}",
		"{scenario: errors.rate_limit}", "{scenario: auth.challenge}", "{scenario: auth.token_lifecycle, settings: {calls: 0, required: false}}",
		"{scenario: timeout.uncooperative_hang}", "{scenario: timeout.late_response}", "{scenario: baseline, settings: {slowReportDelayMs: 10}}",
		"{scenario: sse.stall}", "{scenario: sse.drip}", "{scenario: sse.cut}", "{scenario: sse.keep_alives}",
	} {
		for _, count := range []string{"calls", "posts"} {
			text := "count: " + count + "\nsteps:\n  - fail_first: 2\n    with: " + with + "\n"
			if _, err := scenario.Sequence("s.yaml", []byte(text)); err != nil {
				t.Errorf("%q: got %v, want none", text, err)
			}
		}
	}
	for _, with := range []string{"{scenario: catalog.facet_unavailable}", "{scenario: timeout.init_hang}", "{scenario: errors.http_status_per_method, settings: {statusCodes: {prompts/list: 503}}}"} {
		text := "count: posts\nsteps:\n  - fail_first: 2\n    with: " + with + "\n"
		if _, err := scenario.Sequence("s.yaml", []byte(text)); err != nil {
			t.Errorf("%q: got %v, want none", text, err)
		}
	}
}

func TestExpectation(t *testing.T) {
	t.Parallel()
	const twice = "calls: 1\nposts: 2\nposts_per_call: 1..2\nfresh_ids: true\noutcomes: [HTTP_ERROR, TOOL_SUCCESS]\n"
	again := func(p *peer) {
		p.call()
		p.call()
	}
	same := func(p *peer) {
		p.call()
		p.ids--
		p.call()
	}
	approve := func(state string) func(p *peer) {
		return func(p *peer) {
			got := p.call()
			given := got.body[strings.Index(got.body, `"requestState":`):]
			given = given[:strings.LastIndex(given, "}}")]
			p.modern("tools/call", `"name":"`+scenario.Tool+`","arguments":{},"inputResponses":{"approval":{"action":"accept","content":{"reason":"x"}}},`+
				strings.Replace(given, "round", state, 1))
		}
	}
	for _, test := range []struct {
		name, scenario, expect string
		act                    func(p *peer)
		want                   []string // in the error; none: all is as expected
	}{
		{"sent again under a new id", "errors.http_status_sequence", twice, again, nil},
		{"sent again under the same id", "errors.http_status_sequence", twice, same, []string{"n1, POST 2, id 1: the call was sent before under the same id"}},
		{"not sent again", "errors.http_status_sequence", twice, func(p *peer) { p.call() }, []string{"got 1 POST of calls, want 2", "got the outcomes [HTTP_ERROR], want"}},
		{"no repetition", "errors.http_status_sequence", "no_repetition: true", again, []string{"POST 2, id 2: the call was sent again: the same arguments under the new id 2"}},
		{"a call of its own is none", "baseline", "no_repetition: true\ncalls: 2", again, nil},
		{"nothing asked for input", "baseline", "echo_request_state: true", again, []string{"e.yaml: nothing asked for input, so that echo_request_state was not tried"}},
		{"no call at all", "baseline", "no_repetition: true", func(p *peer) { p.modern("tools/list", "") }, []string{"e.yaml: no call came, so that nothing was tried; calls: 0 would expect that"}},
		{"no call, as is expected", "baseline", "no_repetition: true\ncalls: 0..1", func(p *peer) { p.modern("tools/list", "") }, nil},
		{"no outcome, as is expected", "baseline", "outcomes: []", func(p *peer) { p.modern("tools/list", "") }, nil},
		{"more outcomes than were expected", "baseline", "outcomes: []", func(p *peer) { again(p); again(p) }, []string{"got the outcomes [TOOL_SUCCESS] and 3 more, want []"}},
		{"too many", "baseline", "calls: 0\nposts_per_call: 0", again, []string{"got 2 calls, want 0", "n1, call 1: sent 1 time, want 0"}},
		{"the state comes back", "elicitation.approval", "echo_request_state: true\nno_repetition: true\nposts: 2", approve("round"), nil},
		{"the state comes back in another spelling", "elicitation.approval", "echo_request_state: true\nno_repetition: true\nposts: 2", approve(`\u0072ound`), nil},
		{"the state comes back as a number", "elicitation.approval", "echo_request_state: true", func(p *peer) {
			p.call()
			p.modern("tools/call", `"name":"`+scenario.Tool+`","arguments":{},"inputResponses":{"approval":{"action":"accept"}},"requestState":5`)
		}, []string{"requestState came back changed"}},
		{"the state comes back changed", "elicitation.approval", "echo_request_state: true", approve("Round"), []string{"requestState came back changed"}},
		{"no answer to what was asked", "elicitation.approval", "echo_request_state: true", func(p *peer) { p.call() }, []string{"n1, call 1: a request for input was not answered"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e, err := scenario.ReadExpectation("e.yaml", []byte(test.expect))
			if err != nil {
				t.Fatal(err)
			}
			p := serve(t, test.scenario, "")
			test.act(p)
			for _, x := range p.close() {
				e.Add(x)
			}
			err = e.Err()
			if (err == nil) != (len(test.want) == 0) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			for _, want := range test.want {
				if err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want in it %q", err, want)
				}
			}
		})
	}
}

func TestExpectationSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", "e.yaml: is empty"},
		{"calls: 1\n---\ncalls: 2\n", "e.yaml:2: a second document"},
		{"{}", "e.yaml:1: nothing is expected"},
		{"posts: 1\npost: 2\n", "e.yaml:2: unknown key"},
		{"posts: one\n", "e.yaml:1: posts: got \"one\", want a number"},
		{"posts: 3..1\n", "e.yaml:1: posts"},
		{"posts: 1\nfresh_ids: yes please\n", "e.yaml:2: fresh_ids"},
		{"outcomes: [GOOD]\n", "e.yaml:1: outcomes"},
		{"outcomes: TOOL_SUCCESS\n", "want a list"},
	} {
		if _, err := scenario.ReadExpectation("e.yaml", []byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want in it %q", test.text, err, test.want)
		}
	}
}
