package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// saveEvery is what a run that is killed loses at most, besides the batch of cases
// that it was at.
const saveEvery = time.Second

// continued sets a run up to keep its journal, and to go on where j left it.
func (c *checkFlags) continued(s *terminal.Screen, o *runner.Options, j *journal) error {
	if c.reportDir == "" || !c.external() {
		return nil
	}
	parts := c.parts(o)
	if j != nil {
		for i, part := range parts {
			if i >= len(j.Run) || j.Run[i] != part {
				was := "nothing"
				if i < len(j.Run) {
					was = j.Run[i].Value
				}
				return fmt.Errorf("--resume: the run in %s has another %s, %s and not %s; give it as it was, or begin anew without --resume",
					c.reportDir, part.Name, was, part.Value)
			}
		}
		o.Resume, c.kept = j.State, true
		s.Notef("going on in %s after %d cases and %s", c.reportDir, j.State.Counts.Cases, j.State.Used.Round(time.Second))
	}
	o.SaveEvery = saveEvery
	told, begun := false, j != nil
	o.Save = func(state *runner.State) error {
		if info, err := os.Lstat(c.journalPath()); !begun && err == nil && info.Mode().IsRegular() {
			_ = os.Rename(c.journalPath(), filepath.Join(c.reportDir, formerName))
		}
		begun = true
		err := journal{Seed: strconv.FormatUint(o.Seed, 10), Run: parts, State: state}.write(c.journalPath())
		c.kept = c.kept || err == nil
		if err != nil && !told { // the search is worth more than that it can be gone on with
			told = true
			s.Notef("write the journal: %v; the run goes on, and could not be gone on with", err)
		}
		return nil
	}
	return nil
}

// parts are what a run is known by. The time that it has and how many are asked at
// once may be others when it is gone on with.
func (c *checkFlags) parts(o *runner.Options) []runPart {
	sum := sha256.New()
	encoder := json.NewEncoder(sum)
	for _, one := range o.Corpus {
		_ = encoder.Encode(one) // a hash takes everything
	}
	for _, one := range o.Recipes {
		_ = encoder.Encode(one)
	}
	cases := hex.EncodeToString(sum.Sum(nil)[:8])
	sum.Reset()
	_ = encoder.Encode(c.known)
	return []runPart{
		{"subject", c.command()},
		{"seed", strconv.FormatUint(o.Seed, 10)},
		{"catalogue of faults", generators.Default().Version()},
		{"choice of --cases, --case, --recipe or --evolved", strings.TrimSpace(fmt.Sprintf("%s, random %d%s", cases, o.Random, enumerated(o)))},
		{"--severity", o.Severity.String()},
		{"--max-deviations", strconv.Itoa(o.MaxCauses)},
		{"--baseline", hex.EncodeToString(sum.Sum(nil)[:8])},
	}
}

func enumerated(o *runner.Options) (text string) {
	for _, set := range []struct {
		name string
		on   bool
	}{{"singles", o.Singles}, {"pairs", o.Pairs}, {"cuts", o.Cuts}, {"triples", o.Triples}} {
		if set.on {
			text += ", " + set.name
		}
	}
	return text
}

// finished removes the journal of a run that is over and has nothing to be gone on
// with. One of --for stays: with a longer time it goes on.
func (c *checkFlags) finished(r runner.Result) error {
	if c.reportDir == "" || !c.external() || c.length > 0 || r.Interrupted {
		return nil
	}
	if info, err := os.Stat(c.journalPath()); err == nil && !info.Mode().IsRegular() {
		return nil // none of ours
	}
	if err := os.Remove(c.journalPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the journal: %w", err)
	}
	return nil
}
