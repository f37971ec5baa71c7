package corpus

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)*$`)

// ValidID tells whether id may name a case: words of small letters and digits,
// joined by hyphens, with groups before slashes.
func ValidID(id string) bool { return kebab.MatchString(id) }

// AdviceWords are the words that expect.advice may hold, from the advice table.
func AdviceWords() []string {
	return []string{"never", "ask", "after-change", "answer-inputs", "wait-and-retry"}
}

// Check tells what is wrong with a case as it stands, whatever any judge says
// of it: an id that is none, an empty why, fields that do not go together, words
// that are none, and expectations that contradict each other or the status. All
// faults are reported, each an [*Error], joined.
func (c Case) Check() error {
	return errors.Join(c.faults()...)
}

func (c Case) faults() []error {
	k := checker{id: c.ID}
	if !ValidID(c.ID) {
		k.fault("id", "%.40q is no id; write small letters, digits and hyphens, a group before the slash", c.ID)
	}
	if strings.TrimSpace(c.Why) == "" {
		k.fault("why", "is empty; say in a sentence which rule the case shows")
	}
	if slices.Contains(c.Tags, "") {
		k.fault("tags", "holds an empty tag")
	}
	k.exchange(c)
	for i, next := range c.Then {
		k.prefix = fmt.Sprintf("then[%d].", i)
		if next.Then != nil || next.ID != "" || next.Rule != "" || next.Why != "" || next.Source != "" || next.Tags != nil {
			k.fault("", "has a field that only a whole case has: then, id, rule, why, source or tags")
		}
		k.exchange(next)
	}
	return k.faults
}

type checker struct {
	id, prefix string
	faults     []error
}

func (k *checker) fault(key, format string, args ...any) {
	k.faults = append(k.faults, &Error{Case: k.id, Key: k.prefix + key, Err: fmt.Errorf(format, args...)})
}

func (k *checker) exchange(c Case) {
	k.wire(c)
	if c.Expect != nil {
		k.expect(c, *c.Expect)
	}
	for i, word := range c.AlsoAcceptable {
		var outcome classifier.Outcome
		switch err := outcome.UnmarshalText([]byte(word)); {
		case err != nil:
			k.fault("also_acceptable", "%w", err)
		case c.Expect == nil:
			k.fault("also_acceptable", "stands without expect")
		case c.Expect.Outcome == outcome:
			k.fault("also_acceptable", "says %s again, which expect says already", word)
		case slices.Contains(c.AlsoAcceptable[:i], word):
			k.fault("also_acceptable", "says %s twice", word)
		}
	}
}

func (k *checker) wire(c Case) {
	if n, ok := c.RequestID.Int(); ok && (n < -MaxID || n > MaxID) {
		k.fault("request_id", "%d lies outside -2^53 to 2^53", n)
	}
	for _, line := range c.Headers {
		if !token(line.Name) {
			k.fault("headers", "%.40q is no name of a header field", line.Name)
		}
		if strings.ContainsAny(line.Value, "\r\n\x00") {
			k.fault("headers", "the value of %.40s holds a line end or NUL, which no header field can", line.Name)
		}
	}
	previous := 0
	for _, split := range c.ChunkSplits {
		if split <= previous || split >= len(c.Body) {
			k.fault("chunk_splits", "%d is out of range; the offsets ascend and lie inside the body of %d bytes", split, len(c.Body))
		}
		previous = split
	}
	cut := c.CutAfter != nil && *c.CutAfter < len(c.Body)
	switch {
	case c.CutAfter != nil && *c.CutAfter < 0:
		k.fault("cut_after", "%d is negative; it counts the bytes that are delivered", *c.CutAfter)
	case cut && c.Ended != nil && *c.Ended == classifier.EndedEOF:
		k.fault("ended", "is eof, but cut_after cuts the body; write a shorter body, or another end")
	}
	if c.DelayMS < 0 {
		k.fault("delay_ms", "%d is negative", c.DelayMS)
	}
	if c.Status != nil {
		return
	}
	if c.Headers != nil || c.Body != nil || c.ChunkSplits != nil || c.CutAfter != nil {
		k.fault("status", "is null, so there is no answer and no headers, body, chunk_splits or cut_after")
	}
	switch c.NoAnswer() {
	case classifier.EndedEOF, classifier.EndedSizeLimit:
		k.fault("ended", "%s is no end of a call without an answer", c.NoAnswer())
	}
}

// token tells whether name is a token of RFC 9110.
func token(name string) bool {
	for i := range len(name) {
		b := name[i]
		if b <= ' ' || b >= 0x7F || strings.IndexByte(`"(),/:;<=>?@[\]{}`, b) >= 0 {
			return false
		}
	}
	return name != ""
}

