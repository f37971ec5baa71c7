package loopback_test

import (
	"fmt"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
)

func TestReadMessage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want, odd string }{
		{"whole", `{"id":1,"method":"m","params":{"name":"n","arguments":{},"protocolVersion":"p","requestState":"s","inputResponses":{},"cursor":"c","_meta":{"io.modelcontextprotocol/protocolVersion":"v","progressToken":7}}}`,
			`1 m n {} p "s" {} c v 7`, ""},
		{"another case of the names", `{"ID":1,"Method":"m","PARAMS":{"name":"n"}}`, `       -  `, ""},
		{"another case within params", `{"id":1,"method":"m","params":{"Name":"n","Arguments":{},"RequestState":"s"}}`, `1 m      -  `, ""},
		{"null", `{"id":null,"method":null,"params":{"name":null,"requestState":null,"cursor":null,"_meta":null}}`, `null       -  `, ""},
		{"a state that is no string", `{"id":1,"method":"m","params":{"requestState":5}}`, `1 m    5  -  `, "params.requestState"},
		{"half a surrogate pair", `{"id":1,"method":"m","params":{"requestState":"\ud800"}}`, `1 m    "\ud800"  -  `, ""},
		{"a method that is no string", `{"id":1,"method":{}}`, `1       -  `, "method"},
		{"a name that is no string", `{"id":1,"method":"m","params":{"name":[],"arguments":{}}}`, `1 m  {}    -  `, "params.name"},
		{"params that are no object", `{"id":1,"method":"m","params":[]}`, `1 m      -  `, "params"},
		{"_meta that is no object", `{"id":1,"method":"m","params":{"_meta":1}}`, `1 m      -  `, "params._meta"},
		{"a cursor that is no string", `{"id":1,"method":"m","params":{"cursor":1}}`, `1 m        `, "params.cursor"},
		{"arguments that are no object", `{"id":1,"method":"m","params":{"arguments":[1]}}`, `1 m  [1]    -  `, "params.arguments"},
		{"responses that are no object", `{"id":1,"method":"m","params":{"inputResponses":"r"}}`, `1 m     "r" -  `, "params.inputResponses"},
		{"capabilities that are no object", `{"id":1,"method":"m","params":{"capabilities":true}}`, `1 m      -  `, "params.capabilities"},
		{"a client that is no object", `{"id":1,"method":"m","params":{"clientInfo":"c"}}`, `1 m      -  `, "params.clientInfo"},
		{"capabilities in _meta that are no object", `{"id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":[]}}}`, `1 m      -  `, "params._meta"},
		{"a client in _meta that is no object", `{"id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/clientInfo":1}}}`, `1 m      -  `, "params._meta"},
	} {
		m, err := loopback.ReadMessage([]byte(test.body))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		cursor := "-"
		if m.Params.Cursor != nil {
			cursor = *m.Params.Cursor
		}
		p := m.Params
		got := fmt.Sprintf("%s %s %s %s %s %s %s %s %s %s", m.ID, m.Method, p.Name, p.Arguments, p.ProtocolVersion, p.RequestState, p.InputResponses, cursor, p.Meta.ProtocolVersion, p.Meta.ProgressToken)
		if got != test.want || m.Odd != test.odd {
			t.Errorf("%s: got %q, odd %q, want %q, %q", test.name, got, m.Odd, test.want, test.odd)
		}
	}
	for _, body := range []string{``, `{`, `[]`, `null`, `5`, `"x"`, `{} {}`} {
		if _, err := loopback.ReadMessage([]byte(body)); err == nil {
			t.Errorf("%s: got no error", body)
		}
	}
}

// An id is an integer by its value, and no two are one as they would be as doubles.
func TestID(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]classifier.ID{
		`0`: classifier.IntID(0), `-0`: classifier.IntID(0), `7`: classifier.IntID(7), `-7`: classifier.IntID(-7),
		`1.0`: classifier.IntID(1), `1e3`: classifier.IntID(1000), `12.50E1`: classifier.IntID(125),
		`9007199254740992`: classifier.IntID(9007199254740992), `9007199254740993`: classifier.IntID(9007199254740993),
		`9007199254740993.0`:  classifier.IntID(9007199254740993),
		`9223372036854775807`: classifier.IntID(9223372036854775807), `-9223372036854775808`: classifier.IntID(-9223372036854775808),
		`""`: classifier.StringID(""), `"1"`: classifier.StringID("1"), `"\u0061"`: classifier.StringID("a"),
	} {
		if got, ok := loopback.ID([]byte(raw)); got != want || !ok {
			t.Errorf("%s: got %v, %t, want %v", raw, got, ok, want)
		}
	}
	for _, raw := range []string{``, `null`, `true`, `{}`, `[1]`, `0.5`, `1e-400`, `9223372036854775808`, `1e19`, `1e99999999999999999999`, `01`, `0x1`} {
		if got, ok := loopback.ID([]byte(raw)); ok {
			t.Errorf("%s: got %v, want no id", raw, got)
		}
	}
}

