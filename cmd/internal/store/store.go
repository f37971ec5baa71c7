// Package store keeps what a night of fuzzing finds in a folder, so that it is
// there whatever ends the night. A file is written beside its name and renamed,
// a journal grows by whole lines, and one process at a time has the folder.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/gofrs/flock"
)

// ErrBusy is a folder that another run has.
var ErrBusy = errors.New("another nightly has this folder")

// ErrFull is a disk that has no room for what was found.
var ErrFull = errors.New("no room is left")

const (
	lockName    = "lock"
	reserveName = "reserve"
	reserveSize = 1 << 20
	partSuffix  = ".part"
)

// Store is the folder of a run, from [Open] to [Store.Close].
type Store struct {
	dir  string
	lock *flock.Flock
	// create makes the file beside a name; tests put one in its place that fails.
	create func(name string) (file, error)

	mu sync.Mutex
}

// file is what is written to.
type file interface {
	Write([]byte) (int, error)
	Sync() error
	Close() error
}

// Open takes the folder, which it makes if need be. While another process has
// it the error is [ErrBusy], and says which. The lock goes with the process, so
// that one that was killed leaves none.
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the inputs: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of the inputs: %w", err)
	}
	name := filepath.Join(dir, lockName)
	s := &Store{dir: dir, lock: flock.New(name)}
	s.create = func(name string) (file, error) { return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) }
	got, err := s.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if !got {
		owner, _ := os.ReadFile(name)
		return nil, fmt.Errorf("%w: %s, process %s; wait for it, or name another folder with --corpus",
			ErrBusy, dir, strings.TrimSpace(string(owner)))
	}
	// In place: a file that is renamed over the lock would be another lock.
	if err := os.WriteFile(name, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o644); err != nil && !full(err) {
		return nil, errors.Join(fmt.Errorf("write %s: %w", name, err), s.lock.Unlock())
	}
	s.provide()
	return s, nil
}

// provide sets aside a little room for what must not be lost on a full disk.
func (s *Store) provide() {
	name := s.Path(reserveName)
	if info, err := os.Stat(name); err == nil && info.Size() == reserveSize {
		return
	}
	if os.WriteFile(name, make([]byte, reserveSize), 0o644) != nil {
		_ = os.Remove(name)
	}
}

// Close gives the folder back.
func (s *Store) Close() error { return s.lock.Unlock() }

// Path is the path of a name inside the folder.
func (s *Store) Path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// Write writes a file by a temporary name that is then renamed. vital is what
// must not be lost: it reaches the disk before Write returns, and where the disk
// is full it gets the room that was set aside. The error of a full disk is
// [ErrFull].
func (s *Store) Write(path string, data []byte, vital bool) error {
	return s.writeBeside(path, filepath.Dir(path), data, vital)
}

// WriteSeed writes a vital file into a folder of testdata/fuzz. Its temporary
// name is outside of that folder, in which Go takes every file for an input.
func (s *Store) WriteSeed(path string, data []byte) error {
	return s.writeBeside(path, filepath.Dir(filepath.Dir(path)), data, true)
}

func (s *Store) writeBeside(path, temp string, data []byte, vital bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.write(path, temp, data, vital)
	if full(err) && vital && os.Remove(s.Path(reserveName)) == nil {
		err = s.write(path, temp, data, vital)
	}
	return told(err)
}

func (s *Store) write(path, temp string, data []byte, sync bool) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part := filepath.Join(temp, "."+filepath.Base(path)+partSuffix)
	f, err := s.create(part)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
	}
	return err
}

// Link gives a file a second name, or copies it where that cannot be.
func (s *Store) Link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return told(err)
	}
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return s.Write(to, data, false)
}

// full tells whether an error is that of a full disk.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// told is err, as [ErrFull] if it is that.
func told(err error) error {
	if full(err) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// Sweep removes what a process that was killed has left half written below a
// folder of the store.
func (s *Store) Sweep(names ...string) {
	_ = filepath.WalkDir(s.Path(names...), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), partSuffix) {
			_ = os.Remove(path)
		}
		return nil
	})
}
