package classifier

import "github.com/replyproof/replyproof/classifier/internal/scan"

// judgeHTTPError is rule 1: the outcome is settled by the status, and the rest
// are details that leave it alone.
func (v *Verdict) judgeHTTPError(a *Answer, f *fields, body *encodedBody) {
	v.settle(HTTPError, ReasonHTTPStatus)
	v.Challenged = len(f.authenticate) > 0
	if f.retryAfter != nil {
		var odd bool
		if v.RetryAfter, odd = retryAfter(a.Header); odd {
			v.RetryAfter = ""
			v.find(FindingRetryAfter, -1, "")
		}
	}
	plain, state := body.open()
	v.Ended = bodyEndOf(a.Ended, state)
	if a.Ended != EndedEOF || state != codingWhole || !body.known() {
		return
	}
	start := 0
	if hasBOM(plain) {
		start = len(bom)
	}
	var e envelope
	e.read(plain, start)
	if e.state != textWhole || e.kind != scan.Object || !e.isVersion2() || e.result.Kind != scan.None || e.errorFault() != 0 {
		return
	}
	v.Error = e.rpcError()
	v.ID = e.raw(e.id)
}
