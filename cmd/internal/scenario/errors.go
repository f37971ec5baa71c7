package scenario

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

var plainScenarios = []Scenario{
	define("baseline", "A healthy server, which may take its time.",
		unhurried{0}, func(s unhurried) (func() *play, error) {
			return always(&play{call: func(q *query) *reply {
				r := q.result(q.fine())
				r.answer.DelayMS = s.Delay
				return r
			}}), between("slowReportDelayMs", s.Delay, 0, longest)
		}),
}

// longest is the longest time that can be set, in milliseconds: an hour.
const longest = 3600_000

// always begins every session with a play that remembers nothing.
func always(p *play) func() *play { return func() *play { return p } }

type unhurried struct {
	Delay int `json:"slowReportDelayMs" doc:"milliseconds before the answer to a call"`
}

type statusSettings struct {
	Codes []int  `json:"statusCodes" doc:"the statuses in turn; a 2xx lets the POST through, and so does whatever comes after the last"`
	Count string `json:"count" doc:"posts: every POST of the session counts, so that another than a call can use up the first status; calls: tools/call alone"`
}

type onCall struct {
	Code    int             `json:"code" doc:"code of the error"`
	Message string          `json:"message" doc:"message of the error"`
	Data    json.RawMessage `json:"data" doc:"data of the error; null for none"`
	On      int             `json:"onInvocation" doc:"which call of the session fails, from 1; 0: each"`
}

type toolFailure struct {
	Message string `json:"errorMessage" doc:"text of the result"`
	On      int    `json:"onInvocation" doc:"which call of the session fails, from 1; 0: each"`
}

type closing struct {
	Where string `json:"where" doc:"headers: before the status line; body: in the middle of the body"`
	On    int    `json:"onInvocation" doc:"which call of the session fails, from 1; 0: each"`
}

type perMethod struct {
	Codes map[string]int `json:"statusCodes" doc:"the status for each method that has one"`
}

type payload struct {
	Body string `json:"body" doc:"the body of a 200 of application/json; {{id}} in it is the id of the call"`
	On   int    `json:"onInvocation" doc:"which call of the session fails, from 1; 0: each"`
}

type envelope struct {
	Kind string `json:"kind" doc:"both: result and error; neither; no-id; wrong-id: another call's; version: jsonrpc 1.0; batch"`
	On   int    `json:"onInvocation" doc:"which call of the session fails, from 1; 0: each"`
}

type rateLimit struct {
	Seconds  int    `json:"seconds" doc:"how long the client is told to wait"`
	Form     string `json:"form" doc:"seconds: Retry-After as digits; date: as an HTTP-date, beside a Date"`
	Failures int    `json:"failures" doc:"how many calls fail before one goes well; 0: each"`
}

var errorScenarios = []Scenario{
	define("errors.http_status_sequence", "HTTP statuses in turn, by the POSTs of a session.",
		statusSettings{[]int{503, 200}, "posts"}, statusSequence),
	define("errors.http_status_per_method", "An HTTP status for each method.",
		perMethod{map[string]int{"tools/list": 503}}, func(s perMethod) (func() *play, error) {
			for method, code := range s.Codes {
				if err := between("statusCodes."+method, code, 100, 999); err != nil {
					return nil, err
				}
			}
			return always(&play{post: func(q *query) *reply {
				code, ok := s.Codes[q.Method]
				if !ok || code >= 200 && code <= 299 {
					return nil
				}
				return empty(code).saying(fmt.Sprintf("%s takes %d", q.Method, code))
			}}), nil
		}),
	define("errors.jsonrpc_error", "A JSON-RPC error with HTTP 200.",
		onCall{-32602, "Invalid params", nil, 0}, func(s onCall) (func() *play, error) {
			return failing(s.On, func(q *query) *reply {
				data := string(s.Data)
				if data == "null" {
					data = ""
				}
				return status(200, q.failure(s.Code, s.Message, data), asJSON)
			})
		}),
	define("errors.tool_error", "A result with isError: the tool failed, the protocol did not.",
		toolFailure{"Tool-side failure", 0}, func(s toolFailure) (func() *play, error) {
			return failing(s.On, func(q *query) *reply { return q.result(told(s.Message, true)) })
		}),
	define("errors.rate_limit", "429 with Retry-After.",
		rateLimit{2, "seconds", 1}, limited),
	define("errors.connection_close", "The connection breaks off.",
		closing{"headers", 0}, func(s closing) (func() *play, error) {
			if err := oneOf("where", s.Where, "headers", "body"); err != nil {
				return nil, err
			}
			return failing(s.On, func(q *query) *reply {
				if s.Where == "headers" {
					return &reply{answer: corpus.Case{Ended: new(classifier.EndedReset)}}
				}
				r := q.result(q.fine())
				r.answer.CutAfter = new(len(r.answer.Body) / 2)
				return r
			})
		}),
	define("errors.malformed_payload", "A 200 whose body is no JSON.",
		payload{`{"jsonrpc":"2.0","id":1,"result":{`, 0}, func(s payload) (func() *play, error) {
			return failing(s.On, func(*query) *reply {
				r := status(200, "", asJSON)
				r.answer.Body = []byte(s.Body)
				return r
			})
		}),
	define("errors.non_compliant_envelope", "A 200 whose body is no response to the request.",
		envelope{"both", 0}, envelopes),
}

