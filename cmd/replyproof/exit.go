package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// The exit statuses of every subcommand.
const (
	statusFindings = 1 // deviations, or failures of a run
	statusUsage    = 2 // usage, or an input that could not be read
	statusBroken   = 3 // the adapter broke, not what it adapts
)

// statusError is an error that ends the command with a status of its own. One
// without an error has been told already and prints nothing.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// errFindings ends a run that did its work and found something.
var errFindings = &statusError{status: statusFindings}

func broken(err error) error { return &statusError{status: statusBroken, err: err} }

// tellError tells err and gives the status that it calls for. One error is one
// line; where several were joined each has a line of its own, and what was said
// already is not said again.
func tellError(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	status := statusUsage
	var own *statusError
	if errors.As(err, &own) {
		status = own.status
		if own.err == nil {
			return status
		}
	}
	said := make(map[string]bool)
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = visible.Text(strings.TrimSpace(line)); line == "" || said[line] {
			continue
		}
		if len(said) == 0 && errors.Is(err, context.Canceled) {
			fmt.Fprintf(stderr, "replyproof: stopped: %s\n", line)
		} else {
			fmt.Fprintf(stderr, "replyproof: %s\n", line)
		}
		said[line] = true
	}
	return status
}
