package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// journalName is the file of a report folder from which a run is gone on with.
const (
	journalName   = "journal.json"
	journalFormat = "replyproof-journal/2"
	lockName      = "." + journalName + ".lock" // held while a run is at work in the folder
	formerName    = "journal.old.json"          // of the run before, if another has begun in its place
)

// journal is where a run stands, and which one it is.
type journal struct {
	Format string        `json:"format"`
	Seed   string        `json:"seed"`
	Run    []runPart     `json:"run"`
	Sum    string        `json:"sum"` // SHA-256 of the state's text: what is changed by a hand or a disk is not gone on with
	State  *runner.State `json:"state"`
}

// runPart is something that must be the same for a run to be gone on with.
type runPart struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// journalText is a journal with its state as text.
type journalText struct {
	journal
	State json.RawMessage `json:"state"`
}

func (c *checkFlags) journalPath() string { return filepath.Join(c.reportDir, journalName) }

// loadJournal takes the report folder, and reads the journal of a run that is to be
// gone on with; nil where there is none, and the run begins.
func (c *checkFlags) loadJournal(s *terminal.Screen) (*journal, error) {
	if c.reportDir == "" || !c.external() {
		return nil, nil
	}
	path := c.journalPath()
	info, err := os.Stat(path)
	there := err == nil
	if !errors.Is(err, fs.ErrNotExist) && c.resume {
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is no regular file", path)
		}
		if err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
	}
	if _, err := os.Stat(c.reportDir); err == nil {
		if err := c.hold(s); err != nil {
			return nil, err
		}
	}
	left, _ := filepath.Glob(filepath.Join(c.reportDir, "."+journalName+"-*")) // by a run that was killed while it wrote
	for _, name := range left {
		_ = os.Remove(name)
	}
	if !there {
		return nil, nil
	}
	if !c.resume {
		s.Notef("%s: a run is there that --resume would go on with; another one begins in its place, and its journal is kept as %s", c.reportDir, formerName)
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	j, err := parseJournal(text)
	if err != nil {
		return nil, fmt.Errorf("--resume: %s %w; remove it to begin anew", path, err)
	}
	return j, nil
}

func parseJournal(text []byte) (*journal, error) {
	var file journalText
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("is no journal of a run: %w", err)
	}
	if file.Format != journalFormat {
		return nil, fmt.Errorf("is of the format %q, not %q", file.Format, journalFormat)
	}
	if file.Sum != sumOf(file.State) {
		return nil, errors.New("is not as it was written: its sum is another")
	}
	if err := json.Unmarshal(file.State, &file.journal.State); err != nil {
		return nil, fmt.Errorf("is no journal of a run: %w", err)
	}
	if file.journal.State == nil {
		return nil, errors.New("is no journal of a run: it has no state")
	}
	return &file.journal, nil
}

// write writes the journal whole or not at all.
func (j journal) write(path string) error {
	state, err := json.Marshal(j.State)
	if err != nil {
		return err
	}
	j.Format, j.Sum = journalFormat, sumOf(state)
	return corpus.WriteWhole(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(journalText{j, state}) })
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// hold takes the report folder for this run alone: two at once would write over each
// other's journals and reports. The lock goes with the process. A folder that cannot
// be locked is used without.
func (c *checkFlags) hold(s *terminal.Screen) error {
	if c.reportDir == "" || !c.external() || c.lock != nil {
		return nil
	}
	name := filepath.Join(c.reportDir, lockName)
	for {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("--report-dir %s: %s is no regular file; remove it", c.reportDir, lockName)
		}
		lock := flock.New(name)
		got, err := lock.TryLock()
		if err != nil {
			s.Notef("%s cannot be locked: %v; let no other run write there", c.reportDir, err)
			return nil
		}
		if !got {
			owner, _ := os.ReadFile(name)
			return fmt.Errorf("--report-dir %s: another check is at work there, process %s; wait for it, or name another folder",
				c.reportDir, strings.TrimSpace(string(owner)))
		}
		// The one before may have removed it between its being opened and locked.
		is, err := lock.Stat()
		named, err2 := os.Stat(name)
		if err == nil && err2 == nil && os.SameFile(is, named) {
			_ = os.WriteFile(name, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o644) // for who comes next to read
			c.lock = lock
			return nil
		}
		_ = lock.Close()
	}
}

// release gives the report folder back.
func (c *checkFlags) release() {
	if c.lock != nil {
		_ = os.Remove(c.lock.Path())
		_ = c.lock.Close()
	}
}
