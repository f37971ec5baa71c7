package nightly

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"
)

// hurry is how long a child has to stop by itself once the night is interrupted.
const hurry = 2 * time.Second

// running holds the children that are running and the folders that are in use,
// so that [Abandon] reaches them all. Its lock is held while a child is started:
// none slips through.
var running struct {
	sync.Mutex
	children map[*exec.Cmd]struct{}
	folders  map[string]struct{}
	closed   bool
}

var errClosed = errors.New("this process is ending")

// run runs a child in a process group of its own, of which nothing is left when
// it returns. When ctx ends the child is asked to stop, and killed after a moment.
func run(ctx context.Context, cmd *exec.Cmd) error {
	ownGroup(cmd)
	if err := begin(cmd); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		select {
		case <-ended:
		case <-time.After(hurry):
			killGroup(cmd)
		}
	}()
	err := cmd.Wait()
	close(ended)
	killGroup(cmd) // workers that outlived their coordinator
	running.Lock()
	delete(running.children, cmd)
	running.Unlock()
	return err
}

func begin(cmd *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	if running.closed {
		return errClosed
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if running.children == nil {
		running.children = make(map[*exec.Cmd]struct{})
	}
	running.children[cmd] = struct{}{}
	return nil
}

// Abandon kills every child that is running and removes what the night has put
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
