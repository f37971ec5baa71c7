package generators

import "github.com/replyproof/replyproof/classifier"

// good tells whether a member is there and as it should be.
func (m *Member) good() bool { return m.Present && m.Fact == FactGood }

// equal tells whether the id is the request's.
func (p *Plan) idEqual() bool {
	return p.ID.good() || p.article && p.ID.Present && p.ID.Rounded
}

// codeGood tells whether the code is an integer.
func (p *Plan) codeGood() bool {
	return p.Code.Present && (p.Code.Fact == FactGood) != (p.article && p.Code.Rounded)
}

// textFact is what rule 5 says of the final text: the first thing that is wrong.
func (p *Plan) textFact(stream bool) classifier.Reason {
	t := &p.Text
	switch {
	case stream && t.BOM:
		return classifier.ReasonJSONSyntax
	case t.First != 0:
		return t.First
	case t.Replaced:
		return t.Last
	case t.InnerFact != 0:
		return t.InnerFact
	default:
		return t.Last
	}
}

// errorFact is what rule 8 says of the error: 0 if it passes.
func (p *Plan) errorFact() classifier.Reason {
	switch {
	case !p.Error.Present || p.Error.Fact != FactGood:
		return classifier.ReasonErrorNotObject
	case !p.codeGood():
		return classifier.ReasonErrorCode
	case !p.Message.good():
		return classifier.ReasonErrorMessage
	}
	return 0
}

// text5 is rules 5 to 9 on the final text.
func (d *Renderer) text5(x *expectation, stream bool) {
	p := &d.plan
	reason := p.textFact(stream)
	if stream && reason == 0 {
		reason = p.Stream.Broken
	}
	if reason != 0 {
		x.set(classifier.MalformedJSON, reason)
		return
	}
	t := &p.Text
	if t.BadUTF8 {
		x.find(classifier.FindingBadUTF8)
		x.may(classifier.MalformedJSON)
	}
	if t.LoneSurrogate {
		x.find(classifier.FindingLoneSurrogate)
		x.may(classifier.MalformedJSON)
	}
	if p.nesting() > 100 {
		x.find(classifier.FindingDeepNesting)
		x.may(classifier.MalformedJSON)
	}
	if t.NotObject {
		x.set(classifier.InvalidEnvelope, classifier.ReasonNotObject)
		return
	}
	d.envelope(x)
}

// nesting is the depth of the text, as far as it can pass 100.
func (p *Plan) nesting() int { return p.Text.Nest + 1 }

// envelope is rule 6 and what follows.
func (d *Renderer) envelope(x *expectation) {
	p := &d.plan
	for _, m := range [...]*Member{&p.JSONRPC, &p.ID, &p.Method, &p.Result, &p.Error} {
		x.duplicate(m, classifier.InvalidEnvelope)
	}
	if p.Method.Present && (p.Result.Present || p.Error.Present) {
		x.may(classifier.InvalidEnvelope)
	}
	if reason := p.envelopeFact(); reason != 0 {
		x.set(classifier.InvalidEnvelope, reason)
		switch reason {
		case classifier.ReasonIDMissing, classifier.ReasonIDMismatch:
			if (reason == classifier.ReasonIDMissing || p.ID.Fact == FactNull) && !p.Result.Present && p.errorFact() == 0 {
				x.code = d.code
				x.may(classifier.JSONRPCError)
			}
			x.rounded = x.rounded || p.ID.Present && p.ID.Rounded
		}
		return
	}
	x.rounded = x.rounded || p.ID.Rounded
	if p.Error.Present {
		d.error8(x)
		return
	}
	d.result9(x)
}

// envelopeFact is what rule 6 says of an object: 0 if it passes.
func (p *Plan) envelopeFact() classifier.Reason {
	switch {
	case !p.JSONRPC.good():
		return classifier.ReasonJSONRPCVersion
	case !p.ID.Present:
		return classifier.ReasonIDMissing
	case !p.idEqual():
		return classifier.ReasonIDMismatch
	case p.Result.Present && p.Error.Present:
		return classifier.ReasonResultAndError
	case !p.Result.Present && !p.Error.Present:
		return classifier.ReasonNeitherResultNorError
	}
	return 0
}

