package children

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	workPrefix = "replyproof-nightly-"
	stale      = 24 * time.Hour // a folder that nobody has touched for so long is nobody's
	touch      = time.Hour
)

// TempDir makes a temporary folder for the time of a run, and removes those that
// runs which were killed have left behind. A run touches its own as long as it
// lasts; remove removes it.
func TempDir() (dir string, remove func(), err error) {
	sweep(os.TempDir(), time.Now().Add(-stale))
	if dir, err = makeDir(); err != nil {
		return "", nil, fmt.Errorf("make room for the test binaries: %w", err)
	}
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
		running.Lock()
		delete(running.folders, dir)
		running.Unlock()
	}, nil
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

// sweep removes the folders of runs that were last touched before a time.
// What cannot be removed is another user's, or gone already.
func sweep(temp string, before time.Time) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), workPrefix) && info.ModTime().Before(before) {
			_ = os.RemoveAll(filepath.Join(temp, e.Name()))
		}
	}
}
