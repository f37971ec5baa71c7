package nightly

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/corpus"
)

const (
	againLimit = 15 * time.Second // for one input, as plain go test runs it
	flakyName  = "flaky"
	crashName  = "failure.json"
	caseName   = "case.json"
	foundName  = "found"   // the input as it was found
	inputName  = "minimal" // the smallest form of it
)

// judge looks at a failing input that was kept: it is run again as plain go test
// does; what fails is made small, judged, and put into testdata/fuzz of its
// package, so that go test fails until it is mended.
func (h *hunt) judge(ctx context.Context, name string) error {
	waiting := h.path(crashersName, newName, name)
	found, err := os.ReadFile(waiting)
	if err != nil {
		return fmt.Errorf("read a failing input of %s: %w", h.target, err)
	}
	h.night.now(h, "looking at a failing input", nil)
	e, err := h.again(ctx, name, found)
	if err != nil {
		return err
	}
	f := Failure{Output: e.Said, After: h.night.clock.gone().Seconds(), Input: clip(string(found), keepInput)}
	if !e.Failed {
		f.Kind, f.Signature, f.Folder = KindFlaky, KindFlaky+" "+name, h.path(crashersName, flakyName)
		f.InputFile = filepath.Join(f.Folder, name)
		f.Output = "it failed in the search and not again"
		f.Reproduce = h.target.Reproduce("")
		if err := h.night.store.Write(f.InputFile, found, true); err != nil {
			return err
		}
		h.fail(f)
		return os.Remove(waiting)
	}
	f.Kind, f.Signature = fuzzing.Signature(e.Said)
	folder := h.path(crashersName, digest(f.Signature))
	if old, filed := h.filed(folder); filed || h.met(f.Signature) {
		f.Known, f.InputFile, f.Reproduce, f.Folder = old.Signature != "" && !h.met(f.Signature), old.InputFile, old.Reproduce, folder
		f.Input, f.Verdicts, f.Size, f.From = old.Input, old.Verdicts, old.Size, old.From
		h.fail(f)
		return os.Remove(waiting)
	}
	f.Folder = folder
	small, said, err := h.smallest(ctx, found, f.Signature)
	if err != nil {
		return err
	}
	if said != "" {
		f.Output = said
	}
	if err := h.file(ctx, f, found, small); err != nil {
		return err
	}
	return os.Remove(waiting)
}

// hangMinimise is the time to make an input small from which on that is tried
// with one that hangs: each try takes ten seconds.
const hangMinimise = 30 * time.Second

// triesLeast is how often it is tried to make an input smaller or plainer however
// long that takes, up to so many times what there is time for: to what a small
// input comes is not to depend on how busy the machine is.
const (
	triesLeast  = 256
	triesStrain = 10
)

// spent tells whether the time to make an input small is over: how often it was
// tried, for how long, and with how much time to do it in.
func spent(tries int, gone, limit time.Duration, hangs bool) bool {
	if hangs || tries >= triesLeast {
		return gone > limit
	}
	return gone > triesStrain*limit
}

// keepInput is how much of an input a report shows.
const keepInput = 64 << 10

// again runs one input as plain go test does.
func (h *hunt) again(ctx context.Context, name string, file []byte) (fuzzing.Ended, error) {
	at := h.path(liveName, "again")
	dir, err := fuzzing.Tree(at, h.target, func(string) bool { return false })
	if err != nil {
		return fuzzing.Ended{}, fmt.Errorf("prepare %s: %w", h.target, err)
	}
	path := filepath.Join(dir, "testdata", "fuzz", h.target.Name, name)
	if err := h.night.store.Write(path, file, false); err != nil {
		return fuzzing.Ended{}, err
	}
	e := h.target.Again(ctx, dir, name, againLimit, limit)
	return e, ctx.Err()
}

// smallest is the smallest and plainest form of an input that fails for the same
// reason, and what is said of it; the input itself where none is found in time.
func (h *hunt) smallest(ctx context.Context, found []byte, signature string) (small []byte, said string, err error) {
	in, err := fuzzing.ParseInput(found)
	if err != nil || h.night.sightless() != nil || signature == fuzzing.KindHang && h.night.minimise < hangMinimise {
		return found, "", nil
	}
	w, err := h.target.Worker(ctx, h.tree, h.path(liveName, "work"))
	if err != nil {
		return found, "", h.night.unseeing(err)
	}
	defer w.Close()
	first, err := w.Try(found)
	if err != nil || !first.Failed {
		return found, "", h.night.unseeing(err)
	}
	// The worker tells a failure in other words than go test.
	_, want := fuzzing.Signature(first.Said)
	began, tries := h.night.clock.gone(), 0
	over := func() bool {
		tries++
		return ctx.Err() != nil || err != nil || spent(tries, h.night.clock.gone()-began, h.night.minimise, signature == fuzzing.KindHang)
	}
	in = in.Minimise(func(next fuzzing.Input) bool {
		var t fuzzing.Trial
		if t, err = w.Try(next.File()); err != nil || !t.Failed {
			return false
		}
		_, got := fuzzing.Signature(t.Said)
		return got == want
	}, over)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return found, "", h.night.unseeing(err)
	}
	e, err := h.again(ctx, in.Name(), in.File())
	if err != nil {
		return nil, "", err
	}
	if _, got := fuzzing.Signature(e.Said); !e.Failed || got != signature {
		return found, "", nil
	}
	return in.File(), e.Said, nil
}

