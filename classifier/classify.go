package classifier

// Classify judges the answer to one tools/call by rules 1 to 9 and S1 to S7.
// It never fails and never panics, does not change the answer, and allocates
// nothing for a JSON answer with nothing to report. What it returns aliases
// the answer.
func Classify(call Call, a Answer) (v Verdict) {
	var (
		f    fields
		body encodedBody
	)
	f.read(a.Header)
	body.header, body.raw, body.encoded = a.Header, a.Body, f.contentEncoding != nil
	v.answer(call, &a, &f, &body)
	return v
}

// classify is Classify on a body that may have been decoded already.
func classify(call Call, a *Answer, f *fields, body *encodedBody) (v Verdict) {
	v.answer(call, a, f, body)
	return v
}

// answer fills in the verdict, which must be zero.
func (v *Verdict) answer(call Call, a *Answer, f *fields, body *encodedBody) {
	v.Answered, v.Status, v.SyntaxOffset = true, a.Status, -1
	v.ContentType, v.Date = firstLine(f.contentType), firstLine(f.date)

	if a.Status < 200 || a.Status > 299 {
		v.judgeHTTPError(a, f, body)
		return
	}
	if a.Ended == EndedEOF && bodyOptional(a.Status) && body.empty() {
		v.settle(NoFinalResponse, ReasonNoBody)
		v.Ended = BodyComplete
		return
	}
	kind := mediaJSON
	if len(f.contentType) != 1 || f.contentType[0] != typeJSON {
		var reason Reason
		if kind, reason = mediaOf(f.contentType); reason != 0 {
			v.settle(UnexpectedContentType, reason)
			v.Ended = BodySettledEarly
			return
		}
		v.noteContentType(f.contentType)
	}
	plain, state := body.raw, codingWhole
	if body.encoded || body.opened {
		if !body.known() {
			v.settle(UnexpectedContentType, ReasonContentEncoding)
			v.Ended = BodySettledEarly
			return
		}
		plain, state = body.open()
	}
	if kind == mediaStream {
		*v = classifyStream(call, *v, plain, a.Ended, state)
		return
	}
	if state == codingDamaged {
		v.settle(UnexpectedContentType, ReasonContentEncoding)
		v.Ended = BodySettledEarly
		return
	}
	v.Ended = BodyComplete
	if a.Ended != EndedEOF || state != codingWhole {
		v.Ended = bodyEndOf(a.Ended, state)
		v.settle(NoFinalResponse, cutReason(a.Ended, state))
		return
	}
	start := 0
	if hasBOM(plain) {
		start = len(bom)
		v.find(FindingBOM, 0, "")
	}
	var e envelope
	e.read(plain, start)
	v.judge(call.ID, &e)
}

// ClassifyNoAnswer is the verdict on a call or notification that got no HTTP
// answer at all (rule T). An end that is none of reset, TLS, deadline and
// cancelled counts as a connection that was never made.
func ClassifyNoAnswer(ended Ended) Verdict {
	v := Verdict{SyntaxOffset: -1}
	reason, end := ReasonConnect, BodyConnect
	switch ended {
	case EndedReset:
		reason, end = ReasonReset, BodyReset
	case EndedTLS:
		reason, end = ReasonTLS, BodyTLS
	case EndedDeadline:
		reason, end = ReasonDeadline, BodyDeadline
	case EndedCancelled:
		reason, end = ReasonCancelled, BodyCancelled
	}
	v.settle(NoFinalResponse, reason)
	v.Ended = end
	return v
}

// bodyOptional are the statuses of rule 3.
func bodyOptional(status int) bool { return status == 202 || status == 204 || status == 205 }

const bom = "\xEF\xBB\xBF"

func hasBOM(b []byte) bool { return len(b) >= len(bom) && string(b[:len(bom)]) == bom }

// settle is where every verdict gets its outcome.
func (v *Verdict) settle(o Outcome, r Reason) {
	v.Outcome, v.Layer, v.Reason = o, outcomes[o].layer, r
}

// noteContentType makes the findings of rule 2.
func (v *Verdict) noteContentType(lines []string) {
	if len(lines) == 0 {
		v.find(FindingContentTypeMissing, -1, "")
	} else if badParameters(lines) {
		v.find(FindingContentTypeParameter, -1, "")
	}
}

// find adds a finding where it belongs in the order of kinds, unless its kind
// is there already.
func (v *Verdict) find(kind FindingKind, offset int, pointer string) {
	i := len(v.Findings)
	for i > 0 && v.Findings[i-1].Kind >= kind {
		if v.Findings[i-1].Kind == kind {
			return
		}
		i--
	}
	v.Findings = append(v.Findings, Finding{})
	copy(v.Findings[i+1:], v.Findings[i:])
	v.Findings[i] = Finding{Kind: kind, Offset: int64(offset), Pointer: pointer}
}
