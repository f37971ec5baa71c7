package classifier

// ClassifyNotification judges the answer to the POST of a notification (rule
// N). It makes no findings but that of Retry-After.
func ClassifyNotification(a Answer) Verdict {
	var f fields
	f.read(a.Header)
	body := encodedBody{header: a.Header, raw: a.Body, encoded: f.contentEncoding != nil}
	return classifyNotification(&a, &f, &body)
}

// classifyNotification is ClassifyNotification on a body that may have been
// decoded already.
func classifyNotification(a *Answer, f *fields, body *encodedBody) Verdict {
	v := Verdict{Answered: true, Status: a.Status, ContentType: firstLine(f.contentType), Date: firstLine(f.date), SyntaxOffset: -1}

	if a.Status < 200 || a.Status > 299 {
		v.judgeHTTPError(a, f, body)
		return v
	}
	_, state := body.open()
	v.Ended = bodyEndOf(a.Ended, state)
	if reason := cutReason(a.Ended, state); reason != 0 {
		v.settle(NoFinalResponse, reason)
	} else if a.Status == 202 && body.empty() {
		v.settle(Accepted, ReasonAccepted)
	} else {
		v.settle(UnexpectedReply, ReasonUnexpectedReply)
	}
	return v
}
