package model

import (
	"bytes"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// Judge judges answers by the rules, but for what its Quirk changes. The zero
// value is sound and knows the codings gzip and deflate.
type Judge struct {
	// Decoders undo codings beyond gzip, x-gzip and deflate, by lower-case name.
	Decoders Decoders
	// Quirk is the rule that this judge breaks; 0 for none.
	Quirk Quirk
	// Limit is how many bytes a coded body may decode to; passing it is rule 4,
	// reason size-limit. 0 stands for classifier.DefaultDecodedLimit. A body
	// without codings has no limit.
	Limit int
}

// Classify judges the answer to a call: rules 1 to 9 and S1 to S7.
func (j Judge) Classify(call classifier.Call, a classifier.Answer) classifier.Verdict {
	c := j.open(a)
	c.id = call.ID
	c.judgeCall()
	return c.close()
}

// Notification judges the answer to the POST of a notification: rule N.
func (j Judge) Notification(a classifier.Answer) classifier.Verdict {
	c := j.open(a)
	c.judgeNotification()
	return c.close()
}

// NoAnswer judges a call or notification that got no HTTP answer: rule T.
func (j Judge) NoAnswer(e classifier.Ended) classifier.Verdict {
	c := judging{Judge: j}
	c.v.SyntaxOffset = -1
	reason, end := classifier.ReasonConnect, classifier.BodyConnect
	switch e {
	case classifier.EndedReset:
		reason, end = classifier.ReasonReset, classifier.BodyReset
	case classifier.EndedTLS:
		reason, end = classifier.ReasonTLS, classifier.BodyTLS
	case classifier.EndedDeadline:
		reason, end = classifier.ReasonDeadline, classifier.BodyDeadline
	case classifier.EndedCancelled:
		reason, end = classifier.ReasonCancelled, classifier.BodyCancelled
	}
	c.v.Ended = end
	if c.has(NoAnswerIsHTTPError) {
		c.settle(classifier.HTTPError, classifier.ReasonHTTPStatus)
	} else {
		c.settle(classifier.NoFinalResponse, reason)
	}
	return c.v
}

// judging is the judgement of one answer under way.
type judging struct {
	Judge
	id     classifier.ID
	answer classifier.Answer
	body   body
	v      classifier.Verdict
}

func (j Judge) open(a classifier.Answer) *judging {
	c := &judging{Judge: j, answer: a}
	c.body = c.undoCodings()
	c.v.Answered = true
	c.v.Status = a.Status
	c.v.SyntaxOffset = -1
	c.v.ContentType = first(lines(a.Header, "Content-Type"))
	c.v.Date = first(lines(a.Header, "Date"))
	_, _, c.v.Ended = c.arrival()
	return c
}

func (c *judging) close() classifier.Verdict {
	slices.SortFunc(c.v.Findings, func(a, b classifier.Finding) int { return int(a.Kind) - int(b.Kind) })
	return c.v
}

func (c *judging) has(q Quirk) bool { return c.Quirk == q }

func (c *judging) settle(o classifier.Outcome, r classifier.Reason) {
	c.v.Outcome, c.v.Layer, c.v.Reason = o, layerOf(o), r
	if o == classifier.UnexpectedContentType {
		c.v.Ended = classifier.BodySettledEarly
	}
}

// layerOf is each outcome's layer, by a table of its own.
func layerOf(o classifier.Outcome) classifier.Layer {
	switch o {
	case classifier.ToolSuccess, classifier.ToolError:
		return classifier.Application
	case classifier.InputRequired:
		return classifier.Interaction
	case classifier.JSONRPCError, classifier.MalformedJSON, classifier.InvalidEnvelope, classifier.InvalidToolResult:
		return classifier.Protocol
	}
	return classifier.Transport
}

// find notes a finding, each kind once and without its place.
func (c *judging) find(kind classifier.FindingKind) {
	if !c.v.Has(kind) {
		c.v.Findings = append(c.v.Findings, classifier.Finding{Kind: kind, Offset: -1})
	}
}

// arrival tells whether the body arrived whole, and if not, by rule 4 why.
func (c *judging) arrival() (whole bool, why classifier.Reason, end classifier.BodyEnd) {
	if c.body.state == tooLarge {
		return false, classifier.ReasonSizeLimit, classifier.BodySizeLimit
	}
	switch c.answer.Ended {
	case classifier.EndedEOF:
		if c.body.state == endedEarly {
			return false, classifier.ReasonBodyCut, classifier.BodyCut
		}
		return true, 0, classifier.BodyComplete
	case classifier.EndedDeadline:
		return false, classifier.ReasonDeadline, classifier.BodyDeadline
	case classifier.EndedCancelled:
		return false, classifier.ReasonCancelled, classifier.BodyCancelled
	case classifier.EndedSizeLimit:
		return false, classifier.ReasonSizeLimit, classifier.BodySizeLimit
	}
	return false, classifier.ReasonBodyCut, classifier.BodyCut
}

// isEmpty tells whether the body holds nothing; under an unknown coding its raw bytes count.
func (c *judging) isEmpty() bool {
	switch c.body.state {
	case whole:
		return len(c.body.plain) == 0
	case unknownCoding:
		return len(c.answer.Body) == 0
	}
	return false
}

func (c *judging) judgeCall() {
	// Rule 1.
	if c.statusFails() {
		c.judgeHTTPError()
		return
	}
	isWhole, why, _ := c.arrival()

	// Rule 3, which goes before the media type.
	switch c.answer.Status {
	case 202, 204, 205:
		if isWhole && c.isEmpty() {
			if c.has(AcceptedIsSuccess) {
				c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
			} else {
				c.settle(classifier.NoFinalResponse, classifier.ReasonNoBody)
			}
			return
		}
	}

	// Rule 2.
	media, refused := c.mediaType()
	if refused != 0 {
		c.settle(classifier.UnexpectedContentType, refused)
		return
	}
	if c.body.state == unknownCoding {
		c.settle(classifier.UnexpectedContentType, classifier.ReasonContentEncoding)
		return
	}

	// Rules S: a response that a stream has delivered stands, whatever came after it.
	if media == eventStream {
		c.judgeStream(isWhole, why)
		return
	}
	if c.body.state == damaged {
		c.settle(classifier.UnexpectedContentType, classifier.ReasonContentEncoding)
		return
	}

	// Rule 4.
	if !isWhole && !(c.has(CutJSONTaken) && isJSON(c.body.plain)) {
		c.settle(classifier.NoFinalResponse, why)
		return
	}

	// Rules 5 to 9.
	if len(c.body.plain) == 0 && c.has(EmptyBodyIsSuccess) || c.has(BlankIsSuccess) && len(bytes.TrimSpace(c.body.plain)) == 0 {
		c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
		return
	}
	text, dropped := c.dropBOM(c.body.plain)
	c.judgeText(text, dropped)
}

func (c *judging) judgeNotification() {
	// Rule 1.
	if c.statusFails() {
		c.judgeHTTPError()
		return
	}
	// Rule 4.
	isWhole, why, _ := c.arrival()
	if !isWhole {
		c.settle(classifier.NoFinalResponse, why)
		return
	}
	// Rule N.
	if c.answer.Status == 202 && c.isEmpty() || c.has(AnyReplyAccepts) || c.has(NoContentAccepts) && c.answer.Status == 204 && c.isEmpty() {
		c.settle(classifier.Accepted, classifier.ReasonAccepted)
	} else {
		c.settle(classifier.UnexpectedReply, classifier.ReasonUnexpectedReply)
	}
}

// statusFails is rule 1.
func (c *judging) statusFails() bool {
	status := c.answer.Status
	switch c.Quirk {
	case StatusIgnored:
		a := c.answer
		a.Status = 200
		switch (Judge{Decoders: c.Decoders}).Classify(classifier.Call{ID: c.id}, a).Outcome {
		case classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.InvalidToolResult, classifier.JSONRPCError:
			return false
		}
	case InformationalIsFine:
		return status < 100 || status > 299
	case StatusOnlyServerErrors:
		return status >= 500
	case StatusOnlyErrors:
		return status >= 400
	case StatusOf16Bits:
		status &= 0xFFFF
	case StatusZeroIsFine:
		return status != 0 && (status < 200 || status > 299)
	case StatusYieldsToSuccess:
		a := c.answer
		a.Status = 200
		if (Judge{Decoders: c.Decoders}).Classify(classifier.Call{ID: c.id}, a).Outcome == classifier.ToolSuccess {
			return false
		}
	}
	return status < 200 || status > 299
}

// judgeHTTPError fills in what stays readable of a non-2xx: rule 1.
func (c *judging) judgeHTTPError() {
	c.settle(classifier.HTTPError, classifier.ReasonHTTPStatus)
	c.v.Challenged = len(lines(c.answer.Header, "Www-Authenticate")) > 0
	value, valid := retryAfter(lines(c.answer.Header, "Retry-After"))
	if valid {
		c.v.RetryAfter = value
	} else {
		c.find(classifier.FindingRetryAfter)
	}

	if isWhole, _, _ := c.arrival(); !isWhole || c.body.state != whole {
		return
	}
	text, _ := cutBOM(c.body.plain)
	d, fault := c.parse(text)
	if fault.reason != 0 || d.kind(root) != object {
		return
	}
	err := d.get(root, "error")
	if d.isText(d.get(root, "jsonrpc"), "2.0") && d.get(root, "result") == none && err != none && c.errorFault(d, err) == 0 {
		c.v.ID = d.raw(d.get(root, "id"))
		c.v.Error = rpcError(d, err)
	}
}
