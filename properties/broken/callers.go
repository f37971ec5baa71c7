package broken

import (
	"net/http"

	"github.com/replyproof/replyproof/properties/callers"
)

// Caller is one broken caller: a sound one with one change. Like the judges
// they are good for nothing but tests.
type Caller struct {
	// Name is in kebab-case and says what the caller does.
	Name string
	// Doc is one sentence on the fault.
	Doc string
	// KilledBy names the property of package callers that finds it out with all
	// others switched off.
	KilledBy string
	// Make makes one.
	Make callers.Maker
	// MakeAt makes one at another address, through another transport.
	MakeAt func(line *callers.Line, url string, transport http.RoundTripper) callers.Caller
}

// SoundCaller makes the caller of which each broken one is a change. It does
// what classifier.Advise says, and where a refusal names what must change it
// changes that once: the version, the list of tools, the credentials.
func SoundCaller(line *callers.Line) callers.Caller {
	return SoundCallerAt(line, line.URL(), line)
}

// SoundCallerAt is the sound caller at another address, through another
// transport: that of a server that serves the line.
func SoundCallerAt(line *callers.Line, url string, transport http.RoundTripper) callers.Caller {
	return newCallerAt(line, url, transport, soundCaller).call
}

// Callers lists the broken callers.
func Callers() []Caller {
	all := make([]Caller, len(callerEntries))
	for i, e := range callerEntries {
		all[i] = Caller{Name: e.name, Doc: e.doc, KilledBy: e.killedBy,
			Make: func(line *callers.Line) callers.Caller { return newCallerAt(line, line.URL(), line, e.quirk).call },
			MakeAt: func(line *callers.Line, url string, transport http.RoundTripper) callers.Caller {
				return newCallerAt(line, url, transport, e.quirk).call
			}}
	}
	return all
}

// callerQuirk is the one change.
type callerQuirk uint8

const (
	soundCaller callerQuirk = iota
	sameID
	idOfText
	versionNumber
	retriesUnsafe503
	retriesUnsafe429
	retriesTimeout
	retriesCutStream
	retriesCutBody
	retriesRPCError
	retriesThrice
	retriesForEver
	countsPerRound
	ignoresRetryAfter
	ignoresRetryDate
	noBackoff
	sameBackoff
	waitsAnHour
	ignoresDeadline
	resendsAfterSuccess
	retriesToolError
	retriesMalformed
	retriesUnchangedVersion
	retriesUnchanged401
	retriesParams
	dropsState
	trimsState
	recodesState
	unescapesState
	keepsStaleState
	keepsStateForNextCall
	emptyResponsesForState
	lowersKeys
	answersFirstOnly
	answersForeign
	answersWithout
	endlessRounds
	losesInputsOnRetry
	countsAttemptsInArguments
	redirectToGet
	success503
	toldFirstFailure
	notificationIsResponse
	diesAfterReset
	diesAfterMalformed
	hangsOnAccepted
	panicsWithoutType
)

