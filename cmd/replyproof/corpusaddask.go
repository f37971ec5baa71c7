package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/minimal"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

// twin is the id of a case that shows what c shows, or "".
func (a *adder) twin(c corpus.Case) string {
	if a.known == nil {
		a.index()
	}
	if id, ok := a.wires[cases.WireKey(c)]; ok {
		return id
	}
	small, _ := minimal.Minimize(c)
	if id, ok := a.wires[cases.WireKey(small)]; ok {
		return id
	}
	// What others are when they are made small shows only now: of those that are
	// judged like c alone.
	key := minimal.Key(c)
	for _, other := range a.known[key] {
		if len(other.Then) > 0 {
			continue
		}
		reduced, _ := minimal.Minimize(other)
		a.wires[cases.WireKey(reduced)] = other.ID
	}
	delete(a.known, key)
	return a.wires[cases.WireKey(small)]
}

func (a *adder) index() {
	a.known, a.wires = make(map[string][]corpus.Case), make(map[string]string)
	all := a.file.Cases
	if !a.options.shipped {
		all = append(all[:len(all):len(all)], corpus.All()...)
	}
	for _, c := range all {
		a.remember(c)
	}
}

func (a *adder) remember(c corpus.Case) {
	key := minimal.Key(c)
	a.known[key] = append(a.known[key], c)
	if wire := cases.WireKey(c); a.wires[wire] == "" {
		a.wires[wire] = c.ID
	}
}

func (a *adder) taken(id string) bool {
	if _, shipped := corpus.ByID(id); shipped {
		return true
	}
	for _, all := range [][]corpus.Case{a.file.Cases, a.added} {
		for _, c := range all {
			if c.ID == id {
				return true
			}
		}
	}
	return false
}

// confirm is what the case is to expect: what was corrected, what was confirmed,
// or nil if the person does not want it.
func (a *adder) confirm(c corpus.Case, v classifier.Verdict, j capture.Judged) (*corpus.Expect, error) {
	today := c.Expecting(v).Expect
	today.Advice = classifier.Advise(v, classifier.Facts{}).Action.String()
	switch {
	case a.expect != nil:
		return a.corrected(a.expect, today), nil
	case a.options.yes:
		return today, nil
	}
	out := a.screen.Err()
	fmt.Fprintf(out, "\n%s\n  %s\n", j.From, strings.Join(report.Wire(c), "\n  "))
	entry := v.Reason.Entry()
	fmt.Fprintf(out, "\nThe verdict of today: %s, rule %s, %s: %s\n", v.Outcome, entry.Rule, entry.Name, entry.Meaning)
	for {
		fmt.Fprint(out, "Is it right? y, n to leave it out, or the right one as OUTCOME or OUTCOME/reason: ")
		line, err := a.ask.ReadString('\n')
		line = strings.TrimSpace(line)
		switch strings.ToLower(line) {
		case "y", "yes":
			return today, nil
		case "n", "no":
			a.refused++
			return nil, nil
		}
		if errors.Is(err, io.EOF) {
			return nil, errors.New("no answer came to the question; --yes confirms the verdict, --expect tells the right one")
		} else if err != nil {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
		if line == "" {
			continue
		}
		expect, err := parseExpect(line)
		if err == nil {
			c.Expect = expect
			err = c.Check()
		}
		if err != nil {
			fmt.Fprintf(out, "%v\n", err)
			continue
		}
		return a.corrected(expect, today), nil
	}
}

// corrected is what the person says is right. Where that is today's verdict all
// of it is kept; where it is not, the classifier is wrong, which is told.
func (a *adder) corrected(right, today *corpus.Expect) *corpus.Expect {
	if right.Outcome == today.Outcome && (right.Reason == "" || right.Reason == today.Reason) {
		return today
	}
	a.screen.Notef("the classifier says %s/%s today, and the case will expect %s: corpus verify reports it until one of the two is mended",
		today.Outcome, today.Reason, strings.TrimSuffix(right.Outcome.String()+"/"+right.Reason, "/"))
	expect := *right
	return &expect
}

// tell shows what was added.
func (a *adder) tell(c corpus.Case, j capture.Judged) error {
	if a.json {
		return a.screen.Line(c)
	}
	whole := 0
	if j.Answer != nil {
		whole = len(j.Answer.Body)
	}
	fmt.Fprintf(a.screen.Out(), "%s  %s  %s\n  %s\n", a.screen.Bold(visible.Text(c.ID)), c.Expect.Outcome, c.Expect.Reason, strings.Join(report.Wire(c), "\n  "))
	fmt.Fprintf(a.screen.Out(), "  %d bytes of body, of %d\n", len(c.Body), whole)
	return nil
}
