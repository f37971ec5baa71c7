package console

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

// detail is an exchange opened.
type detail struct {
	row
	Verdict  []line `json:"verdict"` // the explanation, as the command gives it
	Request  shown  `json:"request"`
	Answer   *shown `json:"answer"` // null: no answer came
	AsCase   string `json:"case"`
	AsCurl   string `json:"curl"`
	AsHAR    string `json:"har"`
	NoCase   string `json:"noCase"` // why there is none; "" if there is one
	NoCurl   string `json:"noCurl"`
	NoHAR    string `json:"noHar"`
	Evidence string `json:"evidence"`
}

// line is one thing that is said of an exchange.
type line struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Bare bool   `json:"bare"` // its columns matter
}

// shown is a message to its bytes.
type shown struct {
	Head string `json:"head"`
	Body string `json:"body"` // what cannot be seen in it is escaped
	Size int    `json:"size"`
	Lost int    `json:"lost"` // bytes of the body that are not kept
	Hex  string `json:"hex"`  // of the first bytes
}

// shownHex is how many bytes of a body are shown as hexadecimal digits.
const shownHex = 8 << 10

func show(head string, headers corpus.Headers, body []byte, lost int) shown {
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, h := range headers {
		fmt.Fprintf(&b, "%s: %s\n", h.Name, visible.Text(h.Value))
	}
	var text strings.Builder
	for line := range strings.Lines(string(body)) {
		stripped, cut := strings.CutSuffix(line, "\n")
		text.WriteString(visible.Text(stripped))
		if cut {
			text.WriteByte('\n')
		}
	}
	return shown{b.String(), text.String(), len(body) + lost, lost, hex.Dump(body[:min(len(body), shownHex)])}
}

// exchange opens one.
func (c *Console) exchange(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		http.Error(w, "no number of an exchange", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	i := slices.IndexFunc(c.kept, func(x *entry) bool { return x.Number == number })
	var x *entry
	if i >= 0 {
		x = c.kept[i]
	}
	c.mu.Unlock()
	if x == nil {
		http.Error(w, fmt.Sprintf("exchange %d is not kept: it is not over, or %d others came after it", number, maxKept), http.StatusNotFound)
		return
	}
	d, err := detailOf(x)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answerJSON(w, http.StatusOK, d)
}

func answerJSON(w http.ResponseWriter, code int, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(text) // a page that has gone does not need it
}

func detailOf(x *entry) (detail, error) {
	j := &x.Judged
	d := detail{row: rowOf(x.Exchange), Evidence: j.Step.Evidence}
	d.Request = show(j.Request.Method+" "+j.Request.URL, j.Request.Headers, j.Request.Body, x.lostRequest)
	if a := j.Answer; a != nil {
		answer := show(fmt.Sprintf("HTTP/1.1 %d %s", a.Status, http.StatusText(a.Status)), a.Headers, a.Body, x.lostAnswer)
		d.Answer = &answer
	}
	var err error
	if d.Verdict, err = explained(j); err != nil {
		return d, err
	}
	// A part of a body is another body, and judged otherwise.
	const short = "a body is longer than what is kept of it"
	if d.AsCase, err = asCase(x.Exchange); err != nil {
		d.NoCase = err.Error()
	}
	var har bytes.Buffer
	if err := capture.WriteHARExchange(&har, j.Exchange); err != nil {
		return d, err
	}
	d.AsHAR, d.AsCurl = har.String(), asCurl(j.Request)
	if x.lostAnswer > 0 {
		d.AsCase, d.NoCase, d.AsHAR, d.NoHAR = "", short, "", short
	}
	if x.lostRequest > 0 {
		d.AsCurl, d.NoCurl, d.AsHAR, d.NoHAR = "", short, "", short
	}
	return d, nil
}

// explained is the verdict with its rule, what is known, and the advice.
func explained(j *capture.Judged) ([]line, error) {
	if j.Why != "" {
		return []line{{"verdict", capture.CleanText(j.Why), false}}, nil
	}
	told := explanation.Told{Verdict: j.Verdict, Advice: j.Advice, Record: j.Record, Call: j.Call(), Repeats: j.Step.Evidence, Clean: j.CleanText()}
	if j.Answer != nil {
		told.Answer = j.Answer.Wire()
	}
	said, err := explanation.Lines(told)
	if err != nil {
		return nil, err
	}
	lines := []line{{"verdict", fmt.Sprintf("%s, %s layer", j.Verdict.Outcome, j.Verdict.Layer), false}}
	for _, l := range said {
		between := " "
		if l.Laid {
			between = "\n"
		}
		lines = append(lines, line{l.Name, strings.Join(l.Texts, between), l.Laid})
	}
	return lines, nil
}

// asCase is the answer, sanitised, as a case that can be put into a corpus.
func asCase(x *scenario.Exchange) (string, error) {
	clean := capture.Sanitized(x.Judged.Exchange)
	c, err := clean.Case()
	if err != nil {
		return "", err
	}
	c.Headers = capture.WithoutFraming(c.Headers)
	v := x.Judged.Verdict
	c.ID = fmt.Sprintf("seen/exchange-%d", x.Number)
	c.Rule = v.Reason.Entry().Rule
	c.Why = fmt.Sprintf("Rule %s: %s.", c.Rule, strings.TrimSuffix(v.Reason.Entry().Meaning, "."))
	c.Source = "replyproof serve, scenario " + x.Scenario
	text, err := c.Expecting(v).AppendJSON(nil)
	return string(text), err
}
