package classifier

import (
	"slices"
	"time"
)

// Facts are what [Advise] must know besides the verdict. The zero value is a
// first attempt at a call whose side effects are unknown, with no time limit
// and the default policy.
type Facts struct {
	// Safety tells whether the call may be repeated without harm. Only the
	// caller can know: by its own knowledge, an idempotency key, deduplication
	// at the server, or the annotations of a server that it trusts.
	Safety Safety
	// Attempt counts the POSTs of this call that were sent; the first is 1,
	// and 0 counts as 1.
	Attempt int
	// Rounds counts the input rounds of this call that were answered already.
	Rounds int
	// TimeLeft is how long the caller can still wait; it counts only if Timed
	// is set.
	TimeLeft time.Duration
	Timed    bool
	// Received is when the answer's head arrived. It dates a Retry-After where
	// the answer has no Date, and gives Advice.Earliest; zero if unknown.
	Received time.Time
	// InputMethods are the methods of input requests that the client can
	// answer, such as elicitation/create; nil stands for all.
	InputMethods []string
	// Policy is the caller's policy; nil stands for [DefaultPolicy].
	Policy *Policy
}

// Safety tells whether a call may be repeated without harm.
type Safety uint8

const (
	// SafetyUnknown is a call of which nothing is known. It is treated as UnsafeCall.
	SafetyUnknown Safety = iota
	// SafeCall is a call known to be free of side effects or idempotent.
	SafeCall
	// UnsafeCall is a call known to have side effects that must not happen twice.
	UnsafeCall
)

// Policy bounds what may be done without asking.
type Policy struct {
	Retries     int           // how many times a safe call may be sent again
	Base        time.Duration // the first backoff; each further one is twice as long
	LongestWait time.Duration // a lower bound above it is left to a person
	InputRounds int           // how many times inputs may be gathered for one call
}

// DefaultPolicy is two retries, 200 ms, 60 s and 10 rounds.
func DefaultPolicy() Policy {
	return Policy{Retries: 2, Base: 200 * time.Millisecond, LongestWait: time.Minute, InputRounds: 10}
}

// Advice tells whether a call may be sent again, when, and how. Byte slices and
// strings alias the verdict.
type Advice struct {
	Action Action
	// Why is one sentence for people.
	Why string
	// Wait is the least time to let pass from the receipt of the answer
	// before the call is sent again, whoever decides that.
	Wait time.Duration
	// Jitter is the width of the random wait to add, evenly from 0 to it.
	Jitter time.Duration
	// Earliest is Facts.Received plus Wait; zero where that is unknown or the
	// action is Never.
	Earliest time.Time
	// Change is what must change first; of AfterChange only.
	Change Change
	// NewID tells that the call, if sent again, has a new id. It always has.
	NewID bool
	// InputResponses tells, of AnswerInputs, that the call is to carry
	// inputResponses with InputKeys as its names; if false, it must have none.
	InputResponses bool
	InputKeys      []string
	// RequestState is, of AnswerInputs, the requestState to send back as it is,
	// raw JSON; nil if the call must carry none.
	RequestState []byte
	// ToModel tells whether what came back is for the language model.
	ToModel ToModel
}

// Advise tells whether the call that got this verdict may be sent again. It is
// pure. The most specific row of the table counts: reason, then JSON-RPC
// detail, then status, then outcome; 401 and 403 always ask for authorisation.
// While side effects are unknown it never advises [WaitAndRetry].
func Advise(v Verdict, f Facts) Advice {
	a := advisor{verdict: &v, facts: &f, policy: DefaultPolicy()}
	if f.Policy != nil {
		a.policy = *f.Policy
	}
	a.advice.ToModel = toModel(&v)
	a.advise()
	if a.advice.Action != Never {
		a.advice.NewID = true
		if !f.Received.IsZero() {
			a.advice.Earliest = f.Received.Add(a.advice.Wait)
		}
	}
	return a.advice
}

type advisor struct {
	verdict *Verdict
	facts   *Facts
	policy  Policy
	advice  Advice
}

func (a *advisor) set(action Action, why string) { a.advice.Action, a.advice.Why = action, why }

func (a *advisor) change(c Change, why string) {
	a.set(AfterChange, why)
	a.advice.Change = c
}

