package callers

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// answered is the Date of every answer with a date in its Retry-After: what
// counts is the time between the two.
var answered = time.Date(2030, time.January, 7, 12, 0, 0, 0, time.UTC)

// after is a Retry-After: its lines, and how long it asks to wait; wait is 0
// where it asks for nothing that counts.
type after struct {
	word  string
	lines []string
	dated bool
	wait  time.Duration
}

func dateAfter(seconds int) string {
	return answered.Add(time.Duration(seconds) * time.Second).Format(http.TimeFormat)
}

// forEver is a wait that is longer than anybody has.
const forEver = 365 * 24 * time.Hour

var afters = []after{
	{word: "none"},
	{word: "2", lines: []string{"2"}, wait: 2 * time.Second},
	{word: "0", lines: []string{"0"}},
	{word: "30", lines: []string{"30"}, wait: 30 * time.Second},
	{word: "60", lines: []string{"60"}, wait: time.Minute},
	{word: "61", lines: []string{"61"}, wait: 61 * time.Second},
	{word: "huge", lines: []string{"99999999999999999999"}, wait: forEver},
	{word: "date", lines: []string{dateAfter(5)}, dated: true, wait: 5 * time.Second},
	{word: "past", lines: []string{dateAfter(-5)}, dated: true},
	{word: "twice", lines: []string{"3", "3"}, wait: 3 * time.Second},
	{word: "differing", lines: []string{"1", "9"}},
	{word: "words", lines: []string{"soon"}},
	{word: "fraction", lines: []string{"1.5"}},
}

func afterWords() []string {
	words := make([]string, len(afters))
	for i, a := range afters {
		words[i] = a.word
	}
	return words
}

const elicit = "elicitation/create"

// asked is a set of inputRequests: the text, or "" for none; the keys; and
// whether its form and its methods are such that they can be answered.
type asked struct {
	word       string
	text       string
	keys       []string
	malformed  bool
	answerable bool
}

// question is a request for input that a strict client can answer.
const question = `{"method":"elicitation/create","params":{"mode":"form","message":"synthetic","requestedSchema":{"type":"object","properties":{}}}}`

var askeds = []asked{
	{"one", `{"name":` + question + `}`, []string{"name"}, false, true},
	{"none", "", nil, false, true},
	{"empty", `{}`, []string{}, false, true},
	{"two", `{"b":` + question + `,"a":` + question + `}`, []string{"b", "a"}, false, true},
	{"odd", `{"a\/b~":` + question + `,"\u00c9 😀":` + question + `,"":` + question + `,"<&>":` + question + `}`,
		[]string{"a/b~", "É 😀", "", "<&>"}, false, true},
	{"case", `{"Name":` + question + `,"name":` + question + `}`, []string{"Name", "name"}, false, true},
	{"foreign", `{"name":{"method":"unheard/of"}}`, []string{"name"}, false, false},
	{"list", `[]`, nil, true, false},
	{"no-method", `{"name":{}}`, nil, true, false},
}

func keyWords() []string {
	words := make([]string, len(askeds))
	for i, a := range askeds {
		words[i] = a.word
	}
	return words
}

// kept is a requestState: a JSON text with a place for the number of the
// answer, or "" for none.
type kept struct {
	word      string
	text      string
	malformed bool
}

var kepts = []kept{
	{"plain", `"state-%d"`, false},
	{"none", "", false},
	{"blank", `"  state-%d\t "`, false},
	{"escaped", `"\u0073tate\/%d\\n\"\u0022"`, false},
	{"unicode", `"é\u0301 😀 %d \ud83d\ude00"`, false},
	{"markup", `"<&>\u2028+%%2B=%d"`, false},
	{"control", `"\u0000\u001f\r\n%d"`, false},
	{"surrogate", `"\ud800 %d \udc00"`, false},
	{"json", `"{\"round\": %d, \"n\": 1.0}"`, false},
	{"empty", `""`, false},
	{"number", `%d`, true},
	{"null", `null`, true},
}

