// Package children runs the processes of a long run so that none outlives it,
// and keeps the temporary folders that it uses, so that none is left behind.
package children

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Hurry is how long a child has to stop by itself once the run is interrupted.
const Hurry = 2 * time.Second

// running holds the children that are running and the folders that are in use,
// so that [Abandon] reaches them all. Its lock is held while a child is started:
// none slips through.
var running struct {
	sync.Mutex
	children map[*exec.Cmd]chan struct{} // closed when the child has ended
	folders  map[string]struct{}
	closed   bool
}

var errClosed = errors.New("this process is ending")

// Run runs a child in a process group of its own, of which nothing is left when
// it returns. When ctx ends the child is asked to stop, and killed after a moment.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return Wait(ctx, cmd)
}

// Start starts a child in a process group of its own. [Wait] must follow.
func Start(cmd *exec.Cmd) error {
	ownGroup(cmd)
	running.Lock()
	defer running.Unlock()
	if running.closed {
		return errClosed
	}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// Where a child dies with the thread that started it, that must last.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			<-ended
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	if running.children == nil {
		running.children = make(map[*exec.Cmd]chan struct{})
	}
	running.children[cmd] = ended
	return nil
}

// Wait waits for a child that was started, and ends what is left of its group.
// When ctx ends the child is asked to stop if its command has that context, and
// killed after a moment.
func Wait(ctx context.Context, cmd *exec.Cmd) error {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		select {
		case <-ended:
		case <-time.After(Hurry):
			killGroup(cmd)
		}
	}()
	err := cmd.Wait()
	close(ended)
	killGroup(cmd) // workers that outlived their coordinator
	running.Lock()
	close(running.children[cmd])
	delete(running.children, cmd)
	running.Unlock()
	return err
}

// Kill ends a child that was started and all of its group. [Wait] must follow.
func Kill(cmd *exec.Cmd) { killGroup(cmd) }

// Abandon kills every child that is running and removes what the run has put
// into the temporary folder. It is for a process that is about to exit at once.
func Abandon() {
	running.Lock()
	defer running.Unlock()
	running.closed = true
	for cmd := range running.children {
		killGroup(cmd)
	}
	for folder := range running.folders {
		// A child that dies may still be writing.
		for range 20 {
			if os.RemoveAll(folder) == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
