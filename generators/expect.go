package generators

import (
	"math/bits"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// expectation is a verdict as it follows from a plan.
type expectation struct {
	outcome  classifier.Outcome
	reason   classifier.Reason
	findings uint32 // a bit for each kind
	code     string
	also     uint32 // a bit for each outcome
	rounded  bool   // an id or code was reached that a double cannot hold
}

func (x *expectation) find(k classifier.FindingKind) { x.findings |= 1 << k }
func (x *expectation) may(o classifier.Outcome)      { x.also |= 1 << o }
func (x *expectation) set(o classifier.Outcome, r classifier.Reason) {
	x.outcome, x.reason = o, r
}

// The facts of a body that has been written.
type delivery struct {
	raw     int  // coded bytes that arrived
	visible int  // bytes of the plain body that come out of them
	empty   bool // the plain body is empty
	eof     bool // the delivery ended as it should
}

// judge fills in Expect and AlsoAcceptable of a case from the plan.
func (d *Renderer) judge(made *corpus.Case, length int) {
	x := d.decide(length)
	if x.rounded {
		d.plan.article = true
		y := d.decide(length)
		d.plan.article = false
		x.also |= y.also
		x.may(y.outcome)
		x.may(classifier.InvalidEnvelope)
	}
	d.expect = corpus.Expect{Layer: x.outcome.Layer(), Outcome: x.outcome, Reason: x.reason.String(), Code: x.code}
	d.findings = d.findings[:0]
	for f := x.findings; f != 0; f &= f - 1 {
		d.findings = append(d.findings, classifier.FindingKind(bits.TrailingZeros32(f)).String())
	}
	if d.findings == nil {
		d.findings = []string{}
	}
	d.expect.Findings = d.findings
	made.Expect = &d.expect
	d.also = d.also[:0]
	for a := x.also &^ (1 << x.outcome); a != 0; a &= a - 1 {
		d.also = append(d.also, classifier.Outcome(bits.TrailingZeros32(a)).String())
	}
	if len(d.also) > 0 {
		made.AlsoAcceptable = d.also
	}
}

// delivered works out what of the body arrived.
func (d *Renderer) delivered(length int) delivery {
	p := &d.plan
	v := delivery{raw: length, eof: d.ended == classifier.EndedEOF, empty: len(d.plain) == 0}
	if d.cutSet {
		v.raw = min(length, d.cut)
	}
	v.visible = v.raw
	switch {
	case p.Coding.Hidden:
		v.visible = 0
		return v
	case len(p.Coding.Chain) == 0:
		return v
	case v.raw == length:
		v.visible = len(d.plain)
		return v
	}
	for i := len(p.Coding.Chain) - 1; i >= 0; i-- {
		v.visible = p.Coding.Chain[i].visible(v.visible, d.lengths[i])
	}
	return v
}

// decide tries the rules in their order.
func (d *Renderer) decide(length int) (x expectation) {
	p := &d.plan
	if p.Unanswered {
		x.set(classifier.NoFinalResponse, unansweredReason(p.Ended))
		return x
	}
	v := d.delivered(length)
	if p.Status < 200 || p.Status > 299 {
		d.httpError(&x, v)
		return x
	}
	if p.Notification {
		d.notification(&x, v)
		return x
	}
	d.answered(&x, v)
	if p.Status != 200 && v.raw > 0 && !(v.empty && p.Coding.Fact == CodingWhole) {
		x.may(classifier.HTTPError)
		x.may(classifier.NoFinalResponse)
	}
	return x
}

// answered is rules 2 to 9 and S for a 2xx.
func (d *Renderer) answered(x *expectation, v delivery) {
	p := &d.plan
	whole := v.eof && p.Coding.Fact != CodingEarly
	unknown := p.Coding.Fact == CodingUnknown
	none := v.raw == 0 || v.empty && !unknown && p.Coding.Fact != CodingDamaged
	if (p.Status == 202 || p.Status == 204 || p.Status == 205) && whole && none {
		x.set(classifier.NoFinalResponse, classifier.ReasonNoBody)
		x.may(classifier.MalformedJSON)
		x.may(classifier.UnexpectedContentType)
		return
	}
	stream := p.Streamed
	switch p.Media.Kind {
	case MediaOther:
		stream = !stream
	case MediaMissing:
		stream = false
		x.find(classifier.FindingContentTypeMissing)
		x.may(classifier.UnexpectedContentType)
	case MediaConflict:
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentTypeConflict)
		return
	case MediaEmpty:
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentTypeEmpty)
		return
	case MediaList:
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentTypeList)
		return
	case MediaForeign:
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentTypeForeign)
		if !unknown && p.Coding.Fact != CodingDamaged {
			d.foreign(x, v, whole)
		}
		return
	}
	if p.Media.BrokenParameter {
		x.find(classifier.FindingContentTypeParameter)
	}
	if unknown {
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentEncoding)
		return
	}
	if stream {
		d.stream(x, v, whole)
		return
	}
	if d.incomplete(x, whole) {
		if x.outcome == classifier.NoFinalResponse {
			x.may(classifier.MalformedJSON)
		}
		return
	}
	d.document(x)
}

