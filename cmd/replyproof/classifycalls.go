package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// tally counts exchanges by what they are and what became of them.
type tally struct {
	asked     bool
	exchanges int
	calls     map[classifier.Outcome]int
	notes     map[classifier.Outcome]int
	others    map[string]int
}

func (t *tally) add(j *capture.Judged) {
	if t.calls == nil {
		t.calls, t.notes, t.others = map[classifier.Outcome]int{}, map[classifier.Outcome]int{}, map[string]int{}
	}
	t.asked = t.asked || j.Request != nil
	t.exchanges++
	switch {
	case j.Why == "" && j.RPC.Kind == capture.Notification:
		t.notes[j.Verdict.Outcome]++
	case j.Why == "":
		t.calls[j.Verdict.Outcome]++
	case j.RPC.Kind == capture.OtherRequest, j.RPC.Kind == capture.Foreign:
		t.others[visible.Text(j.RPC.Method)]++
	case j.RPC.Kind == capture.Call, j.RPC.Kind == capture.Notification:
		t.others[j.RPC.Kind.String()+" without its body"]++
	default:
		t.others[j.RPC.Kind.String()]++
	}
}

// String is the tally as a sentence.
func (t *tally) String() string {
	parts := []string{count.Of(t.exchanges, "exchange")}
	for _, group := range []struct {
		name, of string
		by       map[classifier.Outcome]int
	}{{"POST", " of tools/call", t.calls}, {"notification", "", t.notes}} {
		total := 0
		var each []string
		for _, o := range slices.Sorted(maps.Keys(group.by)) {
			total += group.by[o]
			each = append(each, fmt.Sprintf("%d %s", group.by[o], o))
		}
		if total > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", count.Of(total, group.name)+group.of, strings.Join(each, ", ")))
		}
	}
	total := 0
	var each []string
	for _, name := range slices.Sorted(maps.Keys(t.others)) {
		total += t.others[name]
		if len(each) < 8 {
			each = append(each, fmt.Sprintf("%d %s", t.others[name], name))
		}
	}
	if total > 0 {
		parts = append(parts, fmt.Sprintf("%d not judged (%s)", total, strings.Join(each, ", ")))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts[0] + ": " + strings.Join(parts[1:], "; ")
}

// repeats keeps the POSTs of calls, to show those that were sent more than once.
type repeats struct {
	calls map[int][]repeat
	began time.Time
	posts int
	over  bool
}

type repeat struct {
	id, asked string
	started   time.Time
	gap       time.Duration
	status    string
	outcome   classifier.Outcome
	step      capture.Step
}

// mostPosts bounds what a timeline is made of.
const mostPosts = 50_000

func (r *repeats) add(j *capture.Judged) {
	if j.Request == nil || j.Step.Call == 0 {
		return
	}
	if r.posts++; r.posts > mostPosts {
		r.over = true
		return
	}
	if r.calls == nil {
		r.calls = make(map[int][]repeat)
	}
	if r.began.IsZero() {
		r.began = j.Started
	}
	one := repeat{id: j.ID, asked: capture.CleanText(j.RPC.Describe()), started: j.Started, gap: j.Step.Gap, status: "none", outcome: j.Verdict.Outcome, step: j.Step}
	one.step.Earlier = nil
	if j.Answer != nil {
		one.status = fmt.Sprint(j.Answer.Status)
	}
	r.calls[j.Step.Call] = append(r.calls[j.Step.Call], one)
}

// show writes the timeline of the calls that were sent more than once.
func (r *repeats) show(s *terminal.Screen) {
	var rows [][]string
	once := 0
	for _, number := range slices.Sorted(maps.Keys(r.calls)) {
		posts := r.calls[number]
		if len(posts) == 1 {
			once++
			continue
		}
		for _, p := range posts {
			outcome, at, gap := "", "", ""
			if p.outcome != 0 {
				outcome = explanation.Tone(s, p.outcome)
			}
			if !p.started.IsZero() && !r.began.IsZero() {
				at = "+" + p.started.Sub(r.began).Round(time.Millisecond).String()
			}
			if p.gap < 0 {
				gap = "none" // the one before it was under way
			} else if p.gap > 0 {
				gap = p.gap.Round(time.Millisecond).String()
			}
			who := ""
			if p.step.Origin != classifier.RetryNone {
				who = p.step.Origin.String()
			}
			rows = append(rows, []string{fmt.Sprint(number), fmt.Sprint(p.step.Post), p.id, visible.Text(p.asked), at, gap, p.status, outcome, who, visible.Text(p.step.Evidence)})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(s.Out(), "\n%s\n", s.Bold("Calls sent more than once"))
		s.Table([]string{"call", "POST", "id", "asked", "at", "gap", "status", "outcome", "sent again by", "evidence"}, rows)
		fmt.Fprintf(s.Out(), "%s sent once\n", count.Of(once, "call"))
	}
	if r.over {
		s.Notef("the timeline holds the first %d POSTs of calls; the rest of them were judged and are not in it", mostPosts)
	}
	fmt.Fprintln(s.Out())
}
