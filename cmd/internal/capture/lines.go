package capture

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"

	"github.com/replyproof/replyproof/corpus"
)

// lines yields the cases of JSON lines one at a time, and the exchanges that
// follow within a case as exchanges of their own.
func (in Input) lines(r *bufio.Reader, yield yielder) error {
	if head, err := r.Peek(1); err == nil && head[0] == 0 {
		return fmt.Errorf("%s: line 1: begins with a zero byte, which no JSON line does", in.Name)
	}
	options := corpus.LineOptions{Name: in.Name, DefaultID: in.ID, MaxLine: int(in.Limit)}
	for c, err := range corpus.ReadLines(r, options) {
		var broken *corpus.Error
		if errors.As(err, &broken) {
			if err := yield(Exchange{}, err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		for i, exchange := range c.Exchanges() {
			x := FromCase(exchange)
			x.From = Place{File: in.Name, Where: "case " + c.ID}
			if i > 0 {
				x.ID = c.ID + "#" + strconv.Itoa(i+1)
				if x.RPC.Kind == Call {
					x.RPC.ID = c.RequestID
				}
			}
			if err := yield(x, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