// foreign adds the verdict of rules 5 to 9 on the body, and what may be said instead of that.
func (d *Renderer) foreign(x *expectation, v delivery, whole bool) {
	if !whole {
		x.may(classifier.MalformedJSON)
		return
	}
	var y expectation
	d.document(&y)
	x.may(y.outcome)
	x.also |= y.also
}

// incomplete is the damage of rule 2 and rule 4, told by how the delivery ended.
func (d *Renderer) incomplete(x *expectation, whole bool) bool {
	p := &d.plan
	if p.Coding.Fact == CodingDamaged {
		x.set(classifier.UnexpectedContentType, classifier.ReasonContentEncoding)
		return true
	}
	if whole {
		return false
	}
	x.outcome = classifier.NoFinalResponse
	switch d.ended {
	case classifier.EndedDeadline:
		x.reason = classifier.ReasonDeadline
	case classifier.EndedCancelled:
		x.reason = classifier.ReasonCancelled
	case classifier.EndedSizeLimit:
		x.reason = classifier.ReasonSizeLimit
	default:
		x.reason = classifier.ReasonBodyCut
	}
	return true
}

// document is rules 5 to 9 on a whole body that is read as JSON.
func (d *Renderer) document(x *expectation) {
	p := &d.plan
	if p.Streamed {
		// Every line of a stream begins with what begins no JSON text.
		if p.Stream.Marks > 0 {
			x.find(classifier.FindingBOM)
			x.may(classifier.MalformedJSON)
		}
		x.set(classifier.MalformedJSON, classifier.ReasonJSONSyntax)
		if d.blankStream() {
			x.reason = classifier.ReasonJSONEmpty
		}
		return
	}
	if p.NoBody {
		x.set(classifier.MalformedJSON, classifier.ReasonJSONEmpty)
		return
	}
	if p.Text.BOM {
		x.find(classifier.FindingBOM)
		x.may(classifier.MalformedJSON)
	}
	d.text5(x, false)
}

// blankStream tells whether a stream holds nothing but line ends.
func (d *Renderer) blankStream() bool {
	for _, b := range d.plain[min(3*d.plan.Stream.Marks, len(d.plain)):] {
		if b != '\n' && b != '\r' {
			return false
		}
	}
	return d.plan.Stream.Marks < 2
}

// httpError is rule 1.
func (d *Renderer) httpError(x *expectation, v delivery) {
	p := &d.plan
	x.set(classifier.HTTPError, classifier.ReasonHTTPStatus)
	if p.RetryAfterBad {
		x.find(classifier.FindingRetryAfter)
	}
	readable := v.eof && p.Coding.Fact == CodingWhole && !p.NoBody && !p.Streamed
	if readable && p.textFact(false) == 0 && !p.Text.NotObject && p.JSONRPC.good() && !p.Result.Present && p.errorFact() == 0 {
		x.code = d.code
		x.may(classifier.JSONRPCError)
	}
}

// notification is N for a 2xx.
func (d *Renderer) notification(x *expectation, v delivery) {
	p := &d.plan
	whole := v.eof && p.Coding.Fact != CodingEarly
	none := v.raw == 0 || v.empty && p.Coding.Fact == CodingWhole
	switch {
	case !whole:
		d.incomplete(x, whole)
	case p.Status == 202 && none:
		x.set(classifier.Accepted, classifier.ReasonAccepted)
	default:
		x.set(classifier.UnexpectedReply, classifier.ReasonUnexpectedReply)
	}
}

func unansweredReason(e classifier.Ended) classifier.Reason {
	switch e {
	case classifier.EndedReset:
		return classifier.ReasonReset
	case classifier.EndedTLS:
		return classifier.ReasonTLS
	case classifier.EndedDeadline:
		return classifier.ReasonDeadline
	case classifier.EndedCancelled:
		return classifier.ReasonCancelled
	default:
		return classifier.ReasonConnect
	}
}

// ruleOf is the rule to which a reason belongs.
func ruleOf(reason string) string {
	var r classifier.Reason
	if r.UnmarshalText([]byte(reason)) != nil {
		return ""
	}
	return r.Entry().Rule
}
