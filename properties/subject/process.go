package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Process is a subject behind an adapter: a program that is started once and
// speaks JSON lines on its standard input and output.
//
//	→ {"replyproof":1,"cmd":"start","deadline_ms":1000}
//	← {"ready":true,"name":"acme","version":"3.1.0","kind":"classifier","tells":["SUCCESS","ERROR"]}
//	→ {"seq":1,"case":{"request_id":1,"status":200,"headers":{…},"body":"…"}}
//	← {"seq":1,"saw":"RPC_ERROR","code":-32602,"status":200,"text":"…","alive":true}
//
// Instead of saw it may answer skip or broken with the reason; the end of its
// input tells it to finish. A case carries the answer as it was delivered and
// nothing of what is expected. A plain success comes first, and again after
// each restart; an adapter that does not see it as one is broken, and so is one
// that writes anything else on standard output. When it dies or is silent its
// whole process group is killed.
//
// If this process is killed itself, so are the adapter and its process group: by
// the system on Linux, and by a shell that waits for it where there is one.
type Process struct {
	// Command is the program and its arguments.
	Command []string
	// Dir is where it runs; "" is the current directory.
	Dir string
	// Env is its environment; nil is that of this process.
	Env []string
	// StartTimeout is the time for the handshake; zero is ten seconds. It is
	// also the least time that the plain success gets, since a program's first
	// case is its slowest.
	StartTimeout time.Duration
	// Grace is the time that it has to finish once its input has ended; zero is
	// two seconds.
	Grace time.Duration

	deadline time.Duration
	info     Info
	run      *adapter // nil when it is not running
	seq      int
	stage    stage // for a client
}

// slack is what an answer may be late: a subject whose own time-out is the
// deadline needs a moment to say so.
const slack = 100 * time.Millisecond

// Start starts the program, shakes hands and runs the plain success. A deadline
// of zero or less is one second.
func (p *Process) Start(ctx context.Context, deadline time.Duration) (Info, error) {
	if deadline <= 0 {
		deadline = time.Second
	}
	p.deadline = deadline
	if err := p.start(ctx); err != nil {
		p.stop()
		return Info{}, err
	}
	return p.info, nil
}

// Again starts what has started before, in up to three attempts. What it takes on a
// busy machine differs, and a run of hours is not to end by one that took longer.
func Again(start func() error) (err error) {
	for range 3 {
		if err = start(); err == nil || !errors.Is(err, ErrBroken) {
			break
		}
	}
	return err
}

func (p *Process) start(ctx context.Context) error {
	p.stop()
	if len(p.Command) == 0 {
		return broken("start adapter: no command given")
	}
	wait := p.StartTimeout
	if wait <= 0 {
		wait = 10 * time.Second
	}
	run, err := launch(p.Command, p.Dir, p.Env, true)
	if err != nil {
		return broken("start adapter %q: %w", p.Command[0], err)
	}
	p.run = run
	line, err := p.exchange(ctx, startLine(p.deadline), wait)
	if err != nil {
		return p.fault(err, "handshake")
	}
	info, err := parseReady(line)
	if err != nil {
		return p.fault(err, "handshake")
	}
	if info.Name == "" {
		info.Name = filepath.Base(p.Command[0])
	}
	p.info = info
	if info.Kind == KindClient {
		if err := p.stage.open(); err != nil {
			return err
		}
	}
	return p.plain(ctx, max(p.deadline, wait))
}

// plain runs the plain success.
func (p *Process) plain(ctx context.Context, wait time.Duration) error {
	o, err := p.ask(ctx, Trial{Case: Plain()}, wait)
	if err == nil {
		err = plainly(o, p.info.Tells)
	}
	if err == nil {
		err = p.info.speaks(o, "say it as protocol_version in the first line")
	}
	if err != nil {
		return p.fault(err, "plain success")
	}
	return nil
}

// plainly tells why an observation is not that of the plain success.
func plainly(o Observation, tells Tells) error {
	if o.Fate == Skipped {
		text := "it skipped it: " + o.Text
		if o.Wire != nil && o.Posts == 0 {
			text += "; " + heard(o.Wire)
		}
		return errors.New(text)
	}
	if set, _ := tells.Covers(o.Saw); !set.Has(classifier.ToolSuccess) {
		return fmt.Errorf("it saw %s where it must see success (code %q, text %q)", o.Saw, o.Code, shorten(o.Text, 200))
	}
	if o.Wire != nil && o.Posts == 0 {
		return errors.New("it saw success, and its call never reached the server: a client calls the tool at the url of each line; " + heard(o.Wire))
	}
	return nil
}

// speaks holds the revision that a client says it speaks against the one that its
// call of the plain success named, and takes that one where it says none. What is
// right of an answer hangs on whether the revision has resultType, so that a
// client which says the wrong side of that would be blamed for what is none of its.
// mend is what is to be done about it.
func (i *Info) speaks(o Observation, mend string) error {
	if o.Wire == nil {
		return nil
	}
	switch seen := o.Wire.Version(); {
	case seen == "":
	case i.ProtocolVersion == "":
		i.ProtocolVersion = shorten(seen, maxWord)
	case (i.ProtocolVersion >= loopback.Modern) != (seen >= loopback.Modern):
		return fmt.Errorf("it is of protocol version %q, and its call came in %q, in which other answers are right: %s",
			i.ProtocolVersion, shorten(seen, maxWord), mend)
	}
	return nil
}

