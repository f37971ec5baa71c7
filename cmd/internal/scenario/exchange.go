package scenario

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Exchange is a request that was answered, with what is said of it.
type Exchange struct {
	Number   int    // of the server, from 1
	Session  string // its name for people: s and a number, or n and a number where there is none
	Post     int    // number among the POSTs of the session; 0 for what is no POST
	Call     int    // number among the calls of the session; 0 for what is no call
	Scenario string
	Said     string // what the scenario did
	Judged   capture.Judged
	// Left tells that the client closed the connection, or cancelled the call, before
	// all was written.
	Left bool
}

// Line tells the exchange in one line.
func (x *Exchange) Line() string {
	j := &x.Judged
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", j.Started.Format("15:04:05.000"), x.Session)
	if x.Post > 0 {
		fmt.Fprintf(&b, " POST %d", x.Post)
	}
	fmt.Fprintf(&b, " %s → %s", capture.CleanText(j.RPC.Describe()), x.came())
	if j.Why == "" {
		fmt.Fprintf(&b, " %s %s", j.Verdict.Outcome, j.Verdict.Reason)
	}
	fmt.Fprintf(&b, " %s", j.Duration.Round(100*time.Microsecond))
	if x.Said != "" {
		fmt.Fprintf(&b, "; %s", capture.CleanText(x.Said))
	}
	if j.Step.Evidence != "" {
		fmt.Fprintf(&b, "; retry %s: %s", j.Step.Origin, j.Step.Evidence)
	}
	return visible.Text(b.String())
}

// where is the place of the exchange among those of the server.
func (x *Exchange) where() string {
	switch {
	case x.Session == "":
		return fmt.Sprintf("request %d", x.Number)
	case x.Post == 0:
		return "session " + x.Session
	}
	return fmt.Sprintf("session %s, POST %d", x.Session, x.Post)
}

// came tells what came, in a word or two.
func (x *Exchange) came() string {
	ended := x.Judged.NoAnswer
	text := "no answer"
	if a := x.Judged.Answer; a != nil {
		ended, text = a.Ended, fmt.Sprint(a.Status)
	}
	if ended != classifier.EndedEOF {
		text += " (" + ended.String() + ")"
	}
	return text
}

// maxBeats is how many beats of a silent answer are kept.
const maxBeats = 1000

// delivered is the answer as far as it was written. writes is how many of the
// script's writes, and beats after them, went out.
func delivered(r *reply, id classifier.ID, script loopback.Script, writes int, err error) (answer *capture.Answer, ended classifier.Ended) {
	c := r.answer
	wire := c.Wire(id)
	if c.Status == nil || writes == 0 {
		ended = wire.Ended
		switch {
		case errors.Is(err, loopback.ErrLeft):
			ended = classifier.EndedDeadline
		case err != nil, ended == classifier.EndedEOF:
			ended = classifier.EndedReset
		}
		return nil, ended
	}
	answer = &capture.Answer{Status: *c.Status, Headers: c.Headers, Body: wire.Delivered(), Ended: wire.Ended}
	if writes < len(script.Writes) {
		answer.Body = wire.Body[:wire.Split[writes-1]]
		answer.Ended = classifier.EndedCancelled
		if !errors.Is(err, loopback.ErrLeft) {
			answer.Ended = classifier.EndedReset
		}
	}
	if beats := writes - len(script.Writes); beats > 0 {
		answer.Body = append(slices.Clone(answer.Body), strings.Repeat(r.beat, min(beats, maxBeats))...)
	}
	return answer, answer.Ended
}

// requestOf is a request as it is recorded.
func requestOf(request *http.Request, base string, body []byte) *capture.Request {
	headers := corpus.Headers{{Name: "Host", Value: request.Host}}
	names := make([]string, 0, len(request.Header))
	for name := range request.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range request.Header[name] {
			headers = append(headers, corpus.Header{Name: name, Value: value})
		}
	}
	return &capture.Request{Method: request.Method, URL: base + request.URL.RequestURI(), Headers: headers, Body: body}
}
