package scenario

import (
	"encoding/json"
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
	for _, token := range []string{"", "Bearer token"} {
		for _, version := range []string{loopback.Modern, "2025-11-25"} {
			q := plainCall(version, token)
			if p.post != nil && p.post(q) != nil || p.call != nil && p.call(q) != nil {
				return ""
			}
		}
	}
	return "does nothing to the first call that it sees, and it is calls that take the steps, each of them a first one"
}

// plainCall is a call with nothing unusual.
func plainCall(version, token string) *query {
	q := &query{
		Message: loopback.Message{Version: "2.0", ID: json.RawMessage("1"), Method: "tools/call", Params: loopback.Params{Name: Tool}},
		id:      classifier.IntID(1), asked: true, modern: version == loopback.Modern, version: version,
		header: http.Header{}, posts: 1, calls: 1, base: "http://127.0.0.1",
	}
	if token != "" {
		q.header.Set("Authorization", token)
	}
	return q
}
