package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// entry is what became of a mutant.
type entry struct {
	Mutant string
	By     string  // the test that killed it, empty if none did
	How    string  // failed, used up its CPU seconds, stood still; of a survivor, whether a test felt it
	Time   float64 // seconds
	Code   string  // fingerprint of the code
	Tests  string  // fingerprint of the tests
}

// journal is a file of entries, a line each, so that a run can go on where the
// one before was cut short.
type journal struct {
	file        *os.File
	code, tests string
	known       map[string]entry
}

// openJournal reads what is known of this code under these tests, or, with added,
// also which of its mutants other tests have killed.
func openJournal(path, code, tests string, added bool) (*journal, error) {
	j := &journal{code: code, tests: tests, known: map[string]entry{}}
	old, err := os.Open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		defer old.Close()
		lines := bufio.NewScanner(old)
		for lines.Scan() {
			var e entry
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				return nil, fmt.Errorf("read %s, which may be removed: %w", path, err)
			}
			if e.Code == code && (e.Tests == tests || added && e.By != "") {
				j.known[e.Mutant] = e
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	j.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	return j, err
}

func (j *journal) find(m *mutant) (entry, bool) {
	e, ok := j.known[m.key()]
	return e, ok
}

func (j *journal) add(m *mutant, e entry) {
	e.Mutant, e.Code, e.Tests = m.key(), j.code, j.tests
	text, err := json.Marshal(e)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants: the journal:", err)
	}
}
