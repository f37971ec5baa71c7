// Command replyproof judges answers to MCP tool calls, and judges those who
// judge them. See replyproof --help.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
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

// interruptible is the context of a long run: it ends at Ctrl-C, after which
// the run tells what it has. A second Ctrl-C ends the process.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
