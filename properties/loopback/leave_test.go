package loopback_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// TestLeave plays answers to a client that sends its call again, in ways that
// have leave and in ways that have none.
func TestLeave(t *testing.T) {
	const (
		asks  = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create"}},"requestState":"a\u0062"}}`
		state = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"input_required","requestState":"r"}}`
		fault = `{"jsonrpc":"2.0","id":{{id}},"error":{"code":%d,"message":"m"}}`
	)
	rpc := func(status, code int) corpus.Case { return answer(status, fmt.Sprintf(fault, code), jsonType) }
	broken := cut(answer(200, "data: x\n\n", sseType), 3)
	redirect := answer(307, "", corpus.Header{Name: "location", Value: "/elsewhere"})
	again := func(id string) []string { return []string{id, ""} }
	type posts [][]string // each an id, what follows its arguments, and headers
	tests := []struct {
		name  string
		c     corpus.Case
		posts posts
		// between is a message that is sent between the first two.
		between string
		want    loopback.Resent
	}{
		{"sent once", answer(503, ""), posts{again("1")}, "", loopback.NotResent},
		{"after a 503", answer(503, ""), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a 429", answer(429, "", corpus.Header{Name: "retry-after", Value: "0"}), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a success", answer(200, `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[]}}`, jsonType), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after malformed JSON", answer(200, `{`, jsonType), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a broken stream", broken, posts{again("1"), again("2")}, "", loopback.Reissued},
		{"twice after a broken stream", broken, posts{again("1"), again("2"), again("3")}, "", loopback.Repeated},
		{"under the same id after a broken stream", broken, posts{again("1"), again("1")}, "", loopback.Repeated},
		{"after a stream that ended without a response", answer(200, ": nothing\n\n", sseType), posts{again("1"), again("2")}, "", loopback.Reissued},
		{"after a broken body that is no stream", cut(answer(200, "{}", jsonType), 1), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a followed 307", redirect, posts{again("1"), again("1")}, "", loopback.NotResent},
		{"after a 307 under a new id", redirect, posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a 307 that leads nowhere", answer(307, ""), posts{again("1"), again("1")}, "", loopback.Repeated},
		{"after a 302", answer(302, "", corpus.Header{Name: "location", Value: "/elsewhere"}), posts{again("1"), again("1")}, "", loopback.Repeated},
		{"with inputs", answer(200, asks, jsonType),
			posts{again("1"), {"2", `,"requestState":"ab","inputResponses":{"name":{"action":"decline"}}`}}, "", loopback.NotResent},
		{"with inputs under the same id", answer(200, asks, jsonType),
			posts{again("1"), {"1", `,"requestState":"ab","inputResponses":{"name":{}}`}}, "", loopback.Repeated},
		{"with another state", answer(200, asks, jsonType), posts{again("1"), {"2", `,"requestState":"a","inputResponses":{"name":{}}`}}, "", loopback.Repeated},
		{"without the state", answer(200, asks, jsonType), posts{again("1"), {"2", `,"inputResponses":{"name":{}}`}}, "", loopback.Repeated},
		{"with inputs under another key", answer(200, asks, jsonType), posts{again("1"), {"2", `,"requestState":"ab","inputResponses":{"age":{}}`}}, "", loopback.Repeated},
		{"with no inputs", answer(200, asks, jsonType), posts{again("1"), {"2", `,"requestState":"ab"`}}, "", loopback.Repeated},
		{"with the state alone", answer(200, state, jsonType), posts{again("1"), {"2", `,"requestState":"r"`}}, "", loopback.NotResent},
		{"after a 401 with authorisation", answer(401, ""), posts{again("1"), {"2", "", "Authorization", "Bearer x"}}, "", loopback.NotResent},
		{"after a 401 with nothing", answer(401, ""), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after -32022 with another version", rpc(400, -32022), posts{again("1"), {"2", "", "Mcp-Protocol-Version", "2025-11-25"}}, "", loopback.NotResent},
		{"after -32022 with another version in its body", rpc(400, -32022),
			posts{again("1"), {"2", `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`}}, "", loopback.NotResent},
		{"after -32022 with the same", rpc(400, -32022), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after -32020 with a new list of tools", rpc(400, -32020), posts{again("1"), again("2")}, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, loopback.NotResent},
		{"after -32020 with nothing", rpc(400, -32020), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a 400 with initialize", answer(400, "no"), posts{again("1"), again("2")}, `{"jsonrpc":"2.0","id":9,"method":"initialize"}`, loopback.NotResent},
		{"after a 400 with nothing", answer(400, "no"), posts{again("1"), again("2")}, "", loopback.Repeated},
		{"after a 404 of a session with initialize", answer(404, ""), posts{{"1", "", "Mcp-Session-Id", "s"}, again("2")}, `{"jsonrpc":"2.0","id":9,"method":"initialize"}`, loopback.NotResent},
		{"after a 404 without a session", answer(404, ""), posts{again("1"), again("2")}, `{"jsonrpc":"2.0","id":9,"method":"initialize"}`, loopback.Repeated},
		{"after -32602", rpc(200, -32602), posts{again("1"), again("2")}, "", loopback.Repeated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, client := listen(t, loopback.Options{}), newClient(t)
			p := s.Book(loopback.Frozen(test.c))
			for i, sent := range test.posts {
				if i == 1 && test.between != "" {
					post(t, client, s.URL(), test.between)
				}
				tryPost(t, client, s.URL(), call(p, sent[0], sent[1]), sent[2:]...)
			}
			if got := p.Record().Resent(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// TestJudged tells by which exchange a client is judged that has sent several.
func TestJudged(t *testing.T) {
	c := answer(503, "")
	c.Expect = &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError}
	next := answer(200, `{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32602,"message":"m"}}`, jsonType)
	next.Expect = &corpus.Expect{Layer: classifier.Protocol, Outcome: classifier.JSONRPCError, Code: "-32602"}
	c.Then = []corpus.Case{next}
	s, client := listen(t, loopback.Options{}), newClient(t)
	p := s.Book(loopback.Frozen(c))
	if _, ok := p.Record().Judged(); ok {
		t.Error("got a case for a client that sent nothing")
	}
	post(t, client, s.URL(), call(p, "1", ""))
	if got, ok := p.Record().Judged(); !ok || *got.Status != 503 || len(got.AlsoAcceptable) != 0 {
		t.Errorf("got %+v", got)
	}
	post(t, client, s.URL(), call(p, "2", ""))
	got, _ := p.Record().Judged()
	if *got.Status != 200 || got.Expect.Outcome != classifier.JSONRPCError || got.Expect.Code != "" ||
		!slices.Equal(got.AlsoAcceptable, []string{"HTTP_ERROR"}) || len(got.Then) != 1 || got.RequestID != classifier.IntID(2) {
		t.Errorf("got %+v, %+v", got, got.Expect)
	}
	if next.Expect.Code != "-32602" {
		t.Error("the case that was given was changed")
	}
}
