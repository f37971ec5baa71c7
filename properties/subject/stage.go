package subject

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// patience is how long a client is waited for: its own time-out is the deadline,
// and it needs a moment more to make something of that.
func patience(deadline time.Duration) time.Duration { return deadline + max(slack, deadline/2) }

// stage is where a client's calls are answered.
type stage struct {
	server *loopback.Server
	missed int // cases in a row whose call never came
	late   int // POSTs that came late and have been told
}

// maxMissed is how many calls in a row may not reach the server, before that is a
// fault of the adapter's and no longer of a busy machine's.
const maxMissed = 10

// open starts the server, unless it runs already.
func (s *stage) open() (err error) {
	if s.server == nil {
		s.late = 0
		s.server, err = loopback.Listen(loopback.Options{})
	}
	return err
}

func (s *stage) close() {
	if s.server != nil {
		s.server.Close()
		s.server = nil
	}
}

func (s *stage) url() string { return s.server.URL() }

// renew makes the client connect anew: with what comes next it gets another URL.
func (s *stage) renew() {
	if s.server != nil {
		s.server.Renew()
	}
}

// ask plays a case to a client. call has the client make its call, and gives
// what the client told; its errors are passed on with what the server saw until
// then.
//
// A call that fails and never reaches the server says nothing of the case: most
// likely the connection died of the one before, and the client did not know. It
// is made once more with a connection made anew. What is not seen even then is
// skipped, and many of those in a row are a fault of the adapter's.
func (s *stage) ask(t Trial, call func(url string, play *loopback.Play) (Observation, error)) (Observation, error) {
	if t.Case.Notification {
		return Observation{Fate: Skipped, Text: "the answer to a notification, and a client is asked to make calls"}, nil
	}
	if err := loopback.Playable(t.Case); err != nil {
		return Observation{Fate: Skipped, Text: err.Error()}, nil
	}
	refused := t.Case.Status == nil && t.Case.NoAnswer() == classifier.EndedConnect
	for again := false; ; again = true {
		o, posted, err := s.once(t, refused, call)
		if err != nil || posted || o.Fate != Answered || refused {
			s.missed = 0
			return o, err
		}
		if o.Saw == WordSuccess || o.Saw == classifier.ToolSuccess.String() {
			o.Played = &corpus.Case{Rule: "T", Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.NoFinalResponse}}
			return o, nil
		}
		if s.missed++; s.missed > maxMissed {
			return o, fmt.Errorf("its calls do not reach the server: it saw %s (%s), and %s; a client calls the tool at the url that it is given, and passes the arguments on as they are",
				o.Saw, shorten(o.Text, 200), heard(o.Wire))
		}
		if again {
			o.Fate, o.Text = Skipped, "the call never reached the server"
			return o, nil
		}
		s.renew()
	}
}

// heard tells what came to the server where the call did not.
func heard(r *loopback.Record) string {
	if len(r.Notes) == 0 {
		return "nothing else came to the server"
	}
	var last []string
	for _, note := range r.Notes[max(0, len(r.Notes)-3):] {
		last = append(last, shorten(note.Text, 200))
	}
	return "what came to the server last was " + strings.Join(last, ", then ")
}

// once books a case, has the call made, and adds what the server saw.
func (s *stage) once(t Trial, refused bool, call func(string, *loopback.Play) (Observation, error)) (o Observation, posted bool, err error) {
	play := s.server.Book(t.scene())
	if refused {
		if err := s.server.Refuse(); err != nil {
			return o, false, err
		}
	}
	o, err = call(s.url(), play)
	if refused {
		err = errors.Join(err, s.server.Accept())
		if o.Dead {
			// A client that looks finds nobody, whatever it made of the answer.
			o.Dead = false
			s.renew()
		}
	}
	r := play.Record()
	play.Release()
	if r.Unplayed != "" && err == nil {
		return Observation{Fate: Skipped, Text: r.Unplayed}, true, nil
	}
	late := s.server.Late()
	o.Late, s.late = late-s.late, late
	o.Posts, o.Resent, o.SessionSent, o.Wire = r.Count(), r.Resent(), r.SessionSent(), &r
	if c, ok := r.Judged(); ok {
		o.Played = &c
	}
	return o, o.Posts > 0, err
}
