package minimal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/corpus"
)

const result = `{"jsonrpc":"2.0","id":"call-77","result":{"resultType":"complete","content":[{"type":"text","text":"Sunny, 21 degrees"}],"structuredContent":{"degrees":[21,22]}},"extra":{"a":1}}`

func answer(id classifier.ID, status int, body string, headers ...string) corpus.Case {
	c := corpus.Case{RequestID: id, Status: &status, Body: []byte(body)}
	for i := 0; i < len(headers); i += 2 {
		c.Headers = append(c.Headers, corpus.Header{Name: headers[i], Value: headers[i+1]})
	}
	return c
}

func TestMinimize(t *testing.T) {
	const json, stream = "application/json", "text/event-stream"
	own, seven := classifier.StringID("call-77"), classifier.IntID(7)
	tests := []struct {
		name string
		c    corpus.Case
		want string // id, status, headers, body, end
	}{
		{"a success", answer(own, 200, result, "Content-Type", json+"; charset=utf-8", "Date", "Mon, 30 Nov 2026 09:01:16 GMT", "X-Request-Id", "abc"),
			`1 200 [{content-type application/json}] "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[]}}" eof`},
		{"a page for an answer", answer(own, 200, "<html>\n<title>Sign in</title>", "Content-Type", "text/html; charset=utf-8"),
			`1 200 [{content-type text/html}] "" eof`},
		{"down", answer(own, 503, "<h1>503</h1>", "Content-Type", "text/html", "Server", "nginx"),
			`1 503 [] "" eof`},
		{"down, with Retry-After", answer(own, 503, "<h1>503</h1>", "Content-Type", "text/html", "Retry-After", "120"),
			`1 503 [{retry-after 120}] "" eof`},
		{"down, with a challenge", answer(own, 503, "no", "Content-Type", "text/plain", "WWW-Authenticate", `Bearer realm="x"`),
			`1 503 [] "" eof`},
		{"not allowed", answer(own, 401, "no", "Content-Type", "text/plain", "WWW-Authenticate", `Bearer realm="x"`),
			`1 401 [{www-authenticate }] "" eof`},
		{"a detail", answer(own, 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}}`, "Content-Type", json),
			`1 400 [] "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32022,\"message\":\"\"}}" eof`},
		{"an error", answer(seven, 200, ` { "error" : { "message" : "Invalid params" , "code" : -32602 } , "id" : 7.0 , "jsonrpc" : "2.0" } `, "Content-Type", json),
			`1 200 [{content-type application/json}] "{\"error\":{\"message\":\"\",\"code\":-32602},\"id\":1,\"jsonrpc\":\"2.0\"}" eof`},
		{"another id", answer(seven, 200, `{"jsonrpc":"2.0","id":99,"result":{"content":[]}}`, "Content-Type", json),
			`1 200 [{content-type application/json}] "{\"jsonrpc\":\"2.0\",\"id\":0}" eof`},
		{"an unclosed object", answer(seven, 200, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}]}`, "Content-Type", json),
			`1 200 [{content-type application/json}] "\"" eof`},
		{"half a surrogate pair", answer(seven, 200, `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"so\u0020it \ud83d is"}]}}`, "Content-Type", json),
			`1 200 [{content-type application/json}] "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"\\ud83d\"}]}}" eof`},
		{"a stream", answer(seven, 200, ": hello\r\n\r\nid: 1\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\nevent: message\r\ndata: "+strings.Replace(result, `"call-77"`, "7", 1)+"\r\n\r\n", "Content-Type", stream),
			`1 200 [{content-type text/event-stream}] "data:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n" eof`},
		{"a stream without a response", answer(seven, 200, ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n", "Content-Type", stream),
			`1 200 [{content-type text/event-stream}] "" eof`},
		{"very deep", answer(seven, 200, `{"jsonrpc":"2.0","id":7,"result":{"content":[],"x":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}}`, "Content-Type", json),
			`1 200 [{content-type application/json}] "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"x\":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}}" eof`},
		{"a success at an error's status", answer(seven, 500, strings.Replace(result, `"call-77"`, "7", 1), "Content-Type", json),
			`1 500 [] "" eof`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := Key(test.c)
			small, report := Minimize(test.c)
			if after := Key(small); after != before {
				t.Errorf("got verdict %s, want %s", after, before)
			}
			got := fmt.Sprintf("%v %d %v %q %v", small.RequestID, *small.Status, small.Headers, small.Body, small.Answer().Ended)
			if got != test.want || report.GaveUp {
				t.Errorf("got  %s (%v)\nwant %s", got, report, test.want)
			}
		})
	}
}

func TestMinimizeWithoutAnAnswer(t *testing.T) {
	small, _ := Minimize(corpus.Case{RequestID: classifier.StringID("x"), Ended: new(classifier.EndedTLS), DelayMS: 5})
	if small.RequestID != classifier.IntID(1) || small.DelayMS != 0 || small.Ended == nil || *small.Ended != classifier.EndedTLS {
		t.Errorf("got %+v, want request 1, no delay, tls", small)
	}
}

func TestMinimizeGivesUp(t *testing.T) {
	m := minimizer{want: Key(corpus.Case{}), report: Report{Judged: mostJudged}}
	if m.try(corpus.Case{}) || !m.report.GaveUp {
		t.Error("the budget does not end it")
	}
}

// TestMinimizeCorpus: every shipped case keeps its verdict, becomes no larger,
// and has nothing left to take away.
func TestMinimizeCorpus(t *testing.T) {
	larger := 0
	for _, c := range corpus.All() {
		small, report := Minimize(c)
		for i, exchange := range small.Exchanges() {
			if got, want := Key(exchange), Key(c.Exchanges()[i]); got != want {
				t.Errorf("%s: got %s, want %s", c.ID, got, want)
			}
		}
		if err := small.Check(); err != nil {
			t.Errorf("%v", err)
		}
		if len(small.Body) > len(c.Wire(c.RequestID).Body) {
			t.Errorf("%s: %d bytes became %d", c.ID, len(c.Body), len(small.Body))
		}
		if report.GaveUp {
			t.Errorf("%s: gave up after %d", c.ID, report.Judged)
		}
		again, _ := Minimize(small)
		if Size(again) < Size(small) {
			larger++
			t.Logf("%s: %d bytes, and another run makes %d", c.ID, Size(small), Size(again))
		}
	}
	if larger > 0 {
		t.Errorf("%d cases can be made smaller still", larger)
	}
}

func TestReduce(t *testing.T) {
	needed := func(want ...int) func([]int) bool {
		return func(keep []int) bool {
			for _, w := range want {
				found := false
				for _, k := range keep {
					found = found || k == w
				}
				if !found {
					return false
				}
			}
			return true
		}
	}
	for _, test := range []struct {
		n    int
		want []int
	}{{0, nil}, {1, nil}, {1, []int{0}}, {10, []int{9}}, {100, []int{3, 50, 51, 99}}} {
		if got := reduce(test.n, needed(test.want...)); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%d things: got %v, want %v", test.n, got, test.want)
		}
	}
}
