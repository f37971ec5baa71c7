// Package minimal makes the smallest answer that is judged like a given one:
// delta debugging on the header fields, on the structure of JSON, on the lines
// of event streams, and on bytes where there is neither. It is not for recipes,
// which the generators shrink.
package minimal

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/corpus"
)

// Report tells what it took.
type Report struct {
	Judged int // answers that were judged on the way
	// GaveUp tells that the budget ended first: a smaller one may exist.
	GaveUp bool
}

// Bounds of one run. Bodies beyond them come out as small as they are by then.
const (
	mostJudged = 200_000
	mostBytes  = 1 << 30
)

// Key is what a minimal answer has in common with the one it was made of: the
// verdict with reason, code and findings, the advice, and whether a text that is
// no JSON breaks off or goes wrong before its end.
func Key(c corpus.Case) string {
	v := c.Classify()
	if v.Status != 401 && v.Status != 403 {
		v.Challenged = false // a challenge says nothing beside another status
	}
	key := capture.VerdictKey(v) + " " + classifier.Advise(v, classifier.Facts{}).Action.String()
	if capture.BreaksOff(v, c.Answer().Body) {
		key += " breaks off"
	}
	return key
}

// Minimize makes every exchange of a case as small as it can be judged the same:
// no field, header, member, line or byte of it can be left out alone, and no
// text or number in it be made plainer. Delays and splits, which no verdict
// depends on, go. What the case says of itself and expects stays.
func Minimize(c corpus.Case) (corpus.Case, Report) {
	m := &minimizer{}
	first := c
	first.Then = nil
	out := m.exchange(first)
	for _, next := range c.Then {
		out.Then = append(out.Then, m.exchange(next))
	}
	return out, m.report
}

type minimizer struct {
	want   string
	best   corpus.Case
	bytes  int64
	report Report
}

// try keeps a candidate if it is judged like the case.
func (m *minimizer) try(c corpus.Case) bool {
	if m.report.Judged >= mostJudged || m.bytes >= mostBytes {
		m.report.GaveUp = true
		return false
	}
	m.report.Judged++
	m.bytes += int64(len(c.Body)) + 100
	if Key(c) != m.want {
		return false
	}
	m.best = c
	return true
}

func (m *minimizer) tryBody(body []byte) bool {
	c := m.best
	c.Body = body
	return m.try(c)
}

// rounds bounds how often all is tried anew after something became smaller.
const rounds = 8

func (m *minimizer) exchange(c corpus.Case) corpus.Case {
	m.want, m.best = Key(c), c
	for range rounds {
		before := Size(m.best)
		m.plainer()
		m.headers()
		m.decode()
		m.body()
		m.id()
		if Size(m.best) >= before {
			break
		}
	}
	return m.best
}

// Size is the length of what goes over the wire of a case, written as JSON.
func Size(c corpus.Case) int {
	text, _ := c.WireOnly().AppendJSON(nil)
	return len(text)
}

// plainer drops what only the delivery shows, and cuts a body for good.
func (m *minimizer) plainer() {
	c := m.best
	c.DelayMS, c.ChunkSplits = 0, nil
	if c.Status != nil && c.CutAfter != nil {
		wire := c.Wire(c.RequestID)
		c.Body, c.CutAfter = bytes.Clone(wire.Delivered()), nil
		if wire.Ended != classifier.EndedEOF {
			c.Ended = &wire.Ended
		}
	}
	if bytes.Contains(c.Body, []byte(corpus.Placeholder)) {
		c.Body = bytes.Clone(c.Wire(c.RequestID).Delivered())
	}
	m.try(c)
	if c = m.best; c.Ended != nil && *c.Ended == classifier.EndedEOF {
		c.Ended = nil
		m.try(c)
	}
}

// headers drops fields, and writes the rest in small letters and without
// parameters.
func (m *minimizer) headers() {
	all := m.best.Headers
	kept := reduce(len(all), func(keep []int) bool {
		c := m.best
		c.Headers = pick(all, keep)
		return m.try(c)
	})
	all = pick(all, kept)
	for i := range all {
		for _, plain := range plainerFields(all[i]) {
			c := m.best
			c.Headers = slices.Clone(all)
			c.Headers[i] = plain
			if plain != all[i] && m.try(c) {
				all = c.Headers
			}
		}
	}
	if len(all) == 0 && m.best.Headers != nil {
		c := m.best
		c.Headers = nil
		m.try(c)
	}
}

func plainerFields(h corpus.Header) []corpus.Header {
	name := strings.ToLower(h.Name)
	essence, _, _ := strings.Cut(h.Value, ";")
	return []corpus.Header{
		{Name: name, Value: h.Value},
		{Name: name, Value: strings.ToLower(strings.Trim(essence, " \t"))},
		{Name: name, Value: ""},
	}
}

// decode undoes the content codings of the body.
func (m *minimizer) decode() {
	c := m.best
	if c.Status == nil || c.Headers.Get("content-encoding") == "" {
		return
	}
	wire := c.Answer()
	body, ok := capture.Decoded(&capture.Answer{Headers: c.Headers, Body: wire.Body})
	if !ok {
		return
	}
	c.Body = body
	c.Headers = slices.DeleteFunc(slices.Clone(c.Headers), func(h corpus.Header) bool { return strings.EqualFold(h.Name, "content-encoding") })
	m.try(c)
}

// id makes the request's id 1, and the response's with it.
func (m *minimizer) id() {
	c := m.best
	one := classifier.IntID(1)
	if c.Notification || c.RequestID == one || c.Status == nil {
		if c.Status == nil && !c.Notification {
			c.RequestID = one
			m.try(c)
		}
		return
	}
	c.Body = withID(c.Body, c.RequestID, isStream(c))
	c.RequestID = one
	m.try(c)
}

func isStream(c corpus.Case) bool {
	value, _, _ := strings.Cut(c.Headers.Get("content-type"), ";")
	return strings.EqualFold(strings.Trim(value, " \t"), "text/event-stream")
}

func pick[T any](all []T, keep []int) []T {
	kept := make([]T, 0, len(keep))
	for _, i := range keep {
		kept = append(kept, all[i])
	}
	return kept
}

// reduce finds which of n things are needed: it leaves out runs of them, halves
// first and then ever shorter ones down to single ones, as long as holds says
// that the rest will do. What it gives holds, if all did.
func reduce(n int, holds func(keep []int) bool) []int {
	keep := make([]int, n)
	for i := range keep {
		keep[i] = i
	}
	if n > 0 && holds(nil) {
		return nil
	}
	for length := n; length >= 1; length /= 2 {
		for again := true; again; {
			again = false
			for at := 0; at < len(keep); {
				rest := slices.Concat(keep[:at], keep[min(at+length, len(keep)):])
				if len(rest) < len(keep) && holds(rest) {
					keep, again = rest, length == 1
				} else {
					at += length
				}
			}
		}
	}
	return keep
}

// String tells the report in words.
func (r Report) String() string {
	text := fmt.Sprintf("%d answers judged", r.Judged)
	if r.GaveUp {
		text += ", and then given up: a smaller one may exist"
	}
	return text
}
