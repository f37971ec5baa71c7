package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// outcomes are the ten that the answer to a call can have.
var outcomes = classifier.Outcomes()[:classifier.UnexpectedContentType]

// credit is how well a client's user can tell one outcome.
type credit struct {
	asked  int  // cases of the corpus in which it is right, without those that did not repeat
	told   int  // of these: a word that stands for it alone was seen
	alone  bool // the client claims such a word
	merged bool // it claims one that stands for a few outcomes, this among them
}

// credits are those of a run's cases of the corpus, by outcome. What a client
// claims and never shows where it is right counts for nothing.
func credits(r *runs.Run) (map[classifier.Outcome]credit, error) {
	tells, err := subject.ParseTells(r.Subject.Tells)
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", r.Subject.Title(), err)
	}
	all := make(map[classifier.Outcome]credit, len(outcomes))
	for _, o := range outcomes {
		var c credit
		for _, word := range tells.Words() {
			switch set, _ := tells.Covers(word); {
			case set == subject.SetOf(o):
				c.alone = true
			case set.Has(o) && !strings.Contains("|"+word+"|", "|"+subject.WordError+"|"):
				c.merged = true
			}
		}
		all[o] = c
	}
	for _, seen := range r.Observed {
		is, ok := corpus.ByID(seen.Case)
		if !ok || is.Expect == nil || seen.Became == runner.Skipped || seen.Became == runner.Unrepeated {
			continue
		}
		c, ok := all[is.Expect.Outcome]
		if !ok {
			continue // of a notification
		}
		c.asked++
		if set, ok := tells.Covers(seen.Saw); ok && set == subject.SetOf(is.Expect.Outcome) {
			c.told++
		}
		all[is.Expect.Outcome] = c
	}
	return all, nil
}

// String is the cell of the table.
func (c credit) String() string {
	switch {
	case c.asked == 0:
		return "not asked"
	case !c.alone && c.merged:
		return "merged"
	case !c.alone:
		return "–"
	}
	return fmt.Sprintf("%d%%", c.share())
}

// share is the part of the cases in which it was told, in per cent. Only all of
// them are 100, and only none of them 0.
func (c credit) share() int {
	percent := 100 * float64(c.told) / float64(c.asked)
	switch {
	case c.told > 0 && percent < 1:
		return 1
	case c.told < c.asked && percent > 99:
		return 99
	}
	return int(math.Round(percent))
}

// apartTable tells how well the public interface of each client lets its user tell
// the ten outcomes apart; "" where no client was given the corpus.
func apartTable(all []found) string {
	var b strings.Builder
	for _, f := range all {
		if f.credits == nil {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("\nHow well the public interface of each client lets its user tell the ten outcomes apart: of the cases of the corpus in which\n" +
				"an outcome is right, the part in which the user is told it, by a word that stands for it and nothing else. A word that is claimed\n" +
				"counts where it was seen. `merged` is told together with others only, and a dash as a failure of whatever kind. In all is the\n" +
				"sum of the parts, over the outcomes that the client was asked for.\n\n| client | protocol version |")
			for _, o := range outcomes {
				fmt.Fprintf(&b, " `%s` |", o)
			}
			b.WriteString(" in all |\n| --- | --- |" + strings.Repeat(" ---: |", len(outcomes)+1) + "\n")
		}
		fmt.Fprintf(&b, "| %s | %s |", f.client.name, f.client.protocol)
		sum, of := 0.0, 0
		for _, o := range outcomes {
			c := f.credits[o]
			fmt.Fprintf(&b, " %s |", c)
			if c.asked > 0 {
				of++
				sum += float64(c.told) / float64(c.asked)
			}
		}
		fmt.Fprintf(&b, " %.1f of %d |\n", sum, of)
	}
	return b.String()
}
