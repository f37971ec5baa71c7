package subject

import (
	"errors"
	"os/exec"
	"sync"
)

// running holds the programs that are running, so that [KillAll] reaches them
// all. Its lock is held while a program is started: none slips through.
var running struct {
	sync.Mutex
	programs map[*exec.Cmd]struct{}
	closed   bool
}

var errClosed = errors.New("this process is ending")

// begin starts a program and registers it.
func begin(cmd *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	if running.closed {
		return errClosed
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if running.programs == nil {
		running.programs = make(map[*exec.Cmd]struct{})
	}
	running.programs[cmd] = struct{}{}
	return nil
}

// end forgets a program that has ended.
func end(cmd *exec.Cmd) {
	running.Lock()
	delete(running.programs, cmd)
	running.Unlock()
}

// KillAll kills every adapter that is running, with its process group, and lets
// none start any more. It is for a process that is about to exit at once and
// cannot wait for [Process.Close].
func KillAll() {
	running.Lock()
	defer running.Unlock()
	running.closed = true
	for cmd := range running.programs {
		killGroup(cmd)
	}
}
