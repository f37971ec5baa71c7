package classifier

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// Verdicts as the rules make them, for the rows of the table.
func httpVerdict(status int) Verdict {
	return Verdict{Outcome: HTTPError, Layer: Transport, Reason: ReasonHTTPStatus, Answered: true, Status: status}
}

func withCode(v Verdict, code int64) Verdict {
	v.Error = RPCError{Code: fmt.Append(nil, code), Number: code, Fits: true, Message: []byte(`"m"`)}
	return v
}

func rpcVerdict(code int64) Verdict {
	return withCode(Verdict{Outcome: JSONRPCError, Layer: Protocol, Reason: ReasonRPCError, Answered: true, Status: 200}, code)
}

func plainVerdict(o Outcome, r Reason) Verdict {
	return Verdict{Outcome: o, Layer: o.Layer(), Reason: r, Answered: true, Status: 200}
}

func noAnswer(r Reason) Verdict {
	return Verdict{Outcome: NoFinalResponse, Layer: Transport, Reason: r}
}

func TestAdviseRows(t *testing.T) {
	hugeCode := rpcVerdict(0)
	hugeCode.Error = RPCError{Code: []byte("1e40"), Message: []byte(`"m"`)}
	nullID := withCode(plainVerdict(InvalidEnvelope, ReasonIDMismatch), -32602)
	for _, tt := range []struct {
		name    string
		verdict Verdict
		safe    Action // where the call is known to be safe
		unknown Action // where it is not
		change  Change
		toModel ToModel
	}{
		{"500", httpVerdict(500), WaitAndRetry, Ask, 0, ModelNo},
		{"502", httpVerdict(502), WaitAndRetry, Ask, 0, ModelNo},
		{"503", httpVerdict(503), WaitAndRetry, Ask, 0, ModelNo},
		{"504", httpVerdict(504), WaitAndRetry, Ask, 0, ModelNo},
		{"599", httpVerdict(599), WaitAndRetry, Ask, 0, ModelNo},
		{"501", httpVerdict(501), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"505", httpVerdict(505), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"408", httpVerdict(408), WaitAndRetry, Ask, 0, ModelNo},
		{"425", httpVerdict(425), WaitAndRetry, Ask, 0, ModelNo},
		{"429", httpVerdict(429), WaitAndRetry, Ask, 0, ModelNo},
		{"401", httpVerdict(401), AfterChange, AfterChange, ChangeAuthorisation, ModelNo},
		{"403", httpVerdict(403), AfterChange, AfterChange, ChangeAuthorisation, ModelNo},
		{"401 with a listed code", withCode(httpVerdict(401), -32602), AfterChange, AfterChange, ChangeAuthorisation, ModelMay},
		{"400", httpVerdict(400), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"404", httpVerdict(404), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"406", httpVerdict(406), AfterChange, AfterChange, ChangeHeaders, ModelNo},
		{"413", httpVerdict(413), AfterChange, AfterChange, ChangeArguments, ModelNo},
		{"499", httpVerdict(499), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"300", httpVerdict(300), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"308", httpVerdict(308), AfterChange, AfterChange, ChangeRequest, ModelNo},
		{"400 with -32020", withCode(httpVerdict(400), -32020), AfterChange, AfterChange, ChangeHeaders, ModelMay},
		{"400 with -32021", withCode(httpVerdict(400), -32021), AfterChange, AfterChange, ChangeCapabilities, ModelMay},
		{"400 with -32022", withCode(httpVerdict(400), -32022), AfterChange, AfterChange, ChangeVersion, ModelMay},
		{"404 with -32601", withCode(httpVerdict(404), -32601), AfterChange, AfterChange, ChangeMethod, ModelMay},
		{"400 with -32042", withCode(httpVerdict(400), -32042), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"500 with a listed code", withCode(httpVerdict(500), -32602), AfterChange, AfterChange, ChangeArguments, ModelMay},
		{"429 with a listed code", withCode(httpVerdict(429), -32600), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"199 with a listed code", withCode(httpVerdict(199), -32602), AfterChange, AfterChange, ChangeArguments, ModelMay},
		{"500 with another code", withCode(httpVerdict(500), -32603), WaitAndRetry, Ask, 0, ModelMay},
		{"199", httpVerdict(199), Ask, Ask, 0, ModelNo},
		{"100", httpVerdict(100), Ask, Ask, 0, ModelNo},
		{"0", httpVerdict(0), Ask, Ask, 0, ModelNo},
		{"-1", httpVerdict(-1), Ask, Ask, 0, ModelNo},
		{"600", httpVerdict(600), Ask, Ask, 0, ModelNo},
		{"999", httpVerdict(999), Ask, Ask, 0, ModelNo},

		{"no body", plainVerdict(NoFinalResponse, ReasonNoBody), WaitAndRetry, Ask, 0, ModelNo},
		{"body cut", plainVerdict(NoFinalResponse, ReasonBodyCut), WaitAndRetry, Ask, 0, ModelNo},
		{"deadline", plainVerdict(NoFinalResponse, ReasonDeadline), WaitAndRetry, Ask, 0, ModelNo},
		{"cancelled", plainVerdict(NoFinalResponse, ReasonCancelled), Never, Never, 0, ModelNo},
		{"size limit", plainVerdict(NoFinalResponse, ReasonSizeLimit), AfterChange, AfterChange, ChangeLimit, ModelNo},
		{"no response in the stream", plainVerdict(NoFinalResponse, ReasonNoResponseInStream), WaitAndRetry, Ask, 0, ModelNo},
		{"no answer: connect", noAnswer(ReasonConnect), WaitAndRetry, Ask, 0, ModelNo},
		{"no answer: reset", noAnswer(ReasonReset), WaitAndRetry, Ask, 0, ModelNo},
		{"no answer: TLS", noAnswer(ReasonTLS), WaitAndRetry, Ask, 0, ModelNo},
		{"no answer: deadline", noAnswer(ReasonDeadline), WaitAndRetry, Ask, 0, ModelNo},
		{"no answer: cancelled", noAnswer(ReasonCancelled), Never, Never, 0, ModelNo},

		{"-32700", rpcVerdict(-32700), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"-32701", rpcVerdict(-32701), WaitAndRetry, Ask, 0, ModelMay},
		{"-32600", rpcVerdict(-32600), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"-32601", rpcVerdict(-32601), AfterChange, AfterChange, ChangeMethod, ModelMay},
		{"-32602", rpcVerdict(-32602), AfterChange, AfterChange, ChangeArguments, ModelMay},
		{"-32603", rpcVerdict(-32603), WaitAndRetry, Ask, 0, ModelMay},
		{"-32599", rpcVerdict(-32599), WaitAndRetry, Ask, 0, ModelMay},
		{"-32000", rpcVerdict(-32000), WaitAndRetry, Ask, 0, ModelMay},
		{"-32002", rpcVerdict(-32002), AfterChange, AfterChange, ChangeArguments, ModelMay},
		{"-32019", rpcVerdict(-32019), WaitAndRetry, Ask, 0, ModelMay},
		{"-32020", rpcVerdict(-32020), AfterChange, AfterChange, ChangeHeaders, ModelMay},
		{"-32021", rpcVerdict(-32021), AfterChange, AfterChange, ChangeCapabilities, ModelMay},
		{"-32022", rpcVerdict(-32022), AfterChange, AfterChange, ChangeVersion, ModelMay},
		{"-32041", rpcVerdict(-32041), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"-32042", rpcVerdict(-32042), Ask, Ask, 0, ModelMay},
		{"-32043", rpcVerdict(-32043), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"-32099", rpcVerdict(-32099), AfterChange, AfterChange, ChangeRequest, ModelMay},
		{"-32100", rpcVerdict(-32100), WaitAndRetry, Ask, 0, ModelMay},
		{"0 as a code", rpcVerdict(0), WaitAndRetry, Ask, 0, ModelMay},
		{"a code beyond 64 bits", hugeCode, WaitAndRetry, Ask, 0, ModelMay},

		{"tool error", plainVerdict(ToolError, ReasonToolError), Ask, Ask, 0, ModelShould},
		{"tool success", plainVerdict(ToolSuccess, ReasonToolSuccess), Never, Never, 0, ModelShould},
		{"malformed JSON", plainVerdict(MalformedJSON, ReasonJSONSyntax), Ask, Ask, 0, ModelMay},
		{"invalid envelope", plainVerdict(InvalidEnvelope, ReasonIDMismatch), Ask, Ask, 0, ModelMay},
		{"error with a null id", nullID, Ask, Ask, 0, ModelMay},
		{"invalid tool result", plainVerdict(InvalidToolResult, ReasonContentMissing), Ask, Ask, 0, ModelMay},
		{"unexpected content type", plainVerdict(UnexpectedContentType, ReasonContentTypeForeign), Ask, Ask, 0, ModelNo},
		{"accepted", plainVerdict(Accepted, ReasonAccepted), Never, Never, 0, ModelNo},
		{"unexpected reply", plainVerdict(UnexpectedReply, ReasonUnexpectedReply), Ask, Ask, 0, ModelNo},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for safety, want := range map[Safety]Action{SafeCall: tt.safe, SafetyUnknown: tt.unknown, UnsafeCall: tt.unknown} {
				a := Advise(tt.verdict, Facts{Safety: safety, Attempt: 1})
				if a.Action != want || a.Change != tt.change || a.ToModel != tt.toModel {
					t.Errorf("safety %d: got %v, change %q, to model %v, want %v, %q, %v", safety, a.Action, a.Change, a.ToModel, want, tt.change, tt.toModel)
				}
				if a.Why == "" || a.NewID != (want != Never) {
					t.Errorf("safety %d: got why %q, new id %v", safety, a.Why, a.NewID)
				}
			}
		})
	}
}

