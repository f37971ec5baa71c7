package scenario

import (
	"fmt"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

type hang struct {
	Where string `json:"where" doc:"headers: before the status line; bytes: in the middle of the body; progress: after a notification of progress"`
	On    int    `json:"onInvocation" doc:"which call of the session hangs, from 1; 0: each"`
}

type late struct {
	Delay int    `json:"delayMs" doc:"milliseconds by which the answer is late"`
	Where string `json:"where" doc:"headers: they pass before the status line; bytes: in the middle of the body; progress: after a notification of progress"`
}

type initHang struct {
	Hangs int `json:"hangs" doc:"how many times the first request of a client (initialize, server/discover) is not answered; 0: never is"`
}

type deadline struct {
	Deadline int `json:"deadlineMs" doc:"milliseconds after which the server gives up by itself, and tells so as the tool's error"`
}

var timeoutScenarios = []Scenario{
	define("timeout.uncooperative_hang", "The answer never comes, or never ends.",
		hang{"headers", 0}, func(s hang) (func() *play, error) {
			if err := oneOf("where", s.Where, "headers", "bytes", "progress"); err != nil {
				return nil, err
			}
			return failing(s.On, func(q *query) *reply { return q.hanging(s.Where, 0) })
		}),
	define("timeout.late_response", "The answer comes late.",
		late{5000, "headers"}, func(s late) (func() *play, error) {
			if err := oneOf("where", s.Where, "headers", "bytes", "progress"); err != nil {
				return nil, err
			}
			return always(&play{call: func(q *query) *reply {
				return q.hanging(s.Where, time.Duration(s.Delay)*time.Millisecond).saying(fmt.Sprintf("%d ms late", s.Delay))
			}}), between("delayMs", s.Delay, 1, longest)
		}),
	define("timeout.init_hang", "The request with which a client begins is not answered.",
		initHang{1}, func(s initHang) (func() *play, error) {
			if err := between("hangs", s.Hangs, 0, 1_000_000); err != nil {
				return nil, err
			}
			return func() *play {
				hung := 0
				return &play{post: func(q *query) *reply {
					if q.Method != "initialize" && q.Method != "server/discover" || s.Hangs > 0 && hung >= s.Hangs {
						return nil
					}
					hung++
					return silence().saying(fmt.Sprintf("%s number %d hangs", q.Method, hung))
				}}
			}, nil
		}),
	define("timeout.cooperative_deadline", "The server gives up by itself, and says so.",
		deadline{2000}, func(s deadline) (func() *play, error) {
			return always(&play{call: func(q *query) *reply {
				r := q.result(told("The tool gave up after "+number(s.Deadline)+" ms.", true))
				r.answer.DelayMS = s.Deadline
				return r
			}}), between("deadlineMs", s.Deadline, 0, longest)
		}),
}

// silence is no answer at all.
func silence() *reply {
	return &reply{answer: corpus.Case{Ended: new(classifier.EndedDeadline)}}
}

// hanging is the plain answer to a call that stops somewhere, for a while or, with
// no time, for good.
func (q *query) hanging(where string, d time.Duration) *reply {
	r := q.result(q.fine())
	body := &r.answer
	first := len(body.Body) / 2
	switch where {
	case "headers":
		if d == 0 {
			return silence()
		}
		body.DelayMS = int(d.Milliseconds())
		return r
	case "progress":
		begin := event(q.progress(1))
		r = status(200, begin+event(q.response(q.fine())), asStream)
		body, first = &r.answer, len(begin)
	}
	if d == 0 {
		body.CutAfter, body.Ended = &first, new(classifier.EndedDeadline)
		return r
	}
	body.ChunkSplits, r.pace = []int{first}, d
	return r
}