func stateWords() []string {
	words := make([]string, len(kepts))
	for i, k := range kepts {
		words[i] = k.word
	}
	return words
}

// answer is one answer of a sequence, laid out.
type answer struct {
	kind   *kind
	after  after
	asked  asked
	state  string // raw JSON, "" for none
	usable bool   // whether a request for input has the form of the protocol
	made   corpus.Case
}

// answers are the steps one by one.
func (s Sequence) answers() []answer {
	var all []answer
	for _, step := range s.Steps {
		for range step.times() {
			all = append(all, step.answer(len(all)+1))
		}
	}
	return all
}

// beyond is the answer to the POSTs after the last step.
func beyond() answer { return Step{}.answer(0) }

// answer lays the step out as the nth answer of its sequence.
func (s Step) answer(n int) answer {
	k := &kinds[s.kind]
	a := answer{kind: k, after: afters[s.after]}
	text := k.text
	if k.leave == leaveInputs {
		a.asked = askeds[s.keys]
		state := kepts[s.state]
		members := []string{`"resultType":"input_required"`}
		if a.asked.text != "" {
			members = append(members, `"inputRequests":`+a.asked.text)
		}
		if state.text != "" {
			a.state = state.text
			if strings.Contains(state.text, "%d") {
				a.state = fmt.Sprintf(state.text, n)
			}
			members = append(members, `"requestState":`+a.state)
		}
		a.usable = !a.asked.malformed && !state.malformed && len(members) > 1
		text = `{"jsonrpc":"2.0","id":{{id}},"result":{` + strings.Join(members, ",") + `}}`
	}
	a.made = corpus.Case{
		RequestID: classifier.IntID(int64(n)), Rule: k.rule, AlsoAcceptable: k.also,
		Expect: &corpus.Expect{Layer: k.outcome.Layer(), Outcome: k.outcome, Code: k.code},
	}
	if k.status == 0 {
		a.made.Ended = new(k.ended)
		return a
	}
	a.made.Status = new(k.status)
	media := k.media
	switch {
	case text == "" || media != "":
	case s.frame == 0:
		media = jsonMedia
	default:
		media, text = streamMedia, stream(text, int(s.frame))
	}
	a.made.Body = []byte(text)
	if k.cut != "" {
		a.made.CutAfter = new(strings.LastIndex(text, k.cut))
	}
	a.made.Headers = a.headers(media)
	return a
}

func (a *answer) headers(media string) corpus.Headers {
	var lines corpus.Headers
	if media != "" {
		lines = append(lines, corpus.Header{Name: "content-type", Value: media})
	}
	for _, line := range a.after.lines {
		lines = append(lines, corpus.Header{Name: "retry-after", Value: line})
	}
	if a.after.dated {
		lines = append(lines, corpus.Header{Name: "date", Value: answered.Format(http.TimeFormat)})
	}
	if a.kind.redirects() {
		lines = append(lines, corpus.Header{Name: "location", Value: movedPath})
	}
	if a.kind.change == classifier.ChangeAuthorisation {
		lines = append(lines, corpus.Header{Name: "www-authenticate", Value: "Bearer"})
	}
	return lines
}

// stream is a JSON text as the last event of a stream.
func stream(text string, frame int) string {
	var b strings.Builder
	for i := range []int{0, 0, 1, 3}[frame] {
		b.WriteString([]string{
			"event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"synthetic\"}}\n\n",
			": keep-alive\n\n",
			"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\",\"progress\":1}}\n\n",
		}[i])
	}
	return b.String() + "data: " + text + "\n\n"
}

// Case is the sequence as one case with the answers in its Then, to be played
// by whatever plays cases. It has no id.
func (s Sequence) Case() corpus.Case {
	all := s.answers()
	if len(all) == 0 {
		all = append(all, beyond())
	}
	first := all[0].made
	for _, a := range all[1:] {
		first.Then = append(first.Then, a.made)
	}
	return first
}