// failing is a play in which one call fails, or each.
func failing(on int, fail func(*query) *reply) (func() *play, error) {
	if err := between("onInvocation", on, 0, 1_000_000); err != nil {
		return nil, err
	}
	return always(&play{call: func(q *query) *reply {
		if on != 0 && q.calls != on {
			return nil
		}
		return fail(q).saying(fmt.Sprintf("call %d of the session fails", q.calls))
	}}), nil
}

func statusSequence(s statusSettings) (func() *play, error) {
	if err := oneOf("count", s.Count, "posts", "calls"); err != nil {
		return nil, err
	}
	for _, code := range s.Codes {
		if err := between("statusCodes", code, 100, 999); err != nil {
			return nil, err
		}
	}
	turn := func(q *query, n int) *reply {
		if n > len(s.Codes) {
			return nil
		}
		code := s.Codes[n-1]
		what := fmt.Sprintf("POST %d of the session takes %d (every POST counts)", n, code)
		if s.Count == "calls" {
			what = fmt.Sprintf("call %d of the session takes %d (calls alone count)", n, code)
		}
		if code >= 200 && code <= 299 {
			return pass(what)
		}
		return empty(code).saying(what)
	}
	if s.Count == "calls" {
		return always(&play{call: func(q *query) *reply { return turn(q, q.calls) }}), nil
	}
	return always(&play{post: func(q *query) *reply { return turn(q, q.posts) }}), nil
}

func limited(s rateLimit) (func() *play, error) {
	err := between("seconds", s.Seconds, 0, longest)
	if err == nil {
		err = between("failures", s.Failures, 0, 1_000_000)
	}
	if err == nil {
		err = oneOf("form", s.Form, "seconds", "date")
	}
	if err != nil {
		return nil, err
	}
	return always(&play{call: func(q *query) *reply {
		if s.Failures != 0 && q.calls > s.Failures {
			return nil
		}
		now := time.Now().UTC()
		after := number(s.Seconds)
		if s.Form == "date" {
			after = now.Add(time.Duration(s.Seconds) * time.Second).Format(http.TimeFormat)
		}
		return status(http.StatusTooManyRequests, "", corpus.Header{Name: "Date", Value: now.Format(http.TimeFormat)},
			corpus.Header{Name: "Retry-After", Value: after}).saying("Retry-After: " + after)
	}}), nil
}

func envelopes(s envelope) (func() *play, error) {
	body := map[string]func(q *query) string{
		"both": func(q *query) string {
			return `{"jsonrpc":"2.0","id":` + q.rawID() + `,"result":{` + q.fine() + `},"error":{"code":-32603,"message":"both"}}`
		},
		"neither": func(q *query) string { return `{"jsonrpc":"2.0","id":` + q.rawID() + `}` },
		"no-id":   func(q *query) string { return `{"jsonrpc":"2.0","result":{` + q.fine() + `}}` },
		"wrong-id": func(q *query) string {
			return `{"jsonrpc":"2.0","id":"another call","result":{` + q.fine() + `}}`
		},
		"version": func(q *query) string { return `{"jsonrpc":"1.0","id":` + q.rawID() + `,"result":{` + q.fine() + `}}` },
		"batch":   func(q *query) string { return `[` + q.response(q.fine()) + `]` },
	}[s.Kind]
	if body == nil {
		return nil, oneOf("kind", s.Kind, "both", "neither", "no-id", "wrong-id", "version", "batch")
	}
	return failing(s.On, func(q *query) *reply { return status(200, body(q), asJSON) })
}
