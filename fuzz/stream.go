package fuzz

import (
	"bytes"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// Stream judges data as an event stream: rules S. The first byte tells how the
// stream ends and where it is cut. Model, classifier and reader must agree,
// and, one of these an input: however the bytes come, a part of the stream may only say what the whole says
// or nothing, and line ends, comments and notifications must change nothing.
func Stream(t T, data []byte) {
	t.Helper()
	s, plan := plannedStream(data)
	j := agree(t, s)
	j.some(
		func(j judged) { j.partSaysNoMore(int(plan>>3), 31) },
		judged.lineEndsChangeNothing, judged.restIsNotLookedAt, judged.streamAlone, judged.readAgrees, judged.bytewise,
		precededBy(": a comment\n", 0),
		precededBy("\n\r\r\n:\n", 0),
		precededBy("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n", 1),
	)
}

// plannedStream is the answer that data stands for, and the byte that plans it.
func plannedStream(data []byte) (s Sample, plan byte) {
	if len(data) > 0 {
		plan, data = data[0], data[1:]
	}
	s = streamSample(data)
	s.Answer.Ended = [...]classifier.Ended{
		classifier.EndedEOF, classifier.EndedEOF, classifier.EndedEOF, classifier.EndedReset,
		classifier.EndedEOF, classifier.EndedDeadline, classifier.EndedCancelled, classifier.EndedSizeLimit,
	}[plan&7]
	return s, plan
}

// StreamSeeds are the streams of the corpus, each with a plan of its own.
func StreamSeeds() [][]byte {
	var all [][]byte
	for i, body := range seeds(streamBody) {
		all = append(all, append([]byte{byte(i * 8)}, body...))
	}
	return all
}

func streamSample(body []byte) Sample {
	return Sample{Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{
		Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}, Body: body,
	}}
}

// partSaysNoMore: of a stream that breaks off after part of its bytes, the
// verdict is that of the whole if the final response was there, and rule 4 if
// it was not (S5).
func (j judged) partSaysNoMore(part, of int) {
	j.t.Helper()
	s := j.s
	s.Answer.Ended = classifier.EndedReset
	s.Answer.Body = s.Answer.Body[:len(s.Answer.Body)*part/of]
	v := s.Classify()
	if v.Ended == classifier.BodySettledEarly {
		j.holds(identical(&j.v, &v), "a part with the final response says what the whole says", s, &v)
	} else {
		j.holds(v.Reason == classifier.ReasonBodyCut, "a part without the final response says nothing", s, &v)
	}
}

// lineEndsChangeNothing: LF, CRLF and CR are one (S1).
func (j judged) lineEndsChangeNothing() {
	j.t.Helper()
	body := j.s.Answer.Body
	if bytes.IndexByte(body, '\r') >= 0 {
		return
	}
	for _, end := range []string{"\r", "\r\n"} {
		s := j.s
		s.Answer.Body = bytes.ReplaceAll(body, []byte("\n"), []byte(end))
		v := s.Classify()
		j.holds(same(&j.v, &v), "line ends", s, &v)
	}
}

// restIsNotLookedAt: nothing after the final response counts (S5).
func (j judged) restIsNotLookedAt() {
	j.t.Helper()
	if j.v.Ended != classifier.BodySettledEarly {
		return
	}
	s := j.s
	s.Answer.Body = slices.Concat(s.Answer.Body, []byte("\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}\n\ndata: {\n\n"))
	s.Answer.Ended = classifier.EndedDeadline
	v := s.Classify()
	j.holds(identical(&j.v, &v), "what follows the final response", s, &v)
}

// precededBy: comments, blank lines and notifications before everything else
// change nothing but the count of events.
func precededBy(text string, events int) func(judged) {
	return func(j judged) {
		j.t.Helper()
		if bytes.HasPrefix(j.s.Answer.Body, bom) {
			return
		}
		s := j.s
		s.Answer.Body = slices.Concat([]byte(text), s.Answer.Body)
		v := s.Classify()
		v.EventCount -= events
		j.holds(same(&j.v, &v), "what changes nothing comes first", s, &v)
	}
}

// streamAlone: the Stream to which the bytes are written, in pieces, says what
// Classify says.
func (j judged) streamAlone() {
	j.t.Helper()
	stream := classifier.NewStream(j.s.Call)
	size := sizesFrom(digest(j.s.Answer.Body))
	for rest := j.s.Answer.Body; len(rest) > 0 && !stream.Settled(); {
		n := min(len(rest), max(1, size()))
		piece := bytes.Clone(rest[:n])
		if _, err := stream.Write(piece); err != nil && err != classifier.ErrSettled {
			j.t.Errorf("write: %v\n%s", err, j.s)
		}
		clear(piece) // the stream must keep no reference to it
		rest = rest[n:]
	}
	v := stream.Close(j.s.Answer.Ended)
	j.holds(identical(&j.v, &v), "the stream alone", j.s, &v)
}