// ask puts a case to the running adapter, whichever kind it is of. An end of the
// adapter is an error of type ended, and what was seen of its POSTs is there.
func (p *Process) ask(ctx context.Context, t Trial, wait time.Duration) (Observation, error) {
	if p.info.Kind != KindClient {
		p.seq++
		given, err := caseLine(p.seq, t.Case)
		if err != nil {
			return Observation{Fate: Skipped, Text: err.Error()}, nil
		}
		line, err := p.exchange(ctx, given, wait)
		if err != nil {
			return Observation{}, err
		}
		return parseAnswer(line, p.seq, p.info.Tells)
	}
	return p.stage.ask(t, func(url string, play *loopback.Play) (Observation, error) {
		p.seq++
		line, err := p.exchange(ctx, callLine(p.seq, url, play), wait)
		if err != nil {
			return Observation{}, err
		}
		return parseAnswer(line, p.seq, p.info.Tells)
	})
}

// Plain is the case that runs first: a success that every subject must see as one.
func Plain() corpus.Case {
	status := 200
	return corpus.Case{
		RequestID: classifier.IntID(1),
		Status:    &status,
		Headers:   corpus.Headers{{Name: "content-type", Value: "application/json"}},
		Body: []byte(`{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"ok"}],"isError":false}}`),
	}
}

// Ask gives the adapter a case. See [Subject].
func (p *Process) Ask(ctx context.Context, t Trial) (Observation, error) {
	if p.deadline == 0 {
		return Observation{}, errors.New("ask adapter: it was never started")
	}
	if p.run == nil {
		if err := Again(func() error { return p.start(ctx) }); err != nil {
			p.stop()
			return Observation{}, err
		}
	}
	limit := p.deadline + slack
	if p.info.Kind == KindClient {
		limit = patience(p.deadline)
	}
	o, err := p.ask(ctx, t, limit)
	var end *ended
	switch {
	case errors.As(err, &end):
		o.Fate = end.fate
		how := p.run.kill()
		o.Text, o.Stderr = end.text, p.run.stderr.String()
		if end.fate == Crashed && how != "" {
			o.Text += ": " + how
		}
		p.run = nil
		p.stage.renew()
		return o, nil
	case err != nil:
		err = p.fault(err, "case")
		p.stop()
		return Observation{}, err
	case o.Dead:
		p.stage.renew()
	}
	o.Stderr = p.run.stderr.String()
	return o, nil
}

// Renew has a client connect anew with the next case. See [Renewer].
func (p *Process) Renew() { p.stage.renew() }

// Close ends the adapter's input, waits for it to finish and kills what is left
// of its process group. A line that nobody asked for is an error.
func (p *Process) Close() error {
	defer p.stage.close()
	run := p.run
	if run == nil {
		return nil
	}
	grace := p.Grace
	if grace <= 0 {
		grace = 2 * time.Second
	}
	extra := run.finish(grace)
	p.run = nil
	run.kill()
	if extra != "" {
		return broken("finish adapter: it wrote a line that nobody had asked for: %q", extra)
	}
	return nil
}

func (p *Process) stop() {
	if p.run != nil {
		p.run.kill()
		p.run = nil
	}
}

// ended says that the subject died or fell silent.
type ended struct {
	fate Fate
	text string
}

func (e *ended) Error() string { return e.text }

// shortLine is what a pipe takes at once on every system.
const shortLine = 512

// exchange sends a line and waits for the next one.
func (p *Process) exchange(ctx context.Context, line []byte, wait time.Duration) ([]byte, error) {
	run := p.run // which the sending goroutine may outlive
	if early, ok := run.pending(); ok {
		if early.err != nil {
			return nil, early.err
		}
		return nil, fmt.Errorf("it wrote a line that nobody had asked for: %q", shorten(string(early.text), 200))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	run.stderr.Reset()
	sent := make(chan error, 1)
	if len(line) <= shortLine {
		// It fits into the pipe, which is empty: nothing is to wait for.
		sent <- run.send(line, wait)
	} else {
		go func() { sent <- run.send(line, wait) }()
	}
	for {
		select {
		case err := <-sent:
			sent = nil
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, &ended{Hung, fmt.Sprintf("it did not read its input within %v", wait)}
			}
			// Any other failure to write shows in what there is to read.
		case got, ok := <-run.lines:
			switch {
			case !ok:
				return nil, &ended{Crashed, "it ended before it answered"}
			case got.err != nil:
				return nil, got.err
			case !got.whole && !json.Valid(got.text):
				return nil, &ended{Crashed, fmt.Sprintf("it ended in the middle of a line: %q", shorten(string(got.text), 200))}
			}
			return got.text, nil
		case <-timer.C:
			return nil, &ended{Hung, fmt.Sprintf("no answer within %v", wait)}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// fault is err as a fault of the adapter's during what, with the end of its
// standard error. It stops the adapter if it died.
func (p *Process) fault(err error, what string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	text := ""
	var end *ended
	if errors.As(err, &end) {
		if how := p.run.kill(); how != "" && end.fate == Crashed {
			text = ": " + how
		}
	}
	if out := p.run.stderr.String(); out != "" {
		text += fmt.Sprintf("; standard error ends with %q", shorten(out, 400))
	}
	return broken("%s of adapter %q: %w%s", what, p.Command[0], err, text)
}

func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:limit/2] + " … " + s[len(s)-limit/2:]
}
