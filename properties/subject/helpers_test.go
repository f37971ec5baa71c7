package subject_test

import (
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

func answered(status int) corpus.Case {
	c := subject.Plain()
	c.Status = &status
	return c
}

func unfold(o subject.Observation) string {
	status := "none"
	if o.Status != nil {
		status = strconv.Itoa(*o.Status)
	}
	o.Status = nil
	return fmt.Sprintf("%+v status %s", o, status)
}
