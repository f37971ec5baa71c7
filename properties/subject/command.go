package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Command is a client that is started anew for each case, as the official
// conformance suite starts clients: the server's URL is appended as the last
// argument, and the environment holds MCP_CONFORMANCE_SCENARIO and
// MCP_CONFORMANCE_PROTOCOL_VERSION. Whatever tool it calls is answered with the
// case; tools/list names add_numbers.
//
// What can be seen of it is its exit status, its time and its POSTs. Status 0 is
// SUCCESS and any other ERROR; a signal that nobody here has sent is a crash. A
// program may well end with 0 after a failure of the tool or a request for input,
// so of those cases status 0 tells nothing. It is not told the deadline: cases of
// a server that falls silent are skipped.
type Command struct {
	// Command is the program and its arguments.
	Command []string
	// Dir is where it runs; "" is the current directory.
	Dir string
	// Env is its environment; nil is that of this process.
	Env []string
	// Scenario is what the environment names; "" is tools_call.
	Scenario string
	// ProtocolVersion is what the environment names; "" is 2026-07-28.
	ProtocolVersion string

	deadline time.Duration
	tells    Tells
	stage    stage
}

// commandDeadline is the usual time of a program that starts, connects and calls.
const commandDeadline = 10 * time.Second

// Start runs the plain success. A deadline of zero or less is ten seconds.
func (c *Command) Start(ctx context.Context, deadline time.Duration) (Info, error) {
	if len(c.Command) == 0 {
		return Info{}, broken("start client: no command given")
	}
	if deadline <= 0 {
		deadline = commandDeadline
	}
	c.deadline = deadline
	var err error
	if c.tells, err = ParseTells([]string{WordSuccess, WordError}); err != nil {
		return Info{}, err
	}
	if err := c.stage.open(); err != nil {
		return Info{}, err
	}
	if c.Scenario == "" {
		c.Scenario = "tools_call"
	}
	if c.ProtocolVersion == "" {
		c.ProtocolVersion = loopback.Modern
	}
	info := Info{Name: filepath.Base(c.Command[0]), Kind: KindClient, ProtocolVersion: c.ProtocolVersion, Tells: c.tells}
	o, err := c.ask(ctx, Trial{Case: Plain()}, max(deadline, commandDeadline))
	if err == nil && o.Fate != Answered {
		err = errors.New(o.Text)
	}
	if err == nil {
		err = plainly(o, c.tells)
	}
	if err == nil {
		err = info.speaks(o, "have it told so by --protocol-version")
	}
	if err != nil {
		c.stage.close()
		if ctx.Err() != nil {
			return Info{}, ctx.Err()
		}
		if !errors.Is(err, ErrBroken) {
			err = broken("plain success of client %q: %w%s", c.Command[0], err, c.saying(o))
		}
		return Info{}, err
	}
	return info, nil
}

func (c *Command) saying(o Observation) string {
	if o.Stderr == "" {
		return ""
	}
	return fmt.Sprintf("; its output ends with %q", shorten(o.Stderr, 400))
}

// Ask runs the program once. See [Subject].
func (c *Command) Ask(ctx context.Context, t Trial) (Observation, error) {
	if c.deadline == 0 {
		return Observation{}, errors.New("ask client: it was never started")
	}
	if t.Case.Wire(t.Case.RequestID).Ended == classifier.EndedDeadline {
		return Observation{Fate: Skipped, Text: "a server that falls silent, and the client is not told a deadline"}, nil
	}
	o, err := c.ask(ctx, t, c.deadline)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrBroken) {
		err = broken("client %q: %w%s", c.Command[0], err, c.saying(o))
	}
	if e := t.Case.Expect; e != nil && o.Fate == Answered && o.Saw == WordSuccess {
		o.Untold = e.Outcome == classifier.ToolError || e.Outcome == classifier.InputRequired
	}
	return o, err
}

func (c *Command) ask(ctx context.Context, t Trial, limit time.Duration) (Observation, error) {
	return c.stage.ask(t, func(_ string, play *loopback.Play) (Observation, error) {
		return c.once(ctx, play.URL(), limit)
	})
}

// once starts the program and waits for its end.
func (c *Command) once(ctx context.Context, url string, limit time.Duration) (Observation, error) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(env[:len(env):len(env)], "MCP_CONFORMANCE_SCENARIO="+c.Scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION="+c.ProtocolVersion)
	run, err := launch(append(c.Command[:len(c.Command):len(c.Command)], url), c.Dir, env, false)
	if err != nil {
		return Observation{}, broken("start client %q: %w", c.Command[0], err)
	}
	run.stdin.Close()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var o Observation
	select {
	case <-run.done:
		run.kill() // what it may have left behind
		o.Saw = WordError
		switch state := run.cmd.ProcessState; {
		case state == nil || state.ExitCode() < 0:
			o = Observation{Fate: Crashed}
		case state.ExitCode() == 0:
			o.Saw = WordSuccess
		}
		o.Text = run.how
	case <-timer.C:
		run.kill()
		o = Observation{Fate: Hung, Text: fmt.Sprintf("it had not ended after %v", limit)}
	case <-ctx.Done():
		run.kill()
		return o, ctx.Err()
	}
	o.Stderr = run.stderr.String()
	return o, nil
}

// Close closes the server.
func (c *Command) Close() error {
	c.stage.close()
	return nil
}
