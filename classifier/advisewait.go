package classifier

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const longest = time.Duration(math.MaxInt64)

func (a *advisor) attempt() int { return max(a.facts.Attempt, 1) }

// backoff is the policy's base, doubled for every attempt after the first.
func (a *advisor) backoff() time.Duration {
	wait := max(a.policy.Base, 0)
	for i := 1; i < a.attempt() && wait > 0; i++ {
		if wait > longest/2 {
			return longest
		}
		wait *= 2
	}
	return wait
}

// retryAfter is how long the answer asks to wait, measured from its Date or,
// where that is absent or none, from its receipt; 0 if it does not ask, or
// names a date that nothing can measure.
func (a *advisor) retryAfter() time.Duration {
	value := a.verdict.RetryAfter
	if value == "" {
		return 0
	}
	if isDigits(value) {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(longest/time.Second) {
			return longest
		}
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(strings.Trim(a.verdict.Date, " \t"))
	if err != nil {
		from = a.facts.Received
	}
	if from.IsZero() {
		return 0
	}
	return max(until.Sub(from), 0)
}

// changeForCode is what must change after a JSON-RPC error; ok is false if the
// error is none of those that would come again.
func changeForCode(e RPCError) (c Change, ok bool) {
	if !e.Fits {
		return 0, false
	}
	switch n := e.Number; {
	case n == -32700, n == -32600:
		return ChangeRequest, true
	case n == -32601:
		return ChangeMethod, true
	case n == -32602, n == -32002:
		return ChangeArguments, true
	case n == -32020:
		return ChangeHeaders, true
	case n == -32021:
		return ChangeCapabilities, true
	case n == -32022:
		return ChangeVersion, true
	case n == -32042:
		return 0, false
	case n >= -32099 && n < -32019:
		return ChangeRequest, true
	}
	return 0, false
}

// changeForStatus is what must change after a status that would come again.
func changeForStatus(s int) Change {
	switch s {
	case http.StatusNotAcceptable, http.StatusPreconditionFailed, http.StatusUnsupportedMediaType,
		http.StatusExpectationFailed, http.StatusRequestHeaderFieldsTooLarge:
		return ChangeHeaders
	case http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return ChangeArguments
	}
	return ChangeRequest
}