func (a *advisor) advise() {
	v := a.verdict
	switch {
	case v.Reason == ReasonCancelled:
		a.set(Never, "the caller gave the call up")
	case v.Reason == ReasonSizeLimit:
		a.change(ChangeLimit, "the answer passes the reader's size limit and would again")
	case v.Outcome == HTTPError:
		a.httpError()
	case v.Outcome == JSONRPCError:
		a.rpcError()
	case v.Outcome == NoFinalResponse:
		a.retry("no final response came")
	case v.Outcome == InputRequired:
		a.inputs()
	case v.Outcome == ToolSuccess, v.Outcome == Accepted:
		a.set(Never, "it succeeded")
	case v.Outcome == ToolError:
		a.set(Ask, "the tool failed; what its error means decides")
	default:
		a.set(Ask, "the answer breaks the protocol; keep it, the request's id and the protocol version, and look at the server")
	}
}

// httpError is the rows of HTTP_ERROR. Retry-After is a lower bound for each.
func (a *advisor) httpError() {
	s := a.verdict.Status
	a.advice.Wait = a.retryAfter()
	change, listed := changeForCode(a.verdict.Error)
	switch {
	case s == 401 || s == 403:
		a.change(ChangeAuthorisation, "the server refuses these credentials")
	case listed:
		a.change(change, "the JSON-RPC error in the body would be the same again")
	case s == 408, s == 425, s == 429, s/100 == 5 && s != 501 && s != 505:
		a.retry("the HTTP exchange failed in a way that may pass")
	case s/100 >= 3 && s/100 <= 5:
		a.change(changeForStatus(s), "the server would answer the same request the same way")
	default:
		a.set(Ask, "the status is none that a server may send as an answer")
	}
}

func (a *advisor) rpcError() {
	e := a.verdict.Error
	change, listed := changeForCode(e)
	switch {
	case e.Fits && e.Number == -32042:
		a.set(Ask, "the server wants a person to visit a URL first")
	case listed:
		a.change(change, "the JSON-RPC error would be the same with the same arguments and headers")
	default:
		a.retry("the server failed with a JSON-RPC error that may pass")
	}
}

// retry is the rows that a safe call may repeat: all conditions must hold, or
// someone is asked.
func (a *advisor) retry(cause string) {
	backoff := a.backoff()
	wait := a.retryAfter()
	a.advice.Wait, a.advice.Jitter = max(wait, backoff), backoff
	switch {
	case a.facts.Safety == UnsafeCall:
		a.set(Ask, cause+"; the call has side effects and may have had them")
	case a.facts.Safety != SafeCall:
		a.set(Ask, cause+"; whether the call has side effects, and had them, is unknown")
	case a.attempt() > a.policy.Retries:
		a.set(Ask, cause+"; the retries are used up")
	case !a.mayWait(cause):
	default:
		a.set(WaitAndRetry, cause+"; the call is known to be safe to repeat")
	}
}

// mayWait tells whether the policy and the time left allow the wait; if not,
// the advice is to ask.
func (a *advisor) mayWait(cause string) bool {
	switch {
	case a.advice.Wait > a.policy.LongestWait:
		a.set(Ask, cause+"; the wait is longer than the policy allows")
	case a.facts.Timed && a.advice.Wait >= a.facts.TimeLeft:
		a.set(Ask, cause+"; the wait is longer than the time left")
	default:
		return true
	}
	return false
}

// inputs is the row of INPUT_REQUIRED.
func (a *advisor) inputs() {
	v := a.verdict
	const cause = "the server asks for inputs"
	missing := slices.IndexFunc(v.InputRequests, func(r InputRequest) bool {
		return a.facts.InputMethods != nil && !slices.Contains(a.facts.InputMethods, r.Method)
	})
	switch {
	case v.Has(FindingInputRequestsType) || v.Has(FindingRequestStateType):
		a.set(Ask, cause+", but not in the form of the protocol")
		return
	case !v.HasInputRequests && v.RequestState == nil:
		a.set(Ask, cause+", but names none")
		return
	case missing >= 0:
		a.set(Ask, cause+" that the client cannot give: "+sanitizeText(v.InputRequests[missing].Method, 100))
		return
	case a.facts.Rounds >= a.policy.InputRounds:
		a.set(Ask, cause+" again; the rounds are used up")
		return
	}
	if len(v.InputRequests) == 0 {
		a.advice.Wait, a.advice.Jitter = a.backoff(), a.backoff()
		if !a.mayWait(cause) {
			return
		}
	}
	a.set(AnswerInputs, cause+": the same name and arguments under a new id, with the answers")
	a.advice.InputResponses = v.HasInputRequests
	for _, r := range v.InputRequests {
		a.advice.InputKeys = append(a.advice.InputKeys, r.Key)
	}
	a.advice.RequestState = v.RequestState
}

// toModel is whether what came back is for the language model.
func toModel(v *Verdict) ToModel {
	switch {
	case v.Layer == Application:
		return ModelShould
	case v.Layer == Protocol, v.Error.Present():
		return ModelMay
	}
	return ModelNo
}