// Only a request is owed a response.
func TestAsks(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"id":1,"method":"m"}`:    true,
		`{"id":null,"method":"m"}`: true,
		`{"id":{},"method":"m"}`:   true,
		`{"method":"m"}`:           false,
		`{"id":1,"result":{}}`:     false,
		`{"id":1,"method":""}`:     false,
		`{"id":1,"method":null}`:   false,
	} {
		m, err := loopback.ReadMessage([]byte(body))
		if got := m.Asks(); err != nil || got != want {
			t.Errorf("%s: got %t (%v), want %t", body, got, err, want)
		}
	}
}

// A call that is odd within was sent all the same, and must be seen: else a client
// that sends it again is taken for one that sent it once.
func TestServerBooksOddCalls(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	p := s.Book(loopback.Frozen(answer(200, "played")))
	for i, more := range []string{`,"requestState":5`, `,"inputResponses":7`, `,"cursor":{}`, `,"_meta":[]`, `,"name":null`, `,"name":1`, `,"protocolVersion":1`} {
		if status, body := post(t, client, s.URL(), call(p, fmt.Sprint(i), more)); status != 200 || body != "played" {
			t.Errorf("%s: got %d %q, want 200 played", more, status, body)
		}
	}
	if n := p.Count(); n != 7 {
		t.Errorf("got %d POSTs, want 7", n)
	}
	// A name in another case is none of the protocol's.
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"synthetic","arguments":{"CASE":"c1"}}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"synthetic","Arguments":{"case":"c1"}}}`,
		`{"jsonrpc":"2.0","id":9,"Method":"tools/call","params":{"name":"synthetic","arguments":{"case":"c1"}}}`,
	} {
		if _, body := post(t, client, s.URL(), message); body == "played" {
			t.Errorf("%s: got the answer of the case", message)
		}
	}
	// By its path a call is the play's whatever its params are.
	if _, body := post(t, client, p.URL(), `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":5}`); body != "played" || p.Count() != 8 {
		t.Errorf("got %q and %d POSTs, want played and 8", body, p.Count())
	}
	post(t, client, s.URL(), call(p, `"\ud800"`, ""))
	if r := p.Record(); r.Posts[8].ID != classifier.StringID("\xed\xa0\x80") {
		t.Errorf("got the id %v, want half a surrogate pair", r.Posts[8].ID)
	}
}

// POSTs by path need no arguments, and may write them in any order.
func TestLeaveByPath(t *testing.T) {
	for _, test := range []struct {
		name, state, first, second string
		want                       loopback.Resent
	}{
		{"no arguments", `"r"`, ``, `,"requestState":"r"`, loopback.NotResent},
		{"members in another order", `"r"`, `,"arguments":{"a":1,"b":2}`, `,"arguments":{"b":2.0,"a":1},"requestState":"r"`, loopback.NotResent},
		{"other arguments", `"r"`, `,"arguments":{"a":1}`, `,"arguments":{"a":2},"requestState":"r"`, loopback.Repeated},
		{"half a surrogate pair", `"\ud800"`, ``, `,"requestState":"\uD800"`, loopback.NotResent},
		{"half a surrogate pair that was lost", `"\ud800"`, ``, `,"requestState":"\ufffd"`, loopback.Repeated},
		{"a state that is no string", `"5"`, ``, `,"requestState":5`, loopback.Repeated},
		{"the state under another name", `"r"`, ``, `,"RequestState":"r"`, loopback.Repeated},
		{"inputs that are no object", `"r"`, ``, `,"requestState":"r","inputResponses":[]`, loopback.Repeated},
		{"null for what was not asked", `"r"`, `,"arguments":null`, `,"requestState":"r","inputResponses":null`, loopback.NotResent},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, client := listen(t, loopback.Options{}), newClient(t)
			p := s.Book(loopback.Frozen(answer(200, `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"input_required","requestState":`+test.state+`}}`, jsonType)))
			post(t, client, p.URL(), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"`+test.first+`}}`)
			post(t, client, p.URL(), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"`+test.second+`}}`)
			if got := p.Record().Resent(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// Inputs are asked for under names that UTF-8 may not hold.
func TestLeaveByOddKeys(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	for given, want := range map[string]loopback.Resent{
		`{"\uD800":{"a":"}"},"b":{}}`:   loopback.NotResent,
		`{"\ufffd":{},"b":{}}`:          loopback.Repeated,
		`{ "b" : [] , "\ud800" : 1.5 }`: loopback.NotResent,
		`{}`:                            loopback.Repeated,
	} {
		p := s.Book(loopback.Frozen(answer(200, `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"input_required","inputRequests":{"\ud800":{"method":"elicitation/create"},"b":{"method":"elicitation/create"}}}}`, jsonType)))
		post(t, client, s.URL(), call(p, "1", ""))
		post(t, client, s.URL(), call(p, "2", `,"inputResponses":`+given))
		if got := p.Record().Resent(); got != want {
			t.Errorf("%s: got %d, want %d", given, got, want)
		}
	}
}
