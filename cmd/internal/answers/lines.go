package answers

import (
	"bufio"
	"fmt"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// lines yields the cases of JSON lines one at a time, and the exchanges that
// follow within a case as answers of their own.
func (in Input) lines(r *bufio.Reader, yield func(Answer) error) error {
	if head, err := r.Peek(1); err == nil && head[0] == 0 {
		return fmt.Errorf("%s: line 1: begins with a zero byte, which no JSON line does", in.Name)
	}
	options := corpus.LineOptions{Name: in.Name, DefaultID: in.ID, MaxLine: int(in.Limit)}
	for c, err := range corpus.ReadLines(r, options) {
		if err != nil {
			return err
		}
		for i, exchange := range c.Exchanges() {
			a := FromCase(exchange)
			if i > 0 {
				a.ID = fmt.Sprintf("%s#%d", c.ID, i+1)
				a.Call = classifier.Call{ID: c.RequestID}
			}
			if err := yield(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// FromCase is the answer of a case, without the exchanges that follow.
func FromCase(c corpus.Case) Answer {
	a := Answer{ID: c.ID, Call: classifier.Call{ID: c.RequestID}, Notification: c.Notification}
	if c.Status == nil {
		a.NoAnswer = c.NoAnswer()
		return a
	}
	a.Answered, a.Wire = true, c.Answer()
	return a
}
