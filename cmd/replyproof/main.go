// Command replyproof judges answers to MCP tool calls, and judges those who
// judge them. See replyproof --help.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/children"
	"github.com/replyproof/replyproof/properties/subject"
)

func main() { os.Exit(run()) }

// run is main with a status. What goes wrong inside is told in one line: a
// user's terminal is no place for a stack trace.
func run() (status int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(os.Stderr, "replyproof: a fault of replyproof itself: %v\n", fault)
			status = statusUsage
		}
	}()
	return tellError(os.Stderr, newRoot().ExecuteContext(context.Background()))
}

// sameWish is how long after the first signal another is still the same wish to
// end: timeout(1) signals its child and then its process group, and a wrapper such
// as npm passes on the Ctrl-C that the terminal has sent to all.
const sameWish = 250 * time.Millisecond

// interruptible is the context of a long run: it ends at Ctrl-C, or when the
// terminal goes away, after which the run tells what it has. A second signal,
// later than sameWish after the first, ends the process at once, and with it
// whatever it has started.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(cmd.Context())
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		wanted = append(wanted, syscall.SIGHUP)
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, wanted...)
	over := make(chan struct{})
	go func() {
		var first time.Time
		for {
			select {
			case <-over:
				return
			case <-signals:
				cancel()
			}
			switch {
			case first.IsZero():
				first = time.Now()
			case time.Since(first) > sameWish:
				subject.KillAll()
				children.Abandon()
				fmt.Fprintln(os.Stderr, "replyproof: stopped at once")
				os.Exit(statusUsage)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel()
	}
}
