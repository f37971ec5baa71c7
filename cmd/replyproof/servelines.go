package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// Bounds of lines that wait to be read.
const (
	// maxWaiting is how many bytes of lines wait for somebody to read them.
	maxWaiting = 16 << 20
	// lastWait is how long they wait once the command ends.
	lastWait = 500 * time.Millisecond
)

// lines writes lines to standard output without making anybody wait: a pipe that
// nobody reads, as of a parent that wanted the first line alone, must not stop the
// server that they tell of.
type lines struct {
	screen *terminal.Screen
	more   chan struct{} // holds one once there is something to do
	over   chan struct{} // closed once nothing more will be written

	mu      sync.Mutex
	waiting []byte
	lost    int
	closed  bool
	failed  error
}

func newLines(screen *terminal.Screen) *lines {
	l := &lines{screen: screen, more: make(chan struct{}, 1), over: make(chan struct{})}
	go l.write()
	return l
}

func (l *lines) wake() {
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// say takes in a line, and gives the first failure to write one.
func (l *lines) say(text string) error {
	l.mu.Lock()
	if len(l.waiting)+len(text) < maxWaiting {
		l.waiting = append(append(l.waiting, text...), '\n')
	} else {
		l.lost++
	}
	err := l.failed
	l.mu.Unlock()
	l.wake()
	return err
}

// write writes what waits until the lines are closed.
func (l *lines) write() {
	defer close(l.over)
	for range l.more {
		l.mu.Lock()
		text, closed, failed := l.waiting, l.closed, l.failed
		l.waiting = nil
		l.mu.Unlock()
		for piece := range slices.Chunk(text, 64<<10) {
			if failed != nil {
				break
			}
			if _, failed = l.screen.Out().Write(piece); failed == nil {
				failed = l.screen.Flush()
			}
		}
		l.mu.Lock()
		l.failed = failed
		l.mu.Unlock()
		if closed {
			return
		}
	}
}

// close waits a moment for what is not written yet. The error tells what was lost.
func (l *lines) close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wake()
	timer := time.NewTimer(lastWait)
	defer timer.Stop()
	select {
	case <-l.over:
	case <-timer.C:
		return errors.New("write results: nobody reads standard output, and the last lines are lost")
	}
	if l.failed == nil && l.lost > 0 {
		return fmt.Errorf("write results: %d lines are lost, since nobody read standard output", l.lost)
	}
	return l.failed
}
