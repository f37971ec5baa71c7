package fuzz

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// Classify is the classifier's verdict of the sample.
func (s Sample) Classify() classifier.Verdict {
	switch {
	case s.NoAnswer:
		return classifier.ClassifyNoAnswer(s.Answer.Ended)
	case s.Notification:
		return classifier.ClassifyNotification(s.Answer)
	}
	return classifier.Classify(s.Call, s.Answer)
}

// second is the model, with decoders for the codings that the classifier knows here.
var second = model.Judge{Decoders: decoders}

// Model is the model's verdict of the sample.
func (s Sample) Model() classifier.Verdict { return s.by(&second) }

func (s Sample) by(j *model.Judge) classifier.Verdict {
	switch {
	case s.NoAnswer:
		return j.NoAnswer(s.Answer.Ended)
	case s.Notification:
		return j.Notification(s.Answer)
	}
	return j.Classify(s.Call, s.Answer)
}

// Readable tells whether [Sample.Read] can play the sample: an answer that does
// not end by the reader's own limit.
func (s Sample) Readable() bool {
	return !s.NoAnswer && s.Answer.Ended != classifier.EndedSizeLimit
}

// Read is the verdict of the classifier's incremental reader, to which the body
// comes in pieces of the sizes that size returns, at least one byte each. The
// sample must be readable.
func (s Sample) Read(size func() int) classifier.Verdict {
	body := &pieces{rest: s.Answer.Body, size: size, end: endings[s.Answer.Ended]}
	response := &http.Response{StatusCode: s.Answer.Status, Header: s.Answer.Header, Body: body, ContentLength: -1}
	if s.Notification {
		return classifier.ReadNotification(context.Background(), response)
	}
	return classifier.Read(context.Background(), s.Call, response)
}

// endings are the errors by which a body tells its reader how it ended.
var endings = map[classifier.Ended]error{
	classifier.EndedEOF:       io.EOF,
	classifier.EndedReset:     io.ErrUnexpectedEOF,
	classifier.EndedDeadline:  context.DeadlineExceeded,
	classifier.EndedCancelled: context.Canceled,
	classifier.EndedConnect:   errors.New("connection lost"),
	classifier.EndedTLS:       errors.New("bad record"),
}

// pieces is a body that comes in pieces. Every other time its last one comes
// together with the error.
type pieces struct {
	rest []byte
	size func() int
	end  error
	odd  bool
}

// Read delivers one piece.
func (p *pieces) Read(into []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, p.end
	}
	n := copy(into, p.rest[:min(len(p.rest), max(1, p.size()))])
	p.rest = p.rest[n:]
	if p.odd = !p.odd; len(p.rest) == 0 && p.odd {
		return n, p.end
	}
	return n, nil
}

// Close does nothing; the reader may close twice.
func (p *pieces) Close() error { return nil }

// oneByte is the size of the smallest pieces.
func oneByte() int { return 1 }

// sizesFrom makes sizes of pieces, mostly small, that follow from seed alone.
func sizesFrom(seed uint64) func() int {
	return func() int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return 1 << (seed >> 60) >> (seed >> 58 & 3) // 0 to 32768; 0 counts as 1
	}
}

// judged is a sample and the classifier's verdict of it, for relations.
type judged struct {
	t T
	s Sample
	v classifier.Verdict
}

// agree lets classifier and model judge s and reports where they differ, a
// verdict that contradicts itself, and an input that was changed.
func agree(t T, s Sample) judged {
	t.Helper()
	before := digest(s.Answer.Body)
	v := s.Classify()
	if digest(s.Answer.Body) != before {
		t.Errorf("classifier changed the body of\n%s", s)
	}
	wellFormed(t, s, &v)
	if m := s.Model(); !same(&m, &v) {
		t.Errorf("model and classifier differ: %s\n%s", differences(&m, &v), s)
	}
	return judged{t, s, v}
}

// some tries one of the relations, which the body chooses: each costs about as
// much as all that the engine does for an input. A T that has a method Thorough
// gets all of them.
func (j judged) some(relations ...func(judged)) {
	j.t.Helper()
	if _, ok := j.t.(interface{ Thorough() }); !ok {
		at := digest(j.s.Answer.Body) % uint64(len(relations))
		relations = relations[at : at+1]
	}
	for _, relation := range relations {
		relation(j)
	}
}

// digest is FNV-1a.
func digest(b []byte) uint64 {
	sum := uint64(14695981039346656037)
	for _, c := range b {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return sum
}

// readAgrees: the reader says the same of the body in pieces.
func (j judged) readAgrees() {
	j.t.Helper()
	if !j.s.Readable() {
		return
	}
	seed := digest(j.s.Answer.Body)
	if r := j.s.Read(sizesFrom(seed)); !identical(&j.v, &r) {
		j.t.Errorf("classifier and reader differ, pieces of seed %d: %s\n%s", seed, differences(&j.v, &r), j.s)
	}
}

// bytewise: the reader says the same of the body in single bytes.
func (j judged) bytewise() {
	j.t.Helper()
	if !j.s.Readable() {
		return
	}
	if r := j.s.Read(oneByte); !identical(&j.v, &r) {
		j.t.Errorf("classifier and reader differ, single bytes: %s\n%s", differences(&j.v, &r), j.s)
	}
}

// wellFormed reports a verdict that contradicts itself.
func wellFormed(t T, s Sample, v *classifier.Verdict) {
	t.Helper()
	if v.Outcome == 0 || v.Reason == 0 || v.Ended == 0 || v.Layer != v.Outcome.Layer() {
		t.Errorf("verdict lacks a part: %+v\n%s", *v, s)
	}
	if malformed := v.Outcome == classifier.MalformedJSON; malformed != (v.SyntaxOffset >= 0) {
		t.Errorf("%s with syntax offset %d\n%s", v.Outcome, v.SyntaxOffset, s)
	}
	for i := 1; i < len(v.Findings); i++ {
		if v.Findings[i-1].Kind >= v.Findings[i].Kind {
			t.Errorf("findings out of order or twice: %v\n%s", kinds(v.Findings), s)
		}
	}
	forNotification := v.Outcome == classifier.Accepted || v.Outcome == classifier.UnexpectedReply
	if forNotification && !s.Notification {
		t.Errorf("%s of a call\n%s", v.Outcome, s)
	}
	success := s.Answer.Status >= 200 && s.Answer.Status <= 299
	if !s.NoAnswer && success == (v.Outcome == classifier.HTTPError) {
		t.Errorf("%s of status %d (rule 1)\n%s", v.Outcome, s.Answer.Status, s)
	}
}

// holds reports that a relation does not, unless ok.
func (j judged) holds(ok bool, relation string, other Sample, got *classifier.Verdict) {
	if !ok {
		j.t.Helper()
		j.t.Errorf("%s: %s\n%s\n--- became\n%s", relation, differences(&j.v, got), j.s, other)
	}
}
