package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// exchange is one POST to a real server, and what the rules say of the answer
// that it is known to give.
type exchange struct {
	id, rule, why string
	request       any // the request's id, int or string; nil for a notification
	expect        corpus.Expect
	also          []string // what a correct third party may say instead
	post          func() (wireAnswer, error)
}

// expecting is written by hand from the rules, never computed.
func expecting(outcome classifier.Outcome, reason classifier.Reason, advice string, findings ...string) corpus.Expect {
	if findings == nil {
		findings = []string{}
	}
	return corpus.Expect{Layer: outcome.Layer(), Outcome: outcome, Reason: reason.String(), Advice: advice, Findings: findings}
}

func success(findings ...string) corpus.Expect {
	return expecting(classifier.ToolSuccess, classifier.ReasonToolSuccess, "never", findings...)
}

func toolError(findings ...string) corpus.Expect {
	return expecting(classifier.ToolError, classifier.ReasonToolError, "ask", findings...)
}

func rpcError(code, advice string, findings ...string) corpus.Expect {
	e := expecting(classifier.JSONRPCError, classifier.ReasonRPCError, advice, findings...)
	e.Code = code
	return e
}

// httpError expects a status outside 2xx; code is that of a JSON-RPC error in its body, or "".
func httpError(code string) corpus.Expect {
	e := expecting(classifier.HTTPError, classifier.ReasonHTTPStatus, "after-change")
	e.Code = code
	return e
}

func accepted() corpus.Expect {
	return expecting(classifier.Accepted, classifier.ReasonAccepted, "never")
}

const typeMissing = "result-type-missing"

// calling is the post of a call of tool on p.
func calling(p *peer, id any, tool string, arguments object, changes ...change) func() (wireAnswer, error) {
	return func() (wireAnswer, error) { return p.post(p.call(id, tool, arguments, false), changes...) }
}

// callingWithProgress is calling with a progress token.
func callingWithProgress(p *peer, id any, tool string, arguments object) func() (wireAnswer, error) {
	return func() (wireAnswer, error) { return p.post(p.call(id, tool, arguments, true)) }
}

// callingAndAnswering calls a tool that asks for input inside its stream, and
// answers. The answer to the answer is handed to other, if there is one.
func callingAndAnswering(p *peer, id any, tool string, content object, other *wireAnswer) func() (wireAnswer, error) {
	return func() (wireAnswer, error) {
		done := make(chan elicited, 1)
		a, err := p.post(p.call(id, tool, object{}, false), watching(p.answerElicitation(content, done)))
		if err != nil {
			return a, err
		}
		select {
		case e := <-done:
			if e.err != nil {
				return a, fmt.Errorf("answer the elicitation: %w", e.err)
			}
			*other = e.answer
			return a, nil
		default:
			return a, errors.New("the server asked for no input")
		}
	}
}

// the is the post of an answer that an earlier exchange brought.
func the(a *wireAnswer) func() (wireAnswer, error) {
	return func() (wireAnswer, error) {
		if a.Status == 0 {
			return *a, errors.New("the exchange before did not bring it")
		}
		return *a, nil
	}
}

// givingUp calls a tool that takes longer than the caller's deadline.
func givingUp(p *peer, id any, tool string, arguments object, deadline time.Duration) func() (wireAnswer, error) {
	return func() (wireAnswer, error) { return p.postWithin(deadline, p.call(id, tool, arguments, true)) }
}
