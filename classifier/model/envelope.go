package model

import (
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// dropBOM drops the byte order mark of a JSON body, which is a finding.
func (c *judging) dropBOM(body []byte) (text []byte, dropped int) {
	if c.has(BOMRefused) {
		return body, 0
	}
	text, dropped = cutBOM(body)
	if dropped > 0 {
		c.find(classifier.FindingBOM)
	}
	for more := dropped; more > 0 && c.has(AllBOMsDropped); dropped += more {
		text, more = cutBOM(text)
	}
	return text, dropped
}

// parse is rule 5: the text as a tree, or how it fails.
func (c *judging) parse(text []byte) (*document, fault) {
	text = c.repair(text)
	f, deepest := check(text, c.Quirk)
	if c.has(TrailingAccepted) && f.reason == classifier.ReasonJSONTrailing {
		text, f = text[:f.offset], fault{}
	}
	if f.reason != 0 {
		return nil, f
	}
	d := grow(text, c.Quirk, deepest)
	if c.has(DepthLimited) && d.deepest > 100 || c.has(BadUTF8Refused) && d.badUTF8 ||
		c.has(BadUTF8NamesRefused) && d.badUTF8Name || c.has(LoneSurrogateRefused) && d.loneSurrogate || d.hugeNumber {
		return nil, fault{reason: classifier.ReasonJSONSyntax}
	}
	return d, fault{}
}

// judgeText judges one message by rules 5 to 9. dropped counts the bytes of the
// byte order mark that stood before it.
func (c *judging) judgeText(text []byte, dropped int) {
	d, f := c.parse(text)
	if f.reason != 0 {
		c.settle(classifier.MalformedJSON, f.reason)
		c.v.SyntaxOffset = int64(dropped + f.offset)
		return
	}
	c.judgeDocument(d)
}

// judgeDocument judges a message that has passed rule 5.
func (c *judging) judgeDocument(d *document) {
	if d.badUTF8 {
		c.find(classifier.FindingBadUTF8)
	}
	if d.loneSurrogate {
		c.find(classifier.FindingLoneSurrogate)
	}
	if d.deepest > 100 {
		c.find(classifier.FindingDeepNesting)
	}
	c.judgeEnvelope(d)
}

// judgeEnvelope is rule 6.
func (c *judging) judgeEnvelope(d *document) {
	message := c.message(d)
	if d.kind(message) != object {
		c.settle(classifier.InvalidEnvelope, classifier.ReasonNotObject)
		return
	}
	if d.repeats(message, "jsonrpc", "id", "result", "error", "method") {
		c.find(classifier.FindingDuplicateMember)
	}
	id := d.get(message, "id")
	result, err := c.resultAndError(d, message)
	c.v.ID = d.raw(id)

	if c.has(BareResultAccepted) && result == none && err == none && d.get(message, "content") != none {
		c.judgeResult(d, message)
		return
	}
	if c.has(BareErrorAccepted) && result == none && err == none && c.errorFault(d, message) == 0 {
		c.judgeError(d, message)
		return
	}
	version := d.get(message, "jsonrpc")
	if !d.isText(version, "2.0") && !c.has(VersionIgnored) && !(c.has(VersionOptional) && version == none) {
		c.settle(classifier.InvalidEnvelope, classifier.ReasonJSONRPCVersion)
		return
	}
	nullIsFine := c.has(ErrorIDNullAccepted) && err != none && result == none && (id == none || d.isA(id, null))
	switch {
	case id == none && !nullIsFine && !c.has(IDIgnored):
		c.keepError(d, result, err)
		c.settle(classifier.InvalidEnvelope, classifier.ReasonIDMissing)
		return
	case d.isA(id, null) && !nullIsFine && !c.has(IDIgnored):
		c.keepError(d, result, err)
		c.settle(classifier.InvalidEnvelope, classifier.ReasonIDMismatch)
		return
	case !nullIsFine && !c.sameID(d, id):
		c.settle(classifier.InvalidEnvelope, classifier.ReasonIDMismatch)
		return
	}
	switch {
	case result != none && err != none && c.has(ResultFirst):
		c.judgeResult(d, result)
	case result != none && err != none && c.has(ErrorFirst):
		c.judgeError(d, err)
	case result != none && err != none:
		c.settle(classifier.InvalidEnvelope, classifier.ReasonResultAndError)
	case result != none:
		c.judgeResult(d, result)
	case err != none && !c.has(ErrorReadAsSuccess):
		c.judgeError(d, err)
	case err != none, c.has(MissingResultIsSuccess):
		c.settle(classifier.ToolSuccess, classifier.ReasonToolSuccess)
	default:
		c.settle(classifier.InvalidEnvelope, classifier.ReasonNeitherResultNorError)
	}
}

// message is the value that should be the response: the whole text.
func (c *judging) message(d *document) int {
	if c.has(BatchUnwrapped) && d.kind(root) == array && d.nodes[root].child != none {
		return d.nodes[root].child
	}
	return root
}

// resultAndError are the two members of which one must be there. Presence counts, not value.
func (c *judging) resultAndError(d *document, message int) (result, err int) {
	result, err = d.get(message, "result"), d.get(message, "error")
	if c.has(ResultNullIsAbsent) && d.isA(result, null) {
		result = none
	}
	if c.has(ErrorNullIsAbsent) && d.isA(err, null) {
		err = none
	}
	if c.has(ParamsAsResult) && result == none && err == none {
		result = d.get(message, "params")
	}
	return result, err
}

// keepError keeps the error of a response that has no id, or a null one, as a detail.
func (c *judging) keepError(d *document, result, err int) {
	if result == none && err != none && c.errorFault(d, err) == 0 {
		c.v.Error = rpcError(d, err)
	}
}

// judgeError is rule 8.
func (c *judging) judgeError(d *document, err int) {
	if d.isA(err, object) && d.repeats(err, "code", "message", "data") {
		c.find(classifier.FindingDuplicateMember)
	}
	if reason := c.errorFault(d, err); reason != 0 {
		c.settle(classifier.InvalidEnvelope, reason)
		return
	}
	c.v.Error = rpcError(d, err)
	if c.has(CodeIsStatus) && c.v.Error.Fits && c.v.Error.Number >= 100 && c.v.Error.Number < 600 {
		c.settle(classifier.HTTPError, classifier.ReasonHTTPStatus)
		return
	}
	switch {
	case c.has(URLElicitationIsInput) && c.v.Error.Number == -32042:
		c.settle(classifier.InputRequired, classifier.ReasonInputRequired)
		return
	case c.has(ParseErrorIsMalformed) && c.v.Error.Number == -32700:
		c.settle(classifier.MalformedJSON, classifier.ReasonJSONSyntax)
		return
	case c.has(HeaderMismatchIsHTTPError) && c.v.Error.Number == -32020:
		c.settle(classifier.HTTPError, classifier.ReasonHTTPStatus)
		return
	}
	c.settle(classifier.JSONRPCError, classifier.ReasonRPCError)
}

// errorFault is why an error does not pass rule 8, or 0.
func (c *judging) errorFault(d *document, err int) classifier.Reason {
	if !d.isA(err, object) && err != root {
		if c.has(ErrorTextAccepted) && d.isA(err, str) {
			return 0
		}
		return classifier.ReasonErrorNotObject
	}
	if !c.codeFine(d, d.get(err, "code")) {
		return classifier.ReasonErrorCode
	}
	message := d.get(err, "message")
	if !d.isA(message, str) && !c.has(MessageOptional) && !(c.has(MessageOfAnyType) && message != none) || c.has(EmptyMessageIsAbsent) && string(d.raw(message)) == `""` {
		return classifier.ReasonErrorMessage
	}
	return 0
}

// codeFine tells whether an error's code is a number whose exact value is an integer.
func (c *judging) codeFine(d *document, code int) bool {
	if !d.isA(code, number) {
		return c.has(CodeTextAccepted) && d.isA(code, str)
	}
	value := decimalOf(d.raw(code))
	switch c.Quirk {
	case CodeZeroIsAbsent:
		return value.isInteger() && value.digits != ""
	case CodeMinusZeroRefused:
		return value.isInteger() && (value.digits != "" || d.raw(code)[0] != '-')
	case FarExponentRefused:
		return value.isInteger() && !c.farExponent(d.raw(code))
	case CodeFractionAccepted:
		return true
	case CodeSpelledPlainly:
		return !strings.ContainsAny(string(d.raw(code)), ".eE")
	case CodeOf32Bits:
		n, fits := value.int64()
		return fits && n == int64(int32(n))
	}
	return value.isInteger()
}

// rpcError is an error object that has passed rule 8.
func rpcError(d *document, err int) classifier.RPCError {
	code := d.get(err, "code")
	e := classifier.RPCError{
		Code:    d.raw(code),
		Message: d.raw(d.get(err, "message")),
		Data:    d.raw(d.get(err, "data")),
	}
	if d.isA(code, number) {
		e.Number, e.Fits = decimalOf(e.Code).int64()
	}
	return e
}
