package subject

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/replyproof/replyproof/properties/loopback"
)

// Caller is a client under test, in this process.
type Caller interface {
	// Call calls a tool of the server at url and tells what came of it: Saw, one
	// of the words that it tells, Code and Status where it has them, Dead if its
	// connection is of no more use. Its context ends at the deadline, and it must
	// be back soon after.
	Call(ctx context.Context, url, tool string, arguments map[string]any) Observation
	// Close gives up the connection.
	Close() error
}

// CallerFunc is a function as a [Caller] with nothing to close.
type CallerFunc func(ctx context.Context, url, tool string, arguments map[string]any) Observation

// Call calls f.
func (f CallerFunc) Call(ctx context.Context, url, tool string, arguments map[string]any) Observation {
	return f(ctx, url, tool, arguments)
}

// Close does nothing.
func (f CallerFunc) Close() error { return nil }

// Client is a client in Go as a subject: its calls are answered by a server of
// package loopback. A panic is a crash. A call that does not return within the
// deadline is a hang; its goroutine cannot be ended and is left to itself.
type Client struct {
	// About is what Start gives. Its Kind is filled in.
	About Info
	// Open makes a client with a connection of its own: at first, and whenever
	// one is to be made anew.
	Open func() (Caller, error)

	deadline time.Duration
	caller   Caller        // nil if it is to be made
	closing  []chan string // of callers that were given up: "", or how closing panicked
	stage    stage
}

// Start makes a client and runs the plain success. A deadline of zero or less is
// half a second.
func (c *Client) Start(ctx context.Context, deadline time.Duration) (Info, error) {
	if c.Open == nil {
		return Info{}, broken("start client %q: Open is nil", c.About.Name)
	}
	if deadline <= 0 {
		deadline = 500 * time.Millisecond
	}
	c.deadline = deadline
	c.drop()
	if err := c.stage.open(); err != nil {
		return Info{}, err
	}
	info := c.About
	info.Kind = KindClient
	o, err := c.ask(ctx, Trial{Case: Plain()}, max(deadline, 10*time.Second))
	if err == nil && o.Fate != Answered {
		err = errors.New(o.Text)
	}
	if err == nil {
		err = plainly(o, info.Tells)
	}
	if err == nil {
		err = info.speaks(o, "say it in About.ProtocolVersion, or leave that out")
	}
	if err != nil {
		c.drop()
		c.stage.close()
		return Info{}, broken("plain success of client %q: %w", c.About.Name, err)
	}
	return info, nil
}

// Ask has the client make a call that is answered by the case. See [Subject].
func (c *Client) Ask(ctx context.Context, t Trial) (Observation, error) {
	if c.deadline == 0 {
		return Observation{}, errors.New("ask client: it was never started")
	}
	o, err := c.ask(ctx, t, c.deadline)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrBroken) {
		err = broken("client %q: %w", c.About.Name, err)
	}
	if err != nil || o.Fate == Crashed || o.Fate == Hung || o.Dead {
		c.drop()
	}
	return o, err
}

// Renew has the client made anew for the next case. See [Renewer].
func (c *Client) Renew() { c.drop() }

// Close closes the client and the server. A panic of a client that was closed, now
// or earlier, is an error that matches [ErrBroken]. One that hangs there is left to
// itself after two seconds.
func (c *Client) Close() (err error) {
	c.drop()
	c.stage.close()
	timer := time.NewTimer(escaped)
	defer timer.Stop()
	closing := c.closing
	c.closing = nil
	for _, done := range closing {
		select {
		case how := <-done:
			if how != "" && err == nil {
				err = broken("close client %q: %s", c.About.Name, how)
			}
		case <-timer.C:
			return err
		}
	}
	return err
}

// drop gives up the client, so that the next call has one made anew.
func (c *Client) drop() {
	if c.caller != nil {
		// A client that hangs may hang here as well.
		caller, done := c.caller, make(chan string, 1)
		go func() {
			how := ""
			defer func() { done <- how }()
			defer func() {
				if p := recover(); p != nil {
					how = shorten(fmt.Sprintf("panic: %v", p), maxText)
				}
			}()
			caller.Close()
		}()
		c.caller, c.closing = nil, append(c.closing, done)
	}
	c.stage.renew()
}

func (c *Client) ask(ctx context.Context, t Trial, limit time.Duration) (Observation, error) {
	return c.stage.ask(t, func(url string, play *loopback.Play) (Observation, error) {
		return c.call(ctx, url, play, limit)
	})
}

// call makes one call.
func (c *Client) call(ctx context.Context, url string, play *loopback.Play, limit time.Duration) (Observation, error) {
	if c.caller == nil {
		caller, err := c.Open()
		if err != nil {
			return Observation{}, broken("open client %q: %w", c.About.Name, err)
		}
		c.caller = caller
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	caller := c.caller
	result := make(chan Observation, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- Observation{Fate: Crashed, Text: shorten(fmt.Sprintf("panic: %v", p), maxText), Stderr: shorten(string(debug.Stack()), maxStderr)}
			}
		}()
		result <- caller.Call(within, url, loopback.Tool, play.Arguments())
	}()
	timer := time.NewTimer(patience(limit))
	defer timer.Stop()
	select {
	case o := <-result:
		if _, ok := c.About.Tells.Covers(o.Saw); !ok && o.Fate == Answered {
			return o, broken("client %q saw %q, which is not among the words of its tells %q", c.About.Name, o.Saw, c.About.Tells.Words())
		}
		return o, nil
	case <-timer.C:
		return Observation{Fate: Hung, Text: fmt.Sprintf("no answer within %v", limit)}, nil
	case <-ctx.Done():
		return Observation{}, ctx.Err()
	}
}
