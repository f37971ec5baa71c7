package scenario

import (
	"encoding/json"
	"iter"
	"net/http"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
)

// idle tells why a step with this choice could never do anything; "" if it can. A
// choice is asked what it does to the first call that it sees, which is all that a
// step gives it; where every POST takes a step, it must have something for one.
func (s *sequence) idle(choice *Choice) (why string) {
	p := choice.begin()
	if s.posts {
		if p.post == nil && p.call == nil && p.list == nil {
			return "does nothing to any POST"
		}
		return ""
	}
	for q := range plainPosts("tools/call") {
		if p.post != nil && p.post(q) != nil || p.call != nil && p.call(q) != nil {
			return ""
		}
	}
	return "does nothing to the first call that it sees, and it is calls that take the steps, each of them a first one"
}

// harmless tells why a choice fails nothing; "" if it may. It is asked of a play of
// its own each time, as by the first request that it sees. An answer fails that is no
// final result, or that of a tool which failed. What comes late may fail as well, by
// the deadline of the client. Where every POST takes a step, one that concerns none of
// the methods tried here may concern another.
func (s *sequence) harmless(choice *Choice) (why string) {
	methods := []string{"tools/call"}
	if s.posts {
		methods = append(methods, "tools/list", "initialize", "server/discover")
	}
	other := s.posts // it looks at POSTs, and has let all of these be
	why = "this lets the request through"
	for _, method := range methods {
		for q := range plainPosts(method) {
			r := choice.begin().first(q)
			p := choice.begin()
			other = other && p.post != nil && p.post(q) == nil
			if r.passes() {
				continue
			}
			if r.answer.DelayMS > 0 || r.pace > 0 || q.failedBy(r) {
				return ""
			}
			why = "this is a result"
		}
	}
	if other {
		return ""
	}
	return why
}

// failedBy tells whether an answer fails its request. Only a result of a call is read
// further than that it is one.
func (q *query) failedBy(r *reply) bool {
	c := r.answer
	c.RequestID = q.id
	switch c.Classify().Outcome {
	case classifier.ToolSuccess, classifier.InputRequired:
		return false
	case classifier.ToolError, classifier.InvalidToolResult:
		return q.Method == "tools/call"
	}
	return true
}

// plainPosts are requests with nothing unusual, in both eras, with a token and without.
func plainPosts(method string) iter.Seq[*query] {
	return func(yield func(*query) bool) {
		for _, token := range []string{"", "Bearer token"} {
			for _, version := range []string{loopback.Modern, "2025-11-25"} {
				if !yield(plainPost(method, version, token)) {
					return
				}
			}
		}
	}
}

func plainPost(method, version, token string) *query {
	q := &query{
		Message: loopback.Message{Version: "2.0", ID: json.RawMessage("1"), Method: method, Params: loopback.Params{Name: Tool}},
		id:      classifier.IntID(1), asked: true, modern: version == loopback.Modern, version: version,
		header: http.Header{}, posts: 1, calls: 1, base: "http://127.0.0.1",
	}
	if token != "" {
		q.header.Set("Authorization", token)
	}
	return q
}