// duplicate makes the finding of a member that stands twice.
func (x *expectation) duplicate(m *Member, o classifier.Outcome) {
	if m.Present && m.Earlier != "" {
		x.find(classifier.FindingDuplicateMember)
		x.may(classifier.MalformedJSON)
		x.may(o)
	}
}

// error8 is rule 8.
func (d *Renderer) error8(x *expectation) {
	p := &d.plan
	if p.Error.Fact == FactGood {
		for _, m := range [...]*Member{&p.Code, &p.Message, &p.Data} {
			x.duplicate(m, classifier.InvalidEnvelope)
		}
		x.rounded = x.rounded || p.Code.Present && (p.Code.Rounded || p.Code.Beyond)
	}
	if reason := p.errorFact(); reason != 0 {
		x.set(classifier.InvalidEnvelope, reason)
		return
	}
	x.set(classifier.JSONRPCError, classifier.ReasonRPCError)
	x.code = d.code
}

// result9 is rule 9.
func (d *Renderer) result9(x *expectation) {
	p := &d.plan
	if p.Result.Fact != FactGood {
		x.set(classifier.InvalidToolResult, classifier.ReasonResultNotObject)
		return
	}
	for _, m := range [...]*Member{&p.ResultType, &p.Content, &p.IsError, &p.Structured, &p.InputRequests, &p.RequestState, &p.ResultMeta} {
		x.duplicate(m, classifier.InvalidToolResult)
	}
	switch {
	case !p.ResultType.Present:
		x.find(classifier.FindingResultTypeMissing)
	case p.ResultType.Fact == FactInput:
		d.input(x)
		return
	case p.ResultType.Fact != FactGood:
		x.set(classifier.InvalidToolResult, classifier.ReasonResultType)
		return
	}
	badFlag := p.IsError.Present && p.IsError.Fact == FactBad
	final := classifier.ToolSuccess
	if p.IsError.Present && p.IsError.Fact == FactTrue {
		final = classifier.ToolError
	}
	switch {
	case !p.Content.Present:
		x.set(classifier.InvalidToolResult, classifier.ReasonContentMissing)
		if p.Structured.Present && !badFlag {
			x.may(final)
		}
		return
	case p.Content.Fact != FactGood:
		x.set(classifier.InvalidToolResult, classifier.ReasonContentNotArray)
		return
	case badFlag:
		x.set(classifier.InvalidToolResult, classifier.ReasonIsErrorNotBoolean)
		return
	}
	if p.OddItem {
		x.find(classifier.FindingContentItem)
		x.may(classifier.InvalidToolResult)
	}
	if p.NullOptional || p.ResultMeta.Present && p.ResultMeta.Fact == FactNull {
		x.find(classifier.FindingNullOptional)
		x.may(classifier.InvalidToolResult)
	}
	x.outcome, x.reason = final, classifier.ReasonToolSuccess
	if final == classifier.ToolError {
		x.reason = classifier.ReasonToolError
	}
}

// input is rule 9 for a result that asks for input.
func (d *Renderer) input(x *expectation) {
	p := &d.plan
	x.set(classifier.InputRequired, classifier.ReasonInputRequired)
	if p.InputRequests.Present && p.InputRequests.Fact == FactDoubled {
		x.find(classifier.FindingDuplicateMember)
		x.may(classifier.MalformedJSON)
		x.may(classifier.InvalidToolResult)
	}
	if !p.InputRequests.Present && !p.RequestState.Present {
		x.find(classifier.FindingInputRequiredEmpty)
		x.may(classifier.InvalidToolResult)
	}
	if p.InputRequests.Present && p.InputRequests.Fact == FactBad {
		x.find(classifier.FindingInputRequestsType)
	}
	if p.RequestState.Present && p.RequestState.Fact != FactGood {
		x.find(classifier.FindingRequestStateType)
	}
}
