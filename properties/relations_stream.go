package properties

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/runner"
)

// streamRelations rest on event streams. Most put the case's JSON text into a
// stream of their own.
var streamRelations = []Property{
	{
		Name:  "json-and-stream",
		Rule:  "S3, S5",
		Doc:   "A response as a JSON body and as the one event of a stream has the same verdict.",
		Kills: []string{"error-responses-skipped"},
		Check: jsonAndStream,
	},
	{
		Name:  "line-ends",
		Rule:  "S1",
		Doc:   "LF, CRLF and CR end lines alike, mixed or not.",
		Kills: []string{"lf-only", "lone-cr-kept"},
		Check: lineEnds,
	},
	{
		Name:  "comments",
		Rule:  "S2",
		Doc:   "Comments, unknown fields, id and retry change nothing.",
		Kills: []string{"comments-break", "field-names-in-any-case"},
		Check: comments,
	},
	{
		Name:  "data-lines",
		Rule:  "S2",
		Doc:   "A message split over several data lines is the message.",
		Kills: []string{"last-data-line-only", "space-required"},
		Check: dataSplits,
	},
	{
		Name:  "event-name",
		Rule:  "S3",
		Doc:   "An event named message, or with an empty name, is an event without a name.",
		Kills: []string{"event-type-sticks", "empty-type-is-a-type"},
		Check: eventName,
	},
	{
		Name:  "notifications-before",
		Rule:  "S4",
		Doc:   "Notifications before the response change nothing.",
		Kills: []string{"notification-taken", "first-event-decides"},
		Check: notificationsBefore,
	},
	{
		Name:  "nothing-after",
		Rule:  "S5",
		Doc:   "What follows the response in a stream changes nothing, nor does the way in which the stream then ends.",
		Kills: []string{"last-response-wins"},
		Check: nothingAfter,
	},
	{
		Name:  "prefix",
		Rule:  "4, S5",
		Doc:   "No prefix of a stream is a result unless the response is in it.",
		Kills: []string{"cut-event-taken", "empty-stream-is-success"},
		Check: prefix,
	},
	{
		Name:  "chunking",
		Rule:  "S",
		Doc:   "How the bytes of a body are split into reads changes nothing.",
		Kills: []string{"split-line-end-counts-twice"},
		Check: chunking,
	},
}

func jsonAndStream(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	first := t.Judge(t.Call(), jsonAnswer(n.text()))
	second := t.Judge(t.Call(), streamAnswer(join(dataLines(n.text()), "\n")))
	if t.delivered(second) && !t.Strict && !t.answers(n) {
		return nil
	}
	return t.Same(first, second, "it is the same message")
}

func lineEnds(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	lines := slices.Concat(t.prelude(), dataLines(t.spread(n)))
	first := t.Judge(t.Call(), streamAnswer(join(lines, "\n")))
	var body []byte
	if how := t.N(3); how < 2 {
		body = join(lines, []string{"\r\n", "\r"}[how])
	} else {
		body = t.joinMixed(lines)
	}
	return t.Same(first, t.Judge(t.Call(), streamAnswer(body)), "only line ends differ")
}

// spread is the text over one line or several.
func (t *Trial) spread(n *tree) []byte {
	if t.N(2) == 0 {
		return n.text()
	}
	return n.append(nil, &style{gap: func() string { return []string{"", "\n"}[t.N(2)] }})
}

const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`

// prelude is nothing, or a notification.
func (t *Trial) prelude() []string {
	if t.N(3) != 2 {
		return nil
	}
	return dataLines([]byte(progress))
}

var asides = []string{": comment", ":", "id: 1", "id", "retry: 3000", "retry: soon", "x: y", "Data: {}", "data-: {}", ":data: {}", " data: {}", "DATA:{}"}

func comments(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	lines := slices.Concat(t.prelude(), dataLines(t.spread(n)))
	first := t.Judge(t.Call(), streamAnswer(join(lines, "\n")))
	var more []string
	for _, line := range lines {
		for t.N(3) == 2 {
			more = append(more, asides[t.N(len(asides))])
		}
		more = append(more, line)
	}
	if len(more) == len(lines) {
		more = append([]string{asides[0]}, more...)
	}
	return t.Same(first, t.Judge(t.Call(), streamAnswer(join(more, "\n"))), "only comments and fields without meaning were added")
}

func dataSplits(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	first := t.Judge(t.Call(), streamAnswer(join(dataLines(n.text()), "\n")))
	one := 1 + t.N(4)
	text := n.append(nil, &style{gap: func() string {
		if t.N(one) == 0 {
			return "\n"
		}
		return ""
	}})
	lines := dataLines(text)
	for i, line := range lines {
		if value, ok := strings.CutPrefix(line, "data: "); ok && t.N(3) == 2 {
			lines[i] = "data:" + value
		}
		if line == "data: " && t.N(3) == 2 {
			lines[i] = "data"
		}
	}
	return t.Same(first, t.Judge(t.Call(), streamAnswer(join(lines, "\n"))), "the data was only split between tokens")
}

func eventName(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	lines := dataLines(n.text())
	first := t.Judge(t.Call(), streamAnswer(join(lines, "\n")))
	name := []string{"event: message", "event:message", "event:", "event"}[t.N(4)]
	named := slices.Insert(slices.Clone(lines), t.N(len(lines)), name)
	if t.N(4) == 3 { // another event's name is forgotten with it
		named = slices.Concat([]string{"event: ping", ""}, lines)
	}
	return t.Same(first, t.Judge(t.Call(), streamAnswer(join(named, "\n"))), "the event is of the type message")
}

var notices = []string{
	progress,
	`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`,
	`{"method":"notifications/cancelled"}`,
	`{"jsonrpc":"2.0","method":"x","params":{"result":{"content":[]},"error":null}}`,
}

func notificationsBefore(t *Trial) *Breach {
	n, ok := t.message()
	if !ok {
		return t.Skip()
	}
	lines := dataLines(t.spread(n))
	first := t.Judge(t.Call(), streamAnswer(join(lines, "\n")))
	var before []string
	for range 1 + t.N(3) {
		before = append(before, dataLines([]byte(notices[t.N(len(notices))]))...)
	}
	return t.Same(first, t.Judge(t.Call(), streamAnswer(join(slices.Concat(before, lines), "\n"))), "only notifications precede it")
}

var laterEvents = [][]string{
	{": bye", ""},
	dataLines([]byte(progress)),
	dataLines([]byte(`{"jsonrpc":"2.0","id":"another","result":{"content":[]}}`)),
	dataLines([]byte(`{"jsonrpc":"2.0","id":"another","error":{"code":-32603,"message":"m"}}`)),
	dataLines([]byte(`{"jsonrpc`)),
	{"data: [DONE]", ""},
	{"event: close", "data: x", ""},
	{"data: unfinished"},
}