func (k *checker) expect(c Case, e Expect) {
	switch {
	case e.Outcome == 0:
		k.fault("expect.outcome", "is absent; it is required")
	case e.Layer == 0:
		k.fault("expect.layer", "is absent; it is required")
	case e.Layer != e.Outcome.Layer():
		k.fault("expect.layer", "%s is not the layer of %s, which is %s", e.Layer, e.Outcome, e.Outcome.Layer())
	}
	if e.Reason != "" {
		var reason classifier.Reason
		if err := reason.UnmarshalText([]byte(e.Reason)); err != nil {
			k.fault("expect.reason", "%w", err)
		} else if e.Outcome != 0 && !slices.Contains(outcomesOf(reason), e.Outcome) {
			k.fault("expect.reason", "%s never leads to %s", e.Reason, e.Outcome)
		}
	}
	for i, name := range e.Findings {
		var kind classifier.FindingKind
		if err := kind.UnmarshalText([]byte(name)); err != nil {
			k.fault("expect.findings", "%w", err)
		} else if slices.Contains(e.Findings[:i], name) {
			k.fault("expect.findings", "says %s twice", name)
		}
	}
	if e.Advice != "" && !slices.Contains(AdviceWords(), e.Advice) {
		k.fault("expect.advice", "%.40q is no advice; the words are %s", e.Advice, strings.Join(AdviceWords(), ", "))
	}
	if e.Code != "" {
		switch e.Outcome {
		case classifier.JSONRPCError, classifier.HTTPError, classifier.InvalidEnvelope:
		default:
			k.fault("expect.code", "an answer that is %s has no code", e.Outcome)
		}
		if !SameNumber(e.Code, e.Code) {
			k.fault("expect.code", "%.40q is no JSON number", e.Code)
		}
	}
	k.possible(c, e)
}

// possible notes outcomes that cannot be, whatever the headers and body.
func (k *checker) possible(c Case, e Expect) {
	forNotification := e.Outcome == classifier.Accepted || e.Outcome == classifier.UnexpectedReply
	success := c.Status != nil && *c.Status >= 200 && *c.Status <= 299
	switch {
	case e.Outcome == 0:
	case c.Status == nil && e.Outcome != classifier.NoFinalResponse:
		k.fault("expect.outcome", "%s needs an answer, but status is null (rule T)", e.Outcome)
	case c.Status == nil:
	case success == (e.Outcome == classifier.HTTPError):
		k.fault("expect.outcome", "%s cannot come of the status %d (rule 1)", e.Outcome, *c.Status)
	case e.Outcome == classifier.HTTPError || e.Outcome == classifier.NoFinalResponse:
	case c.Notification != forNotification:
		k.fault("expect.outcome", "%s does not go with notification %t (rule N)", e.Outcome, c.Notification)
	}
}

// outcomesOf are the outcomes to which a reason can lead.
func outcomesOf(r classifier.Reason) []classifier.Outcome {
	switch {
	case r == classifier.ReasonHTTPStatus:
		return []classifier.Outcome{classifier.HTTPError}
	case r >= classifier.ReasonContentTypeConflict && r <= classifier.ReasonContentEncoding:
		return []classifier.Outcome{classifier.UnexpectedContentType}
	case r >= classifier.ReasonJSONEmpty && r <= classifier.ReasonJSONTrailing:
		return []classifier.Outcome{classifier.MalformedJSON}
	case r >= classifier.ReasonNotObject && r <= classifier.ReasonErrorMessage:
		return []classifier.Outcome{classifier.InvalidEnvelope}
	case r == classifier.ReasonRPCError:
		return []classifier.Outcome{classifier.JSONRPCError}
	case r == classifier.ReasonInputRequired:
		return []classifier.Outcome{classifier.InputRequired}
	case r >= classifier.ReasonResultNotObject && r <= classifier.ReasonIsErrorNotBoolean:
		return []classifier.Outcome{classifier.InvalidToolResult}
	case r == classifier.ReasonToolError:
		return []classifier.Outcome{classifier.ToolError}
	case r == classifier.ReasonToolSuccess:
		return []classifier.Outcome{classifier.ToolSuccess}
	case r == classifier.ReasonAccepted:
		return []classifier.Outcome{classifier.Accepted}
	case r == classifier.ReasonUnexpectedReply:
		return []classifier.Outcome{classifier.UnexpectedReply}
	}
	return []classifier.Outcome{classifier.NoFinalResponse}
}
