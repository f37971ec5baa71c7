package scenario

import (
	"container/list"
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// Bounds of what a server remembers.
const (
	// maxSessions is how many sessions are known at once; beyond it the one that
	// has been idle for longest is forgotten.
	maxSessions = 10_000
	// maxCalls is how many calls of a session are told apart from their repetitions.
	maxCalls = 1000
)

// session is a line of POSTs with one choice: a session of the revisions that have
// them, or all POSTs without one since the choice was made.
type session struct {
	name   string // for people, such as s3; n3 for POSTs without a session
	shared bool   // holds POSTs without a session, and never gets an id
	id     string // of the header; "" for POSTs without a session
	choice *Choice
	place  *list.Element // among the sessions, by use

	mu       sync.Mutex
	play     *play
	posts    int
	calls    int
	timeline capture.Timeline
}

// sessions are those that are known.
type sessions struct {
	mu      sync.Mutex
	choice  *Choice
	never   bool     // no session is given to anybody
	gives   bool     // sessions are given under this choice
	open    *session // of POSTs without a session
	waiting *session // whose initialize was refused
	known   map[string]*session
	used    *list.List // of *session, the latest first
	numbers int
}

func newSessions(choice *Choice, stateless bool) *sessions {
	s := &sessions{never: stateless, known: make(map[string]*session), used: list.New()}
	s.choose(choice)
	return s
}

// choose makes a choice for what begins from now on.
func (s *sessions) choose(choice *Choice) {
	s.mu.Lock()
	s.choice, s.open, s.waiting = choice, nil, nil
	s.gives = !s.never && !choice.begin().stateless
	s.mu.Unlock()
}

// chosen is the choice for what begins now.
func (s *sessions) chosen() *Choice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.choice
}

// begin makes a session; the lock is held.
func (s *sessions) begin(prefix string) *session {
	s.numbers++
	return &session{
		name: fmt.Sprint(prefix, s.numbers), choice: s.choice, play: s.choice.begin(),
		timeline: capture.Timeline{Remember: maxCalls},
	}
}

// find gives the session of a POST; nil if it names one that is not known. The
// session of an initialize has no id until admit gives it one, or refuse takes it
// back.
func (s *sessions) find(id string, initialize bool) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case initialize && s.gives:
		one := s.waiting
		if s.waiting = nil; one == nil {
			one = s.begin("s")
		}
		return one
	case id != "" && !initialize:
		one := s.known[id]
		if one != nil {
			s.used.MoveToFront(one.place)
		}
		return one
	}
	if s.open == nil {
		s.open = s.begin("n")
		s.open.shared = true
	}
	return s.open
}

// admit gives a session its id, and forgets the one that has been idle for longest
// if there are too many.
func (s *sessions) admit(one *session) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.id = rand.Text()
	one.place = s.used.PushFront(one)
	s.known[one.id] = one
	if s.used.Len() > maxSessions {
		oldest := s.used.Remove(s.used.Back()).(*session)
		delete(s.known, oldest.id)
	}
	return one.id
}

// refuse takes back a session whose initialize was refused: the next one takes it
// over, so that a refusal counts.
func (s *sessions) refuse(one *session) {
	s.mu.Lock()
	if s.waiting == nil && one.choice == s.choice {
		s.waiting = one
	}
	s.mu.Unlock()
}

// end forgets a session; false if it is not known.
func (s *sessions) end(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.known[id]
	if one == nil {
		return false
	}
	s.used.Remove(one.place)
	delete(s.known, id)
	return true
}