func nothingAfter(t *Trial) *Breach {
	n, ok := t.final()
	if !ok {
		return t.Skip()
	}
	lines := slices.Concat(t.prelude(), dataLines(n.text()))
	first := t.Judge(t.Call(), streamAnswer(join(lines, "\n")))
	later := t.N(len(laterEvents) + 1)
	second := later == len(laterEvents) // another response to this very call
	more := lines
	if second {
		more = slices.Concat(lines, dataLines(t.otherwise(n)))
	} else {
		more = slices.Concat(lines, laterEvents[later])
	}
	a := streamAnswer(join(more, "\n"))
	if t.N(2) == 1 {
		a.Ended = cutEnds[t.N(len(cutEnds))]
	}
	if second && !t.Strict {
		v := t.Judge(t.Call(), a)
		if t.subjects.told(v).Has(classifier.InvalidEnvelope) {
			return nil // a third party may refuse two responses
		}
		return t.Same(first, v, "the first response decides")
	}
	return t.Same(first, t.Judge(t.Call(), a), fmt.Sprintf("the response had come before the stream went on and ended with %v", a.Ended))
}

// otherwise is a response to the call that is no success where n may be one,
// and a success where it is not.
func (t *Trial) otherwise(n *tree) []byte {
	success := scalar(`{"resultType":"complete","content":[]}`)
	failure := scalar(`{"code":-32603,"message":"m"}`)
	c := &tree{kind: '{', names: [][]byte{[]byte(`"jsonrpc"`), []byte(`"id"`), []byte(`"error"`)},
		kids: []*tree{scalar(`"2.0"`), n.get("id"), failure}}
	if n.get("error") != nil {
		c.names[2], c.kids[2] = []byte(`"result"`), success
	}
	return c.text()
}

func prefix(t *Trial) *Breach {
	n, ok := t.final()
	if !ok {
		return t.Skip()
	}
	end := []string{"\n", "\r\n", "\r"}[t.N(3)]
	data := dataLines(n.text())
	before := join(t.prelude(), end)
	// Where the last data line is whole, and where the response is dispatched: at
	// the first byte of the line end of the blank line.
	dataEnd := len(before) + len(join(data[:len(data)-1], end)) - len(end)
	settled := dataEnd + len(end) + 1
	body := append(before, join(data, end)...)
	whole := t.Judge(t.Call(), streamAnswer(body))
	at := t.N(len(body) + 1)
	if t.N(2) == 1 { // where the edge is
		at = min(dataEnd+t.N(4), len(body))
	}
	a := streamAnswer(body[:at])
	if t.N(2) == 0 {
		a.Ended = cutEnds[t.N(len(cutEnds))]
	}
	if at >= settled {
		return t.Same(whole, t.Judge(t.Call(), a), "the response is in the prefix")
	}
	if a.Ended == classifier.EndedEOF && at >= dataEnd && !t.Strict {
		return t.Skip() // a third party may take the unfinished event
	}
	v := t.Judge(t.Call(), a)
	why := fmt.Sprintf("the stream ended with %v after %d of the %d bytes that hold the response", a.Ended, at, settled)
	return t.NotOneOf(v, why, classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.JSONRPCError)
}

func chunking(t *Trial) *Breach {
	if !t.IsCall() || t.subjects.Stream == nil || *t.Case.Status != http.StatusOK {
		return t.Skip()
	}
	a := t.Case.Answer()
	if len(a.Body) < 2 || len(a.Body) > maxText {
		return t.Skip()
	}
	feed := func(splits []int) classifier.Verdict {
		t.ask(Rendering{Call: t.Call(), Answer: a, Splits: splits})
		v := t.subjects.Stream(t.Call(), a, splits)
		t.shown[len(t.shown)-1].Verdict = v
		return v
	}
	first := feed(nil)
	var splits []int
	switch t.N(3) {
	case 0:
		splits = []int{1 + t.N(len(a.Body)-1)}
	case 1:
		for i := 1; i < len(a.Body); i++ {
			splits = append(splits, i)
		}
	case 2:
		for i := 1 + t.N(8); i < len(a.Body); i += 1 + t.N(8) {
			splits = append(splits, i)
		}
	}
	second := feed(splits)
	if b := t.Same(first, second, "it is the same body in other pieces"); b != nil {
		return b
	}
	if first.Reason != second.Reason || first.EventCount != second.EventCount {
		return t.Breach(runner.MixedLayers, fmt.Sprintf("%s after %d events", describe(first), first.EventCount),
			fmt.Sprintf("%s after %d events", describe(second), second.EventCount))
	}
	return nil
}