// file keeps a failure with all that is known of it, puts its input into
// testdata, and tells it.
func (h *hunt) file(ctx context.Context, f Failure, found, small []byte) error {
	f.Input = clip(string(small), keepInput)
	if in, err := fuzzing.ParseInput(found); err == nil {
		f.From = in.Size()
	}
	name := corpus.SeedName(small)
	if in, err := fuzzing.ParseInput(small); err == nil {
		f.Size = in.Size()
		if data, ok := in.Bytes(); ok {
			v := h.night.judged(ctx, h.target, data)
			f.Verdicts = &v
		}
	}
	f.InputFile = filepath.Join(fuzzing.Testdata(h.target), name)
	f.Reproduce = h.target.Reproduce(h.target.Name + "/" + name)
	if err := h.night.store.WriteSeed(f.InputFile, small); err != nil {
		h.night.note("the input of %s could not be put into testdata: %v; it is in %s", h.target, err, f.Folder)
		f.InputFile = filepath.Join(f.Folder, inputName)
	}
	h.failing[name] = true
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	s := h.night.store
	err = errors.Join(s.Write(filepath.Join(f.Folder, foundName), found, true), s.Write(filepath.Join(f.Folder, inputName), small, true))
	if f.Verdicts != nil && len(f.Verdicts.Case) > 0 {
		file, fault := f.Verdicts.CaseFile()
		if fault == nil {
			fault = s.Write(filepath.Join(f.Folder, caseName), file, true)
		}
		err = errors.Join(err, fault)
	}
	// Last: a folder with this file is whole.
	err = errors.Join(err, s.Write(filepath.Join(f.Folder, crashName), append(text, '\n'), true))
	h.fail(f)
	if err != nil {
		return fmt.Errorf("keep a failure of %s: %w", h.target, err)
	}
	return nil
}

// filed is a failure that is kept in a folder, and whether its input still lies
// where it was put: one that is gone was mended, or is to be filed again.
func (h *hunt) filed(folder string) (f Failure, there bool) {
	text, err := os.ReadFile(filepath.Join(folder, crashName))
	if err != nil || json.Unmarshal(text, &f) != nil {
		return Failure{}, false
	}
	_, err = os.Stat(f.InputFile)
	return f, err == nil
}

// met tells whether a failure of that signature was told in this night.
func (h *hunt) met(signature string) bool {
	for _, f := range h.result.Failures {
		if f.Signature == signature {
			return true
		}
	}
	return false
}

// knownFailing tells of an input in testdata that fails: one that an earlier
// night has put there, or that somebody else has.
func (h *hunt) knownFailing(ctx context.Context, name string) error {
	path := filepath.Join(fuzzing.Testdata(h.target), name)
	file, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read an input of %s: %w", h.target, err)
	}
	e, err := h.again(ctx, name, file)
	if err != nil {
		return err
	}
	if !e.Failed {
		return nil
	}
	f := Failure{Known: true, Output: e.Said, Input: clip(string(file), keepInput), InputFile: path}
	f.Reproduce = h.target.Reproduce(h.target.Name + "/" + name)
	f.Kind, f.Signature = fuzzing.Signature(e.Said)
	f.Folder = h.path(crashersName, digest(f.Signature))
	if old, filed := h.filed(f.Folder); filed {
		f.Verdicts, f.Size, f.From = old.Verdicts, old.Size, old.From
	} else {
		f.Folder = ""
		if in, err := fuzzing.ParseInput(file); err == nil {
			f.Size = in.Size()
			if data, ok := in.Bytes(); ok {
				v := h.night.judged(ctx, h.target, data)
				f.Verdicts = &v
			}
		}
	}
	h.fail(f)
	return nil
}

// fail tells a failure, or counts it if it was told.
func (h *hunt) fail(f Failure) {
	f.Package, f.Target, f.Count = h.target.Package, h.target.Name, 1
	f.Output = visible.Lines(f.Output)
	if f.Kind == "" {
		f.Kind, f.Signature = fuzzing.Signature(f.Output)
	}
	if f.After == 0 {
		f.After = h.night.clock.gone().Seconds()
	}
	h.night.failed(f)
}

func digest(signature string) string {
	sum := sha256.Sum256([]byte(signature))
	return hex.EncodeToString(sum[:8])
}

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:limit] + fmt.Sprintf("… (%d bytes more)", len(text)-limit)
}
