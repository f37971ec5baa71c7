package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// verdictLine is an exchange and its verdict as one JSON object. What is not
// judged has no verdict: its members are null, and why tells the reason.
type verdictLine struct {
	ID       string                   `json:"id"`
	Layer    *classifier.Layer        `json:"layer"`
	Outcome  *classifier.Outcome      `json:"outcome"`
	Reason   *classifier.Reason       `json:"reason"`
	Status   *int                     `json:"status"`
	Code     *string                  `json:"code"`
	Findings []classifier.FindingKind `json:"findings"`
	Advice   *classifier.Action       `json:"advice"`
	Record   *classifier.Record       `json:"record"`
	Kind     capture.Kind             `json:"kind"`
	Why      string                   `json:"why,omitempty"`
	Where    string                   `json:"where,omitempty"` // in the input
	Asked    string                   `json:"asked,omitempty"` // the request in words
	Call     int                      `json:"call,omitempty"`  // number of the call in the input
	Post     int                      `json:"post,omitempty"`  // number of the POST within the call
	Evidence string                   `json:"evidence,omitempty"`
	Injected string                   `json:"injected,omitempty"` // the recipe, where a recording proxy gave the answer
}

func lineOf(j *capture.Judged) verdictLine {
	v := &j.Verdict
	line := verdictLine{ID: j.ID, Findings: []classifier.FindingKind{}, Kind: j.RPC.Kind, Why: j.Why}
	if j.Answer != nil {
		line.Status = &j.Answer.Status
	}
	if j.Request != nil {
		line.Where, line.Asked = j.From.Where, capture.CleanText(j.RPC.Describe())
		line.Call, line.Post, line.Evidence = j.Step.Call, j.Step.Post, j.Step.Evidence
	}
	if j.Proxied != nil {
		line.Injected = j.Proxied.Injected
	}
	if j.Why != "" {
		return line
	}
	line.Layer, line.Outcome, line.Reason, line.Advice, line.Record = &v.Layer, &v.Outcome, &v.Reason, &j.Advice.Action, &j.Record
	if v.Error.Present() {
		line.Code = new(string(v.Error.Code))
	}
	for _, f := range v.Findings {
		line.Findings = append(line.Findings, f.Kind)
	}
	return line
}

// presentation writes judgements as they come.
type presentation struct {
	screen   *terminal.Screen
	json     bool
	timeline capture.Timeline
	count    int
	first    capture.Judged
	rows     [][]string
	asked    bool // a request was seen: the rows tell what was asked
	tally    tally
	repeats  repeats

	problems []error
	more     int
}

func presenter(s *terminal.Screen, asJSON bool) *presentation {
	return &presentation{screen: s, json: asJSON}
}

const (
	// rowsAtOnce bounds how much of a table is kept until it is written.
	rowsAtOnce = 1000
	// faultsTold bounds how many faults of an input are told one by one.
	faultsTold = 20
)

// fault keeps what could not be read, to be told at the end.
func (p *presentation) fault(err error) {
	if len(p.problems) == faultsTold {
		p.more++
		return
	}
	p.problems = append(p.problems, err)
}

func (p *presentation) faults() error {
	if p.more > 0 {
		return errors.Join(append(p.problems, fmt.Errorf("and %d more that could not be read", p.more))...)
	}
	return errors.Join(p.problems...)
}

func (p *presentation) add(x capture.Exchange) error {
	j := capture.Judge(x)
	j.Settle(p.timeline.Add(j))
	if err := j.Problem(); err != nil {
		p.fault(err)
	}
	p.count++
	if p.json {
		return errors.Join(p.screen.Line(lineOf(&j)), p.screen.Flush())
	}
	if p.count == 1 {
		p.first = j
	}
	if asked := j.Request != nil; asked != p.asked {
		// The head of the table changes.
		if err := p.table(); err != nil {
			return err
		}
		p.asked = asked
	}
	p.tally.add(&j)
	p.repeats.add(&j)
	if p.rows = append(p.rows, p.row(&j)); len(p.rows) == rowsAtOnce {
		return p.table()
	}
	return nil
}

func (p *presentation) end() error {
	switch {
	case p.json, p.count == 0:
		return nil
	case p.count == 1:
		return tellOne(p.screen, &p.first)
	}
	if err := p.table(); err != nil {
		return err
	}
	if p.tally.asked {
		p.repeats.show(p.screen)
		fmt.Fprintf(p.screen.Out(), "%s\n", p.tally.String())
	}
	return p.screen.Flush()
}

// tellOne explains one exchange.
func tellOne(s *terminal.Screen, j *capture.Judged) error {
	if j.Why != "" {
		fmt.Fprintf(s.Out(), "%s\n", visible.Text(capture.CleanText(j.Why)))
		if j.Answer != nil {
			fmt.Fprintf(s.Out(), "\n  %s %d\n", s.Faint("status      "), j.Answer.Status)
		}
		return s.Flush()
	}
	told := explanation.Told{
		Verdict: j.Verdict, Advice: j.Advice, Record: j.Record, Call: j.Call(), IDAssumed: j.Assumed, Repeats: j.Step.Evidence,
		Clean: j.CleanText(),
	}
	if j.Answer != nil {
		told.Answer = j.Answer.Wire()
	}
	if j.Request != nil {
		asked := j.RPC.Describe()
		if j.RPC.ProtocolVersion != "" {
			asked += ", protocol " + j.RPC.ProtocolVersion
		}
		if p := j.Proxied; p != nil && p.Injected != "" {
			asked += ", its answer injected: " + p.Injected
		}
		told.Asked = s.Wrap(15, told.Clean(asked+"; "+j.Request.Method+" "+j.Request.URL))
		if !j.Started.IsZero() {
			told.Asked = append(told.Asked, fmt.Sprintf("at %s, over after %s", j.Started.Format("2006-01-02 15:04:05.000 Z07:00"), j.Duration))
		}
	}
	return errors.Join(explanation.Verdict(s, told), s.Flush())
}

var (
	verdictHead = []string{"id", "outcome", "layer", "reason", "status", "code", "advice", "findings"}
	askedHead   = []string{"id", "asked", "outcome", "layer", "reason", "status", "code", "advice", "findings"}
)

func (p *presentation) table() error {
	if len(p.rows) == 0 {
		return nil
	}
	head := verdictHead
	if p.asked {
		head = askedHead
	}
	p.screen.Table(head, p.rows)
	p.rows = p.rows[:0]
	return p.screen.Flush()
}

func (p *presentation) row(j *capture.Judged) []string {
	line := lineOf(j)
	status, code := "", ""
	if line.Status != nil {
		status = fmt.Sprint(*line.Status)
	}
	if line.Code != nil {
		code = *line.Code
	}
	cells := []string{visible.Text(line.ID)}
	if p.asked {
		asked := visible.Text(line.Asked)
		if line.Injected != "" {
			asked += ", injected"
		}
		cells = append(cells, asked)
	}
	if line.Outcome == nil {
		return append(cells, "not judged", "", "", status, "", "", "")
	}
	var findings []string
	for _, f := range line.Findings {
		findings = append(findings, f.String())
	}
	return append(cells, explanation.Tone(p.screen, *line.Outcome), line.Layer.String(), line.Reason.String(), status, code, line.Advice.String(), strings.Join(findings, " "))
}
