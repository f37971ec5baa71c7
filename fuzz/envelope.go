package fuzz

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// Envelope judges data as the body of a JSON answer: rules 5 to 9. Model,
// classifier and reader must agree, and the verdict must follow what is done to
// the answer, one thing an input: another status, a cut, white space, an unknown
// member, an error beside a result, the same text in a stream, the response's
// own id.
func Envelope(t T, data []byte) {
	t.Helper()
	j := agree(t, jsonSample(data))
	j.some(
		judged.statusRules, judged.cutSettlesNothing, judged.offsetIsExact, judged.spaceChangesNothing,
		judged.membersCount, judged.streamAgrees, judged.ownIDMatches, judged.readAgrees, judged.bytewise,
	)
}

// EnvelopeSeeds are the bodies of the corpus that are not streams.
func EnvelopeSeeds() [][]byte { return seeds(jsonBody) }

func jsonSample(body []byte) Sample {
	return Sample{Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{
		Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: body,
	}}
}

// statusRules: a status outside 2xx is HTTP_ERROR whatever the body (rule 1).
func (j judged) statusRules() {
	j.t.Helper()
	s := j.s
	s.Answer.Status = 503
	v := s.Classify()
	j.holds(v.Outcome == classifier.HTTPError, "status dominates", s, &v)
	if j.v.Outcome == classifier.JSONRPCError {
		j.holds(sameRaw(v.Error.Code, j.v.Error.Code) && sameRaw(v.Error.Message, j.v.Error.Message), "error stays readable", s, &v)
	}
	if m := s.Model(); !same(&m, &v) {
		j.holds(false, "model agrees on the status: "+differences(&m, &v), s, &v)
	}
}

// cutSettlesNothing: a JSON body that did not arrive whole is rule 4.
func (j judged) cutSettlesNothing() {
	j.t.Helper()
	s := j.s
	s.Answer.Ended = classifier.EndedReset
	v := s.Classify()
	j.holds(v.Outcome == classifier.NoFinalResponse && v.Reason == classifier.ReasonBodyCut, "a cut body settles nothing", s, &v)
}

// offsetIsExact: what stands before the offset of a syntax error is the longest
// part that can still become JSON (rule 5).
func (j judged) offsetIsExact() {
	j.t.Helper()
	if j.v.Outcome != classifier.MalformedJSON {
		return
	}
	s := j.s
	s.Answer.Body = s.Answer.Body[:j.v.SyntaxOffset]
	v := s.Classify()
	if j.v.Reason == classifier.ReasonJSONTrailing {
		j.holds(v.Outcome != classifier.MalformedJSON, "the text before what trails is whole", s, &v)
		return
	}
	j.holds(v.Outcome == classifier.MalformedJSON && v.SyntaxOffset == j.v.SyntaxOffset, "the text before the error may go on", s, &v)
}

// spaceChangesNothing: white space around the text (rule 5).
func (j judged) spaceChangesNothing() {
	j.t.Helper()
	if bytes.HasPrefix(j.s.Answer.Body, bom) {
		return
	}
	s := j.s
	s.Answer.Body = slices.Concat([]byte("\r\n\t "), s.Answer.Body, []byte(" \n"))
	v := s.Classify()
	moved := j.v
	if moved.SyntaxOffset >= 0 && v.SyntaxOffset >= 0 {
		// The offset moves by what precedes, and where the text ends too early by what follows.
		ends := moved.SyntaxOffset == int64(len(j.s.Answer.Body))
		j.holds(v.SyntaxOffset == moved.SyntaxOffset+4 || ends && v.SyntaxOffset >= moved.SyntaxOffset+4, "white space moves the offset", s, &v)
		moved.SyntaxOffset = v.SyntaxOffset
	}
	j.holds(same(&moved, &v), "white space around the text", s, &v)
}

// membersCount: an unknown member changes nothing, an error beside a result
// settles that neither counts (rule 6).
func (j judged) membersCount() {
	j.t.Helper()
	body := bytes.TrimRight(j.s.Answer.Body, " \t\r\n")
	switch j.v.Outcome {
	case classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.InvalidToolResult, classifier.JSONRPCError:
	default:
		return
	}
	s := j.s
	s.Answer.Body = slices.Concat(body[:len(body)-1], []byte(`,"\u0052esult":[null],"x":{"id":2,"error":1}}`))
	v := s.Classify()
	j.holds(same(&j.v, &v), "unknown members", s, &v)
	s.Answer.Body = slices.Concat(body[:len(body)-1], []byte(`,"error":{"code":1,"message":""},"result":null}`))
	v = s.Classify()
	j.holds(v.Outcome == classifier.InvalidEnvelope && v.Reason == classifier.ReasonResultAndError, "result and error", s, &v)
}

// streamAgrees: the text as the one event of a stream has the same verdict, but
// for what only a stream holds (S4).
func (j judged) streamAgrees() {
	j.t.Helper()
	body := j.s.Answer.Body
	if len(body) == 0 || bytes.ContainsAny(body, "\r\n") || bytes.HasPrefix(body, bom) {
		return
	}
	s := streamSample(slices.Concat([]byte("data: "), body, []byte("\n\n")))
	v := s.Classify()
	if v.Reason == classifier.ReasonNoResponseInStream {
		j.holds(j.v.Outcome == classifier.InvalidEnvelope, "only a message without result and error is passed over", s, &v)
		return
	}
	j.holds(v.Outcome == j.v.Outcome && v.Reason == j.v.Reason && v.SyntaxOffset == j.v.SyntaxOffset && v.EventCount == 1 &&
		sameKinds(v.Findings, j.v.Findings) && sameRaw(v.ID, j.v.ID) && sameError(&v.Error, &j.v.Error), "stream and JSON agree", s, &v)
}

// ownIDMatches: judged for the id that the response has, the id no longer
// decides (rule 7).
func (j judged) ownIDMatches() {
	j.t.Helper()
	if j.v.Reason != classifier.ReasonIDMismatch {
		return
	}
	s := j.s
	var n int64
	var text string
	switch {
	case json.Unmarshal(j.v.ID, &n) == nil && !bytes.Equal(j.v.ID, []byte("null")):
		s.Call.ID = classifier.IntID(n)
	case plainText(j.v.ID) && json.Unmarshal(j.v.ID, &text) == nil:
		s.Call.ID = classifier.StringID(text)
	default:
		return
	}
	v := s.Classify()
	j.holds(v.Reason != classifier.ReasonIDMismatch && v.Reason != classifier.ReasonIDMissing, "the response's own id", s, &v)
	if m := s.Model(); !same(&m, &v) {
		j.holds(false, "model agrees on the response's own id: "+differences(&m, &v), s, &v)
	}
}

// plainText tells whether raw is a string that encoding/json reads as the rules
// do: it replaces half a surrogate pair, and reads bad UTF-8 another way.
func plainText(raw []byte) bool {
	return len(raw) > 1 && raw[0] == '"' && !bytes.ContainsFunc(raw, func(r rune) bool { return r == '\\' || r >= 0x80 })
}

var bom = []byte("\xef\xbb\xbf")
