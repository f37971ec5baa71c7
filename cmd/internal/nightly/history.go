package nightly

import (
	"encoding/json"

	"github.com/replyproof/replyproof/cmd/internal/store"
)

const (
	historyName = "history.jsonl"
	pastShown   = 7
)

// Past is what is remembered of a night.
type Past struct {
	Night    string       `json:"night"`
	Seconds  float64      `json:"seconds"`
	Failures int          `json:"failures"`
	Targets  []PastTarget `json:"targets"`
}

// PastTarget is what is remembered of a target.
type PastTarget struct {
	Package    string  `json:"package"`
	Target     string  `json:"target"`
	Executions int64   `json:"executions"`
	Rate       float64 `json:"rate"`
	New        int64   `json:"new"`
	Edges      int     `json:"edges"`
	Inputs     int     `json:"inputs"`
}

// past are the last nights, the newest first.
func past(s *store.Store) []Past {
	var all []Past
	_ = s.Journal(historyName).Lines(func(line []byte) error {
		var p Past
		if json.Unmarshal(line, &p) == nil {
			all = append([]Past{p}, all...)
		}
		return nil
	})
	return all[:min(len(all), pastShown)]
}

// remember adds a night to the history.
func remember(s *store.Store, r *Report) error {
	return s.Journal(historyName).Append(r.past())
}

// past is what is to be remembered of the night.
func (r *Report) past() Past {
	p := Past{Night: r.Night, Seconds: r.Seconds}
	for _, c := range r.Checks {
		p.Failures += len(c.Findings)
	}
	for _, t := range r.Targets {
		p.Failures += len(t.Failures)
		p.Targets = append(p.Targets, PastTarget{t.Package, t.Target, t.Executions, t.Rate, t.New, t.Edges, t.Corpus.Inputs})
	}
	return p
}

// Last is the target's last night, if there was one.
func (r *Report) Last(t Result) (PastTarget, bool) {
	for _, p := range r.Before {
		for _, old := range p.Targets {
			if old.Package == t.Package && old.Target == t.Target {
				return old, true
			}
		}
	}
	return PastTarget{}, false
}
