package scenario

import (
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

type stall struct {
	Events int `json:"afterEvents" doc:"how many notifications of progress come before the stream falls silent"`
	On     int `json:"onInvocation" doc:"which call of the session stalls, from 1; 0: each"`
}

type drip struct {
	Bytes int `json:"bytes" doc:"how many bytes come at once"`
	Every int `json:"everyMs" doc:"milliseconds between them"`
}

type cut struct {
	Events int `json:"afterEvents" doc:"how many notifications of progress come before"`
	Bytes  int `json:"afterBytes" doc:"how many bytes of the final event come; -1: all, so that only the end of the stream is missing"`
	On     int `json:"onInvocation" doc:"which call of the session is cut, from 1; 0: each"`
}

type keepAlives struct {
	Every int `json:"everyMs" doc:"milliseconds between two comments"`
	Count int `json:"count" doc:"how many come before the answer; 0: no answer ever comes"`
}

var streamScenarios = []Scenario{
	define("sse.stall", "A stream that falls silent before its final response.",
		stall{1, 0}, func(s stall) (func() *play, error) {
			if err := between("afterEvents", s.Events, 0, 1000); err != nil {
				return nil, err
			}
			return failing(s.On, func(q *query) *reply {
				r := status(200, q.steps(s.Events), asStream)
				r.answer.Ended = new(classifier.EndedDeadline)
				return r
			})
		}),
	define("sse.drip", "A stream that comes a few bytes at a time.",
		drip{16, 20}, func(s drip) (func() *play, error) {
			err := between("bytes", s.Bytes, 1, 1<<20)
			if err == nil {
				err = between("everyMs", s.Every, 0, longest)
			}
			return always(&play{call: func(q *query) *reply {
				r := status(200, q.steps(1)+event(q.response(q.fine())), asStream)
				for at := s.Bytes; at < len(r.answer.Body); at += s.Bytes {
					r.answer.ChunkSplits = append(r.answer.ChunkSplits, at)
				}
				r.pace = time.Duration(s.Every) * time.Millisecond
				return r
			}}), err
		}),
	define("sse.cut", "A stream that breaks off.",
		cut{1, 20, 0}, func(s cut) (func() *play, error) {
			err := between("afterEvents", s.Events, 0, 1000)
			if err == nil {
				err = between("afterBytes", s.Bytes, -1, 1<<20)
			}
			if err != nil {
				return nil, err
			}
			return failing(s.On, func(q *query) *reply {
				before := q.steps(s.Events)
				r := status(200, before+event(q.response(q.fine())), asStream)
				r.answer.Ended = new(classifier.EndedReset)
				if s.Bytes >= 0 {
					r.answer.CutAfter = new(min(len(before)+s.Bytes, len(r.answer.Body)))
				}
				return r
			})
		}),
	define("sse.keep_alives", "A stream of comments that keep it alive, and nothing else.",
		keepAlives{500, 0}, func(s keepAlives) (func() *play, error) {
			err := between("everyMs", s.Every, 1, longest)
			if err == nil {
				err = between("count", s.Count, 0, 100_000)
			}
			return always(&play{call: func(q *query) *reply {
				every := time.Duration(s.Every) * time.Millisecond
				if s.Count == 0 {
					r := status(200, comment, asStream)
					r.answer.Ended = new(classifier.EndedDeadline)
					r.beat, r.every = comment, every
					return r
				}
				r := status(200, strings.Repeat(comment, s.Count)+event(q.response(q.fine())), asStream)
				for n := range s.Count {
					r.answer.ChunkSplits = append(r.answer.ChunkSplits, (n+1)*len(comment))
				}
				r.pace = every
				return r
			}}), err
		}),
}

// comment keeps a stream alive and says nothing.
const comment = ": still here\n\n"

// steps are so many notifications of progress.
func (q *query) steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(event(q.progress(i + 1)))
	}
	return b.String()
}
