package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Journal is a file of JSON lines that only grows.
type Journal struct {
	store *Store
	path  string
	torn  bool // the last line may be half written
}

// Journal is the journal of that name; it need not exist yet.
func (s *Store) Journal(names ...string) *Journal {
	return &Journal{store: s, path: s.Path(names...), torn: true}
}

// Append adds a line, which reaches the disk before it returns. On a full disk
// it takes the room that was set aside.
func (j *Journal) Append(record any) error {
	line, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	j.store.mu.Lock()
	defer j.store.mu.Unlock()
	err = j.append(append(line, '\n'))
	if full(err) && os.Remove(j.store.Path(reserveName)) == nil {
		err = j.append(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", told(err))
	}
	return nil
}

func (j *Journal) append(line []byte) error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	if j.torn {
		// What was cut short becomes a line of its own, which readers pass over.
		if info, err := f.Stat(); err == nil && info.Size() > 0 {
			var last [1]byte
			if _, err := f.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
				line = append([]byte{'\n'}, line...)
			}
		}
	}
	n, err := f.Write(line)
	j.torn = n != len(line) || err != nil
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Lines calls each with every whole line of the journal; a line that is no JSON,
// as one cut short by the end of its process, is passed over. A journal that
// does not exist has none. The error of each comes back with the file and the
// number of the line.
func (j *Journal) Lines(each func(line []byte) error) error {
	f, err := os.Open(j.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	number := 0
	for r := bufio.NewReader(f); ; {
		number++
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && json.Valid(line) {
			if err := each(line); err != nil {
				return fmt.Errorf("%s, line %d: %w", j.path, number, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
