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

// reap waits for a program to end, kills what is left of its process group, ends
// its guard and forgets it. A number that was waited for may be another process's
// at any time: where the system lets it, all that is done before, and nobody
// signals it afterwards.
func reap(cmd *exec.Cmd, release func()) (err error) {
	held := hasEnded(cmd)
	if !held {
		err = cmd.Wait()
	}
	running.Lock()
	defer running.Unlock()
	killGroup(cmd)
	release()
	if held {
		err = cmd.Wait()
	}
	delete(running.programs, cmd)
	return err
}

// killRunning kills a program and its process group, unless it has ended: then
// the group is dead already, and its number may be that of another.
func killRunning(cmd *exec.Cmd) {
	running.Lock()
	defer running.Unlock()
	if _, ok := running.programs[cmd]; ok {
		killGroup(cmd)
	}
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
