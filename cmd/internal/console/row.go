package console

import (
	"cmp"
	"encoding/json"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// row is an exchange in the list.
type row struct {
	Number   int     `json:"number"`
	At       int64   `json:"at"` // milliseconds since 1970
	Session  string  `json:"session"`
	Post     int     `json:"post"`
	Asked    string  `json:"asked"`
	Open     bool    `json:"open"` // not answered yet
	Status   int     `json:"status"`
	Ended    string  `json:"ended"` // how it ended, if not whole
	Outcome  string  `json:"outcome"`
	Tone     string  `json:"tone"` // good, minor, major or ""
	Advice   string  `json:"advice"`
	Took     float64 `json:"took"` // milliseconds
	Said     string  `json:"said"`
	Scenario string  `json:"scenario"`
	Retry    string  `json:"retry"`
}

func began(s scenario.Start) row {
	return row{Number: s.Number, At: s.At.UnixMilli(), Session: s.Session, Asked: s.What, Open: true}
}

// tones of the outcomes that are no failures; of all others it is major.
var tones = map[string]string{"TOOL_SUCCESS": "good", "ACCEPTED": "good", "INPUT_REQUIRED": "minor"}

func rowOf(x *scenario.Exchange) row {
	j := &x.Judged
	r := row{
		Number: x.Number, At: j.Started.UnixMilli(), Session: x.Session, Post: x.Post, Asked: capture.CleanText(j.RPC.Describe()),
		Took: float64(j.Duration.Microseconds()) / 1000, Said: capture.CleanText(x.Said), Scenario: x.Scenario, Retry: j.Step.Evidence,
	}
	ended := j.NoAnswer.String()
	if j.Answer != nil {
		r.Status, ended = j.Answer.Status, j.Answer.Ended.String()
	}
	if ended != "eof" {
		r.Ended = ended
	}
	if j.Why == "" {
		r.Outcome, r.Advice = j.Verdict.Outcome.String(), j.Advice.Action.String()
		r.Tone = cmp.Or(tones[r.Outcome], "major")
	}
	return r
}

// choice is what was chosen, as the page shows it.
type choice struct {
	Name     string          `json:"name"`
	Settings json.RawMessage `json:"settings"`
	Doc      string          `json:"doc"`
}

func chosen(c *scenario.Choice) choice {
	settings := c.Settings
	if len(settings) == 0 {
		settings = json.RawMessage("{}")
	}
	return choice{c.Name, settings, c.Doc}
}