func TestAdviseWait(t *testing.T) {
	received := time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC)
	const (
		date  = "Sun, 18 Oct 2026 11:00:00 GMT"
		plus5 = "Sun, 18 Oct 2026 11:00:05 GMT"
		noon3 = "Sun, 18 Oct 2026 12:00:03 GMT"
		ms    = time.Millisecond
	)
	for _, tt := range []struct {
		name       string
		retryAfter string
		date       string
		facts      Facts
		action     Action
		wait       time.Duration
		jitter     time.Duration
	}{
		{"first attempt", "", "", Facts{Attempt: 1}, WaitAndRetry, 200 * ms, 200 * ms},
		{"attempt left out", "", "", Facts{}, WaitAndRetry, 200 * ms, 200 * ms},
		{"second attempt", "", "", Facts{Attempt: 2}, WaitAndRetry, 400 * ms, 400 * ms},
		{"third attempt", "", "", Facts{Attempt: 3}, Ask, 800 * ms, 800 * ms},
		{"hundredth attempt", "", "", Facts{Attempt: 100}, Ask, math.MaxInt64, math.MaxInt64},
		{"no backoff, whatever the attempt", "", "", Facts{Attempt: math.MaxInt, Policy: &Policy{Retries: math.MaxInt, LongestWait: time.Hour}}, WaitAndRetry, 0, 0},
		{"time for it", "", "", Facts{Attempt: 1, Timed: true, TimeLeft: 201 * ms}, WaitAndRetry, 200 * ms, 200 * ms},
		{"no time for it", "", "", Facts{Attempt: 1, Timed: true, TimeLeft: 200 * ms}, Ask, 200 * ms, 200 * ms},
		{"no time left", "", "", Facts{Attempt: 1, Timed: true}, Ask, 200 * ms, 200 * ms},
		{"seconds", "7", "", Facts{Attempt: 1}, WaitAndRetry, 7 * time.Second, 200 * ms},
		{"zero seconds", "0", "", Facts{Attempt: 2}, WaitAndRetry, 400 * ms, 400 * ms},
		{"at the longest wait", "60", "", Facts{Attempt: 1}, WaitAndRetry, time.Minute, 200 * ms},
		{"above the longest wait", "61", "", Facts{Attempt: 1}, Ask, 61 * time.Second, 200 * ms},
		{"as much as a duration holds", "9223372036", "", Facts{Attempt: 1}, Ask, 9223372036 * time.Second, 200 * ms},
		{"a backoff as long as can be doubled", "", "", Facts{Attempt: 2, Policy: &Policy{Retries: 5, Base: math.MaxInt64 / 2, LongestWait: math.MaxInt64}}, WaitAndRetry, math.MaxInt64 - 1, math.MaxInt64 - 1},
		{"a backoff too long to be doubled", "", "", Facts{Attempt: 2, Policy: &Policy{Retries: 5, Base: math.MaxInt64/2 + 1, LongestWait: math.MaxInt64}}, WaitAndRetry, math.MaxInt64, math.MaxInt64},
		{"more than a duration holds", "9223372037", "", Facts{Attempt: 1}, Ask, math.MaxInt64, 200 * ms},
		{"more than an integer holds", "99999999999999999999", "", Facts{Attempt: 1}, Ask, math.MaxInt64, 200 * ms},
		{"seconds beyond the time left", "7", "", Facts{Attempt: 1, Timed: true, TimeLeft: 7 * time.Second}, Ask, 7 * time.Second, 200 * ms},
		{"date against Date", plus5, date, Facts{Attempt: 1, Received: received}, WaitAndRetry, 5 * time.Second, 200 * ms},
		{"date against Date, receipt unknown", plus5, date, Facts{Attempt: 1}, WaitAndRetry, 5 * time.Second, 200 * ms},
		{"date against receipt", noon3, "", Facts{Attempt: 1, Received: received}, WaitAndRetry, 3 * time.Second, 200 * ms},
		{"date against receipt, Date broken", noon3, "yesterday", Facts{Attempt: 1, Received: received}, WaitAndRetry, 3 * time.Second, 200 * ms},
		{"date against nothing", noon3, "", Facts{Attempt: 1}, WaitAndRetry, 200 * ms, 200 * ms},
		{"date in the past", date, plus5, Facts{Attempt: 1}, WaitAndRetry, 200 * ms, 200 * ms},
		{"date an hour later", noon3, date, Facts{Attempt: 1}, Ask, 3603 * time.Second, 200 * ms},
		{"own policy", "", "", Facts{Attempt: 4, Policy: &Policy{Retries: 5, Base: time.Second, LongestWait: time.Hour}}, WaitAndRetry, 8 * time.Second, 8 * time.Second},
		{"own policy without retries", "", "", Facts{Attempt: 1, Policy: &Policy{Base: time.Second, LongestWait: time.Hour}}, Ask, time.Second, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := httpVerdict(503)
			v.RetryAfter, v.Date = tt.retryAfter, tt.date
			tt.facts.Safety = SafeCall
			a := Advise(v, tt.facts)
			if a.Action != tt.action || a.Wait != tt.wait || a.Jitter != tt.jitter {
				t.Errorf("got %v, wait %v, jitter %v, want %v, %v, %v", a.Action, a.Wait, a.Jitter, tt.action, tt.wait, tt.jitter)
			}
			if want := tt.facts.Received.Add(tt.wait); !tt.facts.Received.IsZero() && !a.Earliest.Equal(want) {
				t.Errorf("earliest: got %v, want %v", a.Earliest, want)
			}
			tt.facts.Safety = SafetyUnknown
			if a := Advise(v, tt.facts); a.Action != Ask || a.Wait != tt.wait {
				t.Errorf("safety unknown: got %v, wait %v, want ask, %v", a.Action, a.Wait, tt.wait)
			}
		})
	}
	for o, want := range map[Outcome]string{ToolError: "the tool failed; what its error means decides", MalformedJSON: "the answer breaks the protocol; keep it, the request's id and the protocol version, and look at the server"} {
		if got := Advise(plainVerdict(o, 0), Facts{}).Why; got != want {
			t.Errorf("%v: got why %q, want %q", o, got, want)
		}
	}
	t.Run("Retry-After bounds other rows too", func(t *testing.T) {
		v := httpVerdict(403)
		v.RetryAfter = "9"
		a := Advise(v, Facts{Received: received})
		if a.Action != AfterChange || a.Wait != 9*time.Second || !a.Earliest.Equal(received.Add(9*time.Second)) {
			t.Errorf("got %v, wait %v, earliest %v, want after-change, 9s", a.Action, a.Wait, a.Earliest)
		}
	})
}

