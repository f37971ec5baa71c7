//go:build unix

package fuzzing

import (
	"errors"
	"syscall"
)

// isPipe tells whether nobody reads any more.
func isPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
