package broken

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// Habit is a judge that is wrong in what one verdict does not show: in what it
// remembers, what it writes into, how it is fed, what it advises, or which of two
// answers that mean the same it takes. Each is for one relation, which finds it
// alone; most are right by construction, so that the table of [All] has no place
// for them.
type Habit struct {
	// Name, Rule, Source and Doc are as those of a [Judge].
	Name, Rule, Source, Doc string

	// Classify judges the answer to a call.
	Classify func(classifier.Call, classifier.Answer) classifier.Verdict
	// Stream judges a body in pieces, split at the offsets; nil if the fault is
	// elsewhere.
	Stream func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict
	// Advise advises; nil if the fault is elsewhere.
	Advise func(classifier.Verdict, classifier.Facts) classifier.Advice
}

// Habits lists them, each with a memory of its own. They know the codings gzip
// and deflate.
func Habits() []Habit {
	return []Habit{
		{Name: "retry-after-refuses-success", Rule: "2", Source: byRule, Classify: retryAfterRefuses,
			Doc: "takes a 2xx with Retry-After for a server that is not ready"},
		{Name: "unknown-coding-told-as-protocol", Rule: "outcomes", Source: byRule, Classify: codingAsProtocol,
			Doc: "puts a body in a coding that it does not know down to the protocol, and not to the transport"},
		{Name: "event-ids-remembered", Rule: "all", Source: byRule, Classify: new(memory).classify,
			Doc: "skips the events of a stream whose ids are those of the stream before"},
		{Name: "mark-dropped-in-place", Rule: "all", Source: byRule, Classify: markInPlace,
			Doc: "moves the body over its byte order mark, in memory that is not its own"},
		{Name: "unavailable-sent-again", Rule: "advice", Source: byRule, Classify: sound.Classify, Advise: sendAgain,
			Doc: "has a call sent again by itself after a 503 that names a time"},
		{Name: "split-line-end-counts-twice", Rule: "S1", Source: byRule, Classify: sound.Classify, Stream: splitLineEnd,
			Doc: "ends two lines where a CR and its LF come in two reads"},
		{Name: "id-expected-first", Rule: "6", Source: byRule, Classify: idFirst,
			Doc: "does not know a success whose id comes after its result"},
		{Name: "is-error-expected-beside-structured", Rule: "9", Source: byRule, Classify: isErrorBesideStructured,
			Doc: "refuses a success with structured content that does not say isError"},
	}
}

// HabitByName is the one of that name.
func HabitByName(name string) (Habit, bool) {
	for _, h := range Habits() {
		if h.Name == name {
			return h, true
		}
	}
	return Habit{}, false
}

var sound model.Judge

func retryAfterRefuses(call classifier.Call, a classifier.Answer) classifier.Verdict {
	if a.Status/100 == 2 && a.Header.Get("Retry-After") != "" {
		a.Status = http.StatusServiceUnavailable
	}
	return sound.Classify(call, a)
}

func codingAsProtocol(call classifier.Call, a classifier.Answer) classifier.Verdict {
	v := sound.Classify(call, a)
	if v.Reason == classifier.ReasonContentEncoding {
		v.Layer = classifier.Protocol
	}
	return v
}

// memory is what a judge remembers of the stream before.
type memory struct {
	sync.Mutex
	ids string
}

func (m *memory) classify(call classifier.Call, a classifier.Answer) classifier.Verdict {
	ids := ""
	for line := range bytes.SplitSeq(a.Body, []byte("\n")) {
		if id, ok := bytes.CutPrefix(line, []byte("id:")); ok {
			ids += string(id) + "\n"
		}
	}
	m.Lock()
	defer m.Unlock()
	if ids != "" && ids == m.ids {
		a.Body = nil
	}
	m.ids = ids
	return sound.Classify(call, a)
}

func markInPlace(call classifier.Call, a classifier.Answer) classifier.Verdict {
	v := sound.Classify(call, a)
	if text, ok := bytes.CutPrefix(a.Body, []byte("\uFEFF")); ok {
		copy(a.Body, text)
	}
	return v
}

func sendAgain(v classifier.Verdict, f classifier.Facts) classifier.Advice {
	if v.Status == http.StatusServiceUnavailable && v.RetryAfter != "" {
		return classifier.Advice{Action: classifier.WaitAndRetry}
	}
	return classifier.Advise(v, f)
}

func splitLineEnd(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
	var body []byte
	from := 0
	for _, at := range splits {
		body = append(body, a.Body[from:at]...)
		if a.Body[at-1] == '\r' && a.Body[at] == '\n' {
			body = append(body, '\r')
		}
		from = at
	}
	a.Body = append(body, a.Body[from:]...)
	return sound.Classify(call, a)
}

func idFirst(call classifier.Call, a classifier.Answer) classifier.Verdict {
	v := sound.Classify(call, a)
	if v.Outcome == classifier.ToolSuccess && bytes.Index(a.Body, []byte(`"id"`)) > bytes.Index(a.Body, []byte(`"result"`)) {
		v.Outcome, v.Layer, v.Reason = classifier.InvalidEnvelope, classifier.Protocol, classifier.ReasonIDMissing
	}
	return v
}

func isErrorBesideStructured(call classifier.Call, a classifier.Answer) classifier.Verdict {
	v := sound.Classify(call, a)
	if v.Outcome == classifier.ToolSuccess && bytes.Contains(a.Body, []byte(`"structuredContent"`)) && !bytes.Contains(a.Body, []byte(`"isError"`)) {
		v.Outcome, v.Layer, v.Reason = classifier.InvalidToolResult, classifier.Protocol, classifier.ReasonIsErrorNotBoolean
	}
	return v
}
