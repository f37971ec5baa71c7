package loopback

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Resent tells whether a call was sent again without leave.
type Resent uint8

const (
	// NotResent is a call that was sent once, or again with leave, or whose
	// POSTs could not be seen.
	NotResent Resent = iota
	// Reissued is one re-send under a new id after a broken stream.
	Reissued
	// Repeated is any other re-send without leave.
	Repeated
)

// Resent judges the POSTs of a record by the rules of leave:
// each after the first needs leave by the answer before it. Leave is an answer
// that asks for inputs and gets them, a change of what the answer named, or a
// followed 307 or 308. That the caller asked is not seen here: the caller of a
// play asks once.
func (r Record) Resent() Resent {
	worst, reissued := NotResent, 0
	for i := 1; i < len(r.Posts); i++ {
		switch r.leave(i) {
		case Repeated:
			worst = Repeated
		case Reissued:
			reissued++
			worst = max(worst, Reissued)
		}
	}
	if reissued > 1 || r.More > 0 && worst == Reissued {
		return Repeated
	}
	return worst
}

// leave tells with what leave the i-th POST was sent.
func (r Record) leave(i int) Resent {
	last, now := r.Posts[i-1], r.Posts[i]
	if followed(last, now) {
		return NotResent
	}
	fresh := true
	for _, post := range r.Posts[:i] {
		fresh = fresh && post.ID != now.ID
	}
	if !fresh {
		return Repeated
	}
	v := last.Case.Classify()
	advice := classifier.Advise(v, classifier.Facts{Attempt: i, Rounds: i - 1})
	switch advice.Action {
	case classifier.AnswerInputs:
		if answered(v, last, now) {
			return NotResent
		}
	case classifier.AfterChange:
		if r.changed(v, last, now) {
			return NotResent
		}
	}
	if v.Outcome == classifier.NoFinalResponse && last.Case.Status != nil && streamed(last.Case) && v.Reason != classifier.ReasonDeadline {
		return Reissued
	}
	return Repeated
}

// followed tells whether a POST follows a 307 or 308 with its body kept.
func followed(last, now Post) bool {
	if last.Case.Status == nil || last.ID != now.ID {
		return false
	}
	status := *last.Case.Status
	return (status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect) &&
		last.Case.Headers.Get("location") != "" && bytes.Equal(last.Body, now.Body)
}

// answered tells whether a POST answers the request for input: the same call,
// with the state as it was given and answers under the keys that were asked.
func answered(v classifier.Verdict, last, now Post) bool {
	was, is := &last.message.Params, &now.message.Params
	if is.Name != was.Name || !SameJSON(is.Arguments, was.Arguments) {
		return false
	}
	if (v.RequestState != nil || is.RequestState != nil) && !SameText(v.RequestState, is.RequestState) {
		return false
	}
	answers, ok := named(is.InputResponses)
	if !ok || len(answers) != len(v.InputRequests) {
		return false
	}
	for _, asked := range v.InputRequests {
		if !answers[asked.Key] {
			return false
		}
	}
	return true
}

// named are the names in an object as [Text] gives them; none where it is absent.
// ok is false for what is no object.
func named(raw json.RawMessage) (names map[string]bool, ok bool) {
	names = map[string]bool{}
	if raw == nil {
		return names, true
	}
	if raw[0] != '{' {
		return nil, false
	}
	for rest := raw[1:]; ; {
		var name json.RawMessage
		if name, rest = next(rest); name == nil {
			return names, true
		}
		text, _ := Text(name)
		names[text] = true
		_, rest = next(rest)
	}
}

// changed tells whether what the answer named has changed.
func (r Record) changed(v classifier.Verdict, last, now Post) bool {
	differs := func(names ...string) bool {
		for _, name := range names {
			if last.Header.Get(name) != now.Header.Get(name) {
				return true
			}
		}
		return false
	}
	status := v.Status
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return differs("Authorization")
	case string(v.Error.Code) == "-32022":
		return differs("Mcp-Protocol-Version") || last.message.Params.Meta.ProtocolVersion != now.message.Params.Meta.ProtocolVersion
	case string(v.Error.Code) == "-32020":
		return r.between(last, now, "tools/list") || differs("Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version")
	case status == http.StatusBadRequest && !modernError(string(v.Error.Code)):
		return r.between(last, now, "initialize")
	case status == http.StatusNotFound && last.Header.Get("Mcp-Session-Id") != "":
		return r.between(last, now, "initialize")
	}
	return false
}

func modernError(code string) bool { return code == "-32020" || code == "-32021" || code == "-32022" }

// between tells whether a request with that method was seen between two POSTs.
func (r Record) between(last, now Post, method string) bool {
	for _, note := range r.Notes {
		if note.At >= last.At && note.At <= now.At && strings.HasSuffix(note.Text, " "+method) {
			return true
		}
	}
	return false
}

// turned tells whether a redirect was followed with a GET, which was refused.
// That is the client's fault, and none of what it makes of the answer: it may tell
// the status of either.
func turned(c corpus.Case, notes []Note) bool {
	if c.Status == nil || *c.Status < 300 || *c.Status > 399 || c.Headers.Get("location") == "" {
		return false
	}
	for _, note := range notes {
		if strings.HasPrefix(note.Text, http.MethodGet+" ") && !strings.HasPrefix(note.Text, http.MethodGet+" /mcp") {
			return true
		}
	}
	return false
}

// SessionSent tells whether the last POST carried Mcp-Session-Id.
func (r Record) SessionSent() bool {
	return len(r.Posts) > 0 && r.Posts[len(r.Posts)-1].Header.Get("Mcp-Session-Id") != ""
}

// Judged is the case by which a client is to be judged that has sent these
// POSTs: the last exchange that was played. Where there were several, what any
// of them allows is allowed, since which of its answers a client tells is its own
// affair. With no POST it is the zero case and ok is false.
func (r Record) Judged() (c corpus.Case, ok bool) {
	n := len(r.Posts)
	if n == 0 {
		return corpus.Case{}, false
	}
	c = r.Posts[n-1].Case
	if turned(c, r.Notes) {
		c.Then = append(c.Then, corpus.Case{Status: new(http.StatusMethodNotAllowed)})
	}
	for _, post := range r.Posts[:n-1] {
		other := post.Case
		c.Then = append(c.Then, other)
		if c.Expect == nil || other.Expect == nil || other.Expect.Outcome == c.Expect.Outcome && other.Expect.Code == c.Expect.Code {
			continue
		}
		expect := *c.Expect
		expect.Code = ""
		c.Expect = &expect
		c.AlsoAcceptable = append(append(c.AlsoAcceptable[:len(c.AlsoAcceptable):len(c.AlsoAcceptable)], other.Expect.Outcome.String()), other.AlsoAcceptable...)
	}
	return c, true
}