var callerEntries = []struct {
	quirk    callerQuirk
	name     string
	killedBy string
	doc      string
}{
	{sameID, "same-id-again", "fresh-id", "sends a call again under the id that it had"},
	{idOfText, "ids-start-anew", "fresh-id", "counts its ids anew for each call"},
	{versionNumber, "jsonrpc-as-number", "request-form", "writes the version of JSON-RPC as a number"},
	{retriesUnsafe503, "retries-any-5xx", "retry-only-safe", "takes a 5xx for a failure before any effect"},
	{retriesUnsafe429, "retries-any-429", "retry-only-safe", "takes a 429 for a failure before any effect"},
	{retriesTimeout, "retries-timeout", "retry-only-safe", "sends again what got no answer in time"},
	{retriesCutStream, "reissues-lost-stream", "retry-only-safe", "sends again what was lost with its stream"},
	{retriesCutBody, "retries-cut-body", "retry-only-safe", "sends again when a JSON body broke off"},
	{retriesRPCError, "retries-rpc-error", "retry-only-safe", "sends again after an internal error of JSON-RPC"},
	{retriesThrice, "retries-thrice", "two-retries", "retries three times"},
	{retriesForEver, "retries-for-ever", "ends", "retries as long as the call fails"},
	{countsPerRound, "retries-counted-by-round", "two-retries", "counts its retries anew after each request for input"},
	{ignoresRetryAfter, "retry-after-ignored", "retry-after", "does not look at Retry-After"},
	{ignoresRetryDate, "retry-date-ignored", "retry-after", "knows a Retry-After of seconds but not one of a date"},
	{noBackoff, "retries-at-once", "backoff", "retries at once where there is no Retry-After"},
	{sameBackoff, "same-backoff", "backoff", "waits no longer before the second retry than before the first"},
	{waitsAnHour, "waits-an-hour", "longest-wait", "waits as long as the server says, whatever it says"},
	{ignoresDeadline, "deadline-ignored", "time-left", "does not look at the time that is left"},
	{resendsAfterSuccess, "sends-after-success", "over-is-over", "asks again when it has the result"},
	{retriesToolError, "retries-tool-error", "over-is-over", "takes a failure of the tool for one of the transport"},
	{retriesMalformed, "retries-malformed", "over-is-over", "sends again when the answer is not JSON"},
	{retriesUnchangedVersion, "same-version-again", "change-first", "sends the same version again after it was refused"},
	{retriesUnchanged401, "same-token-again", "change-first", "sends the same credentials again after they were refused"},
	{retriesParams, "same-arguments-again", "change-first", "sends the same arguments again after they were refused"},
	{dropsState, "state-dropped", "state-echoed", "does not send the requestState back"},
	{trimsState, "state-trimmed", "state-echoed", "trims white space from the requestState"},
	{recodesState, "state-through-utf-8", "state-echoed", "keeps the requestState as UTF-8, which halves of surrogate pairs do not survive"},
	{unescapesState, "state-parsed", "state-echoed", "takes a requestState that is a JSON text for JSON, and writes it anew"},
	{keepsStaleState, "state-stale", "no-stale-state", "sends the last requestState that it had, though the last request for input has none"},
	{keepsStateForNextCall, "state-of-last-call", "first-is-fresh", "keeps the requestState for the next call"},
	{emptyResponsesForState, "responses-for-state", "state-only", "adds an empty inputResponses where a state alone was given"},
	{lowersKeys, "keys-in-lower-case", "response-keys", "writes the names of inputResponses in lower case"},
	{answersFirstOnly, "first-input-only", "response-keys", "answers the first of several requests for input"},
	{answersForeign, "foreign-input-answered", "inputs-in-form", "answers a request for input whose method it does not know"},
	{answersWithout, "malformed-input-answered", "inputs-in-form", "sends the call again when it cannot read what is asked"},
	{endlessRounds, "endless-rounds", "ten-rounds", "answers requests for input as long as there are any"},
	{losesInputsOnRetry, "inputs-lost-on-retry", "same-call", "retries with the call as it was at first"},
	{countsAttemptsInArguments, "attempt-in-arguments", "same-call", "writes the number of the attempt into the arguments"},
	{redirectToGet, "redirect-to-get", "redirect-keeps-post", "lets its HTTP library make a GET of a redirected POST"},
	{success503, "success-under-503", "told", "reads the body of a 503 as if it were a 200"},
	{toldFirstFailure, "first-failure-told", "told", "tells the first failure of a call that succeeded later"},
	{notificationIsResponse, "notification-is-response", "notifications-change-nothing", "takes the first event of a stream for the response"},
	{diesAfterReset, "dead-after-reset", "connection-lives", "gives its connection up for good when one call got no answer"},
	{diesAfterMalformed, "dead-after-malformed", "connection-lives", "gives its connection up for good when one answer was not JSON"},
	{hangsOnAccepted, "hangs-on-202", "ends", "waits for the result of a call that was answered with an empty 202"},
	{panicsWithoutType, "panics-without-type", "ends", "panics when there is no Content-Type"},
}
