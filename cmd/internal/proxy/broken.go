package proxy

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/properties/loopback"
)

// counted is a connection that counts the bytes that were written to it, and
// knows when the last were.
type counted struct {
	*net.TCPConn
	written int
	last    time.Time
}

func (c *counted) Write(b []byte) (int, error) {
	c.last = time.Now() // before the client can have them, and act on them
	n, err := c.TCPConn.Write(b)
	c.written += n
	return n, err
}

// brokenOff takes down that playing an answer was broken off after so many bytes,
// by the end of the proxy or by the client. An answer of which all was written
// stays as it is, unless it was silence that went on.
func (x *exchange) brokenOff(written int) {
	all := bytes.Join(x.plan.script.Writes, nil)
	_, stopped := x.cutBy()
	if written >= len(all) && !(stopped && x.plan.script.End == loopback.EndSilent) {
		return
	}
	x.plan.cut, x.plan.sent, x.plan.ended = true, all[:min(written, len(all))], classifier.EndedCancelled
	if stopped {
		x.plan.ended = classifier.EndedReset
	}
}

// injected is the answer that the client got in place of the upstream's, as far as
// it was written.
func (p *plan) injected() (answer *capture.Answer, ended classifier.Ended) {
	whole := capture.FromCase(p.answer)
	if !p.cut {
		if whole.Answer == nil && whole.NoAnswer == classifier.EndedConnect {
			return nil, classifier.EndedReset // the connection was there
		}
		return whole.Answer, whole.NoAnswer
	}
	// The head is whole, or there is none.
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(p.sent)), nil)
	if err != nil || whole.Answer == nil {
		return nil, p.ended
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body) // it ends with an error, being cut
	cut := *whole.Answer
	cut.Body, cut.Ended = body, p.ended
	return &cut, p.ended
}
