package children

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	workPrefix = "replyproof-nightly-"
	lockName   = "lock"         // held as long as the run lasts, however it ends
	stale      = 24 * time.Hour // a folder without a lock that nobody has touched for so long is nobody's
	touch      = time.Hour
)

// TempDir makes a temporary folder for the time of a run, and removes those that
// runs which were killed have left behind: their locks are free. remove removes
// it. A run that cannot lock its own touches it as long as it lasts.
func TempDir() (dir string, remove func(), err error) {
	sweep(os.TempDir(), time.Now().Add(-stale))
	if dir, err = makeDir(); err != nil {
		return "", nil, fmt.Errorf("make room for the test binaries: %w", err)
	}
	held := hold(dir)
	over := make(chan struct{})
	go func() {
		for tick := time.Tick(touch); ; {
			select {
			case now := <-tick:
				_ = os.Chtimes(dir, now, now)
			case <-over:
				return
			}
		}
	}()
	return dir, func() {
		close(over)
		_ = os.RemoveAll(dir)
		if held != nil {
			_ = held.Close()
		}
		running.Lock()
		delete(running.folders, dir)
		running.Unlock()
	}, nil
}

// hold locks a folder; nil is a system or a disk that cannot. The lock gets its
// name when it is held: nobody meets a free one of a run that lasts.
func hold(dir string) *flock.Flock {
	lock := flock.New(filepath.Join(dir, lockName+".new"))
	if got, err := lock.TryLock(); err != nil || !got {
		return nil
	}
	if os.Rename(lock.Path(), filepath.Join(dir, lockName)) != nil {
		_ = lock.Close()
		return nil
	}
	return lock
}

// makeDir makes a temporary folder that [Abandon] knows.
func makeDir() (string, error) {
	running.Lock()
	defer running.Unlock()
	if running.closed {
		return "", errClosed
	}
	dir, err := os.MkdirTemp("", workPrefix)
	if err != nil {
		return "", err
	}
	if running.folders == nil {
		running.folders = make(map[string]struct{})
	}
	running.folders[dir] = struct{}{}
	return dir, nil
}

// sweep removes the folders of runs that hold them no more; of those that have no
// lock the ones that were last touched before a time. What cannot be removed is
// another user's, or gone already.
func sweep(temp string, before time.Time) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), workPrefix) {
			continue
		}
		dir := filepath.Join(temp, e.Name())
		name := filepath.Join(dir, lockName)
		lock, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && info.ModTime().Before(before):
			_ = os.RemoveAll(dir)
		case err == nil && lock.Mode().IsRegular():
			sweepFree(dir, name)
		}
	}
}

// sweepFree removes a folder whose lock is free.
func sweepFree(dir, name string) {
	lock := flock.New(name)
	if got, err := lock.TryLock(); err != nil || !got {
		return
	}
	_ = os.RemoveAll(dir)
	_ = lock.Close()
}
