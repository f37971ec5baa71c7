package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/cmd/internal/answers"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

const classifyLong = `Give one verdict per answer, in the order of the input. A single answer is
explained; several make a table; --json makes one object a line.

The forms of input:
  jsonl  cases, one JSON object a line; only "status" is needed (null: no answer)
  http   HTTP/1.x response messages, or what curl -i prints
  sse    the body of an event stream; the status is taken to be 200
  json   a body alone; status 200, application/json
  auto   told from how the input begins

An answer is judged against the id of its request. Where the input does not tell
it, --id does, and otherwise it is taken to be 1: either the id in the call.json
of the first example is 1, or --id names it.

Several answers in one HTTP file need a Content-Length or chunks each; one with
neither goes on to the end of the file. What comes before an answer is passed
over: 1xx messages, and a proxy's "200 Connection established".

The advice is for a first attempt at a call whose side effects are unknown. The
exit status is 0 whatever the verdicts are, and 2 if the input is empty or cannot
be read; the answers before that place are still judged.`

const classifyExample = `  curl -sSi https://example.com/mcp -H 'Content-Type: application/json' \
      -H 'Accept: application/json, text/event-stream' \
      -H 'MCP-Protocol-Version: 2026-07-28' -d @call.json |
    replyproof classify --from http
  replyproof classify --id 7 body.json
  replyproof generate -n 1000 | replyproof classify --from jsonl --json`

func newClassify() *cobra.Command {
	var from, id string
	var limit int64
	cmd := &cobra.Command{
		Use:     "classify [FILE|-]",
		Short:   "Judge answers",
		Long:    classifyLong,
		Example: classifyExample,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return classify(cmd, name, from, id, limit)
		},
	}
	cmd.Flags().StringVar(&from, "from", string(answers.Auto), "form of the input: auto, jsonl, http, sse, json")
	cmd.Flags().StringVar(&id, "id", "1", `id of the request, where the input does not tell it; "1" in quotes is a string`)
	cmd.Flags().Int64Var(&limit, "limit", 256, "largest answer or line in MiB")
	return cmd
}

func classify(cmd *cobra.Command, name, from, id string, limit int64) error {
	form, err := answers.ParseForm(from)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	if limit < 1 || limit > 1<<20 {
		return fmt.Errorf("--limit %d: must be 1 to %d MiB", limit, 1<<20)
	}
	in := answers.Input{Name: name, Form: form, Limit: limit << 20, IDAssumed: !cmd.Flags().Changed("id")}
	if in.ID, err = answers.ParseID(id); err != nil {
		return fmt.Errorf("--id: %w", err)
	}
	if name == "-" {
		in.Name = "standard input"
	}
	file, err := answers.Open(name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer file.Close()
	s := screen(cmd)
	in.Note = s.Notef
	show := presenter(s, wantsJSON(cmd))
	err = in.Each(file, show.add)
	return errors.Join(err, show.end(), s.Flush())
}

// judgement is an answer with all that is told about it.
type judgement struct {
	answer  answers.Answer
	verdict classifier.Verdict
	advice  classifier.Advice
	record  classifier.Record
}

func judge(a answers.Answer) judgement {
	j := judgement{answer: a, verdict: a.Judge()}
	j.advice = classifier.Advise(j.verdict, classifier.Facts{})
	j.record = classifier.NewRecord(j.verdict, j.advice, classifier.Exchange{})
	return j
}

// verdictLine is a verdict as one JSON object.
type verdictLine struct {
	ID       string                   `json:"id"`
	Layer    classifier.Layer         `json:"layer"`
	Outcome  classifier.Outcome       `json:"outcome"`
	Reason   classifier.Reason        `json:"reason"`
	Status   *int                     `json:"status"`
	Code     *string                  `json:"code"`
	Findings []classifier.FindingKind `json:"findings"`
	Advice   classifier.Action        `json:"advice"`
	Record   classifier.Record        `json:"record"`
}

func (j judgement) line() verdictLine {
	v := j.verdict
	line := verdictLine{
		ID: j.answer.ID, Layer: v.Layer, Outcome: v.Outcome, Reason: v.Reason,
		Findings: []classifier.FindingKind{}, Advice: j.advice.Action, Record: j.record,
	}
	if v.Answered {
		line.Status = &v.Status
	}
	if v.Error.Present() {
		code := string(v.Error.Code)
		line.Code = &code
	}
	for _, f := range v.Findings {
		line.Findings = append(line.Findings, f.Kind)
	}
	return line
}

// presentation writes judgements as they come.
type presentation struct {
	screen *terminal.Screen
	json   bool
	count  int
	first  judgement
	rows   [][]string
}

func presenter(s *terminal.Screen, asJSON bool) *presentation {
	return &presentation{screen: s, json: asJSON}
}

// rowsAtOnce bounds how much of a table is kept until it is written.
const rowsAtOnce = 1000

func (p *presentation) add(a answers.Answer) error {
	j := judge(a)
	p.count++
	if p.json {
		return errors.Join(p.screen.Line(j.line()), p.screen.Flush())
	}
	if p.count == 1 {
		p.first = j
	}
	p.rows = append(p.rows, row(p.screen, j))
	if len(p.rows) == rowsAtOnce {
		return p.table()
	}
	return nil
}

func (p *presentation) end() error {
	switch {
	case p.json, len(p.rows) == 0:
		return nil
	case p.count == 1:
		return explanation.Verdict(p.screen, p.first.verdict, p.first.answer.Call, p.first.answer.Wire, p.first.advice, p.first.answer.IDAssumed)
	}
	return p.table()
}

var verdictHead = []string{"id", "outcome", "layer", "reason", "status", "code", "advice", "findings"}

func (p *presentation) table() error {
	p.screen.Table(verdictHead, p.rows)
	p.rows = p.rows[:0]
	return p.screen.Flush()
}

func row(s *terminal.Screen, j judgement) []string {
	line := j.line()
	status, code := "", ""
	if line.Status != nil {
		status = fmt.Sprint(*line.Status)
	}
	if line.Code != nil {
		code = *line.Code
	}
	findings := ""
	for i, f := range line.Findings {
		if i > 0 {
			findings += " "
		}
		findings += f.String()
	}
	return []string{line.ID, explanation.Tone(s, line.Outcome), line.Layer.String(), line.Reason.String(), status, code, line.Advice.String(), findings}
}