func TestAdviseInputs(t *testing.T) {
	ask := plainVerdict(InputRequired, ReasonInputRequired)
	with := func(state string, requests ...InputRequest) Verdict {
		v := ask
		if state != "" {
			v.RequestState = []byte(state)
		}
		v.InputRequests, v.HasInputRequests = requests, len(requests) > 0
		return v
	}
	name, roots := InputRequest{"name", "elicitation/create"}, InputRequest{"r", "roots/list"}
	emptyRequests := with("")
	emptyRequests.HasInputRequests = true
	badType, badState := with(`"s"`), with("7", name)
	badType.Findings = []Finding{{Kind: FindingInputRequestsType}}
	badState.Findings = []Finding{{Kind: FindingRequestStateType}}
	none := ask
	none.Findings = []Finding{{Kind: FindingInputRequiredEmpty}}

	for _, tt := range []struct {
		name      string
		verdict   Verdict
		facts     Facts
		action    Action
		responses bool
		keys      []string
		state     string
		wait      time.Duration
	}{
		{"requests and state", with(`"s\ud800"`, name, roots), Facts{}, AnswerInputs, true, []string{"name", "r"}, `"s\ud800"`, 0},
		{"requests only", with("", name), Facts{}, AnswerInputs, true, []string{"name"}, "", 0},
		{"state only", with(`""`), Facts{Attempt: 2}, AnswerInputs, false, nil, `""`, 400 * time.Millisecond},
		{"state only, no time", with(`""`), Facts{Timed: true, TimeLeft: time.Millisecond}, Ask, false, nil, "", 200 * time.Millisecond},
		{"state only, too many attempts", with(`""`), Facts{Attempt: 10}, Ask, false, nil, "", 102400 * time.Millisecond},
		{"no requests among them", emptyRequests, Facts{}, AnswerInputs, true, nil, "", 200 * time.Millisecond},
		{"neither", none, Facts{}, Ask, false, nil, "", 0},
		{"requests of a wrong type", badType, Facts{}, Ask, false, nil, "", 0},
		{"state of a wrong type", badState, Facts{}, Ask, false, nil, "", 0},
		{"methods that the client has", with("", name, roots), Facts{InputMethods: []string{"roots/list", "elicitation/create"}}, AnswerInputs, true, []string{"name", "r"}, "", 0},
		{"a method that the client lacks", with("", name, roots), Facts{InputMethods: []string{"elicitation/create"}}, Ask, false, nil, "", 0},
		{"a client without methods", with("", name), Facts{InputMethods: []string{}}, Ask, false, nil, "", 0},
		{"tenth round", with("", name), Facts{Attempt: 10, Rounds: 9}, AnswerInputs, true, []string{"name"}, "", 0},
		{"eleventh round", with("", name), Facts{Attempt: 11, Rounds: 10}, Ask, false, nil, "", 0},
		{"side effects do not matter", with("", name), Facts{Safety: UnsafeCall}, AnswerInputs, true, []string{"name"}, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := Advise(tt.verdict, tt.facts)
			if a.Action != tt.action || a.InputResponses != tt.responses || !slices.Equal(a.InputKeys, tt.keys) || string(a.RequestState) != tt.state || a.Wait != tt.wait || a.ToModel != ModelNo {
				t.Errorf("got %+v, want %+v", a, tt)
			}
		})
	}
	t.Run("a hostile method is tamed", func(t *testing.T) {
		a := Advise(with("", InputRequest{"k", "x\x1b[31m" + strings.Repeat("y", 500)}), Facts{InputMethods: []string{}})
		if len(a.Why) > 200 || strings.Contains(a.Why, "\x1b") {
			t.Errorf("got why %q", a.Why)
		}
	})
}
