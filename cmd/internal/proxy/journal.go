package proxy

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// Journal judges exchanges in the order in which they are over and writes their
// records, each with one write. It keeps up with the proxy: where it falls
// behind, the proxy waits for it, and nothing is lost.
type Journal struct {
	out      io.Writer
	options  capture.LineOptions
	told     func(*capture.Judged)
	queue    chan entry
	closing  sync.Once     // of queue
	large    chan struct{} // a place for each large exchange in the queue
	done     chan struct{}
	timeline capture.Timeline
	line     []byte
	written  int
	lost     int
	err      error // the first of writing
}

// entry is an exchange that is over.
type entry struct {
	exchange capture.Exchange
	verdict  *classifier.Verdict // where its body is not kept
	began    time.Time
	took     time.Duration
}

const (
	// queued is how many exchanges wait at most for their records to be written,
	// and largeQueued how many of them with a body of largeBody bytes or more:
	// what waits at the end must be written within a moment.
	queued      = 64
	largeQueued = 8
	largeBody   = 64 << 10
)

func (e *entry) large() bool {
	x := &e.exchange
	return x.Request != nil && len(x.Request.Body) >= largeBody || x.Answer != nil && len(x.Answer.Body) >= largeBody
}

// NewJournal writes records to out. told is called with each exchange once its
// record is written, from one goroutine; nil for nobody. Close ends it.
func NewJournal(out io.Writer, o capture.LineOptions, told func(*capture.Judged)) *Journal {
	j := &Journal{out: out, options: o, told: told, queue: make(chan entry, queued), large: make(chan struct{}, largeQueued), done: make(chan struct{})}
	go j.run()
	return j
}

func (j *Journal) add(e entry) {
	if e.large() {
		j.large <- struct{}{}
	}
	j.queue <- e
}

func (j *Journal) run() {
	defer close(j.done)
	for e := range j.queue {
		one := judge(e)
		one.Settle(j.timeline.Add(one))
		j.write(&one)
		if j.told != nil {
			j.told(&one)
		}
		if e.large() {
			<-j.large
		}
	}
}

// judge gives the verdict on an exchange.
func judge(e entry) capture.Judged {
	switch {
	case e.verdict == nil:
		return capture.Judge(e.exchange)
	case e.verdict.Reason == classifier.ReasonSizeLimit:
		// The limit is ours, and no fault of the answer.
		return capture.Judged{Exchange: e.exchange, Why: fmt.Sprintf("not judged: the answer, or an event of it, is longer than %d MiB", judged>>20)}
	}
	return capture.Judged{Exchange: e.exchange, Verdict: *e.verdict}
}

func (j *Journal) write(one *capture.Judged) {
	var err error
	if j.line, err = capture.AppendLine(j.line[:0], *one, j.options); err == nil {
		_, err = j.out.Write(j.line)
	}
	const largest = 4 << 20
	if cap(j.line) > largest {
		j.line = nil
	}
	if err != nil {
		j.lost++
		if j.err == nil {
			j.err = err
		}
		return
	}
	j.written++
}

// Close writes what is queued. It tells how many records were written, and how
// many could not be. No exchange may come after it; a second Close tells the same.
func (j *Journal) Close() (written int, err error) {
	j.closing.Do(func() { close(j.queue) })
	<-j.done
	if j.lost > 0 {
		return j.written, fmt.Errorf("%d of %d records could not be written: %w", j.lost, j.lost+j.written, j.err)
	}
	return j.written, nil
}
