package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Judged is an exchange with all that is said of it.
type Judged struct {
	Exchange
	// Why tells why the exchange was not judged; "" if it was. What follows has
	// no meaning then.
	Why     string
	Verdict classifier.Verdict
	Advice  classifier.Advice
	Record  classifier.Record
	Step    Step // its place among the POSTs of its call
}

// errNoBody is the fault of a call whose answer has no body in the input.
var errNoBody = errors.New("the body of the answer is not in the input, so it cannot be judged")

// Judge gives the verdict on an exchange: a call's by rules 1 to 9, S and T, a
// notification's by rule N. Whatever else was sent is not judged. step is its
// place among the POSTs of its call, as [Timeline.Add] tells it.
func Judge(x Exchange) Judged {
	j := Judged{Exchange: x}
	switch {
	case x.Kept != nil && x.Kept.judged && x.lacksBody():
		j.Verdict, j.Record = x.Kept.verdict(), x.Kept.Record
		j.Verdict.Challenged = j.Verdict.Outcome == classifier.HTTPError && x.Answer.Headers.Get("www-authenticate") != ""
		j.Advice = classifier.Advise(j.Verdict, classifier.Facts{})
		return j
	case x.RPC.Kind != Call && x.RPC.Kind != Notification:
		j.Why = "not judged: " + x.RPC.Describe()
		return j
	}
	v, err := x.verdict()
	if err != nil {
		j.Why = "not judged: " + err.Error()
		return j
	}
	j.Verdict = v
	return j
}

func (x *Exchange) lacksBody() bool { return x.Answer != nil && x.Answer.BodyUnknown }

// verdict judges a call or a notification.
func (x *Exchange) verdict() (classifier.Verdict, error) {
	if x.Answer == nil {
		return classifier.ClassifyNoAnswer(x.NoAnswer), nil
	}
	judge := func(a classifier.Answer) classifier.Verdict { return classifier.Classify(x.Call(), a) }
	if x.RPC.Kind == Notification {
		judge = classifier.ClassifyNotification
	}
	v := judge(x.Answer.Wire())
	if x.Answer.BodyUnknown && !x.bodyless(v) {
		return v, errNoBody
	}
	return v, nil
}

// bodyless tells whether a verdict does not depend on the body, which is not
// known: status and media type decide without it, and so does a cut where no
// stream can have delivered a response before it.
func (x *Exchange) bodyless(v classifier.Verdict) bool {
	switch v.Outcome {
	case classifier.HTTPError, classifier.UnexpectedContentType:
		return true
	case classifier.NoFinalResponse:
		return x.Answer.Ended != classifier.EndedEOF && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(x.Answer.Headers.Get("content-type"))), "text/event-stream")
	}
	return false
}

// Settle fills in advice and record, once the place of the exchange among the
// POSTs of its call is known.
func (j *Judged) Settle(step Step) {
	j.Step = step
	if j.Why != "" || j.Record.Outcome != 0 {
		return
	}
	facts := classifier.Facts{Attempt: step.Attempt, Rounds: step.Round}
	if !j.Started.IsZero() {
		facts.Received = j.Started.Add(j.Duration)
	}
	j.Advice = classifier.Advise(j.Verdict, facts)
	method := j.RPC.Method
	client := j.RPC.Client
	if client == "" {
		client = step.Client
	}
	j.Record = withoutPersonalData(classifier.NewRecord(j.Verdict, j.Advice, classifier.Exchange{
		Client: client, ProtocolVersion: j.RPC.ProtocolVersion, Scenario: j.Scenario, Method: method, Meta: j.RPC.Meta,
		Earlier: step.Earlier, RetryOrigin: step.Origin, StartedAt: j.Started, Duration: j.Duration,
	}), knownOf(&j.Exchange))
}

// Problem is the fault of an exchange that should have been judged and could
// not be; nil for others.
func (j *Judged) Problem() error {
	if j.Why == "" {
		return nil
	}
	switch j.RPC.Kind {
	case Call, Notification:
		return &Fault{From: j.From, Err: errNoBody}
	case Unknown:
		return &Fault{From: j.From, Err: fmt.Errorf("the request is not in the input, so it cannot be told what was called; --id judges it as the answer to a call")}
	}
	return nil
}

// withoutPersonalData is a record, which holds no secrets in the usual places,
// without personal data and the known secrets.
func withoutPersonalData(r classifier.Record, k known) classifier.Record {
	for _, text := range []*string{&r.Client, &r.ProtocolVersion, &r.Method} {
		*text = k.text(*text)
	}
	for _, text := range []**string{&r.ContentType, &r.JSONRPC.ErrorMessage} {
		if *text != nil {
			*text = new(k.text(**text))
		}
	}
	for _, raw := range []*json.RawMessage{&r.JSONRPC.ID, &r.JSONRPC.ErrorData, &r.ResultType, &r.Meta} {
		*raw = k.body(*raw)
	}
	return r
}
